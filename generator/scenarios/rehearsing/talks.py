"""Conversations rehearsed: the questions, objections and corrections of a way, several wishes, tasks to their end."""

from __future__ import annotations

from typing import Any

from generator.records.calls import SUCCESS
from generator.scenarios.consent import question_before
from generator.scenarios.rehearsing.scene import UNSAID, Path, Scene, Theatre, outcome
from generator.scenarios.scenario import PlanError
from generator.worlds.execution import problem_of
from generator.worlds.rows import Row, Scope
from generator.worlds.ways import Draws, TaskProgram, TurnProgram, WayProgram, WishProgram


def rehearse_talks(theatre: Theatre, name: str, way: WayProgram, number: int) -> None:
    """Go what a way has beside its plain request."""
    path: Path = ("tools", name, "ways", way.number)
    for part, rehearse in _PARTS.items():
        if not getattr(way.way, part) and part != "empty":
            continue
        scene = theatre.scene(number, name, way.number, part)
        try:
            rehearse(scene, name, way, (*path, part))
        except PlanError as error:
            theatre.ledger.fails((*path, part), error)
        else:
            theatre.ledger.goes((*path, part))


def _drawn(scene: Scene, way: WayProgram) -> Scope:
    return scene.state.draw(way.draws, scene.state.scope())


def _asks(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    required = scene.book.tools[name].parameters.get("required", [])
    for number, (ask, requests, questions, answers) in enumerate(way.asks):
        at = (*path, number)
        for argument in ask.missing:
            if argument not in way.way.arguments:
                scene.ledger.wrong((*at, "missing"), f"the way gives no {argument!r}", "name arguments of the way")
            elif argument not in required:
                remedy = "leave out what the tool requires"
                scene.ledger.wrong((*at, "missing"), f"{argument!r} is optional: nobody must ask for it", remedy)
        scope = _drawn(scene, way)
        for key, templates in (("requests", requests), ("questions", questions), ("answers", answers)):
            scene.texts(templates, (*at, key), scope)


def _confirm(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    if way.confirm:
        scene.texts(way.confirm, path, _drawn(scene, way))


def _follow_ups(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    if way.follow_ups:
        scene.texts(way.follow_ups, path, _drawn(scene, way))


def _corrections(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    for key, templates in way.corrections.items():
        if key not in way.draws:
            scene.ledger.wrong((*path, key), f"there is no draw {key!r}", f"name one of {', '.join(way.draws)}")
            continue
        scope = _drawn(scene, way)
        scope.names["was"] = scope.names[key]
        scene.texts(templates, (*path, key), scope)


def _invalid(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    for number, (spec, draws, requests, questions, answers) in enumerate(way.invalid):
        at = (*path, number)
        scope = _drawn(scene, way)
        scene.texts(answers, (*at, "answers"), scope)
        scene.state.draw(draws, scope)
        written = (*at, "requests") if spec.requests else (*path[:-1], "requests")
        scene.texts(requests, written, scope)
        scene.texts(questions, (*at, "questions"), scope)
        if not problem_of(scene.book.tools[name], scene.values_of(way.arguments, scope)):
            remedy = "draw a value that breaks an enum, a bound or a format of the schema"
            scene.ledger.wrong((*at, "draw"), f"the schema allows this value of {spec.argument!r}", remedy)
        value = scene.values_of(way.arguments, scope).get(spec.argument)
        names_a_row = spec.argument.lower().endswith("id") or spec.argument in {
            one.argument for one in way.arguments.ids
        }
        if names_a_row and isinstance(value, int | float) and value < 0:
            remedy = "leave it out, or draw what people might say"
            scene.ledger.wrong((*at, "draw"), "nobody asks for a thing with a number below zero", remedy)


def _ambiguous(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    for number, (spec, requests, questions, answers) in enumerate(way.ambiguous):
        at = (*path, number)
        if spec.tool and spec.tool not in scene.book.tools:
            scene.ledger.wrong(
                (*at, "tool"), f"there is no tool called {spec.tool!r}", "name another tool of the domain"
            )
        if spec.argument and spec.argument not in way.way.arguments:
            scene.ledger.wrong((*at, "argument"), f"the way gives no {spec.argument!r}", "name an argument of the way")
        scope = _drawn(scene, way)
        scope.names["said"] = spec.said
        for key, templates in (("requests", requests), ("questions", questions), ("answers", answers)):
            scene.texts(templates, (*at, key), scope)


def _recover(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    for number, (_, draws, first, requests, replies) in enumerate(way.recover):
        at = (*path, number)
        scope = _drawn(scene, way)
        scene.state.draw(draws, scope)
        scene.let_know(way.arguments, scope, 1)
        scene.texts(requests, (*at, "requests"), scope)
        wanted = scene.values_of(way.arguments, scope)
        failed = scene.state.call(name, {**wanted, **{key: value(scope) for key, value in first.items()}})
        if failed.outcome == SUCCESS:
            raise PlanError("the first call does not fail")
        scene.call(name, way.arguments, scope, reads=way.way.reads)
        scope.names |= scene.state.result_names()
        scene.texts(replies, (*at, "replies"), scope)


def _profile(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    for number, (spec, _, told, requests) in enumerate(way.profile):
        at = (*path, number)
        for argument in (*spec.arguments, *spec.labels):
            if argument not in way.way.arguments:
                scene.ledger.wrong(at, f"the way gives no {argument!r}", "name arguments of the way")
        scope = _drawn(scene, way)
        scene.texts(told, (*at, "told"), scope)
        for place, _, text in scene.texts(requests, (*at, "requests"), scope):
            for label in spec.labels.values():
                if label.casefold() not in text.casefold():
                    scene.ledger.fails((*at, "requests", place), f"{UNSAID} the label {label!r}")


def _parallel(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    if way.parallel is None:
        return
    spec, requests, replies = way.parallel
    for key in spec.same:
        if key not in way.draws:
            scene.ledger.wrong((*path, "same"), f"there is no draw {key!r}", f"name one of {', '.join(way.draws)}")
            return
    each = _several(scene, way, max(2, spec.many[0]))
    shared = {key: each[0][key] for key in spec.same}
    for names in each:
        rows = [one.row(scene.state.scope(**names)) for one in way.arguments.ids]
        scene.state.speech.typed |= {row for row in rows if isinstance(row, Row)}
    scene.texts(requests, (*path, "requests"), scene.state.scope(each=each, **shared))
    for names in each:
        call = scene.call(name, way.arguments, scene.state.scope(**names), reads=way.way.reads)
        names["r"] = call.answer.content if call.answer is not None else None
    scene.texts(replies, (*path, "replies"), scene.state.scope(each=each, **shared))


def _several(scene: Scene, way: WayProgram, many: int) -> list[dict[str, Any]]:
    """Draw a way several times; the rows of each differ."""
    each: list[dict[str, Any]] = []
    same = way.parallel[0].same if way.parallel else ()
    for _ in range(many):
        shared = {key: each[0][key] for key in same} if each else {}
        before = {
            f"_{n}_{key}": value for n, names in enumerate(each) for key, value in names.items() if key not in shared
        }
        scope = scene.state.scope(**shared, **before)
        own: Draws = {key: source for key, source in way.draws.items() if key not in shared}
        scene.state.draw(own, scope)
        each.append({key: scope.names[key] for key in way.draws})
    return each


def _empty(scene: Scene, name: str, way: WayProgram, path: Path) -> None:
    if way.empty is None:
        return
    scope = _drawn(scene, way)
    scene.state.draw(way.empty, scope)
    call = scene.state.call(name, scene.values_of(way.arguments, scope))
    if outcome(call) != "empty":
        raise PlanError(f"something is found, or it fails: {outcome(call)}")
    if "empty" not in way.replies:
        scene.ledger.wrong(path, "there is no reply for `empty`", "add it to `replies`")


_PARTS = {
    "ask": _asks, "confirm": _confirm, "follow_ups": _follow_ups, "corrections": _corrections, "invalid": _invalid,
    "ambiguous": _ambiguous, "recover": _recover, "profile": _profile, "parallel": _parallel, "empty": _empty,
}  # fmt: skip
"""By key of a way: what goes it."""


def rehearse_task(scene: Scene, task: TaskProgram) -> None:
    """Walk a task to its end."""
    path: Path = ("tasks", task.number)
    try:
        scope = scene.state.draw(task.draws, scene.state.scope())
        for number, turn in enumerate(task.turns):
            _walk(scene, turn, (*path, "turns", number), scope, task.number)
    except PlanError as error:
        scene.ledger.fails(path, error)
    else:
        scene.ledger.goes(path)


def _walk(scene: Scene, turn: TurnProgram, path: Path, scope: Scope, task: int) -> None:
    state = scene.state
    scope.names |= state.result_names()
    told = scene.texts(turn.requests, (*path, "requests"), scope)
    if told:
        state.hear(state.random.choice(told)[2])
    for group in turn.groups:
        for name, arguments, test in group:
            scope.names |= state.result_names()
            if test is not None and not test(scope):
                continue
            found = [call.answer for call in scene.look_up(arguments, scope)]
            state.results = [result for result in state.results if all(result is not one for one in found)]
            question_before(state, name, arguments, scope)
            state.show([scene.call(name, arguments, scope)])
    spec = scene.book.domain.tasks[task].turns[int(path[-1])].replies
    scene.reply(turn.replies, spec, (*path, "replies"), scope)


def rehearse_unserved(scene: Scene, number: int, wish: WishProgram) -> None:
    """Say a wish that no tool serves, and what is answered."""
    path: Path = ("unserved", number)
    try:
        scope = scene.state.draw(wish.draws, scene.state.scope())
    except PlanError as error:
        scene.ledger.fails((*path, "draw"), error)
        return
    scene.texts(wish.requests, (*path, "requests"), scope)
    scene.texts(wish.replies, (*path, "replies"), scope)
