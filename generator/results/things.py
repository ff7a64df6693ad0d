"""The things that calls and results speak of: what names each, and which fields tell about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue
from generator.tools.operations import name_words, singular

DEPTH_LIMIT = 5
Key = tuple[str, str]
"""A noun and the id of one thing of it: ("customer", "C-204")."""

_UNIQUE = frozenset("username login email symbol ticker sku isbn path slug handle iban vin".split())
"""Fields that name one thing without an id."""
_MOST_DIGITS = 18
_PLAIN = frozenset("results items data entries records matches rows list values".split())
"""Keys of a list or object that say nothing about what is in it."""
_GENERIC = frozenset("id name key title number path filename slug code".split())
"""Arguments that name the very thing a tool acts on."""
_NAMING = _GENERIC | _UNIQUE | {"owner", "repo"}
_OF_PERSONS = ("name", "full_name", "email", "phone")
_SHORT = {"repo": "repository", "org": "organization", "pull": "pull request"}


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing inside a result."""

    key: Key
    fields: JsonObject


@lru_cache(maxsize=8192)
def id_noun(name: str, noun: str) -> str | None:
    """Return whose id a field holds: `customer` for `customer_id`, the noun itself for `id`; None for no id."""
    words = name_words(name)
    if words[-1:] == ["id"]:
        return " ".join(words[:-1]) or noun
    if len(words) == 2 and words[-1] == "number" and words[0] in noun.split():
        return noun.removesuffix(" status")  # what is asked about the status of a flight is that flight
    return f"{words[0]} name" if len(words) == 1 and words[0] in _UNIQUE else None


def is_id(value: JsonValue) -> bool:
    """Say whether a value can name a thing."""
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


@lru_cache(maxsize=8192)
def _id_fields(names: tuple[str, ...], noun: str) -> tuple[tuple[str, str], ...]:
    """Return those of some fields that hold ids, each with whose id it is."""
    return tuple((name, whose) for name in names if (whose := id_noun(name, noun)) is not None)


def own_key(fields: JsonObject, noun: str) -> Key | None:
    """Return what names the thing that these fields tell about; None where nothing surely does."""
    found = {name: whose for name, whose in _id_fields(tuple(fields), noun) if is_id(fields[name])}
    if not found:
        return None
    if "id" in found:
        return noun, str(fields["id"])
    name = next((name for name, whose in found.items() if _same(whose, noun)), None)
    if name is None:
        unique = [name for name, whose in found.items() if whose.endswith(" name")]
        name = unique[0] if len(unique) == 1 and len(found) == 1 else None
    return None if name is None else (found[name], str(fields[name]))


def _same(whose: str, noun: str) -> bool:
    """Say whether an id is that of the noun: `card` of a `credit card`, `flight` of a `flight status`."""
    return whose == noun or (bool(whose) and whose in (noun.split()[:1] + noun.split()[-1:]))


def foreign_keys(fields: JsonObject, noun: str) -> Iterator[Key]:
    """Yield what names the other things that these fields speak of: the customer of an order."""
    named = [(whose, fields[name]) for name, whose in _id_fields(tuple(fields), noun)]
    others = [(whose, value) for whose, value in named if whose and is_id(value) and not whose.endswith(" name")]
    if others:
        own = own_key(fields, noun)
        yield from (key for whose, value in others if (key := (whose, str(value))) != own)


def things_in(value: JsonValue, noun: str, depth: int = 0) -> Iterator[Thing]:
    """Yield every thing of a result that has a name of its own, and under it those of whom it tells a part."""
    if depth > DEPTH_LIMIT:
        return
    if isinstance(value, list):
        for entry in value:
            yield from things_in(entry, noun, depth + 1)
    elif isinstance(value, dict):
        key = own_key(value, noun)
        if key is not None:
            yield Thing(key, value)
        for other, names in spoken_of(value, noun):
            yield Thing(other, {told: value[name] for told, name in names.items()})
        for name, inner in value.items():
            if isinstance(inner, dict | list):
                yield from things_in(inner, noun_within(name, noun), depth + 1)


def spoken_of(fields: JsonObject, noun: str) -> list[tuple[Key, dict[str, str]]]:
    """Return the other things that fields speak of, and which field tells which of theirs.

    `customer_name` beside `customer_id` is the `name` of the customer; so is a bare `name`, where the fields name
    nothing but the customer.
    """
    others = list(foreign_keys(fields, noun))
    if not others:
        return []
    alone = len(others) == 1 and own_key(fields, noun) is None
    found = []
    for key in others:
        start = key[0].replace(" ", "_") + "_"
        names = {name.removeprefix(start): name for name in fields if name.startswith(start)}
        found.append((key, {name: name for name in _OF_PERSONS if alone and name in fields} | names))
    return found


@lru_cache(maxsize=8192)
def noun_within(name: str, noun: str) -> str:
    """Return what stands under a key: the singular of a key that names things, else what is spoken of anyway."""
    words = name_words(name)
    return noun if not words or words[-1] in _PLAIN else " ".join([*words[:-1], singular(words[-1])])


def with_own_id(value: JsonValue, arguments: JsonObject, noun: str) -> JsonValue:
    """Return the result of a call about one thing with the `id` that the call names it by."""
    if not isinstance(value, dict) or "id" not in value or "id" in arguments:
        return value
    named = [given for name, given in arguments.items() if is_id(given) and _same(id_noun(name, noun) or "", noun)]
    if len(named) != 1:
        return value
    given: JsonValue = named[0]
    if isinstance(value["id"], int) and isinstance(given, str) and given.isdecimal() and len(given) < _MOST_DIGITS:
        given = int(given)
    return {**value, "id": given} if type(given) is type(value["id"]) else value


def identity(arguments: JsonObject, noun: str) -> frozenset[tuple[str, str]]:
    """Return the arguments that say which thing a call is about, by what they name."""
    pairs = set()
    for name, value in arguments.items():
        words = name_words(name)
        if not words or not is_id(value) or (words[-1] not in _NAMING):
            continue
        label = " ".join(words)
        if words[-1] == "id":
            label = f"{' '.join(words[:-1]) or noun} id"
        elif len(words) == 1 and words[0] in _GENERIC - {"path", "filename"}:
            label = f"{noun} {label}"
        pairs.add((label, str(value)))
    return frozenset(pairs)


def names_itself(pairs: frozenset[tuple[str, str]], noun: str) -> bool:
    """Say whether one of the arguments names a thing of the noun itself, not only what it belongs to."""
    words = set(noun.split())
    for label, _ in pairs:
        told = {_SHORT.get(word, word) for word in label.split()}
        if told & words or label in ("path", "filename"):
            return True
    return False
