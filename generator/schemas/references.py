"""References inside one schema: where they point after reading, and whether they point anywhere."""

from __future__ import annotations

from functools import cached_property
from urllib.parse import unquote

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import walk
from generator.schemas.node import shown
from generator.schemas.notes import Note

_MISSING = object()


class Targets:
    """What the references inside one schema point to."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._circles: dict[str, bool] = {}
        """By reference: whether following it, and it alone, never ends."""

    def find(self, reference: str) -> JsonValue | object:
        """Return what a reference points to, or `_MISSING`."""
        if not reference.startswith("#"):
            return _MISSING
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(fragment, _MISSING)
        return _follow(self._root, fragment)

    def of(self, reference: str) -> JsonValue | None:
        """Return what a reference points to, or None where it points nowhere."""
        found = self.find(reference)
        return None if found is _MISSING else found

    @cached_property
    def _anchors(self) -> JsonObject:
        found: JsonObject = {}
        for node, _ in walk(self._root):
            for name in (node.get("$anchor"), node.get("$dynamicAnchor")):
                if isinstance(name, str):
                    found.setdefault(name, node)
        return found

    def is_circle(self, reference: str) -> bool:
        """Say whether following the reference, and it alone, never ends."""
        known = self._circles
        way: dict[str, None] = {}
        while reference not in known and reference not in way:
            way[reference] = None
            target = self.of(reference)
            following = target.get("$ref") if isinstance(target, dict) else None
            if not isinstance(following, str):
                known[reference] = False
            else:
                reference = following
        known.update(dict.fromkeys(way, known.get(reference, True)))
        return known[reference]


def target_of(root: JsonObject, reference: str) -> JsonValue | None:
    """Return what a reference inside the schema points to, or None where it points nowhere."""
    return Targets(root).of(reference)


def _follow(root: JsonObject, fragment: str) -> JsonValue | object:
    node: JsonValue | object = root
    for part in fragment.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            return _MISSING
    return node


def resolve_references(root: JsonObject, moved: dict[str, str], notes: list[Note]) -> None:
    """Point every reference to where its target went, in place, and note those that point nowhere.

    Args:
        root: the schema as read.
        moved: for each part that changed its place, its JSON pointer before and after.
        notes: where findings go.
    """
    nodes = list(walk(root))
    if any(isinstance(node.get("$id"), str) for node, _ in nodes):
        # An `$id` changes what references are relative to: the validator resolves those when it is compiled.
        return
    referring = [(node, path) for node, path in nodes if isinstance(node.get("$ref"), str)]
    for node, _ in referring:
        if node["$ref"].startswith("#"):
            node["$ref"] = _moved(node["$ref"], moved)
    targets = Targets(root)
    for node, path in referring:
        reference = node["$ref"]
        if targets.find(reference) is _MISSING:
            remedy = "put the definition under `$defs` of this schema" if not reference.startswith("#") else ""
            message = f"the reference {shown(reference)} points to nothing in this schema"
            notes.append(Note(f"{pointer(path)}/$ref", "error", message, remedy or "define it, or write it out"))
        elif targets.is_circle(reference):
            message = f"the reference {shown(reference)} only leads back to itself"
            notes.append(Note(f"{pointer(path)}/$ref", "error", message, "write the schema out"))


def _moved(reference: str, moved: dict[str, str]) -> str:
    fragment = unquote(reference[1:])
    return "#" + moved[fragment] if fragment in moved else reference
