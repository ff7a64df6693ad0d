"""Agreement: members of one object that must fit each other, and results that give back what their call asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TypeAlias

from generator.jsontext import JsonObject, JsonValue
from generator.values.compiling import listed_types
from generator.values.draw import Draw
from generator.values.hints import Hint, singular, split_name
from generator.values.meanings.pools import all_pools

Law: TypeAlias = Callable[[JsonObject, Draw], None]

_OPPOSITES = (
    ("start", "end"), ("begin", "end"), ("min", "max"), ("minimum", "maximum"), ("low", "high"), ("lower", "upper"),
    ("since", "until"), ("after", "before"), ("from", "to"), ("departure", "return"), ("checkin", "checkout"),
    ("created", "updated"), ("opened", "closed"), ("pickup", "dropoff"), ("departure", "arrival"), ("first", "last"),
    ("created", "closed"), ("created", "merged"), ("open", "close"), ("start", "stop"), ("starts", "ends"),
    ("in", "out"),
    ("initial", "final"), ("birth", "death"), ("started", "finished"), ("started", "completed"), ("issue", "expiry"),
)  # fmt: skip
_FIRST_OPPOSITES = frozenset(first for first, _ in _OPPOSITES)
_WEEKDAYS = (("day", "of", "week"), ("weekday",))
_ORDERED_NUMBERS = frozenset("start begin min minimum low lower from since after first".split())
_SPANS = frozenset("range interval bound limit span window".split())
_LAWFUL = frozenset(
    (*_FIRST_OPPOSITES, *_SPANS, *(f"{span}s" for span in _SPANS), "total", "weekday", "week", "quantity", "qty")
)
"""Words without any of which no law holds among properties of which none is a list."""
_COUNTING = frozenset(("count", "total", "num", "number"))
_COUNTS = frozenset(
    "total,count,total count,total results,num results,number of results,result count,results count,num items,"
    "item count,total items,total found,size,returned,found,length".split(",")
)


def agreements_of(names: list[str], node: JsonObject) -> tuple[Law, ...]:
    """Return the laws that hold between these properties of one object."""
    words, parts = {name: split_name(name) for name in names}, node.get("properties", {})
    lists = [name for name in names if _is_list(parts.get(name))]
    if not lists and _LAWFUL.isdisjoint(chain.from_iterable(words.values())):
        return ()
    by_words = {tokens: name for name, tokens in words.items()}
    return (
        *_opposites(words, by_words),
        *_parts_of_totals(words),
        *_pairs(words, parts, lists),
        *_weekdays(words),
        *_counts(words, lists),
        *_sums(by_words),
        *_ranges(words),
    )


def _opposites(words: dict[str, tuple[str, ...]], by_words: dict[tuple[str, ...], str]) -> Iterator[Law]:
    """Of `start_date` and `end_date`, the first is not after the second."""
    for name, tokens in words.items():
        for first, second in _OPPOSITES if not _FIRST_OPPOSITES.isdisjoint(tokens) else ():
            if first not in tokens:
                continue
            other = by_words.get(tuple(second if token == first else token for token in tokens))
            if other is not None and other != name:
                yield _ordered(name, other, numbers=first in _ORDERED_NUMBERS)


def _parts_of_totals(words: dict[str, tuple[str, ...]]) -> list[Law]:
    """Of `total_outcomes` and `event_outcomes`, the total is the larger one."""
    return [
        _ordered(part, total, numbers=True)
        for total, tokens in words.items()
        if len(tokens) > 1 and tokens[0] == "total"
        for part, others in words.items()
        if part != total and len(others) > 1 and others[1:] == tokens[1:]
    ]


def _weekdays(words: dict[str, tuple[str, ...]]) -> list[Law]:
    return [_weekday(name) for name, tokens in words.items() if tokens in _WEEKDAYS]


def _weekday(name: str) -> Law:
    """The day of the week is that of the one date beside it."""

    def law(value: JsonObject, draw: Draw) -> None:
        dates = {found for held in value.values() if isinstance(held, str) and (found := _date_in(held)) is not None}
        names = all_pools()["weekday"].entries
        if not draw.exploring and len(dates) == 1 and value.get(name) in names:
            value[name] = names[dates.pop().weekday()]

    return law


def _date_in(text: str) -> date | None:
    try:
        return date.fromisoformat(text[: len("2026-01-15")])
    except ValueError:
        return None


def _pairs(words: dict[str, tuple[str, ...]], parts: JsonObject, lists: list[str]) -> list[Law]:
    """The lists `item_ids` and `new_item_ids` stand side by side: they are equally long."""
    named = {name: words[name] for name in lists if words[name]}
    return [
        _equally_long(name, other, max(int(parts[each].get("minItems", 0)) for each in (name, other)))
        for name, tokens in named.items()
        for other, longer in named.items()
        if len(tokens) < len(longer) and longer[-len(tokens) :] == tokens
    ]


def _equally_long(one: str, other: str, least: int) -> Law:
    def law(value: JsonObject, draw: Draw) -> None:
        first, second = value.get(one), value.get(other)
        if draw.exploring or not isinstance(first, list) or not isinstance(second, list):
            return
        most = min(len(first), len(second))
        if most >= least:
            value[one], value[other] = first[:most], second[:most]

    return law


def _ordered(low: str, high: str, *, numbers: bool) -> Law:
    """The first is not after the second: they change places where they are."""

    def law(value: JsonObject, draw: Draw) -> None:
        first, second = value.get(low), value.get(high)
        if draw.exploring or first is None or second is None or type(first) is not type(second):
            return
        comparable = (
            isinstance(first, str) and len(first) == len(second) and first[:1].isdecimal() and second[:1].isdecimal()
        )
        if (
            comparable or (numbers and isinstance(first, (int, float)) and not isinstance(first, bool))
        ) and first > second:
            value[low], value[high] = second, first

    return law


def _ranges(words: dict[str, tuple[str, ...]]) -> list[Law]:
    return [_rising(name) for name, tokens in words.items() if tokens and singular(tokens[-1]) in _SPANS]


def _rising(name: str) -> Law:
    """Both ends of a range in one list: the lower one comes first."""

    def law(value: JsonObject, draw: Draw) -> None:
        ends = value.get(name)
        if draw.exploring or not isinstance(ends, list) or len(ends) != 2 or type(ends[0]) is not type(ends[1]):
            return
        if isinstance(ends[0], int | float | str) and ends[0] > ends[1]:
            value[name] = [ends[1], ends[0]]

    return law


def _sums(by_words: dict[tuple[str, ...], str]) -> list[Law]:
    """Total is quantity times price."""
    quantity = _first_of(by_words, ("quantity",), ("qty",))
    price = _first_of(by_words, ("unit", "price"), ("price",))
    total = _first_of(by_words, ("total",), ("subtotal",), ("total", "price"), ("line", "total"), ("total", "amount"))
    return [_product(quantity, price, total)] if quantity and price and total else []


def _first_of(by_words: dict[tuple[str, ...], str], *names: tuple[str, ...]) -> str | None:
    return next((by_words[name] for name in names if name in by_words), None)


def _product(quantity: str, price: str, total: str) -> Law:
    def law(value: JsonObject, draw: Draw) -> None:
        number, each = value.get(quantity), value.get(price)
        if (
            draw.exploring
            or total not in value
            or not isinstance(number, (int, float))
            or not isinstance(each, (int, float))
        ):
            return
        exact = round(number * each, 2)
        value[total] = int(exact) if isinstance(value[total], int) and exact == int(exact) else exact

    return law


def _counts(words: dict[str, tuple[str, ...]], lists: list[str]) -> list[Law]:
    """The number beside a list is how many elements it has."""
    if not lists:
        return []
    laws: list[Law] = []
    held_words = {held: set(map(singular, words[held])) for held in lists}
    for name, tokens in words.items():
        counted = _counted_by(tokens, held_words) if name not in held_words else []
        if len(counted) == 1:
            laws.append(_count(name, counted[0]))
    return laws


def _counted_by(tokens: tuple[str, ...], held_words: dict[str, set[str]]) -> list[str]:
    """Return the lists that a field may count: those that share a word with it, else any where it says no more."""
    own = [held for held, words in held_words.items() if not words.isdisjoint(map(singular, tokens))]
    if own and not _COUNTING.isdisjoint(tokens):
        return own
    return list(held_words) if " ".join(tokens) in _COUNTS else []


def _is_list(node: JsonValue) -> bool:
    if not isinstance(node, dict):
        return False
    return node.get("type") == "array" or ("anyOf" in node and any(map(_is_list, node["anyOf"])))


def _count(name: str, counted: str) -> Law:
    def law(value: JsonObject, draw: Draw) -> None:
        number, held = value.get(name), value.get(counted)
        if not draw.exploring and isinstance(held, list) and isinstance(number, int) and not isinstance(number, bool):
            value[name] = len(held)

    return law


_GENERIC = frozenset(
    "name id title key value type text message description content data body status url path date time label "
    "number count code index amount quantity price note summary items results query".split()
)
_TYPES = {str: "string", bool: "boolean", list: "array", dict: "object", type(None): "null", float: "number"}


@dataclass(frozen=True, slots=True)
class EchoKeys:
    """Under which words a field may be known, the most telling first, and which types it takes."""

    keys: tuple[str, ...]
    listed_keys: tuple[str, ...]
    """The keys that hold inside the elements of a list, where a bare `id` is another thing's."""
    types: frozenset[str]
    choices: tuple[JsonValue, ...] | None = None
    """The closed choice that the field has; of a list that is known, it takes one of these."""

    def find(self, known: Mapping[str, JsonValue], draw: Draw) -> tuple[JsonValue] | None:
        """Return the known value of this field, in a tuple; None where nothing fitting is known."""
        wanted = self.listed_keys if draw.in_list else self.keys
        if not wanted:
            return None
        words = draw.scope.get("known") or _known_words(known, draw)
        for key in wanted:
            if key in words and (echoed := self._taken(words[key], draw)) is not None:
                return echoed
        return None

    def _taken(self, known: JsonValue, draw: Draw) -> tuple[JsonValue] | None:
        """Return what a field makes of what is known: the value, or of a choice one of those that were asked for."""
        if self.choices is None:
            return (known,) if _fits(known, self.types) else None
        asked = known if isinstance(known, list) else [known]
        possible = [value for value in asked if any(_is_same(value, choice) for choice in self.choices)]
        return (draw.random.choice(possible),) if possible else None


def _known_words(known: Mapping[str, JsonValue], draw: Draw) -> dict[str, JsonValue]:
    words = {" ".join(map(singular, split_name(name))): value for name, value in known.items()}
    draw.scope["known"] = words
    return words


def _is_same(value: JsonValue, other: JsonValue) -> bool:
    """Say whether two values are one in JSON, where true is no 1."""
    return type(value) is type(other) and value == other


def _fits(value: JsonValue, types: frozenset[str]) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return not types or "integer" in types or "number" in types
    return not types or _TYPES[type(value)] in types


def echo_keys(hint: Hint, node: JsonValue) -> EchoKeys:
    """Compile the keys of one property."""
    own = " ".join(map(singular, hint.words))
    parent = " ".join(map(singular, hint.parent_words))
    last = singular(hint.words[-1]) if hint.words else ""
    joined = f"{parent} {own}" if parent else ""
    tails = ()
    keys = tuple(key for key in (joined, own, *tails) if key)
    listed = tuple(key for key in keys if len(key.split()) > 1 or (key == own and last not in _GENERIC))
    return EchoKeys(keys, listed, _types(node), _choices(node))


def _types(node: JsonValue) -> frozenset[str]:
    if not isinstance(node, dict):
        return frozenset()
    found: set[str] = set()
    nodes: list[JsonObject] = [node, *(part for part in node.get("anyOf", []) if isinstance(part, dict))]
    for part in nodes:
        found.update(listed_types(part.get("type", [])))
    return frozenset(found)


def _choices(node: JsonValue) -> tuple[JsonValue, ...] | None:
    if not isinstance(node, dict):
        return None
    if "const" in node:
        return (node["const"],)
    return tuple(node["enum"]) if isinstance(node.get("enum"), list) else None
