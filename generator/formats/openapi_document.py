"""One OpenAPI document: its version, and its references, which are followed inside it and never out of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.node import Level, Note, shown
from generator.schemas.references import target_of

_MAX_HOPS = 20


class UnfollowableError(Exception):
    """A reference that leads nowhere, in circles, or out of the document."""

    def __init__(self, message: str, remedy: str) -> None:
        self.remedy = remedy
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class ApiDocument:
    """The document as parsed; `version` is "2.0", "3.0" or "3.1"."""

    root: JsonObject
    version: str

    def target(self, reference: str) -> JsonValue:
        """Return what a reference points to.

        Raises:
            UnfollowableError: it points to nothing, or to another document.
        """
        if not reference.startswith("#"):
            message = f"the reference {shown(reference)} leads to another document, which is never fetched"
            raise UnfollowableError(message, "bundle the documents into one")
        target = target_of(self.root, reference)
        if target is None:
            raise UnfollowableError(f"the reference {shown(reference)} points to nothing", "define it, or write it out")
        return target

    def resolved(self, value: JsonValue, place: str = "") -> tuple[JsonValue, str]:
        """Follow an object's `$ref`, and the next, to what stands there; return it with its place.

        Raises:
            UnfollowableError: a reference cannot be followed.
        """
        for _ in range(_MAX_HOPS):
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str):
                return value, place
            value, place = self.target(reference), reference[1:]
        raise UnfollowableError("the reference only leads on to others", "write it out")

    def resolved_object(self, value: JsonValue, place: str, what: str) -> tuple[JsonObject, str]:
        """Follow references as `resolved` does, to an object.

        Raises:
            UnfollowableError: a reference cannot be followed, or there is no object at its end.
        """
        target, place = self.resolved(value, place)
        if not isinstance(target, dict):
            raise UnfollowableError(f"{what} is {shown(target)}, no object", f"write {what} as OpenAPI has it")
        return target, place


@dataclass(slots=True)
class Findings:
    """What reading one operation found; pointers are relative to the operation."""

    notes: list[Note] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    """Where the parts of the schemas that are made of the operation stand in the document."""

    def note(self, level: Level, at: str, message: str, remedy: str = "") -> None:
        """Note a finding, once."""
        found = Note(at, level, message, remedy)
        if found not in self.notes:
            self.notes.append(found)


def api_version(root: JsonObject) -> str | None:
    """Return the version whose rules a document follows, or None for one that is not known."""
    given = str(root.get("openapi", root.get("swagger", "")))
    if "openapi" not in root:
        return "2.0" if given in ("2.0", "2") else None
    major_minor = ".".join(given.split(".")[:2])
    return major_minor if major_minor in ("3.0", "3.1") else None
