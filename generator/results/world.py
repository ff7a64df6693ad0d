"""The small world of one record: what was told of a thing stays so, what was made is there, what is gone stays away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import main_list
from generator.results.things import (
    DEPTH_LIMIT,
    Key,
    foreign_keys,
    id_noun,
    identity,
    is_id,
    names_itself,
    noun_within,
    own_key,
    spoken_of,
    things_in,
)
from generator.tools.operations import Operation, name_words, read_operation, snake
from generator.tools.result_schemas import noun_of
from generator.tools.result_schemas_lists import query_name
from generator.tools.result_schemas_methods import READING
from generator.tools.tool import Tool

_ENDING = frozenset("delete remove erase purge destroy drop rm rmdir".split())
"""Verbs after which a thing is not there any more."""
_MAKING = frozenset(("create", "book", "order", "schedule", "send", "pay"))
_CHANGING = _MAKING | {"update", "delete", "toggle"}
_PASSING = re.compile(
    r"(?:success|message|result|results|error|ok|total|count|page|position|rank|query|timestamp|request_id"
    r"|(?:fetched|retrieved|checked|generated|requested)_at|distance.*)"
)
"""Fields that belong to one answer, not to a thing."""
_DEED_FIELDS = re.compile(r"(?:status|state|.*_at|.*_on|.*date)")
"""Fields that a deed changes: it tells them anew."""
_CONDITIONS = frozenset("date time day unit units currency year month period interval language locale".split())
"""Arguments on which the numbers of a thing depend."""
_PRICES = ("price", "price_per_night", "cost", "fare", "amount")
_TOTALS = ("total_price", "total", "total_cost", "total_amount", "amount", "price")
_QUANTITIES = frozenset("quantity passengers tickets seats nights".split())
_NEW = re.compile(r"(?:new|updated)_(?=[a-z])")
_WORD = re.compile(r"[^\W_]{3,}")
_MOST_SHOWN = 3
_LONGEST_FACT = 400


class World:
    """What the results of one record have told so far about the things they name."""

    def __init__(self) -> None:
        self._told: dict[Key, JsonObject] = {}
        self._ids: dict[Key, JsonValue] = {}
        self._made: dict[Key, None] = {}
        self._gone: list[tuple[str, frozenset[tuple[str, str]], bool]] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing was told, made or removed."""
        return not (self._told or self._made or self._gone)

    def learn(self, tool: Tool, arguments: JsonObject, value: JsonValue) -> None:
        """Remember what a successful call and its result tell about each thing that has a name."""
        operation = read_operation(tool.name, tool.description)
        noun = noun_of(operation, tool.description)
        for thing in things_in(value, noun):
            self._note(thing.key, thing.fields)
            self._ids.setdefault(thing.key, _id_of(thing.fields, thing.key))
        key = _root_key(value, arguments, noun)
        if key is not None:
            self._note(key, value if isinstance(value, dict) else {})
            if operation.family in _CHANGING:
                self._note(key, {_NEW.sub("", snake(name)): given for name, given in arguments.items()})
            if operation.family in _MAKING:
                self._made[key] = None
        if operation.verb in _ENDING and "from" not in operation.words:
            self._end(key, arguments, noun)
        elif operation.family in _MAKING:
            pairs = identity(arguments, noun)
            self._gone = [gone for gone in self._gone if not gone[1] <= pairs]

    def _note(self, key: Key, fields: JsonObject) -> None:
        facts = {name: value for name, value in fields.items() if _is_fact(name, value)}
        self._told.setdefault(key, {}).update(facts)

    def _end(self, key: Key | None, arguments: JsonObject, noun: str) -> None:
        pairs = identity(arguments, noun)
        if pairs:
            self._gone.append((noun, pairs, names_itself(pairs, noun)))
        if key is not None:
            self._made.pop(key, None)

    def lacks(self, tool: Tool, arguments: JsonObject) -> bool:
        """Say whether a call is about a thing that an earlier call of the record has removed."""
        if not self._gone:
            return False
        operation = read_operation(tool.name, tool.description)
        noun = noun_of(operation, tool.description)
        pairs = identity(arguments, noun)
        if operation.family == "create":  # it makes the thing anew, but not what the thing belongs to
            pairs = frozenset(pair for pair in pairs if not names_itself(frozenset((pair,)), noun))
        return any(gone <= pairs and (anywhere or whose == noun) for whose, gone, anywhere in self._gone)

    def recall(self, value: JsonValue, tool: Tool, arguments: JsonObject, *, lasting: bool = False) -> JsonValue:
        """Return the result with what is already known about the things it names.

        `lasting` keeps to texts that hardly ever change, for results whose schema does not bear the rest.
        """
        if not self._told:
            return value
        operation = read_operation(tool.name, tool.description)
        noun = noun_of(operation, tool.description)
        lasting = lasting or any(not _CONDITIONS.isdisjoint(name_words(name)) for name in arguments)
        memory = _Memory(self._told, arguments, lasting=lasting, deed=operation.family in _CHANGING)
        recalled = memory.applied(value, noun, 0)
        key = _root_key(recalled, arguments, noun)
        if key is not None and isinstance(recalled, dict):
            recalled = memory.filled(recalled, self._told.get(key, {}))
        return self._priced(recalled, operation, arguments, noun)

    def _priced(self, value: JsonValue, operation: Operation, arguments: JsonObject, noun: str) -> JsonValue:
        """Return the result of a booking or an order with the price that its thing was offered at."""
        if operation.family not in ("book", "order", "create", "pay") or not isinstance(value, dict):
            return value
        own = own_key(arguments, noun)
        keys = [*([own] if own is not None else []), *foreign_keys(arguments, noun)]
        named = [self._told.get(key, {}) for key in keys]
        prices = [told[name] for told in named for name in _PRICES if type(told.get(name)) in (int, float)]
        field = next((name for name in _TOTALS if type(value.get(name)) in (int, float)), None)
        if len(prices) != 1 or field is None or field in arguments:
            return value
        counts = [given for name, given in arguments.items() if snake(name) in _QUANTITIES and type(given) is int]
        total = prices[0] * (counts[0] if counts else 1)
        return {**value, field: total if isinstance(total, int) else round(total, 2)}

    def show_made(self, value: JsonValue, tool: Tool, arguments: JsonObject) -> JsonValue:
        """Return a list of things with those that the record has made, where the call does not shut them out."""
        key = main_list(value)
        operation = read_operation(tool.name, tool.description)
        if not self._made or key is None or operation.family not in READING or not value[key]:
            return value
        noun = noun_within(key, noun_of(operation, tool.description))
        entries = list(value[key])
        shown = {own_key(entry, noun) for entry in entries if isinstance(entry, dict)}
        wanted = [
            made for made in reversed(self._made)
            if made[0] == noun and made not in shown and self._is_asked_for(made, tool, arguments)
        ]  # fmt: skip
        for place, made in enumerate(wanted[: min(_MOST_SHOWN, len(entries))]):
            entries[place] = self._as_entry(made, entries[place], noun)
        return {**value, key: entries} if wanted else value

    def _as_entry(self, made: Key, entry: JsonValue, noun: str) -> JsonValue:
        if not isinstance(entry, dict):
            return entry
        told = self._told.get(made, {})
        name = next((name for name in entry if id_noun(name, noun) == noun), None)
        if name is None:
            return entry
        same = {field: told[field] for field in entry if field in told and _alike(told[field], entry[field])}
        return {**entry, **same, name: self._ids.get(made, made[1])}

    def _is_asked_for(self, made: Key, tool: Tool, arguments: JsonObject) -> bool:
        """Say whether a list that a call asks for holds a thing: by its filters and the words it searches for."""
        told = self._told.get(made, {})
        query = arguments.get(query_name(tool.parameters) or "")
        if isinstance(query, str):
            known = " ".join(str(fact) for fact in told.values() if isinstance(fact, str)).lower()
            return any(word.lower() in known for word in _WORD.findall(query))
        return all(told.get(snake(name), given) == given for name, given in arguments.items() if is_id(given))

    def without_gone(self, value: JsonValue, tool: Tool, one_more: Callable[[int], JsonValue]) -> JsonValue:
        """Return a list of things without those that the record has removed; another thing where none is left."""
        key = main_list(value)
        if not self._gone or key is None:
            return value
        noun = noun_within(key, noun_of(read_operation(tool.name, tool.description), tool.description))
        gone = {(label.removesuffix(" id"), told) for _, pairs, _ in self._gone for label, told in pairs}
        kept = [entry for entry in value[key] if not isinstance(entry, dict) or own_key(entry, noun) not in gone]
        return {**value, key: kept or [one_more(0)]} if len(kept) < len(value[key]) else value


class _Memory:
    """What one result may repeat of what was told."""

    def __init__(self, told: dict[Key, JsonObject], arguments: JsonObject, *, lasting: bool, deed: bool) -> None:
        self._told = told
        self._given = {snake(name) for name in arguments}
        self._lasting = lasting
        self._deed = deed

    def applied(self, value: JsonValue, noun: str, depth: int) -> JsonValue:
        """Return a value with every thing in it as it is known."""
        if depth > DEPTH_LIMIT:
            return value
        if isinstance(value, list):
            return [self.applied(inner, noun, depth + 1) for inner in value]
        if not isinstance(value, dict):
            return value
        own = own_key(value, noun)
        known = self.filled(value, self._told.get(own, {})) if own is not None else value
        for other, names in spoken_of(value, noun):
            facts = self._told.get(other, {})
            known = self.filled(known, {name: facts[told] for told, name in names.items() if told in facts})
        return {
            name: self.applied(inner, noun_within(name, noun), depth + 1) if isinstance(inner, dict | list) else inner
            for name, inner in known.items()
        }

    def filled(self, fields: JsonObject, known: JsonObject) -> JsonObject:
        """Return the fields of one thing as they are known."""
        same = {name: fact for name, fact in known.items() if name in fields and self._holds(name, fact, fields[name])}
        return {**fields, **same} if same else fields

    def _holds(self, name: str, fact: JsonValue, told: JsonValue) -> bool:
        if name in self._given or not _alike(fact, told) or (self._deed and _DEED_FIELDS.fullmatch(name)):
            return False
        return not self._lasting or (isinstance(fact, str) and not _DEED_FIELDS.fullmatch(name))


def _alike(one: JsonValue, other: JsonValue) -> bool:
    """Say whether two values are of one type, so that one may stand where the other does."""
    numbers = (int, float)
    return type(one) is type(other) or (type(one) in numbers and type(other) in numbers)


def _is_fact(name: str, value: JsonValue) -> bool:
    """Say whether a field tells something of a thing that is worth knowing again."""
    if _PASSING.fullmatch(snake(name)):
        return False
    if isinstance(value, list):
        return len(value) <= 8 and all(isinstance(part, str | int | float) for part in value)
    return isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _LONGEST_FACT)


def _root_key(value: JsonValue, arguments: JsonObject, noun: str) -> Key | None:
    """Return what names the thing a call is about: a name in its result, else one among its arguments."""
    if isinstance(value, dict) and (key := own_key(value, noun)) is not None:
        return key
    return own_key(arguments, noun)


def _id_of(fields: JsonObject, key: Key) -> JsonValue:
    return next((value for value in _ids(fields) if str(value) == key[1]), key[1])


def _ids(fields: JsonObject) -> Iterator[JsonValue]:
    yield from (value for name, value in fields.items() if is_id(value) and id_noun(name, "") is not None)
