"""RecordView: a tolerant, read-only view of a record's JSON and its calls, so that a malformed one meets its rule.

What rules find out about a record, and what views find out about themselves, is found out once and kept with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, Generic, Literal, NamedTuple, ParamSpec, TypeVar

import orjson

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue, may_hold_long_numbers, pointer, read_integers, within_64_bits
from generator.records import SUCCESS
from generator.validation.line_text import RepeatedKey
from generator.validation.tool_view import FITTING, Judgement, ToolView, tool_view

LARGEST_INTEGER = 2**63 - 1
LEAST_INTEGER = -(2**63)
"""The range of ADM's INTEGER."""

NO_OBJECT: JsonObject = {}
"""Stands for an object where there is none; never changed."""


class Number(NamedTuple):
    """A number somewhere in the arguments of a call."""

    path: tuple[str | int, ...]
    value: float

    @property
    def pointer(self) -> str:
        """JSON pointer from the root of the arguments."""
        return pointer(self.path)


class CallView:
    """One entry of `tool_calls`, whatever JSON it is."""

    __slots__ = (
        "_text", "arguments", "entry", "function", "given", "has_function", "id", "index", "judgement", "malformed",
        "name", "odd_integers", "raw", "tool", "turn",
    )  # fmt: skip

    def __init__(self, turn: int, index: int, raw: JsonValue) -> None:
        self.turn = turn
        """Index of its message."""
        self.index = index
        """Index within its message."""
        self.raw = raw
        self._text: str | None = None
        self.entry: JsonObject = raw if isinstance(raw, dict) else NO_OBJECT
        self.id: JsonValue = self.entry.get("id")
        function = self.entry.get("function")
        self.has_function = isinstance(function, dict)
        self.function: JsonObject = function if isinstance(function, dict) else NO_OBJECT
        name = self.function.get("name")
        self.name: str = name if isinstance(name, str) else ""
        self.given: JsonValue = self.function.get("arguments")
        """The arguments as they stand."""
        self.arguments: JsonObject | None = self.given if isinstance(self.given, dict) else None
        """The arguments as an object, read from a string where they are one; None where they are no object."""
        self.malformed = False
        """Whether the arguments are a string that is not JSON."""
        self.tool: ToolView | None = None
        """The shown tool it calls."""
        self.judgement: Judgement = FITTING
        """What that tool's parameters refuse in the arguments."""
        self.odd_integers: list[Number] = []
        """Numbers where the schema wants an integer that are written with a fraction (5.0) or beyond 64 bits."""
        if isinstance(self.given, str):
            self._parse(self.given)

    def _parse(self, text: str) -> None:
        try:
            value = orjson.loads(text)
            if may_hold_long_numbers(text):
                value = within_64_bits(read_integers(text))
            orjson.dumps(value)  # refuses what nests deeper than a record may
        except (TypeError, ValueError, RecursionError):
            self.malformed = True
        else:
            self.arguments = value if isinstance(value, dict) else None

    def link(self, tool: ToolView | None) -> None:
        """Join the call with the tool it calls."""
        self.tool = tool
        if tool is not None and self.arguments is not None:
            self.judgement = tool.judge(self.arguments)
            if _holds_odd_number(self.arguments):
                self.odd_integers = _odd_integers(tool, self.arguments)

    @property
    def pointer(self) -> str:
        """JSON pointer of the call."""
        return f"/messages/{self.turn}/tool_calls/{self.index}"

    @property
    def arguments_pointer(self) -> str:
        """JSON pointer of its arguments."""
        return f"{self.pointer}/function/arguments"

    @property
    def text(self) -> str:
        """The arguments as text."""
        if self._text is None:
            self._text = _text_of(self.given)
        return self._text


def _text_of(given: JsonValue) -> str:
    if isinstance(given, str):
        return given
    try:
        return orjson.dumps(given).decode()
    except (TypeError, ValueError):
        return ""


def _odd_integers(tool: ToolView, arguments: JsonObject) -> list[Number]:
    """Return the odd numbers at places where the schema wants an integer.

    Which places those are its own validator tells: it refuses the type of a true fraction put there.
    """
    if tool.validator is None:
        return []
    odd = [number for number in _numbers(arguments) if _is_odd(number.value)]
    try:
        refusing = tool.validator.type_problems(_with_fractions(arguments, odd))
    except TypeError:  # an integer that JSON's writers refuse; the rule of storable documents reports it
        return []
    return [number for number in odd if number.pointer in refusing]


def _is_odd(value: JsonValue) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not LEAST_INTEGER <= value <= LARGEST_INTEGER


def _holds_odd_number(root: JsonObject) -> bool:
    """Say whether any number inside is odd; most arguments hold none, and need no second look."""
    waiting: list[JsonValue] = list(root.values())
    for value in waiting:
        kind = type(value)
        if kind is str:
            continue
        if kind is int or kind is float:
            if _is_odd(value):
                return True
        elif kind is dict:
            waiting.extend(value.values())
        elif kind is list:
            waiting.extend(value)
    return False


def _numbers(root: JsonObject) -> Iterator[Number]:
    """Yield every number inside, booleans left out."""
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(((*path, key), child) for key, child in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield Number(path, value)


def _with_fractions(arguments: JsonObject, numbers: list[Number]) -> JsonObject:
    """Copy the arguments with a fraction in the place of each of the numbers."""
    copy: JsonObject = orjson.loads(orjson.dumps(arguments))
    for number in numbers:
        holder: JsonValue = copy
        for step in number.path[:-1]:
            holder = holder[step]
        holder[number.path[-1]] = 0.5
    return copy


CALLS = "calls"
"""Stands among the roles for an assistant's turn of calls."""

Order = tuple[str, ...]
"""Whose turn each message is: its role, or `CALLS`; "" where it has no role."""

Scope = Literal[
    "", "calls", "parallel_calls", "misfits", "odd_calls", "results", "mispaired", "errors", "statuses",
    "misstated", "has_markers", "has_controls", "repeated_keys", "unread", "beside",
]  # fmt: skip
"""An attribute of RecordView that a rule speaks of; "" for a rule that is always asked.

Most records hold no misfit, no error and no marker, and a rule that speaks of those alone need not be asked then.
"""


_ESCAPES = re.compile(rb"\\[ubf]")
_DELETE = b"\x7f"
"""How written JSON shows control characters of ASCII, in its texts and in JSON inside them."""
_BEYOND_ASCII = re.compile("[\x80-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_MAY_BE_BEYOND_ASCII = (b"\xc2", b"\xe2\x80", b"\xe2\x81", b"\xf3\xa0")
"""How such a character begins in UTF-8."""
MARKERS_IN_BRACKETS = ("INST]", "TOOL", "_PROMPT]")
"""Parts of every marker in brackets: text that holds none of them holds no such marker."""
_MARKER = re.compile(rb"\[[/A-Z]")
"""How each of them begins."""


class MessageView:
    """One entry of `messages`, whatever JSON it is."""

    __slots__ = ("calls", "content", "entry", "index", "raw", "role", "turn")

    def __init__(self, index: int, raw: JsonValue) -> None:
        self.index = index
        self.raw = raw
        entry: JsonObject = raw if isinstance(raw, dict) else NO_OBJECT
        self.entry = entry
        role = entry.get("role")
        self.role: str = role if isinstance(role, str) else ""
        self.content: JsonValue = entry.get("content")
        self.calls: tuple[CallView, ...] = ()
        self.turn = self.role
        """Its role, or `CALLS` for an assistant's turn with anything in `tool_calls`."""
        calls = entry.get("tool_calls")
        if calls:
            if role == "assistant":
                self.turn = CALLS
            if isinstance(calls, list):
                self.calls = tuple([CallView(index, number, call) for number, call in enumerate(calls)])

    @property
    def pointer(self) -> str:
        """JSON pointer of the message."""
        return f"/messages/{self.index}"

    @property
    def text(self) -> str:
        """What it says; "" where its content is no text."""
        return self.content if isinstance(self.content, str) else ""

    @property
    def speaks(self) -> bool:
        """Whether it has text that is more than white space."""
        return isinstance(self.content, str) and bool(self.content.strip())


class ResultView:
    """A tool message with what its content says, and the call it answers."""

    __slots__ = ("call", "error", "failed", "is_json", "leaves", "message", "status", "value")

    def __init__(self, message: MessageView, call: CallView | None, status: JsonValue) -> None:
        self.message = message
        self.call = call
        """The call whose id it names, where there is one."""
        self.status = status if isinstance(status, str) else ""
        """Its status by the metadata; "" where the metadata have none."""
        self.is_json = False
        """Whether the content is the text of a JSON value."""
        self.value: JsonValue = message.content
        """The content as JSON; as it stands where it is not the text of a JSON value."""
        if isinstance(message.content, str):
            self._parse(message.content)
        self.error: JsonObject | None = _error_object(self.value)
        """The error object where the content is `{"error": {...}}` with a message or a type; else None."""
        self.failed = self.status != SUCCESS if self.status else self.error is not None
        """Whether it reports an error: by its status, else by its shape."""
        self.leaves: list[JsonValue] | None = None
        """The texts and numbers inside, as the checks of kinds read them; None until they do."""

    @property
    def tool_name(self) -> str:
        """The name of the tool that it comes from; "" where that is not known."""
        return self.call.name if self.call is not None else ""

    def _parse(self, text: str) -> None:
        try:
            self.value = orjson.loads(text)
            self.is_json = True
        except ValueError:
            self.is_json = False


class RecordView:
    """One record, whatever JSON it is."""

    __slots__ = (
        "_text", "_written", "answers", "beside", "calls", "calls_by_id", "catalog", "document", "entry", "errors",
        "generated", "grounded", "has_messages", "has_verbatim_arguments", "is_object", "kept", "messages", "metadata",
        "misfits", "mispaired", "misstated", "odd_calls", "parallel_calls", "repeated_keys", "results", "shows_tools",
        "sources", "statuses", "tools", "tools_by_name", "turns", "unread", "user_turns", "wishes",
    )  # fmt: skip

    def __init__(
        self,
        document: JsonValue,
        *,
        catalog: Catalog | None = None,
        generated: bool = True,
        repeated_keys: tuple[RepeatedKey, ...] = (),
        unread: str = "",
        tools: list[ToolView] | None = None,
        written: bytes | None = None,
    ) -> None:
        self.document = document
        self.catalog = catalog
        self.generated = generated
        """Whether it is held to the rules of what toolgen writes."""
        entry: JsonObject = document if isinstance(document, dict) else NO_OBJECT
        self.is_object = isinstance(document, dict)
        self.entry = entry
        messages, shown, metadata = entry.get("messages"), entry.get("tools"), entry.get("metadata")
        self.has_messages = isinstance(messages, list)
        self.messages = [MessageView(index, raw) for index, raw in enumerate(as_list(messages))]
        self.shows_tools = isinstance(shown, list)
        self.tools: list[ToolView] = [tool_view(raw) for raw in as_list(shown)] if tools is None else tools
        self.tools_by_name = {tool.name: tool for tool in reversed(self.tools)}
        self.metadata: JsonObject = metadata if isinstance(metadata, dict) else NO_OBJECT
        statuses = self.metadata.get("statuses")
        self.statuses: JsonObject | None = statuses if isinstance(statuses, dict) else None
        self.repeated_keys = repeated_keys
        """The keys that the record's line names twice; they are lost once it is parsed."""
        self.unread = unread
        """Why no format could be recognised in which to read the record; "" where one was."""
        self._written = written
        """All but its definitions, and maybe these, as compact JSON, for a first glance; None where it was not kept."""
        self._list_calls()
        self._link()
        self._find_nothing()

    def _list_calls(self) -> None:
        """List the calls of the messages, and the results that answer them."""
        self.calls = [call for message in self.messages for call in message.calls]
        self.calls_by_id = {call.id: call for call in reversed(self.calls) if isinstance(call.id, str)}
        self.results = [self._result(message) for message in self.messages if message.role == "tool"]
        self.errors = [(result, result.error) for result in self.results if result.error is not None]
        """The results that are errors, each with its error object."""

    def _find_nothing(self) -> None:
        """Make room for what rules find out about the record when they ask for it, each once."""
        self._text: str | None = None
        self.turns: list[Any] | None = None
        """The turns of calls, with what each of them follows, as the rules of grounding read them."""
        self.grounded: list[Any] | None = None
        """What the rules of grounding found out about the arguments."""
        self.kept: dict[Any, Any] = {}
        """What else the rules of grounding found out, by the function that did."""
        self.sources: dict[int, Any] = {}
        """The messages as the rules of grounding read them, by their indices."""
        self.answers: list[Any] | None = None
        """The answers as the rules of grounding read them."""
        self.has_verbatim_arguments: bool | None = None
        """Whether a short look found all that the calls are given."""
        self.user_turns: list[Any] | None = None
        self.wishes: list[Any] | None = None
        """The record as the checks of kinds read it, by messages and by wishes of the user."""

    def _link(self) -> None:
        """Join every call with the tool it calls."""
        self.misfits: list[CallView] = []
        """The calls of which the parameters of their tool refuse something."""
        self.odd_calls: list[CallView] = []
        """The calls with numbers that are no INTEGER where one is wanted."""
        for call in self.calls:
            call.link(self.tools_by_name.get(call.name) if call.name else None)
            if call.judgement is not FITTING:
                self.misfits.append(call)
            if call.odd_integers:
                self.odd_calls.append(call)
        self.parallel_calls = len(self.calls) > 1 and any(len(message.calls) > 1 for message in self.messages)
        """Whether any turn makes several calls."""
        self.mispaired = len(self.results) != len(self.calls) or not all(map(_answers, self.results, self.calls))
        """Whether the results are others than one for each call, in their order, after it and under its name."""
        self.misstated = self.statuses is not None and self.statuses.keys() != self.calls_by_id.keys()
        """Whether the statuses are those of other calls."""
        self.beside: JsonObject = NO_OBJECT
        """The columns of the line that its format has no use for, with what they hold; whoever read it says so."""

    def _result(self, message: MessageView) -> ResultView:
        call_id = message.entry.get("tool_call_id")
        if not isinstance(call_id, str):
            return ResultView(message, None, None)
        return ResultView(message, self.calls_by_id.get(call_id), (self.statuses or NO_OBJECT).get(call_id))

    @property
    def order(self) -> Order:
        """Whose turn each message is."""
        return tuple([message.turn for message in self.messages])

    @property
    def claim(self) -> JsonObject:
        """What the metadata claim of the record, beside its kind; empty where they claim nothing."""
        claim = self.metadata.get("claim")
        return claim if isinstance(claim, dict) else NO_OBJECT

    @property
    def requests(self) -> list[str]:
        """What the user says, message by message."""
        return [each.content for each in self.messages if each.role == "user" and isinstance(each.content, str)]

    @property
    def turns_of_calls(self) -> list[MessageView]:
        """The messages that call."""
        return [message for message in self.messages if message.calls]

    @property
    def text(self) -> str:
        """All that is said, called and answered, for a first look at what occurs anywhere."""
        if self._text is None:
            said = [message.content for message in self.messages if isinstance(message.content, str)]
            self._text = "\n".join([*said, *(call.text for call in self.calls)])
        return self._text

    def is_within(self, most: int) -> bool:
        """Say whether all that is said, called and answered has no more characters than these."""
        return (self._written is not None and len(self._written) <= most) or len(self.text) <= most

    @property
    def has_markers(self) -> bool:
        """Whether any text may hold a token that chat templates take for a marker, at first glance."""
        written = self._written
        if written is not None and b"<" not in written and not _MARKER.search(written):
            return False
        text = self.text
        return "<" in text or ("[" in text and any(part in text for part in MARKERS_IN_BRACKETS))

    @property
    def has_controls(self) -> bool:
        """Whether any text beside the definitions may hold a control character, at first glance."""
        if self._written is not None and not _may_hold_controls(self._written):
            return False
        return may_hold_controls({name: part for name, part in self.entry.items() if name != "tools"})


def may_hold_controls(value: JsonValue) -> bool:
    """Say whether any text inside may hold a control character, at first glance."""
    try:
        return _may_hold_controls(orjson.dumps(value))
    except (TypeError, ValueError):
        return True


def _may_hold_controls(written: bytes) -> bool:
    if _DELETE in written or _ESCAPES.search(written):
        return True
    if written.isascii() or not any(part in written for part in _MAY_BE_BEYOND_ASCII):
        return False
    return _BEYOND_ASCII.search(written.decode()) is not None


def _answers(result: ResultView, call: CallView) -> bool:
    message = result.message
    return result.call is call and message.index > call.turn and message.entry.get("name") == call.name


def as_list(value: JsonValue) -> list[Any]:
    """Return the value where it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def _error_object(value: JsonValue) -> JsonObject | None:
    if not isinstance(value, dict) or len(value) != 1:
        return None
    error = value.get("error")
    return error if isinstance(error, dict) and ("message" in error or "type" in error) else None


def is_judged(record: RecordView) -> bool:
    """Say whether a model that has not written the record has judged it."""
    opinions = record.metadata.get("second_opinion")
    return isinstance(opinions, list) and "judge" in opinions


def is_abroad(record: RecordView) -> bool:
    """Say whether a record is in another language than English, of which lists of English words know nothing."""
    locale = record.metadata.get("locale")
    return isinstance(locale, str) and not locale.startswith("en")


def is_judged_abroad(record: RecordView) -> bool:
    """Say whether a record in another language than English was judged."""
    return is_abroad(record) and is_judged(record)


def is_beyond_words(record: RecordView) -> bool:
    """Say whether no list of English words may convict a record: it is judged, or in another language."""
    return is_judged(record) or is_abroad(record)


Found = TypeVar("Found")


class cached_attribute(Generic[Found]):  # noqa: N801  # read as a decorator, like `property`
    """`functools.cached_property` without its lock, which costs more than most of what is kept here."""

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, instance: Any, owner: type | None = None) -> Found:
        found = self._find(instance)
        instance.__dict__[self._name] = found
        return found


_More = ParamSpec("_More")
_Found = TypeVar("_Found")


def cached_on_record(
    find: Callable[Concatenate[RecordView, _More], _Found],
) -> Callable[Concatenate[RecordView, _More], _Found]:
    """Keep what a function of a record returns; its other arguments are hashable."""

    @wraps(find)
    def found(record: RecordView, /, *arguments: _More.args, **named: _More.kwargs) -> _Found:
        key = (find, arguments, tuple(named.items()))
        if key not in record.kept:
            record.kept[key] = find(record, *arguments, **named)
        known: _Found = record.kept[key]
        return known

    return found
