"""Refusals: where a schema contradicts itself, and by which keywords; found by leaving out what is not needed.

Whether anything satisfies a schema is asked of the caller. The place is the innermost part that every value needs
and nothing satisfies; of its keywords those are named without any one of which some value could satisfy it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from urllib.parse import quote

from generator.errors import Unsatisfiable
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import ANNOTATIONS, IDENTIFYING, Path
from generator.schemas.limits import alternatives
from generator.schemas.references import Branches

_MOST_QUESTIONS = 150
_LEAST_QUESTIONS = 12
_MOST_WEIGHT = 3_000
"""Alternatives that all the questions together may unfold."""
_DEEPEST = 60
_SILENT = ANNOTATIONS | IDENTIFYING
_DOCUMENT = "urn:toolgen:document"
_NEEDED_OF_MANY = frozenset({"required", "minItems", "minProperties", "contains", "prefixItems"})


Written = Callable[[Path, str], tuple[Path, str]]
"""Gives the path and the keyword which stand in the user's own schema for those of its translation."""


def _as_is(path: Path, keyword: str) -> tuple[Path, str]:
    return path, keyword


def refusal_of(schema: JsonValue, is_empty: Callable[[JsonValue], bool], as_written: Written = _as_is) -> Unsatisfiable:
    """Return the error that says where and why nothing satisfies the schema, which `is_empty` has said."""
    if not isinstance(schema, dict):
        return Unsatisfiable("/: the schema is false, which admits no value")
    search = _Search(schema, is_empty)
    place, circle = search.innermost()
    core = [said.written(as_written) for said in search.core(place)]
    place = as_written(place, "")[0]
    at, words = pointer(place), _words(core)
    if circle:
        words = [circle, *(word for word in words if word in _NEEDED_OF_MANY)]
        message = f"{circle} leads back to what holds it, so that every value would be endless"
    elif any(said.keyword in ("$ref", "$dynamicRef") for said in core):
        message = "the reference leads back to itself, so that looking at a value never ends"
    else:
        message = _contradiction(core, place)
    return Unsatisfiable(f"{at or '/'}: {message}", pointer=at, keywords=words)


def _contradiction(core: list[_Said], place: Path) -> str:
    """Say what keeps the schema at the place from admitting a value."""
    told = " and ".join(dict.fromkeys(_told(part, place) for part in core)) or "the schema"
    return f"{told} {'contradict each other' if len(core) > 1 else 'admits no value'}"


@dataclass(frozen=True, slots=True)
class _Said:
    """One keyword of the schemas that look at the same value."""

    at: Path
    keyword: str
    through: tuple[str, ...]
    """The `allOf` and `$ref` that lead from the place to the schema which says it."""

    def written(self, as_written: Written) -> _Said:
        """Return it as the user wrote it."""
        return _Said(*as_written(self.at, self.keyword), self.through)


def _words(core: list[_Said]) -> list[str]:
    return list(dict.fromkeys(word for said in core for word in (*said.through, said.keyword)))


def _told(said: _Said, place: Path) -> str:
    return said.keyword if said.at == place else f"{said.keyword} (at {pointer(said.at) or '/'})"


@dataclass(slots=True)
class _Search:
    root: JsonObject
    is_empty: Callable[[JsonValue], bool]
    left: int = _MOST_QUESTIONS
    _places: dict[int, Path] = field(default_factory=dict)
    _branches: Branches = field(init=False)

    def __post_init__(self) -> None:
        self.left = max(_LEAST_QUESTIONS, min(_MOST_QUESTIONS, _MOST_WEIGHT // alternatives(self.root)))
        self._branches = Branches(self.root)
        self._places = {id(node): path for node, path in _walk(self.root)}

    def innermost(self) -> tuple[Path, str]:
        """Return the path of the innermost needed part that is empty, and the reference that closes a circle, or ""."""
        path: Path = ()
        trail = [path]
        for _ in range(_DEEPEST):
            for inner, reference in self._needed(path):
                if inner in trail and reference:
                    return inner, "" if inner == path else reference
                if inner not in trail and self._says_anything(inner) and self._asks(self._alone(self.root, inner)):
                    path = inner
                    trail.append(path)
                    break
            else:
                break
        return path, ""

    def _asks(self, schema: JsonValue) -> bool:
        """Ask whether a schema is empty, as often as there is patience."""
        self.left -= 1
        return self.left >= 0 and self.is_empty(schema)

    def _says_anything(self, path: Path) -> bool:
        """Say whether a part has keywords to name: a mere `false` is told of by what holds it."""
        return next(self._said(path, (), set()), None) is not None

    def _needed(self, path: Path) -> Iterator[tuple[Path, str]]:
        """Yield the parts that every value of the schema at the path must satisfy, with the reference to it if any."""
        node = _at(self.root, path)
        if not isinstance(node, dict):
            return
        for word in ("$ref", "$dynamicRef"):
            if (target := self._target(node, word)) is not None:
                yield target, word
        inner = chain(_conjunct_parts(node), _needed_members(node), _needed_elements(node))
        yield from (((*path, *part), "") for part in inner)

    def _target(self, node: JsonObject, word: str) -> Path | None:
        """Return the path to which a reference of the node leads; None where it has none, or it leads nowhere."""
        return self._places.get(id(self._branches.target(node[word]))) if word in node else None

    def _alone(self, root: JsonObject, path: Path) -> JsonValue:
        """Return a schema for the part at the path alone, whose references still find the whole document."""
        if not path:
            return root
        name = root["$id"] if isinstance(root.get("$id"), str) else _DOCUMENT
        document = {**root, "$id": name}
        return {"$id": f"{_DOCUMENT}:part", "$defs": {"document": document}, "$ref": f"{name}#{_fragment(path)}"}

    def core(self, place: Path) -> list[_Said]:
        """Return the keywords at a place without any one of which it would not be empty."""
        needed = list(self._said(place, (), set()))
        root = self.root
        for said in list(needed):
            if len(needed) > 1:
                less = _removed(root, (*said.at, said.keyword))
                if self._asks(self._alone(less, place)):
                    root = less
                    needed.remove(said)
        return needed

    def _said(self, path: Path, through: tuple[str, ...], seen: set[Path]) -> Iterator[_Said]:
        """Yield every keyword that the schema at the path says of a value, through `allOf` and references too."""
        node = _at(self.root, path)
        if path in seen or not isinstance(node, dict):
            return
        seen.add(path)
        conjuncts = self._conjuncts(node, path)
        inner = [said for part, word in conjuncts for said in self._said(part, (*through, word), seen)]
        opened = {word for _, word in conjuncts} if inner else set()
        yield from (_Said(path, key, through) for key in sorted(node, key=_last_named) if key not in _SILENT | opened)
        yield from inner

    def _conjuncts(self, node: JsonObject, path: Path) -> list[tuple[Path, str]]:
        """Return the schemas that must hold as well, by the keyword that leads to each."""
        conjuncts = [((*path, *part), "allOf") for part in _conjunct_parts(node)]
        if (target := self._target(node, "$ref")) is not None:
            conjuncts.append((target, "$ref"))
        return conjuncts


def _conjunct_parts(node: JsonObject) -> Iterator[Path]:
    return (("allOf", at) for at in range(len(node.get("allOf", ()))))


def _needed_members(node: JsonObject) -> Iterator[Path]:
    properties = node.get("properties", {})
    return (("properties", name) for name in node.get("required", ()) if name in properties)


def _needed_elements(node: JsonObject) -> Iterator[Path]:
    least, first = node.get("minItems", 0), node.get("prefixItems", [])
    yield from (("prefixItems", at) for at in range(min(len(first), int(min(least, 1000)))))
    if least > len(first) and "items" in node:
        yield ("items",)
    if "contains" in node and node.get("minContains", 1) > 0:
        yield ("contains",)


def _last_named(keyword: str) -> bool:
    """Order keywords so that `type` is tried first and left out where another one says enough."""
    return keyword != "type"


def _fragment(path: Path) -> str:
    return quote(pointer(path), safe="/~")


def _walk(root: JsonValue) -> Iterator[tuple[JsonValue, Path]]:
    waiting: list[tuple[JsonValue, Path]] = [(root, ())]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, dict):
            yield node, path
            waiting.extend((part, (*path, key)) for key, part in node.items())
        elif isinstance(node, list):
            waiting.extend((part, (*path, index)) for index, part in enumerate(node))


def _at(root: JsonValue, path: Path) -> JsonValue:
    for key in path:
        root = root[key]
    return root


def _removed(root: JsonValue, path: Path) -> JsonValue:
    """Return the document without what is at the path; what is not on the way is shared."""
    key, *rest = path
    if not rest:
        return {name: part for name, part in root.items() if name != key}
    if isinstance(root, list):
        return [_removed(part, tuple(rest)) if at == key else part for at, part in enumerate(root)]
    return {**root, key: _removed(root[key], tuple(rest))}
