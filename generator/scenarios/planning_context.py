"""What a blueprint works with: the catalog's index, a compiled domain, leading tools, and the state of its plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random

from generator.jsontext import JsonObject
from generator.random_streams import stream
from generator.records import SUCCESS, ToolResult
from generator.scenarios.catalog_index import CatalogIndex
from generator.scenarios.failures import draw_outage, tell_error, tell_outage
from generator.scenarios.plan_state import (
    PlanState,
    is_so_already,
    outcome_of,
    place_of,
    question_before,
    require_consent,
    with_consent,
)
from generator.scenarios.scenario import SYSTEM_TEXTS, Blueprint, PlanError, PlannedCall, Step, tell_date
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Row, Scope
from generator.worlds.ways import Arguments, Draws, TaskProgram, Templates, WayProgram

_SHARE_WITH_CONTEXT = 0.5
_SHARE_WITH_SYSTEM = 0.35
_SHARE_WITH_DATE = 0.25


@dataclass(slots=True)
class PlanningContext:
    """One record being planned over a domain."""

    index: CatalogIndex
    compiled: CompiledDomain
    lead: str
    """Key of the leading tool."""
    visit: int
    """Which of the tool's visits this is; of a kind that calls nothing, how many records of the kind came before."""
    state: PlanState
    error_rate: float
    reference_date: date
    locale: str
    attempt: int = 0
    seed: int = 0
    """The job's: what is drawn by it alone is the same in all its records."""
    states_date: bool = False
    own_system: list[str] = field(default_factory=list)
    """Texts of the system message that the kind needs."""
    origins: list[str] = field(default_factory=list)
    """The parts of the domain that the wishes are taken from, as far as they were chosen."""

    @property
    def random(self) -> Random:
        """The record's stream for choices of the plan."""
        return self.state.random

    @property
    def name(self) -> str:
        """The name of the leading tool."""
        return self.index.tools[self.lead].name

    def way(
        self, fits: Callable[[WayProgram], object] = lambda way: True, name: str = "", *, look_ups: bool = False
    ) -> WayProgram:
        """Return the way of a tool whose turn it is, of those that fit; without look-ups, one whose ids can be told.

        Raises:
            PlanError: none fits.
        """
        tool = name or self.name
        ways = self._fitting(tool, fits, look_ups=look_ups)
        if tool in self.compiled.asking:
            ways = [way for way in ways if way.confirm] or ways
        if not ways:
            raise PlanError(f"no way of {tool} fits")
        way = ways[self.visit % len(ways)] if not name else self.random.choice(ways)
        return self.taken(way, name)

    def _fitting(self, tool: str, fits: Callable[[WayProgram], object], *, look_ups: bool) -> list[WayProgram]:
        return [way for way in self.compiled.ways.get(tool, ()) if (look_ups or way.tells) and fits(way)]

    def taken(self, way: WayProgram, name: str = "") -> WayProgram:
        """Note that a wish is taken from this way, and return it."""
        self.origins.append(f"tools/{name or self.name}/ways/{way.number}")
        return way

    def task(self, task: TaskProgram) -> TaskProgram:
        """Note that the wishes are taken from this task, and return it."""
        self.origins.append(f"tasks/{task.number}")
        return task

    def open(self) -> None:
        """Begin the record: the domain's own system text, where it has one."""
        if self.compiled.context and (self.compiled.program.me or self.random.random() < _SHARE_WITH_CONTEXT):
            self.state.system.append(self.state.keep(self.state.say(self.compiled.context, self.state.scope())))

    def system(self, *, tools: bool) -> str:
        """Return the system message: what the kind needs, what the domain tells, and the date where it is needed."""
        parts = [*self.own_system, *self.state.system]
        says_year = any(str(self.reference_date.year) in part for part in self.state.system)
        self.states_date = self.state.speech.tells_no_year or says_year or self.random.random() < _SHARE_WITH_DATE
        if not parts and tools and self.random.random() < _SHARE_WITH_SYSTEM:
            parts = [self.random.choice(SYSTEM_TEXTS)]
        if self.states_date and not says_year:
            parts.append(tell_date(self.random, self.reference_date))
        return ("\n\n" if "\n" in "".join(parts) else " ").join(parts)

    def blueprint(self, steps: tuple[Step, ...], shown: tuple[str, ...], claim: JsonObject | None = None) -> Blueprint:
        """Finish the record; the tools are shown in an order that says nothing."""
        require_consent((call for step in steps for call in step.calls), self.compiled.asking)
        mixed = list(dict.fromkeys(shown))
        self.random.shuffle(mixed)
        system = self.system(tools=bool(mixed))
        return Blueprint(
            tuple(mixed),
            tuple(with_consent(steps, self.random)),
            self.state.start,
            system=system,
            states_date=self.states_date,
            claim=claim or {},
            origins=tuple(dict.fromkeys(self.origins)),
        )

    def beside(self, count: int, *, called: tuple[str, ...] = (), lax: bool = False) -> tuple[str, ...]:
        """Draw up to so many tools to show beside those that are called, by their keys."""
        keys = tuple(self.key(name) for name in called)
        return self.index.beside(self.lead, count, self.random, lax=lax, without=keys)

    def others(self, names: Iterable[str], count: int) -> tuple[str, ...]:
        """Draw up to so many other tools of this domain, so that a new tool changes few draws."""
        keys = tuple(self.key(name) for name in names)
        drawn = self.index.ring(keys).pick(self.random, count, without=(self.lead,))
        return tuple(self.index.tools[key].name for key in drawn)

    def key(self, name: str) -> str:
        """Return the key of a tool of this domain."""
        return self.compiled.tools[name].key

    def draw(self, way: WayProgram, draws: Draws | None = None, scope: Scope | None = None) -> Scope:
        """Draw what a way begins with; a first attempt takes the choices whose turn it is at this visit."""
        drawn = way.draws if draws is None else draws
        leading: list[float] = []
        if not self.attempt and any(way is each for each in self.compiled.ways.get(self.name, ())):
            start = stream(self.seed, "walk", self.name, way.number)
            turn = self.visit // len(self.compiled.ways[self.name])
            leading = [place_of(turn, number, start.random()) for number in range(len(drawn))]
        return self.state.draw(drawn, scope or self.state.scope(), leading)

    def let_know(self, arguments: Arguments, scope: Scope, aloud: Collection[str] = ()) -> None:
        """Let the ids of these arguments be typed by the user or told by the system message; those `aloud` be typed."""
        for each in arguments.ids:
            row = each.row(scope)
            if isinstance(row, Row) and not self.state.is_known(row.get(self._entity_key(row))):
                self._tell(row, aloud=each.argument in aloud)

    def _tell(self, row: Row, *, aloud: bool) -> None:
        entity = self.compiled.program.entities[row.entity]
        known = self.compiled.domain.entities[row.entity].known
        can_tell = bool(entity.told) and row.number > 0
        by_system = can_tell and self.random.random() * (known.typed + known.told) < known.told
        if (by_system and not (aloud and entity.say_id)) or (not entity.say_id and can_tell):
            rows = list(self.state.world.table(row.entity).values())
            self.state.system.append(self.state.keep(self.state.say(entity.told, self.state.scope(rows=rows))))
        else:
            self.state.speech.typed.add(row)

    def _entity_key(self, row: Row) -> str:
        return self.compiled.program.entities[row.entity].key

    def ask(self, templates: Templates, scope: Scope) -> str:
        """Say what the user wants."""
        return self.state.keep(self.state.say(templates, scope))

    def look_up(self, arguments: Arguments, scope: Scope) -> list[PlannedCall]:
        """Plan the look-ups of the ids that nobody has told."""
        calls: list[PlannedCall] = []
        for _, row in self.state.unknown_rows(arguments, scope):
            calls += self.state.look_up(row)
        return calls

    def require_known(self, arguments: Arguments, scope: Scope) -> None:
        """Require that every id was said or told.

        Raises:
            PlanError: one was not.
        """
        for name, row in self.state.unknown_rows(arguments, scope):
            raise PlanError(f"nobody tells the id of the {row.entity} for {name}")

    def call(
        self, name: str, arguments: Arguments, scope: Scope, request: str, outcome: ToolResult | None = None
    ) -> PlannedCall:
        """Execute a call of the plan, with the words that say what the domain puts into words.

        Raises:
            PlanError: nobody should make it, or what it asks for is so already.
        """
        question = self.state.keep(question_before(self.state, name, arguments, scope))
        start = self.state.world
        planned = self.state.call(name, self.state.values_of(arguments, scope), outcome)
        if planned.outcome == SUCCESS and is_so_already(start, self.state.world):
            raise PlanError(f"{name} changes nothing: it is so already")
        evidence = tuple(self.state.evidence(arguments, scope, request).items())
        return replace(planned, evidence=evidence, question=question)

    def outage(self) -> ToolResult | None:
        """Draw, at the job's rate, a failure that has nothing to do with the world, where the domain knows any."""
        if self.random.random() >= self.error_rate:
            return None
        return draw_outage(self.compiled, self.name, self.random)

    def failing(self, *, alone: bool = False) -> ToolResult:
        """Draw a failure that has nothing to do with the world, or one that may strike a call alone of several.

        Raises:
            PlanError: the domain knows of none.
        """
        outage = draw_outage(self.compiled, self.name, self.random, alone=alone)
        if outage is None:
            raise PlanError("the domain knows of no outage")
        return outage

    def reply(self, way: WayProgram, scope: Scope, thing: str = "") -> str:
        """Say what became of a wish, by the outcome of the last call.

        Args:
            way: the wish.
            scope: what was drawn for it.
            thing: what it was about, to be named where an outage struck it.

        Raises:
            PlanError: the domain has no words for this outcome.
        """
        return self.state.keep(self.worded_reply(way, scope, thing))

    def worded_reply(self, way: WayProgram, scope: Scope, thing: str = "") -> str:
        """Return what could be said of a wish, without saying it."""
        last = self.state.results[-1]
        scope.names |= self.state.result_names()
        has_words = outcome_of(last) in way.replies
        text = "" if has_words else tell_outage(self.compiled, last, self.random, thing)
        return text or self._reply(way, scope, last)

    def _reply(self, way: WayProgram, scope: Scope, last: ToolResult) -> str:
        outcome = outcome_of(last)
        own = [texts for each, texts in self.compiled.outages or () if each.message == last.error_message]
        if own:
            return self.state.tell(own[0], scope)
        replies = way.replies.get(outcome) or (way.replies.get("ok") if outcome == "empty" else None)
        if replies:
            return self.state.reply(replies, scope)
        if last.error_type is None:
            raise PlanError(f"no reply for the outcome {outcome}")
        return tell_error(self.compiled, last, self.random)


def require_success(call: PlannedCall) -> None:
    """Require that a call succeeded.

    Raises:
        PlanError: it did not.
    """
    if call.outcome != SUCCESS:
        raise PlanError(f"{call.tool.name} ends with {call.outcome}")


def turn(request: str, groups: list[list[PlannedCall]], reply: str) -> tuple[Step, ...]:
    """Lay out one turn: the request with the first calls, further calls one group after the other, the reply."""
    if not groups:
        return (Step(request=True, request_text=request), Step(reply=True, reply_text=reply))
    head = Step(request=True, calls=tuple(groups[0]), request_text=request)
    further = [Step(calls=tuple(group), act="go on") for group in groups[1:]]
    return (head, *further, Step(reply=True, reply_text=reply))


Leads = Callable[[CompiledDomain], tuple[str, ...]]
"""Returns the names of the tools of a domain that can lead a record."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How records of a kind are laid out."""

    blueprint: Callable[[PlanningContext], Blueprint]
    leads: Leads


def with_way(fits: Callable[[WayProgram], object], *, look_ups: bool = False) -> Leads:
    """Return the tools with a way that fits; without look-ups, one whose ids can be typed or told."""

    def leads(compiled: CompiledDomain) -> tuple[str, ...]:
        return tuple(
            name for name, ways in compiled.ways.items() if any((look_ups or way.tells) and fits(way) for way in ways)
        )

    return leads


def lax(leads: Leads) -> Leads:
    """Leave out strict tools, which are never called with others."""
    return lambda compiled: tuple(name for name in leads(compiled) if not compiled.tools[name].strict)


def unasked(leads: Leads) -> Leads:
    """Leave out tools that ask first: a second call after a failed one would need another yes."""
    return lambda compiled: tuple(name for name in leads(compiled) if name not in compiled.asking)


def may_fail(leads: Leads) -> Leads:
    """Leave out tools that have neither outages nor words for any error."""

    def failing(compiled: CompiledDomain) -> tuple[str, ...]:
        return tuple(
            name
            for name in leads(compiled)
            if compiled.outages != () or any(set(way.replies) - {"ok", "empty"} for way in compiled.ways[name])
        )

    return failing


def in_tasks(fits: Callable[[TaskProgram], bool]) -> Leads:
    """Return the tools of the tasks that fit."""

    def leads(compiled: CompiledDomain) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(name for task in compiled.tasks if fits(task) for name in task.tools if name in compiled.ways)
        )

    return leads


def any_tool(compiled: CompiledDomain) -> tuple[str, ...]:
    """Every tool: none is called."""
    return tuple(compiled.tools)


every: Leads = with_way(lambda way: True)
"""The tools of which a domain knows what people want."""
