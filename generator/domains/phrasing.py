"""Phrasing: what readers mind of a domain's sentences and a program can see: twins, small letters, colons in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generator.domains.faults import Fault
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
