"""The assistant asks before it calls: for what is missing, refused, ambiguous or to be allowed, or is corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from generator.domains.domain import Ask
from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.phrases import phrases, says_value, sentence, upper_first
from generator.scenarios.plan_state import agreed
from generator.scenarios.planning_context import Layout, PlanningContext, require_success, turn, with_way
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall, Step
from generator.schemas.validators import validator_for
from generator.worlds.rows import Row, Scope, Worded
from generator.worlds.templates import compile_template
from generator.worlds.ways import Templates, WayProgram

_MOST_BESIDE = 4


def missing_parameter(context: PlanningContext) -> Blueprint:
    """One or two required arguments are left unsaid; the assistant asks for them, the user supplies them."""
    context.open()
    way = context.way(lambda way: way.asks)
    ask, requests, questions, answers = context.random.choice(way.asks)
    scope = context.draw(way)
    context.let_know(way.arguments, scope, aloud=ask.missing)
    texts = _said(context, scope, requests, questions, answers)
    required = context.index.tools[context.lead].parameters.get("required", ())
    values = context.state.values_of(way.arguments, scope)
    known = "\n".join([*context.state.system, texts[0]])
    missing = [name for name in required if name in ask.missing and not says_value(values[name], known)]
    if not missing or not all(says_value(values[name], answer) for name in missing for answer in texts[2:]):
        raise PlanError("nothing is missing that the answer tells")
    return _settled(context, way, scope, texts, tuple(missing), {"missing": missing})


def invalid_value(context: PlanningContext) -> Blueprint:
    """A value is wished for that the schema refuses; the assistant says what is possible, the user picks one."""
    context.open()
    way = context.way(lambda way: way.invalid)
    spec, draws, requests, questions, answers = context.random.choice(way.invalid)
    scope = context.draw(way)
    wished = context.state.draw(draws, Scope(scope.world, dict(scope.names), scope.around, scope.it))
    own = way.arguments.draws.get(spec.argument, "")
    scope.names |= {name: wished.names[name] for name in draws if name in way.draws and name != own and own}
    context.let_know(way.arguments, scope)
    refused = context.state.values_of(way.arguments, wished)
    if validator_for(context.compiled.tools[context.name].parameters).is_valid(refused):
        raise PlanError(f"{context.name} does not refuse {refused.get(spec.argument)!r}")
    texts = [*_said(context, wished, requests, questions), context.ask(answers, scope)]
    claim: JsonObject = {"parameter": spec.argument, "refused": refused.get(spec.argument)}
    return _settled(context, way, scope, texts, (spec.argument,), claim)


def ambiguous(context: PlanningContext) -> Blueprint:
    """What is said can be read in two ways; the assistant asks which is meant, the user says it."""
    context.open()
    way = context.way(lambda way: way.ambiguous)
    spec, requests, questions, answers = context.random.choice(way.ambiguous)
    scope = context.draw(way)
    scope.names["said"] = spec.said
    context.let_know(way.arguments, scope)
    texts = _said(context, scope, requests, questions, answers)
    if spec.tool:
        if spec.tool not in context.compiled.tools:
            raise PlanError(f"the tool {spec.tool} is not there")
        claim: JsonObject = {"tools": sorted((context.name, spec.tool)), "asked": texts[1]}
        return _settled(context, way, scope, texts, (), claim, shown=(spec.tool,))
    values = context.state.values_of(way.arguments, scope)
    if values.get(spec.argument) not in spec.readings:
        raise PlanError(f"what is meant by {spec.said!r} is none of its readings")
    claim = {"parameter": spec.argument, "said": spec.said, "readings": list(spec.readings)}
    return _settled(context, way, scope, texts, (spec.argument,), claim)


def _said(context: PlanningContext, scope: Scope, *given: Templates) -> list[str]:
    """Say what user and assistant say in turn, the user first."""
    tell = (context.state.say, context.state.tell)
    return [context.state.keep(tell[place % 2](templates, scope)) for place, templates in enumerate(given)]


def _settled(
    context: PlanningContext,
    way: WayProgram,
    scope: Scope,
    texts: list[str],
    names: tuple[str, ...],
    claim: JsonObject,
    shown: tuple[str, ...] = (),
) -> Blueprint:
    """Lay out a wish that cannot be served yet, the assistant's question, the answer and the call."""
    request, question, answer = texts
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, answer)
    require_success(call)
    reply = context.reply(way, scope)
    partial = _without(call, names)
    steps = (
        Step(request=True, act="wish", about=(partial,), parameters=names, request_text=request),
        Step(reply=True, act="ask", about=(partial,), parameters=names, reply_text=question),
        Step(request=True, calls=(call,), act="supply", about=(partial,), parameters=names, request_text=answer),
        Step(reply=True, reply_text=reply),
    )
    beside = context.beside(context.random.randint(0, _MOST_BESIDE), called=(context.name, *shown))
    return context.blueprint(steps, (context.lead, *map(context.key, shown), *beside), claim)


def _without(call: PlannedCall, names: tuple[str, ...]) -> PlannedCall:
    return replace(call, arguments={key: value for key, value in call.arguments.items() if key not in names})


_SHARE_DECLINED = 0.25


def confirm_before_write(context: PlanningContext) -> Blueprint:
    """The assistant asks before it acts, as the system message demands; a yes leads to the call, a no to none."""
    texts = phrases()["confirmation"]
    context.open()
    context.own_system.append(context.random.choice(texts["rules"]))
    way = context.way(lambda way: way.confirm)
    scope = context.draw(way)
    context.let_know(way.arguments, scope)
    request = context.ask(way.requests, scope)
    context.require_known(way.arguments, scope)
    question = context.state.keep(context.state.tell(way.confirm, scope))
    declined = context.random.random() < _SHARE_DECLINED
    call = context.call(context.name, way.arguments, scope, request)
    require_success(call)
    asked = (
        Step(request=True, act="wish", about=(call,), request_text=request),
        Step(reply=True, act="confirm", about=(call,), reply_text=question),
    )
    if declined:
        ended = (
            Step(request=True, act="decline", about=(call,), request_text=context.random.choice(texts["no"])),
            Step(reply=True, act="leave", about=(call,), reply_text=context.random.choice(texts["left"])),
        )
    else:
        ended = (
            Step(request=True, calls=(call,), act="agree", request_text=agreed([question], context.random)),
            Step(reply=True, reply_text=context.reply(way, scope)),
        )
    claim: JsonObject = {"asked_about": context.name, "answer": "no" if declined else "yes"}
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    return context.blueprint((*asked, *ended), (context.lead, *beside), claim)


_TRIES = 4
"""How often a value to be corrected is drawn."""
_ATTEMPTS_BEFORE_READING_BACK = 4
"""Attempts in which only what is asked anyway is asked: an assistant that reads back a plain look-up is a nuisance."""
_LONGEST_READ_BACK = 6
"""Words of a value that an assistant reads back."""
_SHARE_WITH_REST = 0.6
_ARTICLE = re.compile(r"\b(the|my|our|an?)\s$", re.IGNORECASE)
_TO_USER = {"my": "your", "our": "your"}
_NOUN = re.compile(r" (?!(?:in|on|at|for|from|to|of|and|or|with|by|is|are|was|were|as)\b)[a-z]{3,}\b")
_BENT = re.compile(r"\|(?:cap|own)\b")
"""Formats that fit a value into its sentence."""
_NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
_WORDS = re.compile(r"\w+")
_CODED_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
"""A day as nobody says it, where a correction has `{was}` without a format."""


@dataclass(frozen=True, slots=True)
class _Slip:
    """A value of a draw that was said first, and the one that is meant."""

    way: WayProgram
    draw: str
    parameter: str
    first: JsonObject
    """The arguments with the value said first."""
    meant: JsonValue
    before: Scope
    after: Scope
    correction: str


@dataclass(frozen=True, slots=True)
class _Talk:
    """What is said up to the call: the wish, what the assistant asks back, the answer with the correction."""

    request: str
    question: str
    answer: str
    missing: tuple[str, ...] = ()
    """The arguments that the assistant asked for."""


def argument_shift(context: PlanningContext) -> Blueprint:
    """The assistant asks back before it calls, and the user corrects a value of the wish; the last word wins."""
    context.open()
    way = _way(context)
    scope = context.draw(way)
    context.let_know(
        way.arguments, scope, aloud={name for name, draw in way.arguments.draws.items() if draw in way.corrections}
    )
    slip, talk = _correcting_said(context, way, scope)
    for text in (talk.request, talk.question, talk.answer):
        context.state.keep(text)
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, talk.request)
    require_success(call)
    claim: JsonObject = {"parameter": slip.parameter, "before": slip.first[slip.parameter]}
    known = {name: value for name, value in slip.first.items() if name not in talk.missing}
    about = (PlannedCall(call.tool, known),)
    head, *rest = turn(talk.answer, [[call]], context.reply(way, scope))
    steps = (
        Step(request=True, act="wish", about=about, parameters=talk.missing, request_text=talk.request),
        Step(reply=True, act="ask", about=about, parameters=talk.missing, reply_text=talk.question),
        replace(head, act="correct"),
        *rest,
    )
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    return context.blueprint(steps, (context.lead, *beside), claim)


def can_be_corrected(way: WayProgram) -> bool:
    """Say whether a value of a way can be corrected when the assistant asks back: over it, over another, or whether."""
    return bool(way.corrections and (way.confirm or way.asks)) or any(
        not _means_more(way, draw) and any(_slot_of(draw).search(text.source) for text in way.requests)
        for draw in way.corrections
    )


def _means_more(way: WayProgram, draw: str) -> bool:
    """Say whether a draw is words with a meaning, which do not stand alone."""
    source = way.way.draw.get(draw)
    return isinstance(source, dict) and "wording" in source


def _slot_of(draw: str) -> re.Pattern[str]:
    return re.compile(rf"\{{\s*\$?{re.escape(draw)}\b[^{{}}<>]*\}}")


def _way(context: PlanningContext) -> WayProgram:
    """Return a way with corrections, where there is one of those about which an assistant asks back anyway."""
    with suppress(PlanError):
        return context.way(lambda way: way.corrections and (way.confirm or way.asks))
    return context.way(can_be_corrected)


def _correcting_said(context: PlanningContext, way: WayProgram, scope: Scope) -> tuple[_Slip, _Talk]:
    """Find a value that can be said wrong first and corrected then, with the words of both.

    Raises:
        PlanError: there is none.
    """
    draws = list(way.corrections)
    context.random.shuffle(draws)
    for draw in draws:
        for _ in range(_TRIES):
            with suppress(PlanError):
                slip = _slip(context, way, scope, draw)
                for talk in _talks(context, slip):
                    if _is_clear(slip, talk):
                        return slip, talk
    raise PlanError("the correction changes nothing, or what it does not say")


def _slip(context: PlanningContext, way: WayProgram, scope: Scope, draw: str) -> _Slip:
    """Draw another value, and say the correction.

    Raises:
        PlanError: it says too little, too much, or nothing new.
    """
    before = Scope(scope.world, {**scope.names}, scope.around, scope.it)
    context.state.draw({draw: way.draws[draw]}, before)
    first, last = (context.state.values_of(way.arguments, each) for each in (before, scope))
    parameter, changed = _changed(way, draw, first, last)
    _call_alike(context, before.names[draw], scope.names[draw])
    after = Scope(scope.world, {**scope.names, "was": before.names[draw]}, scope.around, scope.it)
    correction = _taken_back(context, context.state.say(way.corrections[draw], after))
    if (
        not correction
        or _CODED_DAY.search(correction)
        or not all(says_value(value, correction) for value in changed.values())
    ):
        raise PlanError("the correction does not say what is meant")
    return _Slip(way, draw, parameter, first, last[parameter], before, after, sentence(correction))


def _changed(way: WayProgram, draw: str, first: JsonObject, last: JsonObject) -> tuple[str, JsonObject]:
    """Return the argument that the correction of a draw is about, and all that it changes, as it is meant.

    Raises:
        PlanError: it changes nothing, which arguments are given, or several of them that are not the draw's own.
    """
    changed = {name: value for name, value in last.items() if _folded(value) != _folded(first.get(name))}
    own = [name for name in changed if way.arguments.draws.get(name) == draw]
    if not (own or len(changed) == 1) or first.keys() != last.keys():
        raise PlanError("the correction changes nothing")
    return (own or list(changed))[0], changed


def _folded(value: JsonValue) -> str:
    return str(value).casefold()


def _call_alike(context: PlanningContext, wrong: object, right: object) -> None:
    """Let a row that is said by mistake be called by its id where the right one is."""
    typed = context.state.speech.typed
    if isinstance(wrong, Row) and isinstance(right, Row) and right in typed:
        typed.add(wrong)


def _taken_back(context: PlanningContext, correction: str) -> str:
    """Return a correction with words that take something back; "" where it adds something instead."""
    texts = phrases()["correcting"]
    words = _WORDS.findall(correction.casefold())
    if set(words).intersection(texts["words"]):
        return correction
    if words[:1] and words[0] in texts["adding"]:
        return ""
    return f"{context.random.choice(texts['openers'])} {upper_first(correction)}"


def _talks(context: PlanningContext, slip: _Slip) -> Iterator[_Talk]:
    """Yield the talks that lead to the correction: what is asked anyway first, what was understood last."""
    moves = [_asked_for(context, slip, *each) for each in slip.way.asks]
    if slip.way.confirm:
        moves.append(_asked_whether(context, slip))
    context.random.shuffle(moves)
    if context.attempt >= _ATTEMPTS_BEFORE_READING_BACK:
        moves.append(_read_back(context, slip))
    for move in moves:
        with suppress(PlanError):
            yield from move


def _asked_for(
    context: PlanningContext, slip: _Slip, ask: Ask, requests: Templates, questions: Templates, answers: Templates
) -> Iterator[_Talk]:
    """Something else is missing: the answer tells it, and takes back what was said before."""
    says = tuple(text for text in requests if slip.draw in text.names)
    adds = tuple(text for text in answers if slip.draw not in text.names)
    if slip.parameter in ask.missing or not says or not adds or _begins_with_no(slip.correction):
        return
    request = context.state.say(says, slip.before)
    question = context.state.tell(questions, slip.before)
    answer = f"{sentence(context.state.say(adds, slip.after))} {slip.correction}"
    yield _Talk(request, question, answer, tuple(ask.missing))


def _begins_with_no(text: str) -> bool:
    """Say whether a correction would deny what stands before it."""
    return _WORDS.findall(text.casefold())[:1] == ["no"]


def _asked_whether(context: PlanningContext, slip: _Slip) -> Iterator[_Talk]:
    """The assistant says what it is about to do and waits; a tool that needs a yes is asked about once more."""
    request = context.state.say(slip.way.requests, slip.before)
    question = context.state.tell(slip.way.confirm, slip.before)
    rest = phrases()["correcting"]["rest"]
    goes_on = context.name not in context.compiled.asking and context.random.random() < _SHARE_WITH_REST
    answer = f"{slip.correction} {context.random.choice(rest)}" if goes_on else slip.correction
    yield _Talk(request, question, answer)


def _read_back(context: PlanningContext, slip: _Slip) -> Iterator[_Talk]:
    """The assistant reads back what was said, where that is short enough; whether that was all nobody asks."""
    request = context.state.say(slip.way.requests, slip.before)
    if words := _words_of_value(context, slip, request):
        question = context.random.choice(phrases()["correcting"]["reading_back"])
        yield _Talk(request, question.format(said=words), slip.correction)


def _words_of_value(context: PlanningContext, slip: _Slip, request: str) -> str:
    """Return the words in which a request says the value that is corrected; "" where they cannot stand alone."""
    if isinstance(slip.before.names[slip.draw], Worded):
        return ""
    slot = _slot_of(slip.draw)
    for text in slip.way.requests:
        for found in slot.findall(text.source):
            word = compile_template(_BENT.sub("", found), (), slip.way.compiler)
            with suppress(PlanError):
                said = context.state.say((word,), slip.before)
                place = request.casefold().find(said.casefold())
                if place >= 0 and len(said.split()) <= _LONGEST_READ_BACK:
                    return _with_noun(request, place, said, context.state.tell((word,), slip.before))
    return ""


def _with_noun(request: str, place: int, said: str, answered: str) -> str:
    """Return a value with what makes a thing of it in the request: its article, or what there is a number of."""
    after = request[place + len(said) :]
    if after.startswith("-"):
        return answered
    is_number = said.isdigit() or said.casefold() in _NUMBERS
    noun = _NOUN.match(after) if is_number else None
    article = _ARTICLE.search(request[:place]) if noun is not None or not is_number else None
    first = "" if article is None else f"{_TO_USER.get(article[1].casefold(), article[1].casefold())} "
    return f"{first}{answered}{'' if noun is None else noun[0]}"


def _is_clear(slip: _Slip, talk: _Talk) -> bool:
    """Say whether the wish says the value to be corrected, and not yet the one that is meant."""
    return says_value(slip.first[slip.parameter], talk.request) and not says_value(slip.meant, talk.request)


LAYOUTS: dict[str, Layout] = {
    "missing_parameter": Layout(missing_parameter, with_way(lambda way: way.asks)),
    "invalid_value": Layout(invalid_value, with_way(lambda way: way.invalid)),
    "ambiguous": Layout(ambiguous, with_way(lambda way: way.ambiguous)),
    "confirm_before_write": Layout(confirm_before_write, with_way(lambda way: way.confirm)),
    "argument_shift": Layout(argument_shift, with_way(can_be_corrected)),
}
