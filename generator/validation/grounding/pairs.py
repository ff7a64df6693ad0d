"""Pairs: parameters of one tool that are told apart by their role alone: from and to, start and end, min and max."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.arguments.schemas import Path, schemas_at
from generator.validation.grounding.marks import SUBJECTS, Side, role_names
from generator.validation.grounding.words import tokens_of_value
from generator.validation.tool_view import ToolView

_MOST_PATHS = 200
"""Places of one call that are paired; no function that people call takes more."""
_DESCRIBED = 200
"""Characters of a description that may say which side a parameter is."""


class Pair(NamedTuple):
    """Two places of one call's arguments of which one is the first and the other the second."""

    first: Path
    second: Path
    subjects: tuple[str, ...]
    """What they may be about."""
    rest: frozenset[str]
    """What their names say beside the role: "city" of `from_city`, "date" of `start_date`."""


class _Named(NamedTuple):
    sides: dict[str, Side]
    """By subject."""
    rest: frozenset[str]
    described: bool = False
    """Whether its description says so, and not its name."""


def places_of(arguments: JsonObject) -> tuple[str | Path, ...]:
    """Return the places of texts and numbers in arguments and in the objects there; a name stands for its path."""
    found: list[str | Path] = []
    for name, value in arguments.items():
        kind = type(value)
        if kind is str or kind is int or kind is float:
            found.append(name)
        elif kind is dict:
            found.extend((name, inner) for inner, each in value.items() if type(each) in (str, int, float))
    return tuple(found)


def value_at(arguments: JsonObject, path: Path) -> JsonValue:
    """Return the value at a place of arguments."""
    found: JsonValue = arguments
    for step in path:
        found = found[step]
    return found


def pairs_of(tool: ToolView | None, paths: tuple[Path, ...], known: dict[str, str]) -> tuple[Pair, ...]:
    """Return the pairs among the places of a call; `known` are what masked names stand for."""
    by_parent: dict[Path, list[Path]] = {}
    for path in paths[:_MOST_PATHS]:
        for level in range(len(path)):
            by_parent.setdefault((*path[:level], "*", *path[level + 1 :]), []).append(path)
    found: list[Pair] = []
    for alike in by_parent.values():
        for one, other in combinations(alike, 2):
            found.extend(_pair(tool, one, other, known))
    return tuple(found)


def _pair(tool: ToolView | None, one: Path, other: Path, known: dict[str, str]) -> Iterator[Pair]:
    level = next(at for at in range(len(one)) if one[at] != other[at])
    mine, theirs = (_named(str(path[level]), tool, path[: level + 1], known) for path in (one, other))
    subjects = tuple(each for each in SUBJECTS if {mine.sides.get(each), theirs.sides.get(each)} == {"first", "second"})
    if subjects and mine.described is theirs.described and _go_together(mine.rest, theirs.rest):
        turned = mine.sides[subjects[0]] == "second"
        subjects = tuple(each for each in subjects if (mine.sides[each] == "second") is turned)
        yield Pair(*((other, one) if turned else (one, other)), subjects, mine.rest | theirs.rest)


def _go_together(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return mine == theirs or not mine or not theirs or bool(mine & theirs)


def _named(name: str, tool: ToolView | None, path: Path, known: dict[str, str]) -> _Named:
    """Say which side a name is, by its own words or else by those of its description."""
    words = tokens_of_value(known.get(name, name))
    joined = [*words, *(first + second for first, second in pairwise(words))]
    names = role_names()
    sides = {each: side for each in SUBJECTS if (side := _only(names[each].get(word) for word in joined)) is not None}
    if sides:
        told = {word for each in SUBJECTS for word in joined if word in names[each]}
        return _Named(sides, frozenset(word for word in words if not any(word in each for each in told)))
    described = _only(names["described"].get(word) for word in _description(tool, path))
    return _Named(dict.fromkeys(SUBJECTS, described) if described else {}, frozenset(), True)


def _description(tool: ToolView | None, path: Path) -> list[str]:
    texts = [schema.get("description") for _, schema in schemas_at(tool, path)] if tool is not None else []
    return [word for text in texts if isinstance(text, str) for word in tokens_of_value(text[:_DESCRIBED])]


def _only(sides: Iterator[Side | None]) -> Side | None:
    """Return the one side that is named; None where none is, or both are."""
    found = {side for side in sides if side is not None}
    return found.pop() if len(found) == 1 else None
