"""What lies beside a file of questions and belongs to them: the accepted answers, and the definitions of classes.

Benchmarks keep both in files of their own. They are found by their places, `possible_answer/NAME` and
`multi_turn_func_doc/`, and joined to the questions by ids and names of classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from generator.datasets.lines import as_lines
from generator.disk import disk_errors
from generator.errors import UsageError
from generator.jsontext import JsonObject, JsonValue

_ANSWERS, _DEFINITIONS = "possible_answer", "multi_turn_func_doc"
_LARGEST = 512 * 1024 * 1024
"""Bytes of the largest file of answers: they are kept in memory."""
_NAMES_OF_CLASSES = {"TwitterAPI": "posting_api", "TravelAPI": "travel_booking"}
"""Classes whose definitions lie under another name than their own."""
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(slots=True)
class Companions:
    """The answers by the ids of their questions, and the folder of definitions."""

    answers: dict[JsonValue, JsonValue] = field(default_factory=dict)
    definitions: Path | None = None
    _known: dict[str, list[JsonValue]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Say whether there is anything to join."""
        return bool(self.answers) or self.definitions is not None

    def join(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield each line with what belongs to it; a line that is no JSON stays as it is."""
        for line in lines:
            more = self._more(line)
            yield line.rstrip()[:-1] + b"," + orjson.dumps(more)[1:] + b"\n" if more else line

    def _more(self, line: bytes) -> JsonObject:
        try:
            question = orjson.loads(line)
        except orjson.JSONDecodeError:
            return {}
        if not isinstance(question, dict) or not question:
            return {}
        more: JsonObject = {}
        identity = question.get("id")
        if isinstance(identity, str | int) and identity in self.answers and "ground_truth" not in question:
            more["ground_truth"] = self.answers[identity]
        classes = question.get("involved_classes")
        if self.definitions is not None and isinstance(classes, list) and "function" not in question:
            more["function"] = [tool for name in classes for tool in self._tools_of(name)]
        return more

    def _tools_of(self, name: JsonValue) -> list[JsonValue]:
        if not isinstance(name, str) or self.definitions is None:
            return []
        if name not in self._known:
            path = self.definitions / f"{_NAMES_OF_CLASSES.get(name) or _file_name(name)}.json"
            self._known[name] = _values(path) if path.is_file() else []
        return self._known[name]


def _file_name(name: str) -> str:
    return _BETWEEN_WORDS.sub("_", name).lower().replace("mathapi", "math_api")


def companions_of(path: Path, answers: str | None = None) -> Companions:
    """Find what belongs to a file of questions: beside it, or the file of answers that is named.

    Raises:
        UsageError: the file of answers is too large to be kept.
        StorageError: one of them cannot be read.
    """
    beside = Path(answers) if answers else path.parent / _ANSWERS / path.name
    definitions = path.parent / _DEFINITIONS
    found = Companions(definitions=definitions if definitions.is_dir() else None)
    if beside.is_file() and (answers or not beside.samefile(path)):
        found.answers = _answers(beside)
    elif answers:
        raise UsageError(f"{answers}: there is no such file of answers")
    return found


def _answers(path: Path) -> dict[JsonValue, JsonValue]:
    with disk_errors(path):
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"{path}: {_LARGEST // 2**20} MB of answers are kept in memory at most; split the file")
    said = [answer for answer in _values(path) if isinstance(answer, dict)]
    return {answer["id"]: answer.get("ground_truth") for answer in said if isinstance(answer.get("id"), str | int)}


def _values(path: Path) -> list[JsonValue]:
    with disk_errors(path), path.open("rb") as stream:
        lines = [line for line in as_lines(stream, str(path)) if line.strip()]
    try:
        return [orjson.loads(line) for line in lines]
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{path}: is no JSON: {error}") from error
