"""Rehearsal: a domain file tried over many worlds, so that its author learns beforehand what would not work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from generator.domains.domain import Parallel, Way
from generator.domains.reading import Fault
from generator.jsontext import JsonObject, JsonValue
from generator.records import SUCCESS
from generator.scenarios.blueprints.outcomes import is_chain
from generator.scenarios.blueprints.single_turn import is_at_once
from generator.scenarios.phrases import says
from generator.scenarios.plan_state import question_before
from generator.scenarios.scenario import PlanError
from generator.scenarios.trials import (
    ALREADY_KNOWN,
    UNSAID,
    Ledger,
    Path,
    WorldTrial,
    WorldTrials,
    check_creations,
    check_leaks,
    check_replies,
    known_already,
    outcome,
    unsaid,
)
from generator.schemas.adm import ERROR_TYPES
from generator.suggestions import did_you_mean
from generator.worlds.execution import problem_of
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Row, Scope
from generator.worlds.templates import Template
from generator.worlds.ways import RESULT, Draws, TaskProgram, TurnProgram, WayProgram, WishProgram


def rehearse_talks(trials: WorldTrials, name: str, way: WayProgram, number: int) -> None:
    """Go what a way has beside its plain request."""
    path: Path = ("tools", name, "ways", way.number)
    for part, rehearse in _PARTS.items():
        if not getattr(way.way, part) and part != "empty":
            continue
        trial = trials.on_world(number, name, way.number, part)
        try:
            rehearse(trial, name, way, (*path, part))
        except PlanError as error:
            trials.ledger.fails((*path, part), error)
        else:
            trials.ledger.goes((*path, part))


def _drawn(trial: WorldTrial, way: WayProgram) -> Scope:
    return trial.state.draw(way.draws, trial.state.scope())


def _asks(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    required = trial.compiled.tools[name].parameters.get("required", [])
    for number, (ask, requests, questions, answers) in enumerate(way.asks):
        at = (*path, number)
        for argument in ask.missing:
            if argument not in way.way.arguments:
                trial.ledger.wrong((*at, "missing"), f"the way gives no {argument!r}", "name arguments of the way")
            elif argument not in required:
                remedy = "leave out what the tool requires"
                trial.ledger.wrong((*at, "missing"), f"{argument!r} is optional: nobody must ask for it", remedy)
        scope = _drawn(trial, way)
        for key, templates in (("requests", requests), ("questions", questions), ("answers", answers)):
            trial.texts(templates, (*at, key), scope)


def _confirm(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    if way.confirm:
        trial.texts(way.confirm, path, _drawn(trial, way))


def _follow_ups(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    if way.follow_ups:
        trial.texts(way.follow_ups, path, _drawn(trial, way))


def _corrections(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    for key, templates in way.corrections.items():
        if key not in way.draws:
            trial.ledger.wrong((*path, key), f"there is no draw {key!r}", f"name one of {', '.join(way.draws)}")
            continue
        scope = _drawn(trial, way)
        scope.names["was"] = scope.names[key]
        trial.texts(templates, (*path, key), scope)


def _invalid(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    for number, (spec, draws, requests, questions, answers) in enumerate(way.invalid):
        at = (*path, number)
        scope = _drawn(trial, way)
        trial.texts(answers, (*at, "answers"), scope)
        trial.state.draw(draws, scope)
        written = (*at, "requests") if spec.requests else (*path[:-1], "requests")
        trial.texts(requests, written, scope)
        trial.texts(questions, (*at, "questions"), scope)
        if not problem_of(trial.compiled.tools[name], trial.values_of(way.arguments, scope)):
            remedy = "draw a value that breaks an enum, a bound or a format of the schema"
            trial.ledger.wrong((*at, "draw"), f"the schema allows this value of {spec.argument!r}", remedy)
        value = trial.values_of(way.arguments, scope).get(spec.argument)
        names_a_row = spec.argument.lower().endswith("id") or spec.argument in {
            one.argument for one in way.arguments.ids
        }
        if names_a_row and isinstance(value, int | float) and value < 0:
            remedy = "leave it out, or draw what people might say"
            trial.ledger.wrong((*at, "draw"), "nobody asks for a thing with a number below zero", remedy)


def _ambiguous(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    for number, (spec, requests, questions, answers) in enumerate(way.ambiguous):
        at = (*path, number)
        if spec.tool and spec.tool not in trial.compiled.tools:
            trial.ledger.wrong(
                (*at, "tool"), f"there is no tool called {spec.tool!r}", "name another tool of the domain"
            )
        if spec.argument and spec.argument not in way.way.arguments:
            trial.ledger.wrong((*at, "argument"), f"the way gives no {spec.argument!r}", "name an argument of the way")
        scope = _drawn(trial, way)
        scope.names["said"] = spec.said
        for key, templates in (("requests", requests), ("questions", questions), ("answers", answers)):
            trial.texts(templates, (*at, key), scope)


def _recover(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    for number, (_, draws, first, requests, replies) in enumerate(way.recover):
        at = (*path, number)
        scope = _drawn(trial, way)
        trial.state.draw(draws, scope)
        trial.let_know(way.arguments, scope, 1)
        trial.texts(requests, (*at, "requests"), scope)
        wanted = trial.values_of(way.arguments, scope)
        failed = trial.state.call(name, {**wanted, **{key: value(scope) for key, value in first.items()}})
        if failed.outcome == SUCCESS:
            raise PlanError("the first call does not fail")
        trial.call(name, way.arguments, scope, reads=way.way.reads)
        scope.names |= trial.state.result_names()
        trial.texts(replies, (*at, "replies"), scope)


def _profile(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    for number, (spec, _, texts, requests) in enumerate(way.profile):
        at = (*path, number)
        for argument in (*spec.arguments, *spec.labels):
            if argument not in way.way.arguments:
                trial.ledger.wrong(at, f"the way gives no {argument!r}", "name arguments of the way")
        scope = _drawn(trial, way)
        trial.texts(texts, (*at, "told"), scope)
        for place, _, text in trial.texts(requests, (*at, "requests"), scope):
            for label in spec.labels.values():
                if label.casefold() not in text.casefold():
                    trial.ledger.fails((*at, "requests", place), f"{UNSAID} the label {label!r}")


def _parallel(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    if way.parallel is None:
        return
    spec, requests, replies = way.parallel
    for key in spec.same:
        if key not in way.draws:
            trial.ledger.wrong((*path, "same"), f"there is no draw {key!r}", f"name one of {', '.join(way.draws)}")
            return
    each = _several(trial, way, spec)
    shared = {key: each[0][key] for key in spec.same}
    for names in each:
        scope = trial.state.scope(**names)
        trial.state.speech.typed.update(row for one in way.arguments.ids if isinstance(row := one.row(scope), Row))
    trial.texts(requests, (*path, "requests"), trial.state.scope(each=each, **shared))
    for names in each:
        call = trial.call(name, way.arguments, trial.state.scope(**names), reads=way.way.reads)
        names["r"] = call.answer.content if call.answer is not None else None
    trial.texts(replies, (*path, "replies"), trial.state.scope(each=each, **shared))


def _several(trial: WorldTrial, way: WayProgram, spec: Parallel) -> list[dict[str, Any]]:
    """Draw a way twice, or as often as several of it are at least; the rows of each differ."""
    each: list[dict[str, Any]] = []
    for _ in range(max(2, spec.many[0])):
        shared = {key: each[0][key] for key in spec.same} if each else {}
        before = {
            f"_{n}_{key}": value for n, names in enumerate(each) for key, value in names.items() if key not in shared
        }
        scope = trial.state.scope(**shared, **before)
        own: Draws = {key: source for key, source in way.draws.items() if key not in shared}
        trial.state.draw(own, scope)
        each.append({key: scope.names[key] for key in way.draws})
    return each


def _empty(trial: WorldTrial, name: str, way: WayProgram, path: Path) -> None:
    if way.empty is None:
        return
    scope = _drawn(trial, way)
    trial.state.draw(way.empty, scope)
    call = trial.state.call(name, trial.values_of(way.arguments, scope))
    if outcome(call) != "empty":
        raise PlanError(f"something is found, or it fails: {outcome(call)}")
    if "empty" not in way.replies:
        trial.ledger.wrong(path, "there is no reply for `empty`", "add it to `replies`")


_PARTS = {
    "ask": _asks, "confirm": _confirm, "follow_ups": _follow_ups, "corrections": _corrections, "invalid": _invalid,
    "ambiguous": _ambiguous, "recover": _recover, "profile": _profile, "parallel": _parallel, "empty": _empty,
}  # fmt: skip
"""By key of a way: what goes it."""


def rehearse_task(trial: WorldTrial, task: TaskProgram) -> None:
    """Walk a task to its end."""
    path: Path = ("tasks", task.number)
    try:
        scope = trial.state.draw(task.draws, trial.state.scope())
        for number, turn in enumerate(task.turns):
            _walk(trial, turn, (*path, "turns", number), scope, task.number)
    except PlanError as error:
        trial.ledger.fails(path, error)
    else:
        trial.ledger.goes(path)


def _walk(trial: WorldTrial, turn: TurnProgram, path: Path, scope: Scope, task: int) -> None:
    state = trial.state
    scope.names |= state.result_names()
    written = trial.texts(turn.requests, (*path, "requests"), scope)
    if written:
        state.keep(state.random.choice(written)[2])
    for group in turn.groups:
        for name, arguments, test in group:
            scope.names |= state.result_names()
            if test is not None and not test(scope):
                continue
            found = [call.answer for call in trial.look_up(arguments, scope)]
            state.results = [result for result in state.results if all(result is not one for one in found)]
            question_before(state, name, arguments, scope)
            state.show([trial.call(name, arguments, scope)])
    spec = trial.compiled.domain.tasks[task].turns[int(path[-1])].replies
    trial.reply(turn.replies, spec, (*path, "replies"), scope)


def rehearse_unserved(trial: WorldTrial, number: int, wish: WishProgram) -> None:
    """Say a wish that no tool serves, and what is answered."""
    path: Path = ("unserved", number)
    try:
        scope = trial.state.draw(wish.draws, trial.state.scope())
    except PlanError as error:
        trial.ledger.fails((*path, "draw"), error)
        return
    trial.texts(wish.requests, (*path, "requests"), scope)
    trial.texts(wish.replies, (*path, "replies"), scope)


ROUNDS = 24
"""In how many worlds each way and task is gone."""
FEWEST_REQUESTS = 20
"""How many different requests a tool should have at least."""
_FEWEST_OF_NOTHING = 6
"""The same for a tool that takes nothing: its requests differ in their words alone."""
_ROUNDS_FOR_A_TALK = 3
_SHOWN_UNSAID = 12
_OUTCOMES = ("ok", "empty", *sorted(ERROR_TYPES))


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What came of a rehearsal."""

    faults: tuple[Fault, ...]
    notes: tuple[Fault, ...]
    """What is worth knowing and no fault: errors that no world led to, what no way says."""
    requests: dict[str, tuple[int, int]]
    """By tool, how many different requests were said, and how many there may be."""
    unsaid: dict[str, tuple[str, ...]]
    """By tool, the optional parameters and the values of enumerations that no way says; those that lack some alone."""


def rehearse(compiled: CompiledDomain, *, rounds: int = ROUNDS, fewest: int = FEWEST_REQUESTS) -> Rehearsal:
    """Go every way and task of a compiled domain over many worlds."""
    trials = WorldTrials(compiled, Ledger())
    ledger = trials.ledger
    for name in compiled.tools:
        _rehearse_tool(trials, name, rounds, fewest)
    for task in compiled.tasks:
        for number in range(rounds):
            rehearse_task(trials.on_world(number, "task", task.number), task)
        _check_use(compiled, task, ledger)
    for number, wish in enumerate(compiled.unserved):
        rehearse_unserved(trials.on_world(0, "unserved", number), number, wish)
    _check_wishes(compiled.unserved, ledger)
    varieties = {name: ledger.variety(name) for name in compiled.tools}
    lacking = {
        name: found for name in compiled.tools if compiled.ways.get(name) and (found := unsaid(trials, name, rounds))
    }
    notes = (*ledger.notes, *(_of_unsaid(name, found) for name, found in lacking.items()))
    return Rehearsal(tuple(dict.fromkeys(ledger.found())), notes, varieties, lacking)


def _rehearse_tool(trials: WorldTrials, name: str, rounds: int, fewest: int) -> None:
    """Go every way of a tool over many worlds."""
    compiled, ledger = trials.compiled, trials.ledger
    _check_coverage(compiled, name, ledger)
    check_creations(compiled, name, ledger)
    check_replies(compiled, name, ledger)
    reached: set[str] = set()
    for way in compiled.ways.get(name, ()):
        for number in range(rounds):
            _rehearse_way(trials, name, way, number)
            reached |= _rehearse_errors(trials, name, way, number)
    _check_errors(compiled, name, reached, ledger)
    takes_nothing = not compiled.tools[name].parameters.get("properties")
    least = min(fewest, _FEWEST_OF_NOTHING) if takes_nothing else fewest
    _check_variety(name, least, ledger, has_ways=bool(compiled.ways.get(name)))


def _of_unsaid(name: str, found: Sequence[str]) -> Fault:
    """Return the note of what no way of a tool says."""
    return Fault(("tools", name, "ways"), f"no way ever says {tell_unsaid(found)}", "add ways, or values to draw from")


def tell_unsaid(found: Sequence[str]) -> str:
    """Tell what no way says, many things of it shortly."""
    rest = len(found) - _SHOWN_UNSAID
    return ", ".join(found[:_SHOWN_UNSAID]) + (f" and {rest} more" if rest > 0 else "")


def _rehearse_way(trials: WorldTrials, name: str, way: WayProgram, number: int) -> None:
    path: Path = ("tools", name, "ways", way.number)
    ledger = trials.ledger
    trial = trials.on_world(number, name, way.number)
    try:
        scope = trial.state.draw(way.draws, trial.state.scope())
        trial.let_know(way.arguments, scope, number)
        written = trial.texts(way.requests, (*path, "requests"), scope)
        if not written:
            return
        ledger.requests[name].update(text for _, _, text in written)
        before = len(trial.state.said)
        trial.state.keep(written[number % len(written)][2])
        trial.look_up(way.arguments, scope)
        known = "\n".join((*trial.state.said[:before], *trial.state.said[before + 1 :]))
        _check_said(trial, way, written, known, scope)
        call = trial.call(name, way.arguments, scope, reads=way.way.reads)
        _reply(trial, name, way, outcome(call), scope)
        check_leaks(trial, way, (*path, "replies"), outcome(call), scope)
        context = trial.state.said[0] if trial.compiled.context else ""
        if name not in trial.compiled.writing and (known := known_already(context, call.arguments, call)):
            ledger.fails((*path, "arguments"), f"{ALREADY_KNOWN}: {known}")
        else:
            ledger.goes((*path, "arguments"))
    except PlanError as error:
        ledger.fails(path, error)
    else:
        ledger.goes(path)
    if number % _ROUNDS_FOR_A_TALK == 0:
        rehearse_talks(trials, name, way, number)


def _reply(trial: WorldTrial, name: str, way: WayProgram, ending: str, scope: Scope) -> None:
    """Write the replies to an outcome; those to `ok` serve an empty result that has none of its own."""
    key = ending if ending in way.replies or ending != "empty" else "ok"
    if key not in way.replies:
        trial.ledger.fails(("tools", name, "ways", way.number, "replies"), f"there is no reply for {ending!r}")
        return
    own = key in way.way.replies
    spec = way.way.replies[key] if own else trial.compiled.domain.tools[name].replies.get(key, ())
    base: Path = ("tools", name, "ways", way.number, "replies", key) if own else ("tools", name, "replies", key)
    trial.reply(way.replies[key], spec, base, scope)


def _check_said(
    trial: WorldTrial, way: WayProgram, written: Iterable[tuple[int, Template, str]], known: str, scope: Scope
) -> None:
    """Note the requests that leave out a value of the call which is not known either, by what was said beside them.

    A number that a way draws is said by the request alone: the same digits stand in dates and ids by chance.
    """
    path: Path = ("tools", trial.tool_of(way), "ways", way.number, "requests")
    values = trial.values_of(way.arguments, scope)
    wordless = _needing_no_words(way)
    asked = [name for name in values if name not in wordless]
    drawn = [f"${key}" for key in way.draws]
    for number, template, said in written:
        for name in asked:
            given = way.arguments.values[name](scope)
            is_number = isinstance(values[name], int | float) and way.way.arguments[name] in drawn
            text = said if is_number else f"{known}\n{said}"
            if not says(template, way.way.arguments[name], given, values[name], text):
                trial.ledger.fails((*path, number), f"{UNSAID} `{name}` ({str(values[name])[:60]})")


def _needing_no_words(way: WayProgram) -> frozenset[str]:
    """Return the arguments of a way that no request has to say: constants, and those that are an id alone."""
    ids = {each.argument for each in way.arguments.ids if not _is_composed(way.way.arguments[each.argument])}
    return way.arguments.constants | ids


def _is_composed(spec: JsonValue) -> bool:
    """Say whether an argument is made of several values, of which an id is one."""
    return any(isinstance(each, dict) for each in spec) if isinstance(spec, list) else isinstance(spec, dict)


def _rehearse_errors(trials: WorldTrials, name: str, way: WayProgram, number: int) -> set[str]:
    """Make calls that the world may refuse; return the errors that came."""
    found: set[str] = set()
    for draws in (way.missing, way.loose):
        trial = trials.on_world(number, name, way.number, "error")
        try:
            scope = trial.state.draw(draws, trial.state.scope())
            call = trial.state.call(name, trial.values_of(way.arguments, scope))
        except PlanError:
            continue  # a value that this tool's schema refuses, or nothing to draw: no error of the world
        ending = outcome(call)
        if ending in ERROR_TYPES:
            found.add(ending)
            if ending in way.replies:
                _reply(trial, name, way, ending, scope)
    return found


def _check_errors(compiled: CompiledDomain, name: str, reached: set[str], ledger: Ledger) -> None:
    """Note errors without words, words for no outcome, and errors that no world led to."""
    known = compiled.domain.tools[name]
    stated = _errors_in(list(known.effect))
    for number, way in enumerate(known.ways):
        for key in set(way.replies) | set(known.replies):
            if key not in _OUTCOMES:
                at = ("tools", name, *(("ways", number) if key in way.replies else ()), "replies", key)
                ledger.wrong(at, f"there is no outcome {key!r}", did_you_mean(key, _OUTCOMES) or ", ".join(_OUTCOMES))
    words = set(known.replies).union(*(way.replies for way in known.ways))
    for missing in sorted(stated - words if known.ways else ()):
        what = f"the effect may answer {missing}, and there is no reply for it"
        ledger.wrong(("tools", name, "replies"), what, "say that it failed, why, and what can be done")
    for unmet in sorted(stated - reached):
        ledger.notes.append(Fault(("tools", name, "effect"), f"no draw led to {unmet}"))


def _errors_in(steps: JsonValue) -> set[str]:
    """Return the error types that the steps of an effect name."""
    found: set[str] = set()
    for step in steps if isinstance(steps, list) else ():
        if not isinstance(step, dict):
            continue
        refusal = step.get("else")
        found |= {key for key in refusal if key in ERROR_TYPES} if isinstance(refusal, dict) else set()
        for key in ("do", "then", "else"):
            found |= _errors_in(step.get(key))
    return found


def _check_coverage(compiled: CompiledDomain, name: str, ledger: Ledger) -> None:
    """Note optional arguments that no way gives, and a tool without ways."""
    ways = compiled.domain.tools[name].ways
    path: Path = ("tools", name, "ways")
    if not ways:
        ledger.wrong(("tools", name), "has no ways: nobody ever wants anything of it", "add `ways`")
        return
    schema: JsonObject = compiled.tools[name].parameters
    if name in compiled.asking:
        _check_consent(ways, path, ledger)
    given = {argument for way in ways for argument in way.arguments}
    for argument in schema.get("properties", {}):
        if argument not in given:
            ledger.wrong(path, f"no way gives {argument!r}", "add a way whose requests say it")
    for number, way in enumerate(ways):
        for argument in schema.get("required", []):
            if argument not in way.arguments:
                ledger.wrong((*path, number, "arguments"), f"lacks {argument!r}, which the tool requires", "give it")


def _check_use(compiled: CompiledDomain, task: TaskProgram, ledger: Ledger) -> None:
    """Note a task that is of no kind: one message whose calls are made one by one, though none needs another."""
    if len(task.turns) > 1 or is_at_once(task) or (is_chain(task) and _needs_earlier(compiled, task)):
        return
    what = "no kind of record is made of this: its calls come one after the other, and none takes what another brings"
    several = len(set(task.tools)) > 1
    remedy = "put them in a list, `calls: [[{call: ...}, {call: ...}]]`, which makes them at once" if several else ""
    ledger.tells(("tasks", task.number), what, remedy or "let a later call take a value of `$r1`, or add a turn")


def _needs_earlier(compiled: CompiledDomain, task: TaskProgram) -> bool:
    """Say whether a call of a task is given what an earlier one brings: a value of its result, or an id to look up."""
    given = [arguments for group in task.turns[0].groups for _, arguments, _ in group]
    entities = [compiled.program.entities[each.entity] for arguments in given for each in arguments.ids]
    return any(each.find is not None for each in entities) or any(
        RESULT.fullmatch(name) for arguments in given for name in arguments.draws.values()
    )


def _check_wishes(wishes: Sequence[WishProgram], ledger: Ledger) -> None:
    """Note that the wishes which no tool serves are soon spent, where nothing in them is drawn: each is said once."""
    texts = [(wish, text) for wish in wishes for text in wish.requests]
    is_varied = any(not wish.draws.keys().isdisjoint(text.names) for wish, text in texts)
    if texts and not is_varied and len(texts) < FEWEST_REQUESTS:
        what = f"each of these {len(texts)} requests is said once; other records of `irrelevance` are of everyday life"
        ledger.tells(("unserved",), what, "add requests, or slots over a `draw` in them")


def _check_consent(ways: Sequence[Way], path: Path, ledger: Ledger) -> None:
    """Note the ways of a tool that asks first which have no words to ask."""
    for number, way in enumerate(ways):
        if not way.confirm:
            what = "lacks `confirm`, though this tool is called only after a yes (`asks_first`)"
            ledger.wrong(
                (*path, number), what, 'add questions that tell every detail: "Shall I renew {l} by {n} days?"'
            )


def _check_variety(name: str, fewest: int, ledger: Ledger, *, has_ways: bool) -> None:
    _, estimated = ledger.variety(name)
    if has_ways and estimated < fewest:
        what = f"only {estimated} different requests can be made, where {fewest} should be"
        ledger.wrong(("tools", name, "ways"), what, "add requests, ways, or values to draw from")


__all__ = ["Rehearsal", "rehearse", "tell_unsaid"]
