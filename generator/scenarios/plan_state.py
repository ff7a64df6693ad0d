"""The state of a plan: the world as its calls left it, what was said, whether a call is new, and consents asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import permutations
from random import Random
from typing import Any

from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import stream
from generator.records import SUCCESS, ToolResult
from generator.scenarios.phrases import phrases
from generator.scenarios.scenario import PlanError, PlannedCall, Step
from generator.worlds.execution import Unfit, broken_rule, execute, problem_of
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import ABSENT, NothingToDraw, Row, Scope, Worded
from generator.worlds.speech import Speech, Unsayable
from generator.worlds.templates import Template
from generator.worlds.values import exposed, plain
from generator.worlds.ways import Arguments, Draws, ReplyTemplates, Templates, WayProgram
from generator.worlds.world import Change, World

_DEEPEST = 3
"""Look-ups that may be needed for one another."""


_STOPS = re.compile(r"(?<![.])([.!?])[.](?![.])")
"""A full stop after a value that ends with one itself."""


@dataclass(slots=True)
class PlanState:
    """The state of a plan. Calls are executed as they are planned, so that replies can say what they bring."""

    compiled: CompiledDomain
    random: Random
    world: World
    start: World
    """The world before the first call."""
    speech: Speech
    today: date
    said: list[str] = field(default_factory=list)
    """What was said and what results told so far, system message included."""
    system: list[str] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    questions: dict[str, Template] = field(default_factory=dict)
    """By tool, in what words the assistant asked before a call of it."""

    def draw(self, draws: Draws, scope: Scope, leading: Sequence[float] = ()) -> Scope:
        """Draw what a way begins with, in its order, into the scope; the first number of each may be given.

        Raises:
            PlanError: there is nothing to draw.
        """
        try:
            for number, (name, source) in enumerate(draws.items()):
                random = GuidedRandom(leading[number], self.random) if number < len(leading) else self.random
                scope.names[name] = source(scope, random, {})
        except NothingToDraw as error:
            raise PlanError(str(error)) from error
        return scope

    def scope(self, **names: Any) -> Scope:
        """Return a scope over the world as it is now."""
        return self.world.scope(**names)

    def values_of(self, arguments: Arguments, scope: Scope) -> JsonObject:
        """Return the arguments of a call."""
        try:
            found = {name: value(scope) for name, value in arguments.values.items()}
            return {name: exposed(plain(value), scope) for name, value in found.items() if value is not ABSENT}
        except NothingToDraw as error:
            raise PlanError(str(error)) from error

    def say(self, templates: Templates, scope: Scope) -> str:
        """Return the first of some texts, in any order, that can be said.

        Raises:
            PlanError: none can.
        """
        if not templates:
            raise PlanError("the domain has no words for this")
        order = list(templates)
        self.random.shuffle(order)
        reasons = []
        listed = self.speech.listed.copy()
        for template in order:
            try:
                return _STOPS.sub(r"\1", template.write(scope, self.speech))
            except Unsayable as error:
                self.speech.listed = listed.copy()
                reasons.append(f"{template.source[:60]!r}: {error}")
        raise PlanError(f"nothing can be said: {'; '.join(reasons[:3])}")

    def tell(self, templates: Templates, scope: Scope) -> str:
        """Say something in the assistant's voice: what the user calls theirs is "your" then."""
        with self.speech.of_assistant():
            return self.say(templates, scope)

    def reply(self, replies: ReplyTemplates, scope: Scope) -> str:
        """Return the first reply, in any order, whose condition holds; those with a condition come first."""
        fitting = [(test is None, template) for test, template in replies if test is None or test(scope)]
        order = [template for alone, template in fitting if not alone] or [template for _, template in fitting]
        return self.tell(tuple(order), scope)

    def keep(self, text: str) -> str:
        """Keep what was said."""
        self.said.append(text)
        return text

    def is_known(self, value: JsonValue) -> bool:
        """Say whether an id was said or told before."""
        text = str(value)
        return any(text in said for said in self.said)

    def call(self, name: str, arguments: JsonObject, outcome: ToolResult | None = None) -> PlannedCall:
        """Execute a call, and keep what it brought.

        Raises:
            PlanError: the tool is not there, or the call is none that anybody should make.
        """
        tool = self.compiled.tools.get(name)
        if tool is None:
            raise PlanError(f"the tool {name} is not there")
        if problem := problem_of(tool, arguments) or broken_rule(self.world, tool, arguments):
            raise PlanError(f"{name}: {problem}")
        try:
            done = execute(self.world, tool, arguments, outcome)
        except Unfit as error:
            raise PlanError(str(error)) from error
        self.world = done.world
        self.results.append(done.result)
        struck = outcome is not None
        return PlannedCall(tool, arguments, outcome=done.result.status, answer=done.result, struck=struck)

    def show(self, calls: Iterable[PlannedCall]) -> None:
        """Keep what the results of these calls tell."""
        self.said += [call.answer.message_text for call in calls if call.answer is not None]

    def result_names(self) -> dict[str, JsonValue]:
        """Return the results so far by their names in templates: `r` the last, `r1` ... in order."""
        contents = [result.content if result.error_type is None else _error(result) for result in self.results]
        numbered = {f"r{number}": content for number, content in enumerate(contents, 1)}
        return {**numbered, "r": contents[-1]} if contents else {}

    def unknown_rows(self, arguments: Arguments, scope: Scope) -> Iterator[tuple[str, Row]]:
        """Yield the arguments that hold the id of a row which nobody has said or told, each with its row."""
        for each in arguments.ids:
            row = each.row(scope)
            if isinstance(row, Row) and not self.is_known(row.get(self._key(row))):
                yield each.argument, row

    def _key(self, row: Row) -> str:
        return self.compiled.program.entities[row.entity].key

    def look_up(self, row: Row, depth: int = 0) -> list[PlannedCall]:
        """Plan the calls that bring to light the id of a row, one after the other.

        Raises:
            PlanError: it cannot be looked up, or what is found does not tell it.
        """
        program = self.compiled.program.entities[row.entity]
        if row.number < 0 or program.find is None or depth >= _DEEPEST:
            raise PlanError(f"nobody can know the id of this {row.entity}")
        name, values = program.find
        scope = self.scope().inside(row, it=row)
        calls: list[PlannedCall] = []
        for other in self._rows_needed(values, scope, row):
            if not self.is_known(other.get(self._key(other))):
                calls += self.look_up(other, depth + 1)
        arguments = {
            key: exposed(plain(each), scope) for key, value in values.items() if (each := value(scope)) is not ABSENT
        }
        found = self.call(name, arguments)
        if found.outcome != SUCCESS:
            raise PlanError(f"{name} does not find the {row.entity}")
        self.show([found])
        if not self.is_known(row.get(program.key)):
            raise PlanError(f"{name} does not tell the id of the {row.entity}")
        return [*calls, found]

    def _rows_needed(self, values: Mapping[str, Any], scope: Scope, row: Row) -> list[Row]:
        """Return the rows above this one whose ids its look-up is given."""
        needed: list[Row] = []
        given = {str(value(scope)) for value in values.values()}
        above = row
        while above.parent is not None and isinstance(parent := self.world.row(above.parent), Row):
            if str(parent.get(self._key(parent))) in given:
                needed.append(parent)
            above = parent
        return needed

    def evidence(self, arguments: Arguments, scope: Scope, request: str) -> dict[str, str]:
        """Return the arguments whose values the domain puts into words, each with the words that were said."""
        found = {name: request for name in arguments.values if name in arguments.constants}
        for name, value in arguments.values.items():
            given = value(scope)
            if isinstance(given, list) and len(given) == 1:
                given = given[0]
            if isinstance(given, Worded) and id(given) in self.speech.worded:
                found[name] = self.speech.worded[id(given)]
        return found


def _error(result: ToolResult) -> JsonObject:
    return {"error": {"type": result.error_type, "message": result.error_message}}


def new_plan_state(compiled: CompiledDomain, seed: int, today: date, locale: str) -> PlanState:
    """Begin the plan of a record."""
    world = World(compiled.program, seed, today, locale)
    random = stream(seed, "stage")
    return PlanState(compiled, random, world, world, Speech(stream(seed, "speech")), today)


_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
"""Their square roots are independent of each other: the walks of two draws never go in step."""


def place_of(visit: int, number: int, start: float) -> float:
    """Return where the walk of one draw stands at a visit, from 0 to 1.

    Args:
        visit: which visit of the way it is.
        number: which of the way's draws.
        start: where the walk begins, from 0 to 1.
    """
    return float((start + visit * _PRIMES[number % len(_PRIMES)] ** 0.5) % 1.0)


class GuidedRandom(Random):
    """A stream whose first number between 0 and 1 is given; all else comes from another stream."""

    def __init__(self, first: float, rest: Random) -> None:
        super().__init__(0)
        self._first: float | None = first
        self._rest = rest

    def random(self) -> float:
        """Return the given number once, then those of the other stream."""
        first, self._first = self._first, None
        return self._rest.random() if first is None else first

    def getrandbits(self, k: int, /) -> int:
        """Return bits of the other stream."""
        return self._rest.getrandbits(k)


def outcome_of(result: ToolResult) -> str:
    """Return the outcome by which replies are kept: `ok`, `empty`, or the error type."""
    if result.error_type is not None:
        return result.error_type
    return "empty" if _is_empty(result.content) else "ok"


def _is_empty(content: JsonValue) -> bool:
    if content in ([], {}):
        return True
    if not isinstance(content, dict):
        return False
    lists = [value for value in content.values() if isinstance(value, list)]
    return bool(lists) and not any(lists) and not any(isinstance(value, dict) and value for value in content.values())


_MINUTE = len("2026-01-15T09:12")


def is_so_already(start: World, end: World) -> bool:
    """Say whether the call between two worlds gave fields the values that they had, and changed no more than the hour.

    A call that gives no field a value of its own may change nothing: it reads, or its name says all that it does.
    """
    return bool(end.held) and all(_is_stamp(change, end) for change in end.changes[len(start.changes) :])


def _is_stamp(change: Change, world: World) -> bool:
    """Say whether a change does no more than to note when it was made."""
    before, after = change
    if before is None or after is None:
        return False
    fresh = [key for key in {*before.fields, *after.fields} if before.get(key) != after.get(key)]
    return all(str(after.get(key)).startswith(world.now[:_MINUTE]) for key in fresh)


def says_nothing_new(
    call: PlannedCall, fresh: Collection[str], earlier: Iterable[PlannedCall], *, changed: bool
) -> bool:
    """Say whether a call repeats an earlier one: all of it with nothing `changed` since, or each value said anew."""
    alike = [each for each in earlier if each.tool.name == call.tool.name]
    if any(each.arguments == call.arguments for each in alike) and not changed:
        return True
    return bool(fresh) and any(
        all(name in each.arguments and each.arguments[name] == call.arguments.get(name) for name in fresh)
        for each in alike
    )


def require_independent(start: World, calls: Sequence[PlannedCall]) -> None:
    """Require that no call brings anything else for another one having been made before it.

    Args:
        start: the world before the calls.
        calls: what is called at once.

    Raises:
        PlanError: one does.
    """
    for first, second in permutations(calls, 2):
        try:
            after = execute(start, first.tool, first.arguments).world
            behind = execute(after, second.tool, second.arguments).result
            alone = execute(start.as_late_as(after), second.tool, second.arguments).result
        except Unfit as error:
            raise PlanError(str(error)) from error
        if behind != alone:
            raise PlanError(f"what {second.tool.name} brings depends on {first.tool.name}")


_RIGHT = re.compile(r"\b(?:right|correct)\?$", re.IGNORECASE)
"""The end of a question to which people say that it is right."""


def question_before(state: PlanState, name: str, arguments: Arguments, scope: Scope) -> str:
    """Return what the assistant asks before a call; "" where the tool may be called without a yes.

    Raises:
        PlanError: the domain has no words in which to ask.
    """
    if name not in state.compiled.asking:
        return ""
    if arguments.confirm:
        return _alike(state, name, arguments.confirm, scope)
    values = state.values_of(arguments, scope)
    given = {key: arguments.values[key](scope) for key in values}
    for way in state.compiled.ways.get(name, ()):
        names = _as_drawn(state, way, values, given) if way.confirm else None
        if names is not None and all(text.names <= {*names, "me", "today", "now"} for text in way.confirm):
            return state.tell(way.confirm, state.scope(**names))
    raise PlanError(f"the domain has no words to ask before {name} is called")


def _alike(state: PlanState, name: str, confirm: Templates, scope: Scope) -> str:
    """Ask as was asked before another call of the tool in this record, where that can be said."""
    order = list(confirm)
    state.random.shuffle(order)
    order.sort(key=lambda template: template is not state.questions.get(name))
    for template in order:
        with suppress(PlanError):
            text = state.tell((template,), scope)
            state.questions[name] = template
            return text
    return state.tell(confirm, scope)


def _as_drawn(state: PlanState, way: WayProgram, values: JsonObject, given: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a way would have drawn to make a call with these values; None where it makes no such call."""
    if set(way.arguments.values) != set(values):
        return None
    names: dict[str, Any] = {}
    for key, value in values.items():
        spec = way.way.arguments[key]
        if key in way.arguments.constants:
            is_given = spec == value
        elif isinstance(spec, list) and isinstance(value, list) and len(spec) == len(value):
            is_given = all(_bind(state, way, *pair, names) for pair in zip(spec, value, strict=True))
        else:
            is_given = _bind(state, way, spec, given[key], names)
        if not is_given:
            return None
    return names


def _bind(state: PlanState, way: WayProgram, spec: JsonValue, value: Any, names: dict[str, Any]) -> bool:
    """Find what a draw of a way stands for where an argument that it fills has this value."""
    if not isinstance(spec, str) or not spec.startswith("$"):
        return bool(spec == value)
    root, *fields = spec[1:].split(".")
    if root not in way.draws:
        return True  # the user's own, or today: the same in every call
    found = _rows_with(state, way.types.get(root, ""), fields, value) if fields else [value]
    if len(found) != 1 or (root in names and names[root] != found[0]):
        return False
    names[root] = found[0]
    return True


def _rows_with(state: PlanState, entity: str, fields: list[str], value: Any) -> list[Row]:
    """Return the rows of an entity of which a field has a value; none where the value lies deeper."""
    rows = state.world.table(entity).values() if entity and len(fields) == 1 else ()
    return [row for row in rows if row.get(fields[0]) == value]


def with_consent(steps: Iterable[Step], random: Random) -> Iterator[Step]:
    """Let the assistant ask before each call that needs a yes, and the user say it, unless that is planned already."""
    before = ""
    for step in steps:
        questions = list(dict.fromkeys(call.question for call in step.calls if call.question))
        if not questions or before == "confirm":
            yield step
        else:
            if step.request:
                yield replace(step, calls=(), act=step.act or "wish", about=step.about or step.calls)
            yield Step(reply=True, act="confirm", about=step.calls, reply_text=asked(questions, random))
            yield Step(request=True, calls=step.calls, act="agree", request_text=agreed(questions, random))
        before = step.act


def asked(questions: list[str], random: Random) -> str:
    """Put one question, or several as a list."""
    if len(questions) == 1:
        return questions[0]
    listed = "\n".join(f"{number}. {each}" for number, each in enumerate(questions, 1))
    return f"{random.choice(phrases()['confirmation']['several'])}\n{listed}"


def agreed(questions: list[str], random: Random) -> str:
    """Say yes to what was asked."""
    texts = phrases()["confirmation"]
    if len(questions) > 1:
        return str(random.choice(texts["yes_to_all"])).format(all="both" if len(questions) == 2 else "all of it")
    return str(random.choice([*texts["yes"], *(texts["right"] if _RIGHT.search(questions[0]) else ())]))


def require_consent(calls: Iterable[PlannedCall], asking: frozenset[str]) -> None:
    """Require that something is asked before each call that needs a yes.

    Raises:
        PlanError: nothing is asked before one.
    """
    for call in calls:
        if call.tool.name in asking and not call.question:
            raise PlanError(f"nobody asks before {call.tool.name} is called")
