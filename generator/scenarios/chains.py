"""Chains: which tool's result holds what another tool must be given."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Sequence
from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.identities import Identity, field_identities, parameter_identity
from generator.tools.operations import Operation, name_words, read_operation, singular
from generator.tools.tool import Tool

READING = frozenset(("get", "search", "check"))
"""Families of operations that look something up and change nothing."""
_GIVING = READING | {"create", "book", "order", "schedule"}
_AMOUNTS = frozenset("balance price total_price price_per_night ticket_price revenue cost total_cost".split())
"""Fields that hold a sum of money."""
_CURRENCIES = frozenset(("from_currency", "base_currency", "source_currency", "from"))
_MONEY: Identity = ("money",)
_OPENING = frozenset(("session",))
"""Families that nobody goes on to from a result."""
_OF_FILES = frozenset(("path", "url"))
_MOST_TAKERS = 128
"""Tools that are kept for one field of one result: a large catalog has hundreds that want a user's id, and each
giver keeps others of them."""


@dataclass(frozen=True, slots=True)
class Place:
    """An object in the results of a tool, or the entries of a list of objects."""

    path: tuple[str, ...]
    """Keys from the root of the result to the object, or to the list."""
    listed: bool
    properties: JsonObject
    noun: Identity
    """What it is, in singular words."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A tool whose result names what another tool must be given."""

    giver: str
    taker: str
    place: Place
    fields: tuple[tuple[str, str], ...]
    """Parameters of the taker, each with the field of the place that holds its value."""

    @property
    def describable(self) -> bool:
        """Whether the values belong to one thing that can be described, such as the cheapest hotel in Rome."""
        return not {"amount", "start_time"} & {parameter for parameter, _ in self.fields}


class Chains:
    """The chains of a catalog: found by what tools want and what results hold, never by trying all pairs."""

    def __init__(self, tools: dict[str, Tool], toolsets: dict[str, tuple[str, ...]]) -> None:
        self._tools = tools
        self._number = {key: number for number, key in enumerate(tools)}
        self._wanting = {name: _wanting([tools[key] for key in keys]) for name, keys in toolsets.items()}
        self._onward: dict[str, tuple[Chain, ...]] = {key: tuple(self._chains(tool)) for key, tool in tools.items()}
        self._back: dict[str, list[Chain]] = {}
        for chains in self._onward.values():
            for chain in chains:
                self._back.setdefault(chain.taker, []).append(chain)

    def of(self, key: str) -> tuple[Chain, ...]:
        """Return the chains that this tool begins or ends."""
        return (*self._onward[key], *self._back.get(key, ()))

    @property
    def linked(self) -> tuple[str, ...]:
        """The tools that begin or end a chain."""
        return tuple(key for key in self._tools if self._onward[key] or key in self._back)

    def _chains(self, giver: Tool) -> Iterator[Chain]:
        """Yield the chains that begin with this tool."""
        operation = read_operation(giver.name, giver.description)
        if operation.family not in _GIVING or operation.words[0] == "return":
            return  # to return something is a deed, though descriptions use the word for looking up
        for place in _places(giver, operation):
            found: dict[str, dict[str, str]] = {}
            for name, schema in place.properties.items():
                for taker, parameter in self._takers(giver, place, name, schema):
                    found.setdefault(taker, {}).setdefault(parameter, name)
            for taker, fields in found.items():
                if _leads_on(giver, operation, place, self._tools[taker], fields):
                    yield Chain(giver.key, taker, place, tuple(_with_currency(self._tools[taker], place, fields)))

    def _takers(self, giver: Tool, place: Place, name: str, schema: JsonValue) -> Iterator[tuple[str, str]]:
        """Yield the tools that want what a field holds, each with its parameter."""
        if name in giver.parameters["properties"] or not isinstance(schema, dict):
            return  # the caller said it
        wanting = self._wanting[giver.toolset]
        wanted = next((one for one in field_identities(name, place.noun) if one in wanting), None)
        if wanted is None and name in _AMOUNTS and "currency" in place.properties:
            wanted = _MONEY
        takers = wanting.get(wanted or (), [])
        start = self._number[giver.key] % len(takers) if len(takers) > _MOST_TAKERS else 0
        for taker, parameter in (takers[start:] + takers[:start])[:_MOST_TAKERS]:
            if taker != giver.key and _admits(self._tools[taker].parameters["properties"][parameter], schema):
                yield taker, parameter


def _leads_on(giver: Tool, first: Operation, place: Place, taker: Tool, fields: dict[str, str]) -> bool:
    """Say whether the second call tells or does more than the first did, with what only the first could tell."""
    second = read_operation(taker.name, taker.description)
    given, taken = giver.parameters["properties"].keys(), taker.parameters["properties"].keys()
    if first.family not in READING if place.listed else first.many:
        return False  # the entries of a deed are its details, and one thing does not stand for many
    if not _in_one_repository(given, taker.parameters.get("required", ()), fields):
        return False
    if not given.isdisjoint(fields):
        return False  # the same parameter would mean two different things in one wish
    own = {name for name in taken & given if name not in fields and parameter_identity(name, ()) is None}
    if "start_time" in fields:
        return not place.listed and "date" in own
    if first.family not in READING and own:
        return False  # what was just made is not filled in a second time
    if first.family in READING and second.family in READING and second.things[-1:] == first.things[-1:]:
        return place.listed and not second.many
    return True


def _in_one_repository(given: KeysView[str], required: Sequence[str], fields: dict[str, str]) -> bool:
    """Say whether both calls are about one repository: a number or a commit means nothing in another."""
    if "owner" not in required or "owner" in given:
        return True
    return {"owner", "repo"} <= fields.keys()


def _wanting(tools: list[Tool]) -> dict[Identity, list[tuple[str, str]]]:
    """Return by what is wanted the tools that want it, each with its parameter."""
    wanted: dict[Identity, list[tuple[str, str]]] = {}
    for tool in tools:
        operation = read_operation(tool.name, tool.description)
        if operation.family in _OPENING:
            continue
        for name, schema in tool.parameters["properties"].items():
            if name in tool.parameters.get("required", ()) and isinstance(schema, dict):
                identity = _identity(tool, operation, name)
                if identity is not None:
                    wanted.setdefault(identity, []).append((tool.key, name))
    return wanted


def _identity(tool: Tool, operation: Operation, name: str) -> Identity | None:
    """Return what a parameter of a tool wants; None where no earlier result should bring it."""
    if name == "amount" and operation.family == "convert" and _CURRENCIES & tool.parameters["properties"].keys():
        return _MONEY
    identity = parameter_identity(name, operation.things)
    if identity is None or (identity[-1] in _OF_FILES and operation.family not in READING):
        return None
    makes_it = operation.family == "create" and identity[:-1] == operation.things[-1:]
    return None if makes_it else identity


def _with_currency(taker: Tool, place: Place, fields: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what is carried over, with the currency of a sum."""
    yield from fields.items()
    if _AMOUNTS & set(fields.values()) and "currency" in place.properties:
        yield from [(name, "currency") for name in sorted(_CURRENCIES & taker.parameters["properties"].keys())]


def _places(tool: Tool, operation: Operation) -> Iterator[Place]:
    """Yield the object at the root of a tool's results, and the lists of objects in it."""
    root = tool.result_schema
    if root.get("type") == "array":
        yield from _listed((), root, operation.things)
        return
    properties = root.get("properties")
    if not isinstance(properties, dict):
        return
    required = root.get("required")
    always = required if isinstance(required, list) else list(properties)
    yield Place((), False, {name: properties[name] for name in properties if name in always}, operation.things)
    for name, schema in properties.items():
        if isinstance(schema, dict) and name in always:
            yield from _listed((name,), schema, _noun_of_list(name, operation))


def _noun_of_list(name: str, operation: Operation) -> Identity:
    """Return what a list holds: the words of its name, with those that its tool puts before them."""
    *before, head = name_words(name) or [name]
    words = (*before, singular(head))
    things = operation.things
    if len(words) == 1 and things and things[-1] == words[0]:
        return things
    return words


def _listed(path: tuple[str, ...], schema: JsonObject, noun: Identity) -> Iterator[Place]:
    items = schema.get("items")
    properties = items.get("properties") if isinstance(items, dict) else None
    if isinstance(properties, dict):
        yield Place(path, True, properties, noun)


def _admits(wanted: JsonValue, held: JsonObject) -> bool:
    """Say whether a parameter may take the values of a field, as far as their schemas tell."""
    if not isinstance(wanted, dict) or "const" in wanted:
        return False
    types = {wanted.get("type"), held.get("type")}
    if wanted.get("type") != held.get("type") and types != {"number", "integer"}:
        return False
    if "enum" in wanted:
        return set(map(str, held.get("enum", ("",)))) <= set(map(str, wanted["enum"])) and len(held["enum"]) > 2
    return wanted.get("pattern") in (None, held.get("pattern")) and wanted.get("format") in (None, held.get("format"))
