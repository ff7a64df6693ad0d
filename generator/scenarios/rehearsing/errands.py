"""Errands: tasks walked to their end, and wishes that no tool serves, said."""

from __future__ import annotations

from generator.scenarios.blueprint import PlanError
from generator.scenarios.consent import question_before
from generator.scenarios.rehearsing.ledger import Path
from generator.scenarios.rehearsing.scene import Scene
from generator.worlds.rows import Scope
from generator.worlds.ways import TaskProgram, TurnProgram, WishProgram


def rehearse_task(scene: Scene, task: TaskProgram) -> None:
    """Walk a task to its end."""
    path: Path = ("tasks", task.number)
    try:
        scope = scene.stage.draw(task.draws, scene.stage.scope())
        for number, turn in enumerate(task.turns):
            _walk(scene, turn, (*path, "turns", number), scope, task.number)
    except PlanError as error:
        scene.ledger.fails(path, error)
    else:
        scene.ledger.goes(path)


def _walk(scene: Scene, turn: TurnProgram, path: Path, scope: Scope, task: int) -> None:
    stage = scene.stage
    scope.names |= stage.result_names()
    told = scene.texts(turn.requests, (*path, "requests"), scope)
    if told:
        stage.hear(stage.random.choice(told)[2])
    for group in turn.groups:
        for name, arguments, test in group:
            scope.names |= stage.result_names()
            if test is not None and not test(scope):
                continue
            found = [call.answer for call in scene.look_up(arguments, scope)]
            stage.results = [result for result in stage.results if all(result is not one for one in found)]
            question_before(stage, name, arguments, scope)
            stage.show([scene.call(name, arguments, scope)])
    spec = scene.book.domain.tasks[task].turns[int(path[-1])].replies
    scene.reply(turn.replies, spec, (*path, "replies"), scope)


def rehearse_unserved(scene: Scene, number: int, wish: WishProgram) -> None:
    """Say a wish that no tool serves, and what is answered."""
    path: Path = ("unserved", number)
    try:
        scope = scene.stage.draw(wish.draws, scene.stage.scope())
    except PlanError as error:
        scene.ledger.fails((*path, "draw"), error)
        return
    scene.texts(wish.requests, (*path, "requests"), scope)
    scene.texts(wish.replies, (*path, "replies"), scope)
