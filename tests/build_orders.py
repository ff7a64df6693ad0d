"""Small job files and their builds, for the tests of builds."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from generator.builds.build import BuildReport, Order, build
from generator.builds.manifest import Manifest, read_manifest
from generator.builds.settings import read_build

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TODAY = date(2026, 3, 1)


def tool(name: str, what: str, **parameters: Any) -> dict[str, Any]:
    """A definition of a tool with a text each, required."""
    given = {each: {"type": "string", "description": said} for each, said in parameters.items()}
    schema = {"type": "object", "properties": given, "required": list(given)}
    return {"name": name, "description": what, "parameters": schema}


TOOLS = {
    "get_weather": tool("get_weather", "Tell the weather of a city.", city="The city"),
    "find_book": tool("find_book", "Find a book by its title.", title="The title of the book"),
    "add_note": tool("add_note", "Add a note.", text="What the note says"),
    "play_song": tool("play_song", "Play a song.", song="The name of the song"),
}


class Desk:
    """A folder with a job file, its tools, each in a file of its own, and its builds."""

    def __init__(self, path: Path, *, settings: str = "", **job: Any) -> None:
        self.path = path
        self.now = NOON
        self.steps: list[str] = []
        self.told: list[str] = []
        (path / "tools").mkdir()
        for name in ("get_weather", "find_book", "add_note"):
            self.write_tool(TOOLS[name])
        self.write_job(settings, **job)

    @property
    def file(self) -> Path:
        """The job file."""
        return self.path / "job.toml"

    @property
    def out(self) -> Path:
        """The folder of the builds."""
        return self.path / "output" / "nightly"

    @property
    def latest(self) -> Path:
        """The latest build."""
        return self.out / "latest"

    @property
    def manifest(self) -> Manifest:
        """The manifest of the latest build."""
        return read_manifest(self.latest)

    def write_tool(self, definition: dict[str, Any]) -> None:
        """Write a tool file."""
        (self.path / "tools" / f"{definition['name']}.json").write_text(json.dumps([definition]), encoding="utf-8")

    def write_job(self, settings: str = "", **job: Any) -> None:
        """Write the job file: flat keys, then tables."""
        given = {"name": "nightly", "tools": ["tools"], "count": 12, "mix": {"simple": 1, "irrelevance": 1}, **job}
        lines = [f"{key} = {_toml(value)}" for key, value in given.items()]
        self.file.write_text("\n".join(lines) + "\n" + settings, encoding="utf-8")

    def order(self, *, full: bool = False, **more: Any) -> Order:
        """What is asked for, a minute after the last time."""
        self.now += timedelta(minutes=1)
        asked = read_build(self.file, today=lambda: TODAY)
        return Order(
            asked,
            self.out,
            full=full,
            now=lambda: self.now,
            told=self.told.append,
            **{"on_step": self.steps.append, **more},
        )

    def build(self, **more: Any) -> BuildReport:
        """Build."""
        self.steps.clear()
        return build(self.order(**more))

    def records(self, build: Path | None = None) -> dict[int, bytes]:
        """The records of a build by index."""
        lines = ((build or self.latest) / "records.jsonl").read_bytes().splitlines()
        return {json.loads(line)["metadata"]["index"]: line for line in lines}

    def tree(self) -> dict[str, tuple[int, int]]:
        """Every file with its size and the time of its last change."""
        found = (path for path in self.path.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in found}


def shown(line: bytes) -> set[str]:
    """The tools that a record shows."""
    return {each["function"]["name"] for each in json.loads(line)["tools"]}


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)


Spoil = Callable[[Path], None]
