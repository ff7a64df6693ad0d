"""Pruning: a schema without what says nothing, which accepts just the same values.

That is the definitions that nothing in it refers to, and the name of the dialect that all schemas of ours are in.

What refers to a definition is looked for generously, in texts of any place: one too many costs some bytes, one too
few would change what the schema means. A definition is kept with all that it refers to, and with those it stands in.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import Path, walk

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HOLDERS = ("$defs", "definitions")
_DOCUMENT_HOLDER = "components"
"""Where OpenAPI keeps definitions, by section; whole documents of it are pasted into schemas."""
_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_ANCHORS = ("$anchor", "$dynamicAnchor")


def pruned(schema: JsonObject) -> JsonObject:
    """Return the schema without what says nothing; itself where there is no such thing."""
    if str(schema.get("$schema", "")).rstrip("#") == _DIALECT:
        schema = {keyword: part for keyword, part in schema.items() if keyword != "$schema"}
    definitions = frozenset(_definitions(schema))
    unused = definitions - _Uses(schema, definitions).found() if definitions else definitions
    if not unused:
        return schema
    changed = frozenset(path[:end] for path in unused for end in range(len(path)))
    kept: JsonObject = _without(schema, unused, changed, ())
    return kept


def _definitions(schema: JsonObject) -> Iterator[Path]:
    """Yield the path of every definition."""
    for node, path in walk(schema):
        for holder in _HOLDERS:
            held = node.get(holder)
            yield from ((*path, holder, name) for name in (held if isinstance(held, dict) else ()))
    sections = schema.get(_DOCUMENT_HOLDER)
    for section, held in sections.items() if isinstance(sections, dict) else ():
        yield from ((_DOCUMENT_HOLDER, section, name) for name in (held if isinstance(held, dict) else ()))


class _Uses:
    """What refers to the definitions of one schema, and to which."""

    def __init__(self, schema: JsonObject, definitions: frozenset[Path]) -> None:
        self._schema = schema
        self._definitions = definitions
        self._holders = {path[:-1] for path in definitions} | {(_DOCUMENT_HOLDER,)}
        self._references: dict[Path, set[str]] = {(): set()}
        """By definition, and by () for all that is in none: what might be references."""
        self._anchors: dict[str, list[Path]] = {}
        self._resources: list[Path] = [()]
        """The parts that have a URI of their own, to which references inside them are relative."""
        self._read(schema, (), ())

    def found(self) -> set[Path]:
        """Return the definitions that are used."""
        used: set[Path] = set()
        waiting: list[Path] = [()]
        while waiting:
            for reference in self._references.get(waiting.pop(), ()):
                for target in self._targets(reference):
                    if target not in used:
                        used.add(target)
                        waiting.append(target)
        return used

    def _read(self, node: JsonValue, path: Path, owner: Path) -> None:
        """Note the names and possible references of a part, which belong to the innermost definition around it."""
        owner = path if path in self._definitions else owner
        if isinstance(node, dict):
            self._note_names(node, path)
            for keyword, part in node.items():
                if isinstance(part, str):
                    self._note_text(keyword, part, owner)
                else:
                    self._read(part, (*path, keyword), owner)
        elif isinstance(node, list):
            for index, part in enumerate(node):
                self._read(part, (*path, index), owner)
        elif isinstance(node, str):
            self._note_text("", node, owner)

    def _note_names(self, node: JsonObject, path: Path) -> None:
        for keyword in _ANCHORS:
            if isinstance(node.get(keyword), str):
                self._anchors.setdefault(node[keyword], []).append(path)
        if isinstance(node.get("$id"), str):
            self._resources.append(path)

    def _note_text(self, keyword: str, text: str, owner: Path) -> None:
        if keyword in _REFERENCES or "#" in text:
            self._references.setdefault(owner, set()).add(text)

    def _targets(self, reference: str) -> Iterator[Path]:
        """Yield every definition that a reference may lead to, or into, by any reading of what it is relative to."""
        place, _, fragment = reference.partition("#")
        fragment = unquote(fragment)
        for resource in self._resources:
            if fragment.startswith("/"):
                yield from self._around(self._followed(resource, fragment))
            elif place:
                yield from self._around(resource)
        for anchor in self._anchors.get(fragment, ()):
            yield from self._around(anchor)

    def _followed(self, start: Path, fragment: str) -> Path:
        """Return the path that a JSON pointer names, as far as there is one."""
        node: JsonValue = self._schema
        for part in start:
            node = node[part]
        path = start
        for word in fragment.split("/")[1:]:
            key: str | int = word.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and word.isdecimal() and int(word) < len(node):
                key = int(word)
            elif not isinstance(node, dict) or key not in node:
                break
            node, path = node[key], (*path, key)
        return path

    def _around(self, path: Path) -> Iterator[Path]:
        """Yield the definitions that a path leads through, and all of a holder at which it ends."""
        yield from (path[:end] for end in range(2, len(path) + 1) if path[:end] in self._definitions)
        if path in self._holders:
            yield from (each for each in self._definitions if each[: len(path)] == path)


def _without(node: JsonValue, unused: frozenset[Path], changed: frozenset[Path], path: Path) -> JsonValue:
    """Copy what holds an unused definition without it, and without a holder that nothing is left in."""
    if path not in changed:
        return node
    if isinstance(node, list):
        return [_without(part, unused, changed, (*path, index)) for index, part in enumerate(node)]
    kept = {
        keyword: _without(part, unused, changed, (*path, keyword))
        for keyword, part in node.items()
        if (*path, keyword) not in unused
    }
    emptied = {each[:-1] for each in unused} | {(_DOCUMENT_HOLDER,)}
    return {keyword: part for keyword, part in kept.items() if part or (*path, keyword) not in emptied & changed}
