"""Files of settings that a user writes, in TOML or JSON, told apart by content."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from generator.errors import UsageError
from generator.jsontext import JsonObject

_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file of settings holds, and where."""

    file: Path
    held: JsonObject
    text: str

    def place(self, key: str, *inside: str) -> str:
        """Return the file, with the line where a key is given, as far as it can be told.

        The key is one of the outermost table; `inside` is the way on to one in it.
        """
        line = _line_of(key, self.text)
        for name in inside:
            skipped = line - 1 if line else 0
            following = "\n".join(self.text.split("\n")[skipped:])
            further = _line_of(name, following, self.text.lstrip().startswith("{"))
            line = skipped + further if further else line
        return f"{self.file}:{line}" if line else str(self.file)


NO_SETTINGS = Settings(Path(), {}, "")


def _line_of(key: str, text: str, is_json: bool | None = None) -> int | None:
    """Return the line that begins with a key, in JSON the first that has it; None where it is written otherwise."""
    name = re.escape(key)
    forms = f"(?:{name}|\"{name}\"|'{name}')"
    is_json = text.lstrip().startswith("{") if is_json is None else is_json
    before, after = (r"[^\n]*?", ":") if is_json else (r"[ \t]*\[{0,2}[ \t]*", r"[=.\]]")
    found = re.search(rf"^{before}{forms}[ \t]*{after}", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else None


def read_settings(file: Path, option: str, what: str, error: type[UsageError] = UsageError) -> Settings:
    """Read a file that an option names.

    Args:
        file: its path.
        option: the option that names it, as in `--job`.
        what: what such a file is called, as in `job file`.
        error: what is raised.

    Raises:
        UsageError: it cannot be read, is too large, or neither TOML nor JSON; the message says where.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    except OSError as problem:
        raise error(f"{file}: cannot be read: {problem.strerror}; give {option} a TOML or JSON file") from problem
    if len(data) > _LARGEST:
        raise error(f"{file}: larger than {_LARGEST:,} bytes, this is no {what}")
    try:
        text = data.decode("utf-8-sig")
        held = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except UnicodeDecodeError as problem:
        raise error(f"{file}: not UTF-8 at byte {problem.start}") from problem
    except json.JSONDecodeError as problem:
        raise error(f"{file}:{problem.lineno}:{problem.colno}: broken JSON: {problem.msg}") from problem
    except tomllib.TOMLDecodeError as problem:
        raise error(f"{file}: broken TOML: {problem}") from problem
    except (RecursionError, ValueError) as problem:
        raise error(f"{file}: nested too deep, or a number is too long; this is no {what}") from problem
    return Settings(file, dict(held), text)
