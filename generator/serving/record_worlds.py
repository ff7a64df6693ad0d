"""The worlds of records, on which calls are executed: each session has its own, as its calls left it.

`RecordWorlds(records, catalogs=[catalog])` holds them. `begin(record)` gives a session that nobody else has;
`execute(session, name, arguments, record)` does one call in a session that is known by its name. What the calls of a
session made of the world is its `end_state`, and its `difference` is "" where the record would have left the same.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import RLock

import orjson

from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.formats.conversation import digest_of
from generator.formats.loading.tool_files import load_tools
from generator.jsontext import JsonObject, JsonValue, dump_compact, dump_exactly, may_hold_long_numbers, read_exactly
from generator.records import Record, ToolResult
from generator.serving.record_world import RecordWorld, ShownTool, WorldMaker, executed, meaning_of
from generator.suggestions import did_you_mean
from generator.worlds.execution import problem_of
from generator.worlds.world import World, changes_between

_LONGEST_CALL = 200
_MOST_TOLD = 3
UNKNOWN_TOOL, MALFORMED, INVALID = "unknown_tool_call", "malformed_tool_arguments", "invalid_tool_arguments"
"""Why a call is not executed (seeds/003): there is no such tool; its arguments are no object; they break its schema."""
MOST_SESSIONS = 1_000
LARGEST_ARGUMENTS = 128 * 1024
"""Bytes of the arguments of one call: what is larger takes seconds to judge."""
MOST_CALLS = 10_000
"""Calls of one session; further ones fail, so that no world grows without end."""
_MOST_OPENED = 500
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Deed:
    """A call that changed the world, or may have."""

    place: int | None
    """The number of the record's call that it is, among all calls of the record; None for a call that is none."""
    turn: int
    """The number of the assistant's turn that has this call in the record; -1 for none."""
    name: str
    arguments: JsonObject

    def __str__(self) -> str:
        text = f"{self.name}({dump_compact(self.arguments)})"
        return text if len(text) <= _LONGEST_CALL else f"{text[:_LONGEST_CALL]}...)"


@dataclass(frozen=True, slots=True)
class EndState:
    """The state in which calls left the world of a record."""

    is_remade: bool
    """Whether it is that of the record's own world; otherwise what changed is told by the calls alone."""
    digest: str
    """16 hex digits of the state of every row; "" where the world is only like the record's."""
    changes: tuple[JsonObject, ...]
    """Each change of a row: `change`, `entity`, `id`, `before`, `after`; none where the world is only like it."""
    deeds: tuple[Deed, ...]

    def difference(self, own: EndState) -> str:
        """Say how this state differs from the record's own; "" where it is the same.

        Calls of one turn may come in any order, and calls that change nothing count for nothing.
        """
        if self.digest and self.digest == own.digest:
            return ""
        if other_deeds := self._other_deeds(own):
            return other_deeds
        turns = [each.turn for each in self.deeds]
        return "" if turns == sorted(turns) else "what was done came in another order"

    def _other_deeds(self, own: EndState) -> str:
        """Say which calls were made more or less often than in the record."""
        made = Counter(each.place for each in self.deeds)
        asked = {each.place for each in own.deeds} - {None}
        told = [
            _told("it was left undone", [each for each in own.deeds if not made[each.place]]),
            _told("it was done besides", [each for each in self.deeds if each.place not in asked]),
            _told("it was done more than once", [each for each in own.deeds if made[each.place] > 1]),
        ]
        return "; ".join(filter(None, told))


def _told(what: str, deeds: Sequence[Deed]) -> str:
    if not deeds:
        return ""
    more = f" and {len(deeds) - _MOST_TOLD:,} more" if len(deeds) > _MOST_TOLD else ""
    return f"{what}: {', '.join(map(str, deeds[:_MOST_TOLD]))}{more}"


class UnknownRecord(LookupError):
    """There is no such record; the text says what there is."""


class CallRefused(Exception):
    """A call that cannot be executed; the text says why, `code` is one of the three of seeds/003."""

    def __init__(self, code: str, name: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.name = name

    @property
    def result(self) -> ToolResult:
        """The refusal as a tool would tell it, so that a conversation can go on."""
        kind = "RESOURCE_NOT_FOUND" if self.code == UNKNOWN_TOOL else "PARAMETER_VALIDATION_FAILED"
        return ToolResult(self.name, error_type=kind, error_message=str(self))


class RecordSession:
    """One conversation's world: the same calls in the same order bring the same results, those of the record its own.

    A call that is one of the record's by meaning brings what it brought there, once for each time that the record makes
    it. An outage strikes as planned, whatever the call of its tool, and lasts where the record does not try again. Any
    other call is executed on the world as it is.
    """

    def __init__(self, record: RecordWorld, lock: RLock) -> None:
        self.record = record
        self._lock = lock
        self._world = record.start
        self._made: set[int] = set()
        """The places of the record's calls that were made."""
        self._calls = 0
        self._deeds: list[Deed] = []

    def execute(self, name: str, arguments: JsonValue) -> ToolResult:
        """Execute a call by the names that the record shows; its arguments are an object, or the text of one.

        Raises:
            CallRefused: there is no such tool, or the arguments break its schema, and the record makes no such call.
        """
        with self._lock:
            given = _object(name, arguments)
            shown = self.record.tools.get(name)
            own, renamed = (name, given) if shown is None else shown.by_own_names(given)
            place = self._place(own, renamed)
            if place is None or self.record.script[place].call.arguments != renamed:
                _require_fit(self.record, shown, name, given)
            result = self._executed(place, own, renamed)
            return result if result.name == name else replace(result, name=name)

    def _place(self, name: str, arguments: JsonObject) -> int | None:
        """Return which of the record's calls this is: the first that was not made yet, else the last that was."""
        named = [place for place, each in enumerate(self.record.script) if each.call.name == name]
        if not named:
            return None
        meaning = meaning_of(arguments, self.record.own_tools.get(name))
        alike = [place for place in named if self.record.meanings[place] == meaning]
        left = [place for place in alike if place not in self._made]
        return left[0] if left else alike[-1] if alike else None

    def _struck(self, name: str) -> int | None:
        """Return the place of the outage that strikes a call of this tool, whatever its arguments; None for none."""
        script = self.record.script
        left = (place for place, each in enumerate(script) if each.call.name == name and place not in self._made)
        place = next(left, None)
        return place if place is not None and script[place].is_outage else None

    def _executed(self, place: int | None, name: str, arguments: JsonObject) -> ToolResult:
        """Execute a call by its own names; `place` is that of the record's call which it is."""
        self._calls += 1
        if self._calls > MOST_CALLS:
            return ToolResult(name, error_type="RATE_LIMIT_EXCEEDED", error_message=_TOO_MANY)
        if place is not None:
            arguments = self.record.script[place].call.arguments
        else:
            place = self._struck(name)
        is_again = place in self._made
        forced, turn = None, -1  # of a call that the record does not make
        if place is not None:
            self._made.add(place)
            forced, turn = self.record.script[place].forced, self.record.script[place].call.turn
        tool = self.record.own_tools.get(name)
        if tool is None:  # the record calls what it does not show
            return forced if forced is not None else ToolResult(name)
        begun = self._world
        done = executed(begun, tool, arguments, forced if forced is not None and forced.error_type else None)
        self._world = done.world
        result = done.result if forced is None else forced
        if self._is_deed(name, result, begun, is_again=is_again):
            self._deeds.append(Deed(place, turn, name, arguments))
        return result

    def _is_deed(self, name: str, result: ToolResult, begun: World, *, is_again: bool) -> bool:
        """Say whether a call changed the world that it found; where that is only like the record's, if it may have."""
        if self.record.is_remade:
            return len(self._world.changes) > len(begun.changes)
        return name in self.record.writing and result.error_type is None and not is_again

    def replay(self) -> tuple[ToolResult, ...]:
        """Make the calls of the record, in their order, and return what they bring, by their own names."""
        with self._lock:
            script = enumerate(self.record.script)
            return tuple(self._executed(place, each.call.name, each.call.arguments) for place, each in script)

    @property
    def end_state(self) -> EndState:
        """How the world stands now, and which calls made it so; by the tools' own names."""
        with self._lock:
            if not self.record.is_remade:
                return EndState(is_remade=False, digest="", changes=(), deeds=tuple(self._deeds))
            told = changes_between(self.record.start, self._world)
            return EndState(
                is_remade=True, digest=told["final"], changes=tuple(told["changes"]), deeds=tuple(self._deeds)
            )

    @property
    def changes(self) -> tuple[JsonObject, ...]:
        """What changed in the world so far: of each row what it was and what it is."""
        return self.end_state.changes

    @property
    def difference(self) -> str:
        """Say how the world stands otherwise than the record leaves it; "" where it is the same."""
        with self._lock:
            own = RecordSession(self.record, self._lock)
            own.replay()
            return self.end_state.difference(own.end_state)


_TOO_MANY = f"This session has made {MOST_CALLS:,} calls; begin another."


def _object(name: str, arguments: JsonValue) -> JsonObject:
    """Return the arguments of a call as an object.

    Raises:
        CallRefused: they are none.
    """
    if isinstance(arguments, str | bytes):
        _require_size(name, len(arguments))
        try:
            arguments = read_exactly(arguments)
        except orjson.JSONDecodeError as error:
            raise CallRefused(MALFORMED, name, f"The arguments are no JSON: {error}.") from error
    elif isinstance(arguments, dict):
        with suppress(TypeError):  # what cannot be written, its schema refuses
            _require_size(name, len(dump_exactly(arguments)))
    if not isinstance(arguments, dict):
        raise CallRefused(MALFORMED, name, "The arguments are no JSON object.")
    return arguments


def _require_size(name: str, size: int) -> None:
    """Refuse arguments that take long to judge.

    Raises:
        CallRefused: they are too large.
    """
    if size > LARGEST_ARGUMENTS:
        message = f"The arguments have {size:,} bytes, and a call takes {LARGEST_ARGUMENTS:,}."
        raise CallRefused(INVALID, name, message)


def _require_fit(record: RecordWorld, shown: ShownTool | None, name: str, given: JsonObject) -> None:
    """Refuse a call that its tool does not take.

    Raises:
        CallRefused: there is no such tool, or the arguments break its schema.
    """
    if shown is None:
        hint = did_you_mean(name, record.tools) or "the record shows " + (", ".join(record.tools) or "no tool")
        raise CallRefused(UNKNOWN_TOOL, name, f"There is no tool {_brief(name)}; {hint}.")
    if shown.judge is None:
        raise CallRefused(UNKNOWN_TOOL, name, f"The definition of {_brief(name)} cannot be used.")
    problem = problem_of(shown.judge, given)
    if problem:
        raise CallRefused(INVALID, name, f"The arguments of {name} break its schema: {problem}.")


def _brief(name: str) -> str:
    return repr(name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}...")


class RecordWorlds:
    """The worlds of some records, and the sessions on them; may be used by several threads.

    Args:
        records: records in the canonical form; what is malformed in one is left aside. Of equal ids the first counts.
        catalogs: what is known of their tools, as `catalog.json` of a run holds it.
        domains: domain files for tools that no catalog has.
        most_sessions: how many named sessions are kept; beyond them the one that was used longest ago is forgotten,
            and begins anew.

    Raises:
        UsageError: a record nests too deeply, or holds a number that is too long.
        ToolFileError: a domain file cannot be used for the tools of the first record that shows any.
    """

    def __init__(
        self,
        records: Iterable[JsonObject | Record],
        *,
        catalogs: Sequence[Catalog] = (),
        domains: Sequence[str] = (),
        most_sessions: int = MOST_SESSIONS,
    ) -> None:
        self._documents: dict[str, bytes] = {}
        """Each record as JSON, which takes a tenth of the memory."""
        self._numbers: dict[str, str] = {}
        for number, record in enumerate(records):
            document = record.to_dict() if isinstance(record, Record) else record
            identity = record_id(document)
            self._documents.setdefault(identity, _written(document, number))
            self._numbers.setdefault(str(_index(document, number)), identity)
            self._numbers.setdefault(f"record-{number}", identity)  # what answers of the model call it without an id
        if domains:
            _require_domains(self._documents.values(), domains)
        self._maker = WorldMaker(catalogs, domains)
        self._opened: OrderedDict[str, RecordWorld] = OrderedDict()
        self._sessions: OrderedDict[str, RecordSession] = OrderedDict()
        self._most_sessions = most_sessions
        self._lock = RLock()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the records, in their order."""
        return tuple(self._documents)

    @property
    def first(self) -> str:
        """The id of the first record; "" where there is none."""
        return next(iter(self._documents), "")

    def find(self, name: str) -> str:
        """Return the id of the record that a name means: its id, or else its index; "" means the only record.

        Raises:
            UnknownRecord: there is no such record, or several where none is named.
        """
        if name in self._documents:
            return name
        if name in self._numbers:
            return self._numbers[name]
        if not name and len(self._documents) == 1:
            return next(iter(self._documents))
        if not self._documents:
            raise UnknownRecord("there are no records")
        some = ", ".join(list(self._documents)[:3])
        what = f"there is no record {_brief(name)}" if name else "say which record is meant"
        raise UnknownRecord(f"{what}; there are {len(self._documents):,}, by id ({some} ...) or index")

    def world(self, name: str) -> RecordWorld:
        """Return the world of a record as it begins, with its tools.

        Raises:
            UnknownRecord: there is no such record.
        """
        with self._lock:
            identity = self.find(name)
            found = self._opened.pop(identity, None)
            if found is None:
                found = self._maker.world_of(identity, read_exactly(self._documents[identity]))
            self._opened[identity] = found
            if len(self._opened) > _MOST_OPENED:
                self._opened.popitem(last=False)
            return found

    def begin(self, name: str) -> RecordSession:
        """Begin a session on a record that nobody else has.

        Raises:
            UnknownRecord: there is no such record.
        """
        return RecordSession(self.world(name), self._lock)

    def session(self, key: str, record: str = "") -> RecordSession:
        """Return the session of a name, on the record that it is on where none is named; a new one begins the record.

        Raises:
            UnknownRecord: there is no such record, or none is named and the session is new.
        """
        with self._lock:
            held = self._sessions.pop(key, None)
            if held is None or (record and held.record.id != self.find(record)):
                held = self.begin(record)
            self._sessions[key] = held
            if len(self._sessions) > self._most_sessions:
                self._sessions.popitem(last=False)
            return held

    def execute(self, session: str, name: str, arguments: JsonValue, record: str = "") -> ToolResult:
        """Execute a call in the session of a name (see `session` and `RecordSession.execute`).

        Raises:
            UnknownRecord: there is no such record.
            CallRefused: the call cannot be executed.
        """
        return self.session(session, record).execute(name, arguments)


def _require_domains(documents: Iterable[bytes], domains: Sequence[str]) -> None:
    """Refuse domain files that cannot be used, before anything is served.

    Raises:
        ToolFileError: one cannot.
    """
    shown = next((tools for document in documents if (tools := orjson.loads(document).get("tools"))), None)
    if isinstance(shown, list):
        load_tools(shown, domains=domains, on_conflict="source")


def record_id(document: JsonObject) -> str:
    """Return the id of a record: that of its metadata, else 16 hex digits of what is said in it and shown."""
    metadata = document.get("metadata")
    told = metadata.get("id") if isinstance(metadata, dict) else None
    return told if isinstance(told, str) and told else digest_of([document.get("messages"), document.get("tools")])


def _written(document: JsonObject, number: int) -> bytes:
    try:
        text = dump_exactly(document)
        if may_hold_long_numbers(text):
            read_exactly(text)  # a number beyond what JSON's readers take is found here, not at the first call
    except (TypeError, orjson.JSONDecodeError) as error:
        raise UsageError(f"record {number + 1:,} cannot be served: {error}") from error
    return text


def _index(document: JsonObject, number: int) -> JsonValue:
    """Return the index of a record: that of its metadata, else its place among all, from 0."""
    metadata = document.get("metadata")
    index = metadata.get("index", number) if isinstance(metadata, dict) else number
    return index if type(index) is int else number
