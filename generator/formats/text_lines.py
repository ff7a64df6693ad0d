"""Where the parts of a JSON or YAML text stand: the line of what a path of keys and places leads to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Path = tuple[str | int, ...]
Opened = Literal["mapping", "list", "end", "scalar"]

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\],:"]+')
_OPENS: dict[str, Opened] = {"{": "mapping", "[": "list", "}": "end", "]": "end"}


@dataclass(slots=True)
class _Open:
    """A mapping or list that the walk is inside of."""

    path: Path | None
    """None where nothing inside is sought."""
    holds: Opened
    count: int = 0
    key: str | None = None


def lines_of(text: str, wanted: Iterable[Path]) -> dict[Path, int]:
    """Return the line of each path, from 1: that of its key, or of the nearest part around it that is written there.

    The text must be one that was parsed before: what is wrong with it is not told here.
    """
    paths = list(wanted)
    sought = {path[:length] for path in paths for length in range(len(path) + 1)}
    found = _walk(_json_parts(text) if text.lstrip()[:1] in ("{", "[") else _yaml_parts(text), sought)
    return {path: _nearest(path, found) for path in paths}


def _nearest(path: Path, found: dict[Path, int]) -> int:
    return next((found[path[:length]] for length in range(len(path), -1, -1) if path[:length] in found), 1)


def _walk(parts: Iterator[tuple[Opened, str, int]], sought: set[Path]) -> dict[Path, int]:
    """Note the lines of the paths that are sought while the parts go by; nothing else is kept."""
    found: dict[Path, int] = {}
    stack: list[_Open] = []
    for holds, text, line in parts:
        if holds == "end":
            if not stack:
                break
            stack.pop()
            continue
        here = _step(stack, text, line, found, sought)
        if holds != "scalar":
            stack.append(_Open(here, holds))
    return found


def _step(stack: list[_Open], text: str, line: int, found: dict[Path, int], sought: set[Path]) -> Path | None:
    """Go one part on; return the path of the value that begins, None for a key or what is not sought."""
    around = stack[-1] if stack else None
    part: tuple[str | int, ...] = ()
    is_key = False
    if around is not None and around.holds == "mapping":
        is_key = around.key is None
        part = (text if around.key is None else around.key,)
        around.key = text if around.key is None else None
    elif around is not None:
        part = (around.count,)
        around.count += 1
    inside = () if around is None else around.path
    here = None if inside is None or (*inside, *part) not in sought else (*inside, *part)
    if here is not None:
        found.setdefault(here, line)
    return None if is_key else here


def _json_parts(text: str) -> Iterator[tuple[Opened, str, int]]:
    line, place = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", place, token.start())
        place = token.start()
        word = token.group()
        if word in _OPENS:
            yield _OPENS[word], "", line
        else:
            yield "scalar", str(json.loads(word)) if word[0] == '"' else word, line


def _yaml_parts(text: str) -> Iterator[tuple[Opened, str, int]]:
    import yaml

    from generator.formats.yaml_text import LOADER

    for event in yaml.parse(text, Loader=LOADER):
        line = event.start_mark.line + 1 if event.start_mark is not None else 1
        if isinstance(event, yaml.MappingStartEvent):
            yield "mapping", "", line
        elif isinstance(event, yaml.SequenceStartEvent):
            yield "list", "", line
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            yield "end", "", line
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            yield "scalar", getattr(event, "value", ""), line
        elif isinstance(event, yaml.DocumentEndEvent):
            return
