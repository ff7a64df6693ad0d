"""Conversations rehearsed: the questions, objections and corrections of a way, several wishes, tasks to their end."""

from __future__ import annotations

from typing import Any

from generator.records.calls import SUCCESS
from generator.scenarios.consent import question_before
from generator.scenarios.rehearsing.trials import UNSAID, Path, WorldTrial, WorldTrials, outcome
from generator.scenarios.scenario import PlanError
from generator.worlds.execution import problem_of
from generator.worlds.rows import Row, Scope
from generator.worlds.ways import Draws, TaskProgram, TurnProgram, WayProgram, WishProgram


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
    required = trial.book.tools[name].parameters.get("required", [])
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
        if not problem_of(trial.book.tools[name], trial.values_of(way.arguments, scope)):
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
        if spec.tool and spec.tool not in trial.book.tools:
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
    for number, (spec, _, told, requests) in enumerate(way.profile):
        at = (*path, number)
        for argument in (*spec.arguments, *spec.labels):
            if argument not in way.way.arguments:
                trial.ledger.wrong(at, f"the way gives no {argument!r}", "name arguments of the way")
        scope = _drawn(trial, way)
        trial.texts(told, (*at, "told"), scope)
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
    each = _several(trial, way, max(2, spec.many[0]))
    shared = {key: each[0][key] for key in spec.same}
    for names in each:
        rows = [one.row(trial.state.scope(**names)) for one in way.arguments.ids]
        trial.state.speech.typed |= {row for row in rows if isinstance(row, Row)}
    trial.texts(requests, (*path, "requests"), trial.state.scope(each=each, **shared))
    for names in each:
        call = trial.call(name, way.arguments, trial.state.scope(**names), reads=way.way.reads)
        names["r"] = call.answer.content if call.answer is not None else None
    trial.texts(replies, (*path, "replies"), trial.state.scope(each=each, **shared))


def _several(trial: WorldTrial, way: WayProgram, many: int) -> list[dict[str, Any]]:
    """Draw a way several times; the rows of each differ."""
    each: list[dict[str, Any]] = []
    same = way.parallel[0].same if way.parallel else ()
    for _ in range(many):
        shared = {key: each[0][key] for key in same} if each else {}
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
    told = trial.texts(turn.requests, (*path, "requests"), scope)
    if told:
        state.hear(state.random.choice(told)[2])
    for group in turn.groups:
        for name, arguments, test in group:
            scope.names |= state.result_names()
            if test is not None and not test(scope):
                continue
            found = [call.answer for call in trial.look_up(arguments, scope)]
            state.results = [result for result in state.results if all(result is not one for one in found)]
            question_before(state, name, arguments, scope)
            state.show([trial.call(name, arguments, scope)])
    spec = trial.book.domain.tasks[task].turns[int(path[-1])].replies
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
