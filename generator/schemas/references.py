"""References inside one schema: where they point after reading, and whether they point anywhere."""

from __future__ import annotations

from urllib.parse import unquote

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import walk
from generator.schemas.node import shown
from generator.schemas.notes import Note

_MISSING = object()


def target_of(root: JsonObject, reference: str) -> JsonValue | None:
    """Return what a reference inside the schema points to, or None where it points nowhere."""
    found = _follow(root, reference)
    return None if found is _MISSING else found


def _follow(root: JsonObject, reference: str) -> JsonValue | object:
    if not reference.startswith("#"):
        return _MISSING
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        return _anchored(root, fragment)
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


def _anchored(root: JsonObject, name: str) -> JsonValue | object:
    for node, _ in walk(root):
        if name in (node.get("$anchor"), node.get("$dynamicAnchor")):
            return node
    return _MISSING


def resolve_references(root: JsonObject, moved: dict[str, str], notes: list[Note]) -> None:
    """Point every reference to where its target went, in place, and note those that point nowhere.

    Args:
        root: the schema as read.
        moved: for each part that changed its place, its JSON pointer before and after.
        notes: where findings go.
    """
    identified = {node["$id"] for node, _ in walk(root) if isinstance(node.get("$id"), str)}
    for node, path in walk(root):
        reference = node.get("$ref")
        if not isinstance(reference, str) or identified:
            # An `$id` changes what references are relative to: the validator resolves those when it is compiled.
            continue
        if reference.startswith("#"):
            node["$ref"] = _moved(reference, moved)
        if _follow(root, node["$ref"]) is _MISSING:
            remedy = "put the definition under `$defs` of this schema" if not reference.startswith("#") else ""
            message = f"the reference {shown(reference)} points to nothing in this schema"
            notes.append(Note(f"{pointer(path)}/$ref", "error", message, remedy or "define it, or write it out"))
        elif _is_circle(root, node["$ref"]):
            message = f"the reference {shown(reference)} only leads back to itself"
            notes.append(Note(f"{pointer(path)}/$ref", "error", message, "write the schema out"))


def _moved(reference: str, moved: dict[str, str]) -> str:
    fragment = unquote(reference[1:])
    return "#" + moved[fragment] if fragment in moved else reference


def _is_circle(root: JsonObject, reference: str) -> bool:
    """Say whether following the reference, and it alone, never ends."""
    seen: set[str] = set()
    while reference not in seen:
        seen.add(reference)
        target = target_of(root, reference)
        following = target.get("$ref") if isinstance(target, dict) else None
        if not isinstance(following, str):
            return False
        reference = following
    return True
