"""Records of ours that templates are tried with: one of each kind, in words that no template holds by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, dump_compact


class Probe(NamedTuple):
    """A record, and what it shows in the plural, in words."""

    shows: str
    record: JsonObject


SYSTEM = "You are the clerk of Hathersby."
USER = "How is it in brackmere today?"
ANSWER = "It is plumcoloured over yonder."
BESIDE = "Let me see in the ledger of Womby."
ELSEWHERE = "answered_by_thistlewood"
"""A name on a result that is none of a tool."""
UNUSED = "count_gorseberries"
"""A tool that is shown and never called, so that its name stands in the tools alone."""
PARAMETER_TEXT = "How many brindle days."
CHOICE = "zelkova"
QUOTED = "Tells Vensmoor's \"damp\" & where it's < 5."
_LIST_TYPE = ["string", "null"]


def _tool(name: str, description: str, required: str, properties: JsonObject) -> JsonObject:
    parameters = {"type": "object", "properties": properties, "required": [required]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _text(description: str, **more: JsonValue) -> JsonObject:
    return {"type": "string", "description": description, **more}


CITY = _text("The quorl city.")
WEATHER = _tool(
    "get_weather",
    "Tells the vensmoor weather of a city.",
    "city",
    {
        "city": CITY,
        "days": {"type": "integer", "description": PARAMETER_TEXT},
        "scale": _text("The dorvet scale.", enum=[CHOICE, "metric"]),
        "exact": {"type": "boolean", "description": "Whether to be grelm about it."},
        "height": {"type": "number", "description": "The winfold height."},
        "parts": {"type": "array", "description": "The tarn parts.", "items": {"type": "string"}},
        "place": {"type": "object", "description": "The fenwick place.", "properties": {"ward": _text("A ward.")}},
    },
)
FOOD = _tool(
    "find_restaurants", "Finds the larkspun restaurants of a city.", "city", {"city": CITY, "kind": _text("Ombric.")}
)
BERRIES = _tool(UNUSED, "Counts the juniper of a gorse.", "gorse_name", {"gorse_name": _text("The gorse.")})
TOOLS: list[JsonValue] = [WEATHER, FOOD, BERRIES]


class _Exchange(NamedTuple):
    """A call, its id, and the text of its result."""

    identity: str
    name: str
    arguments: JsonObject
    result: JsonObject

    def call(self) -> JsonObject:
        return {
            "id": self.identity,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        }

    def answered(self, name: str = "") -> JsonObject:
        content = dump_compact(self.result)
        return {"role": "tool", "tool_call_id": self.identity, "name": name or self.name, "content": content}


FIRST = _Exchange("aB3dE6gH1", "get_weather", {"city": "Lisbmoor", "days": 3719}, {"sky": "gristly", "days": 1571})
_SECOND = _Exchange("aB3dE6gH2", "find_restaurants", {"city": "Oslwick", "kind": "Tharsian"}, {"found": ["Velmas"]})
_THIRD = _Exchange("aB3dE6gH3", "get_weather", {"city": "Kyotham"}, {"sky": "mottled", "degrees": 2684})
_TYPED = _Exchange(
    "aB3dE6gH4",
    "get_weather",
    {
        "city": 'Zürichau "East" of O\'Dell',
        "days": 4821,
        "exact": True,
        "height": 27.625,
        "parts": ["mossgill", "hathel"],
        "place": {"ward": "Cantref"},
    },
    {"sky": "Œuvre & more", "list": [{"kept": None}]},
)
_EMPTY = _Exchange("aB3dE6gH5", "find_restaurants", {}, {"found": []})


def _said(role: str, content: str) -> JsonObject:
    return {"role": role, "content": content}


def _turn(*exchanges: _Exchange, text: str = "") -> list[JsonObject]:
    """Return the messages of calls made together, and of their results."""
    calls = {"role": "assistant", "content": text, "tool_calls": [each.call() for each in exchanges]}
    return [calls, *(each.answered() for each in exchanges)]


def _record(*messages: JsonObject, tools: list[JsonValue] = TOOLS) -> JsonObject:
    return {"messages": list(messages), "tools": tools}


_OPENED = (_said("system", SYSTEM), _said("user", USER))
_NO_CALL = (_said("user", "Who painted the umbershaw?"), _said("assistant", "Nobody knows who did, in Ludbrook."))

ONE_CALL = _record(*_OPENED, *_turn(FIRST), _said("assistant", ANSWER))
NAMED_ELSEWHERE = _record(*_OPENED, _turn(FIRST)[0], FIRST.answered(ELSEWHERE), _said("assistant", ANSWER))
WITH_TEXT = _record(*_OPENED, *_turn(FIRST, text=BESIDE), _said("assistant", ANSWER))
ENDS_WITH_CALLS = _record(*_OPENED, _turn(FIRST)[0])
QUOTING = _record(*_OPENED, *_turn(FIRST), _said("assistant", ANSWER), tools=[
    _tool("get_weather", QUOTED, "city", {"city": CITY, "days": {"type": "integer", "description": "Days."}}), BERRIES,
])  # fmt: skip
LIST_TYPED = _record(*_OPENED, *_turn(FIRST), _said("assistant", ANSWER), tools=[
    _tool("get_weather", "Tells the weather.", "city", {
        "city": CITY, "days": {"type": "integer", "description": "Days."},
        "note": {"type": _LIST_TYPE, "description": "A note."}}), BERRIES,
])  # fmt: skip

PROBES: tuple[Probe, ...] = (
    Probe("records with one call", ONE_CALL),
    Probe("records without a system message", _record(_OPENED[1], *_turn(FIRST), _said("assistant", ANSWER))),
    Probe("records without a call", _record(_OPENED[0], *_NO_CALL)),
    Probe("records that show no tools", _record(_OPENED[0], *_NO_CALL, tools=[])),
    Probe(
        "calls one after the other",
        _record(*_OPENED, *_turn(FIRST), *_turn(_SECOND), *_turn(_THIRD), _said("assistant", ANSWER)),
    ),
    Probe(
        "several turns",
        _record(
            *_OPENED,
            *_turn(FIRST),
            _said("assistant", ANSWER),
            _said("user", "And the food of Nettlecombe?"),
            *_turn(_SECOND),
            _said("assistant", "Eat at the usual, as in Wexcombe."),
            *_NO_CALL,
        ),
    ),
    Probe("arguments of every type", _record(*_OPENED, *_turn(_TYPED), *_turn(_EMPTY), _said("assistant", ANSWER))),
    Probe("calls made together", _record(*_OPENED, *_turn(FIRST, _SECOND, _THIRD), _said("assistant", ANSWER))),
    Probe("results under names of their own", NAMED_ELSEWHERE),
)
"""What every form must pass whole."""


def texts_of(value: JsonValue) -> Iterator[JsonValue]:
    """Yield the keys and the values inside a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)
    else:
        yield value
