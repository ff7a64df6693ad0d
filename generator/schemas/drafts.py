"""Older drafts of JSON Schema, read as what they mean in 2020-12.

Unlike the reading of tool files, which forgives, this is exact: what a draft ignores (the neighbours of a `$ref`,
keywords that came later) is left out, so that the translation admits what the original admits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from urllib.parse import quote, unquote, urldefrag, urljoin

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import SCHEMA, SCHEMA_MAP, SCHEMAS, Path


class Draft(IntEnum):
    """A draft of JSON Schema, in the order they were published."""

    DRAFT_4 = 4
    DRAFT_6 = 6
    DRAFT_7 = 7
    DRAFT_2019_09 = 8
    DRAFT_2020_12 = 9


_BY_NAME = {
    "draft-03": Draft.DRAFT_4,
    "draft-04": Draft.DRAFT_4,
    "draft-05": Draft.DRAFT_4,
    "draft-06": Draft.DRAFT_6,
    "draft-07": Draft.DRAFT_7,
    "2019-09": Draft.DRAFT_2019_09,
    "2020-12": Draft.DRAFT_2020_12,
}

_SINCE: dict[str, Draft] = {
    **dict.fromkeys(("const", "contains", "propertyNames", "examples", "$id"), Draft.DRAFT_6),
    **dict.fromkeys(("if", "then", "else", "contentEncoding", "contentMediaType"), Draft.DRAFT_7),
    **dict.fromkeys(
        "dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties minContains maxContains "
        "contentSchema $anchor $recursiveRef $recursiveAnchor".split(),
        Draft.DRAFT_2019_09,
    ),
    **dict.fromkeys(("prefixItems", "$dynamicRef", "$dynamicAnchor"), Draft.DRAFT_2020_12),
}
"""The first draft in which a keyword means something."""

_NEWEST_KEYWORDS = frozenset(
    "prefixItems dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties minContains maxContains "
    "$dynamicRef $dynamicAnchor $anchor".split()
)
_METASCHEMAS = tuple(f"http://json-schema.org/draft-0{number}/schema" for number in (4, 6, 7))
_RECURSIVE = "recursive-anchor"
_BESIDE_REFERENCE = frozenset({"$ref", "definitions", "$defs", "description", "title"})
_MAPS = SCHEMA_MAP | {"dependencies"}
_SCHEMA_LISTS = SCHEMAS | {"items"}


OLDER = (
    b'"$schema":', b'"$id":', b'"items":[', b'"$ref":"http', b'"exclusiveMinimum":true', b'"exclusiveMinimum":false',
    b'"exclusiveMaximum":true', b'"exclusiveMaximum":false',
)  # fmt: skip
"""What the compact JSON text of every schema holds that is not of 2020-12."""


def draft_of(schema: JsonValue) -> Draft:
    """Return the draft that a schema declares with `$schema`, else the one whose keywords it uses, else 2020-12."""
    if not isinstance(schema, dict):
        return Draft.DRAFT_2020_12
    declared = schema.get("$schema")
    if isinstance(declared, str):
        return next((draft for name, draft in _BY_NAME.items() if name in declared), Draft.DRAFT_2020_12)
    return _draft_used(schema)


def _draft_used(schema: JsonObject) -> Draft:
    """Return the draft whose keywords a schema uses."""
    found = Draft.DRAFT_2020_12
    # Who still says `definitions` may give a name beside `$ref`, where nothing was obeyed then.
    of_old = "definitions" in schema and "$defs" not in schema
    for node in _schemas(schema):
        if not _NEWEST_KEYWORDS.isdisjoint(node):
            return Draft.DRAFT_2020_12
        if isinstance(node.get("exclusiveMinimum"), bool) or isinstance(node.get("exclusiveMaximum"), bool):
            found = Draft.DRAFT_4
        elif found > Draft.DRAFT_7 and (_is_older(node) or (of_old and {"$id", "$ref"} <= node.keys())):
            found = Draft.DRAFT_7
    return found


def _is_older(node: JsonObject) -> bool:
    """Say whether an object says what only draft 7 and those before it say."""
    name, reference = node.get("$id"), node.get("$ref")
    if isinstance(reference, str) and reference.partition("#")[0] in _METASCHEMAS:
        return True
    return isinstance(node.get("items"), list) or (isinstance(name, str) and len(name) > 1 and "#" in name[:-1])


def _schemas(root: JsonValue) -> Iterator[JsonObject]:
    """Yield every schema object, without recursion."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        yield node
        waiting.extend(_parts(node))


def _parts(node: JsonObject) -> Iterator[JsonValue]:
    """Yield the schemas a schema holds."""
    for keyword, value in node.items():
        if keyword in _MAPS and isinstance(value, dict):
            yield from value.values()
        elif keyword in SCHEMA or keyword in SCHEMAS:
            yield from value if isinstance(value, list) else [value]


def as_2020_12(schema: JsonValue, draft: Draft) -> JsonValue:
    """Return a schema of 2020-12 that admits what `schema` admits as a schema of `draft`; a copy unless it is one."""
    if draft is Draft.DRAFT_2020_12 or not isinstance(schema, dict):
        return schema
    read = _Translation(schema, draft).read(schema)
    named = {uri: meta for uri in _METASCHEMAS if (meta := _metaschema(schema, uri, draft)) is not None}
    return {**read, "definitions": {**read.get("definitions", {}), **named}} if named else read


def _metaschema(schema: JsonObject, uri: str, draft: Draft) -> JsonValue:
    """Return the schema of schemas at `uri` where a reference leads to it, else None."""
    if all(str(node.get("$ref", "")).partition("#")[0] != uri for node in _schemas(schema)):
        return None
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it ships no types

    return _Translation(contents := REGISTRY.contents(uri), draft).read(contents) | {"$id": uri}


def as_written(schema: JsonValue, draft: Draft, path: Sequence[str | int], keyword: str) -> tuple[Path, str]:
    """Return the path and the keyword of the original for a path and a keyword of its translation."""
    if draft is Draft.DRAFT_2020_12:
        return tuple(path), keyword
    node, written = schema, []
    for part in path:
        name = _old_name(node, part, draft)
        written.append(name)
        node = _child(node, str(name)) if isinstance(name, int) else _mapping(node).get(name)
    return tuple(written), str(_old_name(node, keyword, draft))


def _old_name(node: JsonValue, part: str | int, draft: Draft) -> str | int:
    if not isinstance(node, dict) or (part in node and not isinstance(node.get("items"), list)):
        return part
    if isinstance(node.get("items"), list):
        part = {"prefixItems": "items", "items": "additionalItems"}.get(str(part), part)
    if draft <= Draft.DRAFT_7 and part in ("dependentRequired", "dependentSchemas"):
        return "dependencies"
    return part


def _mapping(node: JsonValue) -> JsonObject:
    return node if isinstance(node, dict) else {}


class _Translation:
    def __init__(self, root: JsonObject, draft: Draft) -> None:
        self._root = root
        self._draft = draft
        self._identity = "id" if draft is Draft.DRAFT_4 else "$id"
        self._resources = dict(_resources(root, self._identity))

    def read(self, node: JsonValue, base: str = "") -> JsonValue:
        """Translate one schema whose base URI is `base`."""
        if not isinstance(node, dict):
            return node
        known = self._known(node)
        if "$ref" in node and self._draft <= Draft.DRAFT_7:
            known = {key: value for key, value in known.items() if key in _BESIDE_REFERENCE}
        else:
            identity = node.get(self._identity)
            if isinstance(identity, str):
                base = urljoin(base, urldefrag(identity).url)
            self._rename(known, identity)
        return {key: self._part(key, value, base) for key, value in known.items() if key != "$schema"}

    def _known(self, node: JsonObject) -> JsonObject:
        """Return the keywords that mean something in the draft."""
        return {key: value for key, value in node.items() if _SINCE.get(key, Draft.DRAFT_4) <= self._draft}

    def _rename(self, node: JsonObject, identity: JsonValue) -> None:
        """Give keywords their names of today, in place."""
        _rename_identity(node, identity)
        _rename_items(node)
        _rename_bounds(node)
        _split_dependencies(node)
        if node.pop("$recursiveAnchor", None) is True:
            node["$dynamicAnchor"] = _RECURSIVE
        if "$recursiveRef" in node:
            recursive = self._root.get("$recursiveAnchor") is True
            node["$dynamicRef" if recursive else "$ref"] = f"#{_RECURSIVE}" if recursive else node["$recursiveRef"]
            del node["$recursiveRef"]

    def _part(self, keyword: str, value: JsonValue, base: str) -> JsonValue:
        if keyword == "$ref" and isinstance(value, str):
            return self._reference(value, base)
        if keyword in SCHEMA:
            return self.read(value, base)
        if keyword in SCHEMAS and isinstance(value, list):
            return [self.read(part, base) for part in value]
        if keyword in SCHEMA_MAP and isinstance(value, dict):
            return {name: self.read(part, base) for name, part in value.items()}
        return value

    def _reference(self, reference: str, base: str) -> str:
        """Point a reference to where the part it names has gone."""
        place, fragment = urldefrag(reference)
        if not fragment.startswith("/"):
            return reference
        node: JsonValue = self._resources.get(urljoin(base, place), None if place else self._root)
        parts: list[str] = []
        holds = "keywords"
        for part in unquote(fragment).split("/")[1:]:
            parts.append(_new_name(node, part) if holds == "keywords" else part)
            node = _child(node, part)
            holds = _held_at(part, holds, node)
        return f"{place}#{quote('/'.join(['', *parts]), safe='/~!$&()*+,;=:@-._')}"


def _new_name(node: JsonValue, part: str) -> str:
    """Return what a step of a pointer is called today."""
    if not isinstance(node, dict):
        return part
    if isinstance(node.get("items"), list):
        part = {"items": "prefixItems", "additionalItems": "items"}.get(part, part)
    return "dependentSchemas" if part == "dependencies" else part


def _held_at(part: str, above: str, node: JsonValue) -> str:
    """Return what is held where a step of a pointer leads: keywords, schemas by name or number, or data."""
    if above != "keywords":
        return "keywords" if above == "schemas" else "data"
    if part in _MAPS or (part in _SCHEMA_LISTS and isinstance(node, list)):
        return "schemas"
    return "keywords" if part in SCHEMA else "data"


def _child(node: JsonValue, part: str) -> JsonValue:
    key = part.replace("~1", "/").replace("~0", "~")
    if isinstance(node, dict):
        return node.get(key)
    return node[int(key)] if isinstance(node, list) and key.isdecimal() and int(key) < len(node) else None


def _resources(root: JsonObject, keyword: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield each schema that has a URI of its own, with that URI."""
    waiting: list[tuple[JsonValue, str]] = [(root, "")]
    yield "", root
    while waiting:
        node, base = waiting.pop()
        if not isinstance(node, dict):
            continue
        if isinstance(node.get(keyword), str):
            base = urljoin(base, urldefrag(node[keyword]).url)
            yield base, node
        waiting.extend((part, base) for part in _parts(node))


def _rename_identity(node: JsonObject, identity: JsonValue) -> None:
    node.pop("id", None)
    if not isinstance(identity, str):
        return
    node.pop("$id", None)
    place, fragment = urldefrag(identity)
    if place:
        node["$id"] = place
    if fragment and not fragment.startswith("/"):
        node["$anchor"] = fragment


def _rename_items(node: JsonObject) -> None:
    rest = node.pop("additionalItems", None)
    if not isinstance(node.get("items"), list):
        return
    first = node.pop("items")
    if first:
        node["prefixItems"] = first
    if rest is not None:
        node["items"] = rest


def _rename_bounds(node: JsonObject) -> None:
    """Read the booleans of draft 4, which make the bound beside them strict."""
    for strict, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(strict), bool):
            exclusive = node.pop(strict)
            if exclusive and bound in node:
                node[strict] = node.pop(bound)


def _split_dependencies(node: JsonObject) -> None:
    dependencies: Mapping[str, JsonValue] = node.pop("dependencies", None) or {}
    names = {name: part for name, part in dependencies.items() if isinstance(part, list)}
    parts = {name: part for name, part in dependencies.items() if not isinstance(part, list)}
    if names:
        node["dependentRequired"] = {**node.get("dependentRequired", {}), **names}
    if parts:
        node["dependentSchemas"] = {**node.get("dependentSchemas", {}), **parts}
