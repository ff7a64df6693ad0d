"""Unchanged: whether the latest build is what a new one would be, seen in a moment, without what a build imports."""

from __future__ import annotations

from pathlib import Path

import orjson

from generator.builds.folder import MANIFEST, BuildsFolder, is_own
from generator.builds.inputs import Inputs
from generator.builds.settings import RequestedBuild
from generator.jsontext import JsonObject

PUSHED = "pushed.json"
"""Which build each target was given last."""


def find_unchanged(folder: BuildsFolder, asked: RequestedBuild, inputs: Inputs) -> Path | None:
    """Return the latest build where nothing changed since: neither what it was made from nor its files' sizes.

    Raises:
        StorageError: something else lies where `latest` belongs.
    """
    latest = folder.latest_build()
    if latest is None or not inputs.sealed or not is_own(latest):
        return None
    try:
        held = orjson.loads((latest / MANIFEST).read_bytes())
        same = held["inputs"] == inputs.model_dump(mode="json") and all(
            (latest / file["path"]).stat().st_size == file["size"] for file in held["files"]
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return None
    return latest if same and is_pushed(folder, asked, latest) else None


def is_pushed(folder: BuildsFolder, asked: RequestedBuild, build: Path) -> bool:
    """Say whether every target has been given the build."""
    targets = asked.settings.publish.push
    known = pushed_to(folder) if targets else {}
    return all(known.get(target) == build.name for target in targets)


def pushed_to(folder: BuildsFolder) -> JsonObject:
    """Return the name of the build that each target was given last."""
    try:
        found = orjson.loads((folder.path / PUSHED).read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
