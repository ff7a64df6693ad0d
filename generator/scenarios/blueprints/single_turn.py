"""Single turns: one request, and one call, several at once, the right one among twins, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import derive_seed
from generator.records import SUCCESS
from generator.scenarios.failures import changes, deed, listed_subject, of_one, subject_of
from generator.scenarios.phrases import (
    Talk,
    about,
    draw_question,
    draw_reply,
    draw_wish,
    draw_wording,
    fits_the_hour,
    joined_answers,
    joined_wishes,
    load_small_talk,
    opening,
    phrases,
    takes_leave,
)
from generator.scenarios.plan_state import require_independent
from generator.scenarios.planning_context import (
    Layout,
    PlanningContext,
    any_tool,
    every,
    lax,
    require_success,
    turn,
    with_way,
)
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall, Step
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Row, Scope
from generator.worlds.speech import joined
from generator.worlds.templates import Template
from generator.worlds.ways import TaskProgram, WayProgram, WishProgram

Drawn = TypeVar("Drawn")
_MOST_BESIDE = 5
_MOST_WORDINGS = 8
"""How often words for an answer are drawn, so that it begins unlike the answers before it."""
_MOST_DRAWS = 24
"""How often values that several wishes do not share are drawn, so that they differ."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?|\d\d:\d\d(?::\d\d)?")
"""A day, a time of day, or both."""
_FEWEST_MANY, _MOST_MANY = 20, 60


def simple(context: PlanningContext) -> Blueprint:
    """One tool is shown, one call made."""
    return _one_call(context, ())


def multiple(context: PlanningContext) -> Blueprint:
    """Several tools are shown, one of them is called."""
    beside = context.beside(context.random.randint(1, _MOST_BESIDE))
    if not beside:
        raise PlanError("no other tool can be shown")
    return _one_call(context, beside)


def many_tools(context: PlanningContext) -> Blueprint:
    """Twenty to sixty tools are shown, one of them is called."""
    beside = context.beside(context.random.randint(_FEWEST_MANY, _MOST_MANY) - 1)
    if len(beside) < _FEWEST_MANY - 1:
        raise PlanError("there are too few tools to show")
    return _one_call(context, beside)


def _one_call(context: PlanningContext, beside: tuple[str, ...]) -> Blueprint:
    context.open()
    way = context.way()
    scope = context.draw(way)
    request, call, reply = direct_call(context, way, scope)
    return context.blueprint(turn(request, [[call]], reply), (context.lead, *beside))


def direct_call(context: PlanningContext, way: WayProgram, scope: Scope) -> tuple[str, PlannedCall, str]:
    """Plan a request, its one call and the reply; every id is said or told."""
    context.let_know(way.arguments, scope)
    request = context.ask(way.requests, scope)
    context.require_known(way.arguments, scope)
    call = context.call(_tool(context, way), way.arguments, scope, request, context.outage())
    return request, call, context.reply(way, scope, subject_of(context.state, way, scope, call))


def _tool(context: PlanningContext, way: WayProgram) -> str:
    found = next((name for name, ways in context.compiled.ways.items() if way in ways), None)
    return found or context.name


def parallel(context: PlanningContext) -> Blueprint:
    """One tool is called several times at once."""
    context.open()
    way = context.way(lambda way: way.parallel is not None)
    request, calls, reply = several(context, way)
    for call in calls:
        require_success(call)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE - 2), lax=True)
    return context.blueprint(turn(request, [calls], reply), (context.lead, *beside))


def several(context: PlanningContext, way: WayProgram) -> tuple[str, list[PlannedCall], str]:
    """Plan several calls of one way, each with draws of its own but for those that all share."""
    each = draw_several(context, way)
    shared = shared_by(way, each)
    for names in each:
        context.let_know(way.arguments, context.state.scope(**names))
    _, requests, replies = way.parallel  # type: ignore[misc]  # ways without it were left out
    request = context.ask(requests, context.state.scope(each=each, **shared))
    calls = []
    for names in each:
        scope = context.state.scope(**names)
        context.require_known(way.arguments, scope)
        calls.append(context.call(context.name, way.arguments, scope, request))
        names["r"] = context.state.result_names()["r"]
    if len({_mark(call) for call in calls}) < len(calls):
        raise PlanError("two of the calls are the same")
    if replies:
        return request, calls, context.state.keep(context.state.tell(replies, context.state.scope(each=each, **shared)))
    return request, calls, one_by_one(context, [(way, context.state.scope(**names)) for names in each], calls)


def _mark(call: PlannedCall) -> str:
    return repr(call.arguments)


def draw_several(context: PlanningContext, way: WayProgram) -> list[dict[str, Any]]:
    """Draw a way several times; what is not shared differs, as far as it can."""
    if way.parallel is None:
        raise PlanError("the domain does not ask for several of these at once")
    low, high = way.parallel[0].many
    each: list[dict[str, Any]] = []
    for _ in range(context.random.randint(low, high)):
        each.append(_unlike(context, way, each, shared_by(way, each)))
    return in_order(each)


def shared_by(way: WayProgram, each: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what several draws of a way have in common, as the domain says; nothing where there are none yet."""
    return {name: each[0][name] for name in way.parallel[0].same} if each and way.parallel is not None else {}


def in_order(each: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put several draws in the order of their days or times, as people list them, where those are all that differs."""
    apart = _differing(each)
    times = [name for name in apart if all(_TIME.fullmatch(str(names[name])) for names in each)]
    if len(times) != 1 or not all(_is_of(names[name], names[times[0]]) for names in each for name in apart):
        return each
    return sorted(each, key=lambda names: str(names[times[0]]))


def _differing(each: list[dict[str, Any]]) -> list[str]:
    """Return the names of what differs between several draws."""
    return [name for name in (each[0] if each else ()) if len({repr(names[name]) for names in each}) > 1]


def _is_of(value: Any, time: Any) -> bool:
    """Say whether a value is a time, or the row that holds it."""
    return value == time or (isinstance(value, Row) and time in value.kept.values())


def _unlike(
    context: PlanningContext, way: WayProgram, each: list[dict[str, Any]], shared: dict[str, Any]
) -> dict[str, Any]:
    """Draw a way once more, unlike the times before: rows always, other values as far as there are others."""
    own = {name: source for name, source in way.draws.items() if name not in shared}
    before = {f"_{n}_{name}": value for n, names in enumerate(each) for name, value in names.items() if name in own}

    def draw() -> tuple[int, dict[str, Any]]:
        scope = context.state.scope(**shared, **before)
        context.state.draw(own, scope)
        drawn = {name: scope.names[name] for name in way.draws}
        return sum(repr(drawn[name]) == repr(names[name]) for names in each for name in own), drawn

    return fewest(draw)


def fewest(draw: Callable[[], tuple[int, Drawn]]) -> Drawn:
    """Draw until nothing is as it was before, and return what has the least in common with that."""
    common, best = draw()
    for _ in range(_MOST_DRAWS):
        if not common:
            break
        again, drawn = draw()
        if again < common:
            common, best = again, drawn
    return best


def one_by_one(
    context: PlanningContext,
    wishes: list[tuple[WayProgram, Scope]],
    calls: list[PlannedCall],
    each: Sequence[dict[str, Any]] = (),
) -> str:
    """Say what became of several wishes, of each whole and in their order.

    Args:
        context: the record.
        wishes: what was wanted, each with what was drawn for it.
        calls: the calls made for them.
        each: the draws of each, as the request listed them.
    """
    return joined_answers(answers_of(context, wishes, calls, each), alike=len({call.tool.name for call in calls}) == 1)


def answers_of(
    context: PlanningContext,
    wishes: list[tuple[WayProgram, Scope]],
    calls: list[PlannedCall],
    each: Sequence[dict[str, Any]] = (),
) -> list[str]:
    """Return what is said of each of several wishes, each in words that begin in their own way."""
    texts: list[str] = []
    for place, ((way, scope), call) in enumerate(zip(wishes, calls, strict=True)):
        if call.answer is None:
            continue
        kept = context.state.results
        context.state.results = [call.answer]
        thing = subject_of(context.state, way, scope, call, each, place)
        reply = about(_unlike_before(context, way, scope, thing, texts), listed_subject(context.state, each, place))
        texts.append(context.state.keep(reply))
        context.state.results = kept
    return texts


def _unlike_before(context: PlanningContext, way: WayProgram, scope: Scope, thing: str, before: list[str]) -> str:
    """Return what became of a wish, in words that begin unlike those before, as far as there are any."""
    openings, sought = {opening(text) for text in before}, not changes(context.compiled, _tool(context, way))
    text = ""
    for _ in range(_MOST_WORDINGS):
        text = of_one(context.worded_reply(way, scope, thing), thing, context.random, sought=sought)
        if opening(text) not in openings:
            break
    return text


_MOST_BESIDE_AT_ONCE = 3
_SHARE_OF_TASKS = 0.5
_SHARE_OF_THREE = 0.25
_TELLING = re.compile(r"(?=.*\d).{3}", re.DOTALL)
"""An id that an answer holds by no chance."""


def parallel_multiple(context: PlanningContext) -> Blueprint:
    """Several tools are called at once: a task that says so, or wishes that have nothing to do with each other."""
    context.open()
    if context.random.random() < _SHARE_OF_TASKS or not at_once_with(context.compiled, context.name):
        from_task = _task_at_once(context)
        if from_task is not None:
            return from_task
    return _wishes(context)


def is_at_once(task: TaskProgram) -> bool:
    """Say whether a task is one message whose calls, of several tools, are made at once."""
    groups = task.turns[0].groups
    return len(task.turns) == 1 and len(groups) == 1 and len({name for name, _, _ in groups[0]}) > 1


def _task_at_once(context: PlanningContext) -> Blueprint | None:
    tasks = [task for task in context.compiled.tasks if context.name in task.tools and is_at_once(task)]
    if not tasks:
        return None
    task = context.task(context.random.choice(tasks))
    scope = context.state.draw(task.draws, context.state.scope())
    (group,) = task.turns[0].groups
    for _, arguments, _ in group:
        context.let_know(arguments, scope)
    request = context.ask(task.turns[0].requests, scope)
    calls = []
    for name, arguments, _ in group:
        context.require_known(arguments, scope)
        calls.append(context.call(name, arguments, scope, request))
        require_success(calls[-1])
    scope.names |= context.state.result_names()
    reply = context.state.reply(task.turns[0].replies, scope)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE_AT_ONCE), called=task.tools, lax=True)
    return context.blueprint(turn(request, [calls], reply), (*map(context.key, task.tools), *beside))


def at_once_with(compiled: CompiledDomain, name: str) -> tuple[str, ...]:
    """Return the tools that may be wanted in one message with another and called at once.

    What needs a yes is not done at once with what needs none, and nobody wants the same deed of two tools, where
    there are others.
    """
    asks, telling = name in compiled.asking, set(compiled.telling)
    found = tuple(
        other
        for other in compiled.related[name]
        if other in telling and not compiled.tools[other].strict and (other in compiled.asking) is asks
    )
    return (
        tuple(other for other in found if not compiled.deeds[other] or compiled.deeds[other] != compiled.deeds[name])
        or found
    )


def _chosen_at_once(context: PlanningContext) -> list[str]:
    """Draw the tools that are called at once, the leading one first.

    Raises:
        PlanError: no other one can be called with it.
    """
    others = context.others(
        at_once_with(context.compiled, context.name), 2 if context.random.random() < _SHARE_OF_THREE else 1
    )
    if not others or context.index.tools[context.lead].strict:
        raise PlanError("no other tool can be called at once with this one")
    if len({context.compiled.deeds[name] or name for name in others}) < len(others):
        others = others[:1]
    return [context.name, *others]


def _wishes(context: PlanningContext) -> Blueprint:
    chosen = _chosen_at_once(context)
    wishes: list[tuple[WayProgram, Scope]] = []
    for name in chosen:
        way = context.way(name="" if name == context.name else name)
        wishes.append((way, _apart(context, way, name, wishes)))
        context.let_know(way.arguments, wishes[-1][1])
    texts = [context.state.say(way.requests, scope) for way, scope in wishes]
    request = context.state.keep(joined_wishes(texts, context.random))
    start = context.state.world
    calls = []
    for name, (way, scope) in zip(chosen, wishes, strict=True):
        context.require_known(way.arguments, scope)
        calls.append(context.call(name, way.arguments, scope, request))
        if calls[-1].outcome != SUCCESS:
            raise PlanError(f"{name} ends with {calls[-1].outcome}")
    if len({call.answer.message_text for call in calls if call.answer is not None}) < len(calls):
        raise PlanError("two of the calls bring the same")
    require_independent(start, calls)
    answers = answers_of(context, wishes, calls)
    _require_apart(wishes, calls, answers)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE_AT_ONCE), called=tuple(chosen), lax=True)
    steps = turn(request, [calls], joined_answers(answers, alike=False))
    return context.blueprint(steps, (*map(context.key, chosen), *beside))


def _require_apart(wishes: list[tuple[WayProgram, Scope]], calls: list[PlannedCall], answers: list[str]) -> None:
    """Require that no wish is about a row of which the answer to another one tells, by an id that is no mere word.

    Raises:
        PlanError: one is.
    """
    for place, ((way, _), call) in enumerate(zip(wishes, calls, strict=True)):
        given = [str(call.arguments.get(each.argument, "")) for each in way.arguments.ids]
        ids = [row_id for row_id in given if _TELLING.search(row_id)]
        others = [text for at, text in enumerate(answers) if at != place]
        if any(re.search(rf"(?<!\w){re.escape(row_id)}(?!\w)", text) for row_id in ids for text in others):
            raise PlanError(f"another answer tells of what {call.tool.name} is about")


def _apart(context: PlanningContext, way: WayProgram, name: str, wishes: list[tuple[WayProgram, Scope]]) -> Scope:
    """Draw a wish that has as little in common with those before it as can be: no row, and few texts."""
    taken = {
        f"_{number}_{key}": scope.names[key] for number, (other, scope) in enumerate(wishes) for key in other.draws
    }
    said = {text for other, scope in wishes for text in _texts(context.state.values_of(other.arguments, scope))}
    chosen = _choices(context.compiled.tools[name].parameters)

    def draw() -> tuple[int, Scope]:
        scope = context.draw(way, scope=context.state.scope(**taken))
        given = context.state.values_of(way.arguments, scope)
        own = {key: value for key, value in given.items() if key not in chosen | way.arguments.constants}
        return len(said.intersection(_texts(own))), scope

    return fewest(draw)


def _choices(parameters: JsonObject) -> frozenset[str]:
    """Return the parameters that have but a few values: two wishes may well share one."""
    known = parameters.get("properties", {})
    return frozenset(name for name, schema in known.items() if isinstance(schema, dict) and "enum" in schema)


def _texts(value: JsonValue) -> set[str]:
    """Return every text of some arguments."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {text for part in parts for text in _texts(part)}


def _several_at_once(compiled: CompiledDomain) -> tuple[str, ...]:
    in_tasks = {name for task in compiled.tasks if is_at_once(task) for name in task.tools}
    return tuple(name for name in lax(every)(compiled) if name in in_tasks or at_once_with(compiled, name))


_MOST_NEAR = 3
_MOST_BESIDE_TWINS = 3


def similar_tools(context: PlanningContext) -> Blueprint:
    """Near twins are shown together; what the request says fits one of them alone."""
    context.open()
    near = [name for name in context.compiled.domain.tools[context.name].near if name in context.compiled.tools]
    if not near:
        raise PlanError(f"nothing is near to {context.name}")
    context.random.shuffle(near)
    way = context.way()
    request, call, reply = direct_call(context, way, context.draw(way))
    kept = near[: context.random.randint(1, _MOST_NEAR)]
    claim: JsonObject = {"near": list(kept)}
    return context.blueprint(turn(request, [[call]], reply), (context.lead, *map(context.key, kept)), claim)


def missing_function(context: PlanningContext) -> Blueprint:
    """A tool is said to be unavailable; the assistant says so, the user makes it available, then it is called."""
    texts = phrases()["missing_function"]
    if not context.compiled.can(context.name):
        raise PlanError(f"the domain does not say what {context.name} can do")
    context.open()
    context.own_system.append(context.random.choice(texts["system"]).format(name=context.name))
    way = context.way()
    scope = context.draw(way)
    context.let_know(way.arguments, scope)
    request = context.ask(way.requests, scope)
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, request)
    require_success(call)
    steps = (
        Step(request=True, act="wish", about=(call,), request_text=request),
        Step(
            reply=True,
            act="lack",
            about=(call,),
            reply_text=context.random.choice(texts["lacking"]).format(can=deed(context.compiled, context.name)),
        ),
        Step(
            request=True,
            calls=(call,),
            act="enable",
            about=(call,),
            request_text=context.random.choice(texts["enabled"]),
        ),
        Step(reply=True, reply_text=context.reply(way, scope)),
    )
    claim: JsonObject = {"function": context.name}
    near = context.compiled.domain.tools[context.name].near
    beside = [
        key
        for key in context.beside(context.random.randint(0, _MOST_BESIDE_TWINS))
        if context.index.tools[key].name not in near
    ]
    return context.blueprint(steps, (context.lead, *beside), claim)


_MOST_BESIDE_NO_CALL = 4
_MOST_WISHES_DRAWN = 20
"""How often a parting word is drawn, until it fits the hour of the greeting."""
_SHARE_NEAR = 0.7
"""Of the irrelevant wishes over a domain that names some: those that are near to what its tools do."""
_NEAR_OF_TEN = 7
"""The same share as a turn: where all tools are of one domain, which records are near is no matter of chance."""
_SHARE_AGAIN = 0.35
"""When each of their wordings had its turn: the share of those that are still near."""
_SHARE_ANSWERED = 0.6
_SHARE_PARTING = 0.4
_PARTING = ("thanks", "goodbye", "praise")
"""Talk that nobody begins with: it looks back at what was said."""
_SHARE_WITH_SYSTEM = 0.6
_SYSTEM_TEXTS = (
    "You are a helpful assistant.",
    "You are a friendly assistant. Answer in one or two sentences.",
    "Help the user. Keep answers short and to the point.",
    "You are a careful assistant. Say so when there is something that you cannot do.",
    "Answer the user's questions as well as you can.",
)
"""None of them speaks of tools."""


def irrelevance(context: PlanningContext) -> Blueprint:
    """Tools are shown, the wish is one that none of them can serve, and the assistant says so in words that fit it."""
    near = _near_wish(context)
    if near is not None:
        return _declined(context, *near)
    shown = (context.lead, *context.beside(context.random.randint(0, _MOST_BESIDE_NO_CALL)))
    drawn = draw_wish(context.random, tuple(context.index.tools[key] for key in shown), before=context.visit)
    if drawn is None:
        raise PlanError("the tools shown speak of everything")
    topic, request = drawn
    reply = context.random.choice(phrases()["declining"]["deed"]).format(deed=topic.deed)
    return context.blueprint(turn(request, [], reply), shown)


def _near_wish(context: PlanningContext) -> tuple[WishProgram, Template] | None:
    """Return a wish of the domain with its words; None where the record is to be about something else.

    Each wording has its turn, as far as can be told without a look at other records: by how many records of the kind
    came before, and by the share of them that is about this domain.
    """
    texts = [(wish, text) for wish in context.compiled.unserved for text in wish.requests]
    is_alone = len(context.compiled.tools) == len(context.index.every)
    if not texts or not (_is_turn_of_near(context.visit) if is_alone else context.random.random() < _SHARE_NEAR):
        return None
    share = len(context.compiled.tools) / len(context.index.every)
    before = _near_before(context.visit) if is_alone else int(context.visit * _SHARE_NEAR * share)
    if before < len(texts):
        if context.attempt:
            return None
        first = derive_seed(context.seed, "unserved", context.compiled.domain.name)
        return texts[(first + before) % len(texts)]
    return _near_again(context, texts, is_alone=is_alone)


def _near_again(
    context: PlanningContext, texts: list[tuple[WishProgram, Template]], *, is_alone: bool
) -> tuple[WishProgram, Template] | None:
    """Return a wish that had its turn and is said anew each time, since something in it is drawn; None for no wish."""
    varied = [(wish, text) for wish, text in texts if not wish.draws.keys().isdisjoint(text.names)]
    if not varied or (context.random.random() >= _SHARE_AGAIN and (context.attempt or not is_alone)):
        return None
    return context.random.choice(varied)


def _near_before(visit: int) -> int:
    """Return how many of the irrelevant wishes before this one were near to what the tools do."""
    return -(-_NEAR_OF_TEN * visit // 10)


def _is_turn_of_near(visit: int) -> bool:
    return _near_before(visit + 1) > _near_before(visit)


def _declined(context: PlanningContext, wish: WishProgram, text: Template) -> Blueprint:
    """Lay out a wish of the domain, of which its file says that none of its tools serves it; no others are shown."""
    context.origins.append(f"unserved/{context.compiled.unserved.index(wish)}")
    scope = context.state.draw(wish.draws, context.state.scope())
    request = context.ask((text,), scope)
    names = (context.name, *context.others(context.compiled.tools, context.random.randint(0, _MOST_BESIDE_NO_CALL)))
    reply = context.state.tell(wish.replies, scope)
    return context.blueprint(turn(request, [], reply), tuple(map(context.key, names)), {"unserved_by": sorted(names)})


def _abilities(context: PlanningContext, shown: tuple[str, ...]) -> list[str]:
    """Return what the shown tools of the domain can do, in its words."""
    if context.compiled.domain.origin == "derived":
        return []
    names = [context.index.tools[key].name for key in shown]
    return [can for name in names if name in context.compiled.tools and (can := context.compiled.can(name))]


def no_tools(context: PlanningContext) -> Blueprint:
    """No tool is shown: a plain question is answered, a wish that needs a tool is declined."""
    if context.random.random() < _SHARE_ANSWERED:
        request, reply = draw_question(context.random)
    else:
        drawn = draw_wish(context.random, before=int(context.visit * (1 - _SHARE_ANSWERED)))
        if drawn is None:
            raise PlanError("there is no topic to speak of")
        topic, request = drawn
        reply = context.random.choice(phrases()["declining"]["without_tools"]).format(deed=topic.deed)
    context.own_system += [context.random.choice(_SYSTEM_TEXTS)] if context.random.random() < _SHARE_WITH_SYSTEM else []
    return context.blueprint(turn(request, [], reply), ())


def chitchat(context: PlanningContext) -> Blueprint:
    """Tools are shown and none is needed: a greeting, thanks, small talk, a question about the assistant itself."""
    shown = (context.lead, *context.beside(context.random.randint(0, _MOST_BESIDE_NO_CALL)))
    steps = _talk(context, shown, parting=False)
    if context.random.random() < _SHARE_PARTING and not takes_leave(steps[0].request_text):
        steps += _talk(context, shown, parting=True, before=steps[0].request_text)
    return context.blueprint(steps, shown)


def _talk(context: PlanningContext, shown: tuple[str, ...], *, parting: bool, before: str = "") -> tuple[Step, ...]:
    known = load_small_talk()
    can = _abilities(context, shown)
    talks = [talk for talk in known.talks if (talk.name in _PARTING) is parting and (can or not talk.about)]
    for _ in range(_MOST_WISHES_DRAWN):
        talk: Talk = context.random.choice(talks)
        text = draw_wording(context.random.choice(talk.requests), context.random, known.pools)
        if fits_the_hour(text, before):
            break
    return turn(text, [], draw_reply(talk, text, joined(can[:3]), context.random))


LAYOUTS: dict[str, Layout] = {
    "simple": Layout(simple, every),
    "multiple": Layout(multiple, every),
    "many_tools": Layout(many_tools, every),
    "parallel": Layout(parallel, lax(with_way(lambda way: way.parallel is not None))),
    "parallel_multiple": Layout(parallel_multiple, _several_at_once),
    "similar_tools": Layout(
        similar_tools,
        lambda compiled: tuple(
            name
            for name in compiled.telling
            if any(near in compiled.tools for near in compiled.domain.tools[name].near)
        ),
    ),
    "missing_function": Layout(missing_function, lambda compiled: tuple(filter(compiled.can, compiled.telling))),
    "irrelevance": Layout(irrelevance, any_tool),
    "no_tools": Layout(no_tools, any_tool),
    "chitchat": Layout(chitchat, any_tool),
}
