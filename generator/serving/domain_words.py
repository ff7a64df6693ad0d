"""What domain files say of tools that a request sends: arguments drawn in their worlds, and replies over results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from threading import Lock

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.formats.loading.tool_files import load_catalog
from generator.job_choices import DEFAULT_REFERENCE_DATE
from generator.jsontext import JsonObject, JsonValue
from generator.records import ToolResult
from generator.scenarios.failures import tell_error
from generator.scenarios.plan_state import PlanState, new_plan_state, outcome_of
from generator.scenarios.scenario import PlanError
from generator.serving.wants import Said
from generator.validation.grounding.reading.languages import little_words
from generator.worlds.compiled_domain import CompiledDomain, compiled_domain
from generator.worlds.rows import NothingToDraw, Row, Scope
from generator.worlds.speech import Unsayable
from generator.worlds.ways import Templates, WayProgram

_SLOTS = re.compile(r"\{[^{}]*\}|<[^<>]*>")
_WORD = re.compile(r"[^\W\d_]{3,}")
_RESULT_NAMES = frozenset({"r", "it"})
"""What a reply may speak of where nobody knows what was drawn: the result alone."""
_TRIES = 3
_LOCALE = "en_US"
_SHORTEST_NAME = 3


_MOST_NAMES = 10_000
"""Names of tools that are remembered, known or not."""


def words_of(text: str) -> set[str]:
    """Return the words of a text that tell something, in small letters."""
    return {word.casefold() for word in _WORD.findall(text)} - little_words()


class DomainWords:
    """The domains of catalogs, the first that knows a tool before the others; those that come along are the last."""

    def __init__(self, catalogs: Sequence[Catalog] = ()) -> None:
        self._given = tuple(catalogs)
        self._compiled: dict[str, CompiledDomain | None] = {}
        self._lock = Lock()

    @cached_property
    def _catalogs(self) -> tuple[Catalog, ...]:
        return (*self._given, load_catalog([asset_folder("tool_specs")]).catalog)

    def _of(self, name: str) -> CompiledDomain | None:
        """Return the domain that speaks of a tool."""
        with self._lock:
            if name not in self._compiled and len(self._compiled) < _MOST_NAMES:
                self._compiled[name] = next(self._found(name), None)
            return self._compiled.get(name)

    def _found(self, name: str) -> Iterator[CompiledDomain]:
        for catalog in self._catalogs:
            domains = {domain.name: domain for domain in catalog.domains}
            for tool in catalog.tools:
                if tool.name == name and tool.domain in domains:
                    yield compiled_domain(domains[tool.domain], catalog.domain_tools[tool.domain])

    def asks_for(self, name: str) -> set[str]:
        """Return the words with which people ask for what a tool does."""
        compiled = self._of(name)
        ways = compiled.ways.get(name, ()) if compiled is not None else ()
        return {word for way in ways for word in _words_of_way(way)}

    def arguments(self, name: str, said: Said, seed: int) -> JsonObject | None:
        """Return arguments for a tool by one of its ways, over rows that the request names where it names any.

        None where no domain knows the tool, or nothing could be drawn.
        """
        compiled = self._of(name)
        ways = compiled.ways.get(name, ()) if compiled is not None else ()
        if compiled is None or not ways:
            return None
        for way in _likeliest(ways, said)[:_TRIES]:
            state = new_plan_state(compiled, seed, DEFAULT_REFERENCE_DATE, _LOCALE)
            try:
                return state.values_of(way.arguments, _drawn(state, way, said))
            except (PlanError, NothingToDraw):
                continue
        return None

    def mentioned(self, name: str, said: Said, seed: int) -> list[str]:
        """Return how the request names rows that a tool may be called over; empty where no domain knows the tool."""
        compiled = self._of(name)
        ways = compiled.ways.get(name, ()) if compiled is not None else ()
        if compiled is None or not ways:
            return []
        state = new_plan_state(compiled, seed, DEFAULT_REFERENCE_DATE, _LOCALE)
        scope, found = state.scope(), dict[str, None]()
        try:
            for draw, source in _likeliest(ways, said)[0].draws.items():
                drawn = scope.names[draw] = source(scope, state.random, {})
                if isinstance(drawn, Row):
                    found |= dict.fromkeys(text for text, _ in _rows_said(state, drawn, said))
        except (PlanError, NothingToDraw):
            return []
        return list(found)

    def reply(self, name: str, content: JsonValue, seed: int) -> str:
        """Return what is said of a result in the words of the domain; "" where it has none that fit."""
        compiled = self._of(name)
        if compiled is None:
            return ""
        state = new_plan_state(compiled, seed, DEFAULT_REFERENCE_DATE, _LOCALE)
        error = content.get("error") if isinstance(content, dict) else None
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            failed = ToolResult(name, error_type=str(error.get("type") or "ERROR"), error_message=error["message"])
            return tell_error(compiled, failed, state.random)
        ending = outcome_of(ToolResult(name, content)).casefold()
        scope = state.scope(r=content, r1=content)
        for way in compiled.ways.get(name, ()):
            if text := _told(state, way, ending, scope):
                return text
        return ""


def _likeliest(ways: Sequence[WayProgram], said: Said) -> list[WayProgram]:
    """Return the ways, those first whose words the request shares."""
    wanted = words_of(said.text)
    return sorted(ways, key=lambda way: -len(wanted & _words_of_way(way)))


def _words_of_way(way: WayProgram) -> set[str]:
    return {word for template in way.requests for word in words_of(_SLOTS.sub(" ", template.source))}


def _drawn(state: PlanState, way: WayProgram, said: Said) -> Scope:
    """Draw what a way draws; a row that the request names takes the place of the one that was drawn."""
    scope = state.scope()
    for name, source in way.draws.items():
        drawn = source(scope, state.random, {})
        scope.names[name] = _named(state, drawn, said) if isinstance(drawn, Row) else drawn
    return scope


def _named(state: PlanState, drawn: Row, said: Said) -> Row:
    """Return the row of the same entity that the request names by the longest of its texts, else the one drawn."""
    said_of = [(len(text), row) for text, row in _rows_said(state, drawn, said)]
    return max(said_of, key=lambda each: each[0])[1] if said_of else drawn


def _rows_said(state: PlanState, drawn: Row, said: Said) -> Iterator[tuple[str, Row]]:
    """Yield each row of an entity that the request names, with the text by which it does."""
    for row in state.world.table(drawn.entity).values():
        for value in row.fields.values():
            if isinstance(value, str) and len(value) >= _SHORTEST_NAME and said.stands(value):
                yield value, row


def _told(state: PlanState, way: WayProgram, ending: str, scope: Scope) -> str:
    """Return a reply of a way to such a result, one that speaks of nothing else and can be said of it."""
    fitting: Templates = tuple(
        template
        for test, template in way.replies.get(ending, ())
        if template.names <= _RESULT_NAMES and (test is None or test(scope))
    )
    try:
        return state.tell(fitting, scope) if fitting else ""
    except (PlanError, NothingToDraw, Unsayable):
        return ""
