"""Where the files that ship with toolgen are: in a checkout, an editable install and a wheel alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def asset_folder(name: str) -> Path:
    """Return the folder of shipped files called `name` ("prompts" or "tool_specs").

    A wheel carries it inside the package; a checkout has it beside the package.
    """
    inside = _PACKAGE / "assets" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def asset_file(name: str) -> Path:
    """Return a file of data that lies inside the package."""
    return _PACKAGE / "assets" / name


def asset_document(path: str) -> Path:
    """Return a page of documentation by its path in the repository.

    A wheel carries the package and, among its assets, the pages that a checkout has beside it.
    """
    inside = _PACKAGE / "assets" / path
    return inside if inside.is_file() else _PACKAGE.parent / path
