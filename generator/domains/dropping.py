"""Dropping: a domain without the phrases that are wrong, so that one bad sentence costs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable

from generator.jsontext import JsonValue

Path = tuple[str | int, ...]

_NAMED = frozenset({"entities", "tools", "wordings", "pools", "corrections"})
"""Keys that lead to names which the domain gives: what follows them is no key of the format."""
_NO_PHRASES = frozenset(
    {"pools", "draw", "arguments", "fields", "views", "effect", "result", "examples", "find", "data"}
)
_PHRASES = frozenset(
    {
        "requests", "replies", "questions", "answers", "say", "say_id", "told", "context", "confirm", "follow_ups",
        "corrections",
    }
)  # fmt: skip
"""Keys that hold texts, or lists of texts by outcome or draw."""


def phrase_at(path: Path) -> Path | None:
    """Return the path of the phrase that a path leads to or into; None where it leads to anything else."""
    found: Path | None = None
    held = False
    named = False
    for place, part in enumerate(path):
        if named:
            named = False
            continue
        if part in _NO_PHRASES:
            return found
        if isinstance(part, int):
            if held:
                found, held = path[: place + 1], False
        elif part in _PHRASES:
            held = True
            named = part == "corrections"
        elif part in _NAMED:
            named = True
        elif not (held and path[place - 1] == "replies"):
            held = False
    return found


def without(value: JsonValue, paths: Iterable[Path]) -> tuple[JsonValue, set[Path]]:
    """Return a document without the parts at some paths, and the paths of lists that are empty now."""
    emptied: set[Path] = set()
    for path in sorted(set(paths), key=_from_the_end):
        value = _without(value, path)
        if path and _at(value, path[:-1]) == []:
            emptied.add(path[:-1])
    return value, emptied


def owner_of(path: Path) -> Path:
    """Return the path of the part that cannot do without the list at this path: a way, a task, a question."""
    owner = path[:-1]
    while owner and not isinstance(owner[-1], int) and owner[-1] != "parallel":
        owner = owner[:-1]
    return owner[:2] if owner[:1] == ("tasks",) else owner


def _from_the_end(path: Path) -> tuple[tuple[int, str], ...]:
    """Order paths so that a later place of a list is taken out before an earlier one."""
    return tuple((-part, "") if isinstance(part, int) else (0, part) for part in path)


def _at(value: JsonValue, path: Path) -> JsonValue:
    for part in path:
        if isinstance(value, dict):
            value = value.get(str(part))
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _without(value: JsonValue, path: Path) -> JsonValue:
    """Copy what leads to a part and leave the part out; what is shared with other documents stays as it is."""
    if not path:
        return value
    part, rest = path[0], path[1:]
    if isinstance(value, dict) and part in value:
        kept = {key: each for key, each in value.items() if key != part or rest}
        return {**kept, part: _without(value[part], rest)} if rest else kept
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        if not rest:
            return [*value[:part], *value[part + 1 :]]
        return [*value[:part], _without(value[part], rest), *value[part + 1 :]]
    return value


def before(path: Path, dropped: Iterable[Path]) -> Path:
    """Return where a path led before some parts were left out."""
    for gone in sorted(dropped, key=lambda one: [str(part).zfill(9) for part in one]):
        place = len(gone) - 1
        here = path[place] if len(path) > place else None
        if place >= 0 and isinstance(gone[place], int) and isinstance(here, int) and path[:place] == gone[:place]:
            path = (*path[:place], here + 1, *path[place + 1 :]) if here >= int(gone[place]) else path
    return path
