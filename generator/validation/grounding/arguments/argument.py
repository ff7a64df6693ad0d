"""The arguments of a call, value by value: the place of each, its schema, and what else has the same name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.sources import OVERLAP, SCHEMA, Grounding, Said, Source, forms_of
from generator.validation.grounding.reading.languages import find_name, other_names
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import STOPWORDS, Words, find_literal, fold, stem, tokens_of_value
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity
from generator.validation.view import CallView, RecordView, cached_on_record

Path = tuple[str | int, ...]
_Node = tuple[Path, JsonObject]

_MOST_NODES = 64
_CACHED_PLACES = 8192
_DESCRIBED_DEFAULT = re.compile(
    r"\bdefault(?:s|ed)?\b((?:\W|\b(?:is|are|value|values|to|as|the|of|set|will|be|unit|units|a|an|it|used|in|standard|"
    r"if|not|specified|provided|given|assumed|and)\b){0,24})|"
    r"\b(?:if|when) (?:not|un|none)[ -]?(?:is )?(?:provided|specified|given|set)\b"
    r"((?:\W|\b(?:is|it|will|be|to|the|use|uses|used|assume|assumes|assumed)\b){1,12})"
)
_QUOTES = " '\"`(:=[$€£,"
_LINKS = re.compile(r"(?:[ ('\"`]|\bby|\bas|\bis|\bthe|\ba){1,12}$")
"""What may stand between a value and the word `default` after it."""
_REACH = 48
"""Characters beside the word `default` of a description in which the value must stand."""


def schemas_at(tool: ToolView, path: Path) -> tuple[_Node, ...]:
    """Return the schemas that a value at this path of the arguments meets, each with its path in the parameters."""
    return _schemas_at(tool, place_in_schema(tool, path))


def place_in_schema(tool: ToolView, path: Path) -> Path:
    """Return a path that all places share which meet the same schemas: entries of a list behind those told apart."""
    for step in path:
        if type(step) is int:
            break
    else:
        return path
    most = _most_positions(tool)
    return tuple([min(step, most) if type(step) is int else step for step in path])


@lru_cache(maxsize=4096)
def _most_positions(tool: ToolView) -> int:
    """Return how many entries of a list the parameters tell apart at most, anywhere in them."""
    most, waiting = 0, [tool.parameters]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            positions = node.get("prefixItems")
            most = max(most, len(positions)) if isinstance(positions, list) else most
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return most


@lru_cache(maxsize=_CACHED_PLACES)
def _schemas_at(tool: ToolView, path: Path) -> tuple[_Node, ...]:
    nodes = _branches([((), tool.parameters)], tool.parameters)
    for step in path:
        nodes = _branches([child for node in nodes for child in _children(node, step)], tool.parameters)
    return tuple(nodes)


def _branches(nodes: list[tuple[Path, JsonValue]], root: JsonValue) -> list[_Node]:
    """Add what each schema refers to and chooses from; bounded, so that a circle ends."""
    found: list[_Node] = []
    waiting = [(path, schema) for path, schema in nodes if isinstance(schema, dict)]
    while waiting and len(found) < _MOST_NODES:
        path, schema = waiting.pop(0)
        found.append((path, schema))
        for keyword in ("anyOf", "oneOf", "allOf"):
            options = schema.get(keyword)
            if isinstance(options, list):
                waiting += [((*path, keyword, at), each) for at, each in enumerate(options) if isinstance(each, dict)]
        waiting += _referred(schema.get("$ref"), root)
    return found


def _referred(reference: JsonValue, root: JsonValue) -> list[_Node]:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return []
    target = root
    path: list[str | int] = []
    for step in reference[2:].split("/"):
        target = target.get(step) if isinstance(target, dict) else None
        path.append(step)
    return [(tuple(path), target)] if isinstance(target, dict) else []


def _children(node: _Node, step: str | int) -> Iterator[tuple[Path, JsonValue]]:
    path, schema = node
    if isinstance(step, int):
        tuples = schema.get("prefixItems")
        if isinstance(tuples, list) and step < len(tuples):
            yield (*path, "prefixItems", step), tuples[step]
        elif isinstance(schema.get("items"), dict):
            yield (*path, "items"), schema["items"]
        return
    properties = schema.get("properties")
    if isinstance(properties, dict) and step in properties:
        yield (*path, "properties", step), properties[step]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield (*path, "additionalProperties"), schema["additionalProperties"]


@lru_cache(maxsize=_CACHED_PLACES)
def declared_at(tool: ToolView, path: Path) -> frozenset[str]:
    """Return the keys that the schema of the object at a path names."""
    schemas = [schema for _, schema in schemas_at(tool, path)]
    named = [schema.get("properties") for schema in schemas] + [schema.get("required") for schema in schemas]
    return frozenset(key for keys in named if isinstance(keys, dict | list) for key in keys if isinstance(key, str))


def ground_in_schema(value: JsonValue, tool: ToolView, path: Path, tool_index: int) -> Grounding | None:
    """Find the value in its schema: as const, only choice, default, or default that the description states."""
    if not _gives_values(tool, place_in_schema(tool, path)):
        return None
    for where, schema in schemas_at(tool, path):
        for keyword, found in _given(schema):
            if _is_same(found, value):
                return _grounding(tool_index, (*where, keyword), value)
        if describes_default(schema.get("description"), value):
            return _grounding(tool_index, (*where, "description"), value)
    return _in_parents(value, tool, path, tool_index)


@lru_cache(maxsize=_CACHED_PLACES)
def _gives_values(tool: ToolView, place: Path) -> bool:
    """Say whether a schema at a place, or around it, gives any value."""
    around = [place[:depth] for depth in range(1, len(place))]
    return any(
        next(_given(schema), None) is not None or _speaks_of_default(schema.get("description"))
        for each in (place, *around)
        for _, schema in schemas_at(tool, each)
    )


def _speaks_of_default(description: JsonValue) -> bool:
    if not isinstance(description, str):
        return False
    folded, beside = _beside_default(description[:4000])
    return bool(beside) or "default" in folded


def _given(schema: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    for keyword in ("const", "default"):
        if keyword in schema:
            yield keyword, schema[keyword]
    choices = schema.get("enum")
    if isinstance(choices, list) and len(choices) == 1:
        yield "enum", choices[0]


def _in_parents(value: JsonValue, tool: ToolView, path: Path, tool_index: int) -> Grounding | None:
    """Find the value inside the default of an array or object around it."""
    for depth in range(len(path) - 1, 0, -1):
        for where, schema in schemas_at(tool, path[:depth]):
            for keyword, found in _given(schema):
                if _is_same(_inside(found, path[depth:]), value):
                    return _grounding(tool_index, (*where, keyword), value)
            if describes_default(schema.get("description"), value):
                return _grounding(tool_index, (*where, "description"), value)
    return None


def _inside(root: JsonValue, path: Path) -> JsonValue:
    for step in path:
        if isinstance(root, dict):
            root = root.get(str(step))
        elif isinstance(root, list) and isinstance(step, int) and step < len(root):
            root = root[step]
        else:
            return None
    return root


def _is_same(one: JsonValue, other: JsonValue) -> bool:
    """Say whether two leaves are one JSON value: 5 is 5.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other and not isinstance(one, dict | list) and one is not None


def describes_default(description: JsonValue, value: JsonValue) -> bool:
    """Say whether the description states the value as its default, next to the word: "Default is 5", "5 by default"."""
    if not isinstance(description, str) or not isinstance(value, str | int | float) or value == "":
        return False
    folded, beside = _beside_default(description[:4000])
    for after, before in beside:
        if _begins_with(after, value) or _ends_with(before, value):
            return True
    return isinstance(value, int | float) and "default" in folded and _is_first_number_after_default(folded, value)


@lru_cache(maxsize=4096)
def _beside_default(description: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a description folded, and what stands after and before each place in it that speaks of a default."""
    folded = fold(description)
    beside = (
        (folded[match.end() : match.end() + _REACH], folded[max(0, match.start() - _REACH) : match.start()])
        for match in _DESCRIBED_DEFAULT.finditer(folded)
    )
    return folded, tuple((after, _LINKS.sub("", before)) for after, before in beside)


_FIRST_NUMBER = re.compile(
    r"(?<![\w.])([-−]?\d{1,15}(?:\.\d{1,15})?)(?:\s?[x×*]\s?10\s?\^\s?([-−]?\d{1,2})|e([-+]?\d{1,2}))?"
)
_DEFAULT_REACH = 120
"""Characters after the word `default` of a description in which its number stands."""


def _is_first_number_after_default(folded: str, value: int | float) -> bool:
    """Say whether the first number after the word is this: "default is permeability in free space, 0.01"."""
    for match in re.finditer("default", folded):
        number = _FIRST_NUMBER.search(folded[match.end() : match.end() + _DEFAULT_REACH])
        if number is not None:
            power = (number[2] or number[3] or "0").replace("−", "-")
            stated = float(f"{number[1].replace('−', '-')}e{power}")
            if abs(stated - value) <= 1e-9 * abs(value):
                return True
    return False


def _begins_with(stretch: str, value: str | int | float) -> bool:
    """Say whether a stretch of text begins with the value."""
    for written in _folded_forms(value):
        at = find_literal(stretch, written)
        if at >= 0 and not stretch[:at].strip(_QUOTES):
            return not stretch[at + len(written) :][:1].isalnum()
    return not isinstance(value, str) and _states_first(stretch, value)


def _ends_with(stretch: str, value: str | int | float) -> bool:
    """Say whether a stretch of text ends with the value."""
    return any(stretch.endswith(written) and find_literal(stretch, written) >= 0 for written in _folded_forms(value))


def _folded_forms(value: str | int | float) -> tuple[str, ...]:
    """Return how a folded text writes a value."""
    return (fold(str(value)),) if isinstance(value, bool | str) else forms_of(value)


def _states_first(stretch: str, value: int | float) -> bool:
    return any(
        abs(quantity.value - value) <= 1e-9 * abs(value) and not stretch[: stretch.find(quantity.text)].strip(_QUOTES)
        for quantity in quantities_of(stretch)[:4]
    )


@lru_cache(maxsize=_CACHED_PLACES)
def words_at(tool: ToolView, path: Path) -> frozenset[str]:
    """Return the words of the name and the description of the value at a path."""
    names = [step for step in path if isinstance(step, str)]
    described = [text for _, schema in schemas_at(tool, path) if isinstance(text := schema.get("description"), str)]
    return frozenset(token for text in (*names, *described) for token in tokens_of_value(text[:1000]))


def _grounding(tool_index: int, where: Path, value: JsonValue) -> Grounding:
    return Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters{pointer(where)}", str(value)[:80])


Choices = tuple[str, ...]
"""The texts that a schema lists as the only values of a place; none where it lists none."""
_FEWEST = 2
_SHORTEST_ALIKE = 4
"""Letters of a said word that a longer word of a choice must begin with: "carbs" for "Carbohydrates"."""
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_EXAMPLES = re.compile(
    r"(?:e\.g\.|for example|such as|including|can be|one of|options:|options are|either)", re.IGNORECASE
)
_LIST_ENDS = re.compile(r"[.;()](?:\s|$)")
_BETWEEN = re.compile(r",| or |/| and ")


@lru_cache(maxsize=4096)
def choices_at(tool: ToolView, path: Path) -> Choices:
    """Return the texts that the schema at a path lists as the only values, in their order."""
    found: dict[str, None] = {}
    for _, schema in schemas_at(tool, path):
        listed = schema.get("enum")
        if isinstance(listed, list):
            found |= dict.fromkeys(each for each in listed if isinstance(each, str))
    return tuple(found)


@lru_cache(maxsize=4096)
def examples_at(tool: ToolView, path: Path) -> frozenset[str]:
    """Return the values that the description at a path gives as examples, folded."""
    found: set[str] = set()
    for _, schema in _around(tool, path):
        text = schema.get("description")
        if isinstance(text, str):
            text = text[:4000]
            found |= {fold(part) for match in _QUOTED.finditer(text) for part in match.groups() if part}
            found |= {fold(part) for part in _enumerated(text)}
    return frozenset(found)


@lru_cache(maxsize=_CACHED_PLACES)
def lists_values(tool: ToolView, place: Path) -> bool:
    """Say whether the schemas at a place list any text, as a choice or an example, or give any value."""
    return bool(choices_at(tool, place) or examples_at(tool, place)) or _gives_values(tool, place)


def _around(tool: ToolView, path: Path) -> tuple[tuple[Path, dict[str, object]], ...]:
    """Return the schemas at a path, and those of the array that the value is part of."""
    own = schemas_at(tool, path)
    return (*own, *schemas_at(tool, path[:-1])) if path and isinstance(path[-1], int) else own


def _enumerated(text: str) -> list[str]:
    """Read "e.g. dessert, main course, breakfast" and "one of city/state/country"."""
    found = []
    for match in _EXAMPLES.finditer(text):
        rest = text[match.end() : match.end() + 200]
        end = _LIST_ENDS.search(rest)
        listed = rest[: end.start()] if end else rest
        found += [part.strip(" '\"`.:,") for part in _BETWEEN.split(listed)]
    found += [word.strip(".,()'\"") for each in text.split() if each.count("/") for word in each.split("/")]
    return [each for each in found if 1 < len(each) < 60]


@lru_cache(maxsize=4096)
def _distinctive(choices: Choices) -> dict[str, frozenset[str]]:
    """Return the words of each choice that no other has: those that tell it apart."""
    tokens = {each: frozenset(tokens_of_value(each)) - STOPWORDS for each in choices}
    stems = {each: {stem(token) for token in own} for each, own in tokens.items()}
    return {
        each: frozenset(
            token for token in own if not any(stem(token) in stems[other] for other in choices if other != each)
        )
        for each, own in tokens.items()
    }


def ground_choice(value: str, tool: ToolView, path: Path, said: Said) -> Grounding | None:
    """Find a choice by a word that it alone has: "backstage access" for `Backstage Pass`."""
    choices = choices_at(tool, path)
    if len(choices) < _FEWEST or value not in choices:
        return None
    own = _distinctive(choices)[value]
    for source in said.sources:
        found = next((token for token in own if _is_word_said(token, source.words)), None)
        if found is not None and source.role != "system":
            return Grounding(OVERLAP, source.where, found)
    return None


def is_meant(value: str, choices: Choices, source: Source) -> bool:
    """Say whether a text may mean a choice: by its name, another of its names, or a word that it alone has."""
    folded = fold(value)
    if folded in source.folded or any(find_name(name, source.raw, source.folded) for name in other_names(value)):
        return True
    return any(_is_word_said(token, source.words) for token in _distinctive(choices)[value])


def is_named(choice: str, source: Source) -> bool:
    """Say whether a text has a choice in its own words."""
    tokens = tokens_of_value(choice)
    if not tokens or len(choice) < _SHORTEST_NAMED or all(token in STOPWORDS for token in tokens):
        return False
    return f" {' '.join(tokens)} " in source.words.spaced


_SHORTEST_NAMED = 3


def _is_word_said(token: str, words: Words) -> bool:
    """Say whether a text says a word, in another form of it or shortened."""
    if token in words.tokens_set or (len(token) > 2 and stem(token) in words.stems):
        return True
    beginning = token[:_SHORTEST_ALIKE]
    if len(beginning) < _SHORTEST_ALIKE or f" {beginning}" not in words.spaced:
        return False
    return any(len(each) >= _SHORTEST_ALIKE and token.startswith(each.rstrip("s")) for each in words.tokens_set
               if each.startswith(beginning))  # fmt: skip


class Leaf(NamedTuple):
    """One value of a call: a string, number, boolean or null, or a key that its schema does not name."""

    path: Path
    value: JsonValue
    is_key: bool = False


class Grounded(NamedTuple):
    """A leaf of a call and where it comes from, None where nothing explains it."""

    call: CallView
    leaf: Leaf
    grounding: Grounding | None
    at_most: Severity = "error"
    """How bad it is at most that nothing explains it."""
    misplaced: str = ""
    """Why it stands in the wrong place, where what was said explains it and yet means another; else ""."""

    @property
    def pointer(self) -> str:
        """JSON pointer of the leaf from the root of the record."""
        return self.call.arguments_pointer + pointer(self.leaf.path)


pointer_of = lru_cache(maxsize=4096)(pointer)
"""The pointer of a path: the same few occur in every record."""
_HOLDERS = frozenset({dict, list})


def entry_of(grounding: Grounding) -> JsonObject:
    """Return a grounding as the metadata of a record hold it."""
    return {"level": grounding.level, "where": grounding.where, "text": grounding.text}


def place_of(leaf: Leaf) -> str:
    """Return by what the metadata of a record know a leaf of a call."""
    place = pointer(leaf.path)
    return f"{place} (key)" if leaf.is_key else place


def leaves_of(call: CallView) -> Iterator[Leaf]:
    """Yield the leaves of a call's arguments in their order."""
    arguments = call.arguments or {}
    if _HOLDERS.isdisjoint(map(type, arguments.values())):
        yield from _keys(call, (), arguments)
        yield from (Leaf((name,), value) for name, value in arguments.items() if value != "")
        return
    waiting: list[tuple[Path, JsonValue]] = [((), arguments)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            yield from _keys(call, path, value)
        if isinstance(value, dict | list):
            waiting += _entries(path, value)
        elif value != "":
            yield Leaf(path, value)


def _entries(path: Path, holder: JsonObject | list[JsonValue]) -> list[tuple[Path, JsonValue]]:
    """Return the entries of an object or a list with their paths, the last first."""
    if isinstance(holder, dict):
        return [((*path, key), child) for key, child in reversed(holder.items())]
    return [((*path, index), holder[index]) for index in range(len(holder) - 1, -1, -1)]


def texts_below(path: Path, value: JsonValue) -> Iterator[Leaf]:
    """Yield the texts inside a value of a call in their order, none of which is empty."""
    waiting: list[tuple[Path, JsonValue]] = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            if value:
                yield Leaf(path, value)
        elif isinstance(value, dict | list):
            waiting += _entries(path, value)


def _keys(call: CallView, path: Path, value: dict[str, JsonValue]) -> Iterator[Leaf]:
    """Yield the keys that the schema does not name: the author chose them, and so they are values."""
    if call.tool is not None and not value.keys() <= (declared := declared_at(call.tool, path)):
        yield from (Leaf((*path, key), child, True) for key, child in value.items() if key not in declared)


_MOST_WAITING = 4000
_FEWEST_OF_A_SERIES = 3


def name_of(leaf: Leaf) -> str:
    """Return the last name in the path of a leaf."""
    for part in reversed(leaf.path):
        if isinstance(part, str):
            return part
    return ""


@cached_on_record
def given_by_name(record: RecordView) -> dict[str, list[JsonValue]]:
    """Return the values that the calls of a record give, by the last name in their paths."""
    found: dict[str, list[JsonValue]] = {}
    for call in record.calls:
        for leaf in leaves_of(call):
            found.setdefault(name_of(leaf), []).append(leaf.value)
    return found


@cached_on_record
def given_texts(record: RecordView) -> frozenset[str]:
    """Return the texts that calls give, folded."""
    return frozenset(
        fold(each) for values in given_by_name(record).values() for each in values if isinstance(each, str)
    )


def other_values(record: RecordView, leaf: Leaf) -> list[JsonValue]:
    """Return the other values that calls give under the name of a leaf."""
    return [each for each in given_by_name(record).get(name_of(leaf), ()) if each != leaf.value]


def other_numbers(record: RecordView, leaf: Leaf) -> frozenset[float]:
    """Return the other numbers that calls give under the name of a leaf."""
    return frozenset(float(each) for each in other_values(record, leaf) if type(each) in (int, float))


def other_texts(record: RecordView, leaf: Leaf) -> frozenset[str]:
    """Return the other texts that calls give under the name of a leaf, folded."""
    return frozenset(fold(each) for each in other_values(record, leaf) if isinstance(each, str))


def is_in_series(value: float, beside: AbstractSet[float]) -> bool:
    """Say whether a value is one of a series: next to another, or one of several that all differ."""
    return len(beside) >= _FEWEST_OF_A_SERIES - 1 or any(abs(value - each) <= 1 for each in beside)


def numbers_in_results(record: RecordView, leaf: Leaf, before: int) -> list[float]:
    """Return the numbers of the results up to a message under names that have a word of the name of a leaf."""
    words = set(tokens_of_value(name_of(leaf)))
    found: list[float] = []
    waiting: list[JsonValue] = [each.value for each in record.results if each.message.index <= before]
    for value in waiting:
        if len(waiting) > _MOST_WAITING:
            break
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            found += [
                float(each)
                for key, each in value.items()
                if type(each) in (int, float) and words & set(tokens_of_value(key))
            ]
    return found
