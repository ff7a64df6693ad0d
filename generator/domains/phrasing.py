"""The phrases of a domain file: what readers mind of them as far as a program sees it, and the file without such."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generator.domains.reading import Fault
from generator.jsontext import JsonObject, JsonValue

Place = tuple[str | int, ...]

_SLOT = re.compile(r"\{[^{}]*\}")
_LINES = re.compile(r"<[^<>:]*\|\s*lines\s*:[^<>]*>")
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_COLON = re.compile(r":\s")
_LEAST_WORDS = 4
"""Of so few words as this, requests may be alike."""
_MOST_TOLD = 4
_OPENING = ("requests",)


def phrasing_faults(raw: JsonObject, names: Iterable[str]) -> list[Fault]:
    """Return what readers would mind of the sentences of some tools; of the tasks, where no tool is named."""
    wanted = list(names)
    held = raw.get("tools" if wanted else "tasks")
    parts: list[tuple[Place, JsonValue]] = [] if wanted else [(("tasks",), held)]
    if wanted and isinstance(held, dict):
        parts = [(("tools", name), held.get(name)) for name in wanted]
    found: list[Fault] = []
    for start, part in parts:
        texts = list(_texts(part, start))
        found += [*_twins(texts, start), *_small(texts, start), *_colons(texts, start)]
    return found


def _texts(value: JsonValue, path: Place) -> Iterator[tuple[Place, list[str]]]:
    """Yield every list of texts below a part, with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        if value and all(isinstance(each, str) for each in value):
            yield path, value
        else:
            for number, inner in enumerate(value):
                yield from _texts(inner, (*path, number))


def _twins(texts: Iterable[tuple[Place, list[str]]], start: Place) -> Iterator[Fault]:
    """Yield one fault for the requests of a part that are alike but for a word."""
    told = [
        f"{one!r} and {two!r}"
        for path, group in texts
        if path[-1] in _OPENING
        for place, two in enumerate(group)
        for one in group[:place]
        if _are_twins(one, two)
    ]
    if told:
        more = f", and {len(told) - _MOST_TOLD} more pairs" if len(told) > _MOST_TOLD else ""
        what = f"requests are alike but for a word: {'; '.join(told[:_MOST_TOLD])}{more}"
        yield Fault(start, what, "say it in another form: a question, a reason, another register")


def _are_twins(one: str, two: str) -> bool:
    first, second = (_WORD.findall(_SLOT.sub(" slot ", text.casefold())) for text in (one, two))
    if len(first) != len(second) or len(first) < _LEAST_WORDS:
        return False
    return len([left for left, right in zip(first, second, strict=True) if left != right]) <= 1


def _small(texts: Iterable[tuple[Place, list[str]]], start: Place) -> Iterator[Fault]:
    """Yield one fault for the requests of a part that start with a small letter."""
    told = [text for path, group in texts if path[-1] in _OPENING for text in group if text[:1].islower()]
    if told:
        yield Fault(start, f"{len(told)} requests start with a small letter, as {told[0]!r}", "start with a capital")


def _colons(texts: Iterable[tuple[Place, list[str]]], start: Place) -> Iterator[Fault]:
    """Yield one fault for the replies of a part with two colons in one sentence."""
    told = [text for path, group in texts if "replies" in path or path[-1] == "say" for text in group if _has_two(text)]
    if told:
        what = f"two colons stand in one sentence of a reply, as in {told[0]!r}"
        yield Fault(start, what, "use a verb, or a line for each: <list|lines: ...>")


def _has_two(text: str) -> bool:
    """Say whether a sentence holds two colons; those that open a loop are no part of what is said."""
    plain = _SLOT.sub("slot", _LINES.sub("\n", text))
    plain = re.sub(r"<[^<>:]*:\s?", "", plain)
    return any(len(_COLON.findall(sentence)) > 1 for sentence in _SENTENCE_END.split(plain))


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
