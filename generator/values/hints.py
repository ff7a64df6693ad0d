"""Hints: what names, descriptions, defaults and examples of the raw schema say about a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from generator.jsontext import JsonObject, JsonValue
from generator.values.descriptions import told_examples, told_options, told_range
from generator.values.meanings.names import singular, split_name

Found = TypeVar("Found")

_MOST_SOURCES = 24
_LONGEST_DESCRIPTION = 2_000
_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONALS = ("if", "then", "else", "not")
_COMBINING = frozenset(("$ref", *_BRANCHES, "then", "else"))


class kept(Generic[Found]):  # noqa: N801  # a decorator
    """What is found out when it is first asked for, and kept; without the lock of `cached_property`."""

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> Found:
        found = owner.__dict__[self._name] = self._find(owner)
        return found


@dataclass(eq=False)
class Hint:
    """What is known about one place of a schema.

    `sources` are the raw schema nodes that apply there; `path` the names of the properties that lead to it,
    outermost first; `topic` the name and description of the tool.
    """

    sources: tuple[JsonObject, ...]
    path: tuple[str, ...] = ()
    topic: tuple[str, str] = ("", "")
    listed: bool = False
    """Whether this is an element of a list."""

    @kept
    def words(self) -> tuple[str, ...]:
        """The words of the field's name; of an element, in the singular."""
        words = split_name(self.path[-1]) if self.path else ()
        return (*words[:-1], singular(words[-1])) if self.listed and words else words

    @kept
    def parent_words(self) -> tuple[str, ...]:
        """The words of the name of the property that holds this one, in the singular."""
        words = split_name(self.path[-2]) if len(self.path) > 1 else ()
        return (*words[:-1], singular(words[-1])) if words else ()

    @kept
    def description(self) -> str:
        """The description, else the title, cut to 2,000 characters."""
        for source in self.sources:
            text = source.get("description") or source.get("title")
            if isinstance(text, str) and text:
                return text[:_LONGEST_DESCRIPTION]
        return ""

    @kept
    def folded(self) -> str:
        """The description in small letters, for a quick look whether it could hold a word."""
        return self.description.casefold()

    @kept
    def format(self) -> str:
        """The `format`, "" where none is given."""
        return next((source["format"] for source in self.sources if isinstance(source.get("format"), str)), "")

    @kept
    def default(self) -> JsonValue:
        """The `default`; None where none is given or it is empty."""
        return next(
            (source["default"] for source in self.sources if source.get("default") not in (None, "", [], {})), None
        )

    @kept
    def declared_examples(self) -> tuple[JsonValue, ...]:
        """The `examples` (and OpenAPI's `example`) of the schema."""
        found: list[JsonValue] = []
        for source in self.sources:
            if isinstance(source.get("examples"), list):
                found.extend(source["examples"][:20])
            if "example" in source:
                found.append(source["example"])
        return tuple(found)

    @kept
    def told_examples(self) -> tuple[str, ...]:
        """The examples which the description tells: `e.g. 'San Francisco, CA'` gives `San Francisco, CA`."""
        return tuple(dict.fromkeys(told_examples(self.description)))

    @kept
    def told_options(self) -> tuple[str, ...]:
        """The closed choice which the description tells, such as `either 'metric' or 'imperial'`."""
        return tuple(dict.fromkeys(told_options(self.description)))

    @kept
    def told_range(self) -> tuple[float, float] | None:
        """The range which the description tells, such as `between 1 and 7`."""
        return told_range(self.description)

    @kept
    def contexts(self) -> tuple[str, str, str]:
        """The texts that may tell a sense, the nearest first: the field's own, its parent's, the tool's."""
        own = f"{' '.join(self.words)} {self.description}".lower()
        return own, " ".join(self.parent_words), _said_of_tool(*self.topic)

    def names(self, keyword: str) -> Iterator[str]:
        """Yield the keys of an object keyword over all sources, in the order they were written."""
        for source in self.sources:
            if isinstance(source.get(keyword), dict):
                yield from source[keyword]

    def property(self, name: str, root: JsonValue) -> Hint:
        """Return the hint of one property."""
        nodes = []
        for source in self.sources:
            held = source.get("properties")
            if isinstance(held, dict) and name in held:
                nodes.append(held[name])
        if not nodes:
            nodes = [source["additionalProperties"] for source in self.sources if "additionalProperties" in source]
        return Hint(sources_of(nodes, root), (*self.path, name), self.topic)

    def element(self, root: JsonValue, index: int | None = None) -> Hint:
        """Return the hint of an array's element, or of one position of a tuple; the name is the list's own."""
        nodes: list[JsonValue] = []
        for source in self.sources:
            tuple_nodes = source.get("prefixItems")
            if index is not None and isinstance(tuple_nodes, list) and index < len(tuple_nodes):
                nodes.append(tuple_nodes[index])
            elif "items" in source:
                nodes.append(source["items"])
        found = sources_of(nodes, root)
        return Hint(
            (*found, *({"description": self.description} for _ in self.sources[:1])), self.path, self.topic, listed=True
        )

    def renamed(self, name: str) -> Hint:
        """Return the same hint for a property of another name."""
        return replace(self, path=(*self.path[:-1], name))


def sources_of(nodes: list[JsonValue], root: JsonValue) -> tuple[JsonObject, ...]:
    """Return the raw nodes with those they refer to or combine, outermost first, at most 24."""
    if len(nodes) == 1 and isinstance(node := nodes[0], dict) and _COMBINING.isdisjoint(node):
        return (node,)
    found: list[JsonObject] = []
    seen: set[int] = set()
    pending = list(nodes)
    while pending and len(found) < _MOST_SOURCES:
        node = pending.pop(0)
        if not isinstance(node, dict) or id(node) in seen:
            continue
        seen.add(id(node))
        found.append(node)
        pending.extend(_combined(node, root))
    return tuple(found)


def _combined(node: JsonObject, root: JsonValue) -> Iterator[JsonValue]:
    if isinstance(node.get("$ref"), str):
        yield resolve_pointer(root, node["$ref"])
    for keyword in _BRANCHES:
        if isinstance(node.get(keyword), list):
            yield from node[keyword]
    for keyword in _CONDITIONALS[1:3]:
        if keyword in node:
            yield node[keyword]


def resolve_pointer(root: JsonValue, reference: str) -> JsonValue:
    """Return the node a local reference (`#/$defs/x`) points to; None where there is none."""
    if not reference.startswith("#"):
        return None
    node = root
    for part in reference[1:].split("/")[1:]:
        key = _unescape(part)
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return None
    return node


def _unescape(part: str) -> str:
    from urllib.parse import unquote

    return unquote(part).replace("~1", "/").replace("~0", "~")


def identified(root: JsonValue) -> dict[str, JsonValue]:
    """Return the nodes that have a name of their own: `$anchor`, `$dynamicAnchor`, `$id` and its last part."""
    found: dict[str, JsonValue] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(node.get(keyword), str):
                    found.setdefault("#" + node[keyword], node)
            if isinstance(node.get("$id"), str):
                name = node["$id"].rstrip("#")
                found |= {name: node, name.rsplit("/", 1)[-1]: node, "./" + name.rsplit("/", 1)[-1]: node}
            pending.extend(node.values())
    return found


_BEGINNING = 6
"""Letters from which a word that tells a sense may be the beginning of another."""


def tells(words: str, text: str) -> bool:
    """Say whether a lower-case text holds one of these words, separated by commas, alone or in the plural.

    Looked for one by one: patterns for all of them would take longer to compile than most processes use them.
    """
    for word, is_whole in _words(words):  # noqa: SIM110  # a generator would take twice as long
        if word in text and _begins(word, text, is_whole):
            return True
    return False


@lru_cache(maxsize=1024)
def _words(words: str) -> tuple[tuple[str, bool], ...]:
    return tuple((word, len(word) < _BEGINNING) for word in words.split(","))


def _begins(word: str, text: str, is_whole: bool) -> bool:
    """Say whether a word begins somewhere in a text, and ends there where it is to be whole."""
    at = text.find(word)
    while at >= 0:
        if not _is_letter(text, at - 1) and (not is_whole or _ends(text, at + len(word))):
            return True
        at = text.find(word, at + 1)
    return False


def _ends(text: str, at: int) -> bool:
    return not _is_letter(text, at) or (text[at] == "s" and not _is_letter(text, at + 1))


def _is_letter(text: str, at: int) -> bool:
    return 0 <= at < len(text) and "a" <= text[at] <= "z"


@lru_cache(maxsize=256)
def _said_of_tool(name: str, description: str) -> str:
    return f"{' '.join(split_name(name))} {_first_sentence(description)}".lower()


def _first_sentence(description: str) -> str:
    """What a tool does; some descriptions first tell of the whole collection the tool is part of."""
    told = description.rpartition("Tool description:")[2].strip()
    return told.split(". ", 1)[0][:200]
