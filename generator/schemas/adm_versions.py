"""Versions of ADM: a structure may declare the one it is written in (ADM, 5.1.2, 5.1.5 and 5.2.2).

A newer PATCH changes nothing, a newer MINOR only adds, so both are read; a newer MAJOR breaks, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.jsontext import JsonObject
from generator.schemas.adm import AdmRule, Finding
from generator.schemas.node import shown

VERSION_FIELDS = ("_adm_version", "_version")
"""Where a structure declares its version; the first that is there counts."""

_VERSION = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})")


class AdmVersion(NamedTuple):
    """A version of ADM."""

    major: int
    minor: int
    patch: int


SUPPORTED = AdmVersion(1, 0, 0)


def read_version(structure: JsonObject) -> AdmVersion | None:
    """Return the version that a structure declares; None where it declares none that can be read."""
    field = _field(structure)
    text = structure.get(field) if field is not None else None
    found = _VERSION.fullmatch(text) if isinstance(text, str) else None
    return AdmVersion(int(found[1]), int(found[2]), int(found[3])) if found else None


def is_newer_minor(structure: JsonObject) -> bool:
    """Say whether a structure is of a newer MINOR version, which may hold what this one does not know."""
    version = read_version(structure)
    return version is not None and version.major == SUPPORTED.major and version.minor > SUPPORTED.minor


def is_refused(structure: JsonObject) -> bool:
    """Say whether a structure is of a newer MAJOR version, of which nothing can be known."""
    version = read_version(structure)
    return version is not None and version.major > SUPPORTED.major


def _field(structure: JsonObject) -> str | None:
    return next((name for name in VERSION_FIELDS if structure.get(name) is not None), None)


def _version_is_readable(structure: JsonObject) -> Iterator[Finding]:
    field = _field(structure)
    if field is not None and read_version(structure) is None:
        yield (field,), f"{shown(structure[field])} is no version; a version is MAJOR.MINOR.PATCH"


def _major_is_known(structure: JsonObject) -> Iterator[Finding]:
    if is_refused(structure):
        field = _field(structure) or ""
        yield (field,), f"ADM {structure[field]} is not known here, and may break with {SUPPORTED.major}"


def _version_is_not_older(structure: JsonObject) -> Iterator[Finding]:
    version = read_version(structure)
    if version is not None and version < SUPPORTED:
        field = _field(structure) or ""
        yield (field,), f"ADM {structure[field]} is older than {SUPPORTED.major}.0.0, as which it is read"


VERSION_RULES: tuple[AdmRule, ...] = (
    AdmRule(
        "ADM251", "5.1.1", "A version is MAJOR.MINOR.PATCH.", "deviation", "write it like 1.0.0", _version_is_readable
    ),
    AdmRule(
        "ADM252", "5.1.2", "The MAJOR version is one that is known.", "error",
        f"write it in ADM {SUPPORTED.major}", _major_is_known,
    ),
    AdmRule(
        "ADM253", "5.1.2", "The version is not older than 1.0.0.", "advice",
        f"write it in ADM {SUPPORTED.major}", _version_is_not_older,
    ),
)  # fmt: skip
"""The rules for the version that a Tool, a FunctionCall or a ToolResult declares."""
