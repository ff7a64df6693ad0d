"""Docstrings of functions, in the styles of Google, NumPy and Sphinx: what is said, and of which parameter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_ARGUMENTS = frozenset({"args", "arguments", "parameters", "params", "keyword args", "keyword arguments"})
_OTHERS = frozenset(
    {"returns", "return", "yields", "raises", "examples", "example", "notes", "note", "see also", "warns", "attributes"}
    | {"other parameters", "references", "todo", "warnings", "usage"}
)
_UNDERLINE = re.compile(r"-{3,}\s*")
_GOOGLE = re.compile(r"\*{0,2}(\w+)\s*(?:\((.*?)\))?\s*:\s*(.*)")
_NUMPY = re.compile(r"\*{0,2}([\w, ]+?)\s*(?::\s*(.*))?")
_FIELD = re.compile(r":(\w+)(?:\s+([^:]*?))?\s*:\s*(.*)")
_PARAMETER_FIELDS = frozenset({"param", "parameter", "arg", "argument", "key", "keyword"})


@dataclass(slots=True)
class Described:
    """What a docstring says of one parameter."""

    text: str = ""
    kind: str = ""
    """Its type as written, "" where it is not said."""


@dataclass(slots=True)
class Docstring:
    """A docstring taken apart."""

    text: str = ""
    """What stands before the sections."""
    parameters: dict[str, Described] = field(default_factory=dict)
    returns: str = ""


def read_docstring(text: str | None) -> Docstring:
    """Take a docstring apart; one in none of the styles is text alone."""
    found = Docstring()
    lines = inspect.cleandoc(text or "").splitlines()
    section, body, before = "", list[str](), list[str]()
    index = 0
    while index < len(lines):
        line = lines[index]
        underlined = index + 1 < len(lines) and _UNDERLINE.fullmatch(lines[index + 1]) is not None
        heading = _heading(line, underlined=underlined)
        if heading or _FIELD.fullmatch(line):
            _close(found, section, body, before)
            section, body = heading or "field", [] if heading else [line]
            index += 1 if heading and underlined else 0
        else:
            body.append(line)
        index += 1
    _close(found, section, body, before)
    found.text = "\n".join(before).strip()
    return found


def _heading(line: str, *, underlined: bool) -> str:
    """Return the section that a line opens, with `/numpy` where it is underlined; "" for none."""
    name = line.strip().casefold()
    if line[:1].isspace() or not (underlined or name.endswith(":")):
        return ""
    name = name.removesuffix(":")
    return f"{name}/numpy" if underlined else name if name in _ARGUMENTS | _OTHERS else ""


def _close(found: Docstring, section: str, body: list[str], before: list[str]) -> None:
    """Take over the lines of a section that ended."""
    name, _, style = section.partition("/")
    if not section:
        before += body
    elif name == "field":
        _read_field(found, body)
    elif name in _ARGUMENTS or name == "other parameters":
        _read_entries(found, body, _NUMPY if style else _GOOGLE)
    elif name in ("returns", "return"):
        found.returns = _joined(body)


def _joined(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())


def _read_entries(found: Docstring, body: list[str], pattern: re.Pattern[str]) -> None:
    """Read `name (type): text`, or NumPy's `name : type` with the text below it."""
    lines = inspect.cleandoc("\n".join(["", *body])).splitlines()
    known: list[Described] = []
    for line in lines:
        entry = None if line[:1].isspace() or not line.strip() else pattern.fullmatch(line.strip())
        if entry:
            names = [name.strip(" *") for name in entry[1].split(",")]
            text = (entry[3] or "") if pattern is _GOOGLE else ""
            known = [Described(text.strip(), (entry[2] or "").strip()) for _ in names]
            found.parameters.update(zip(names, known, strict=True))
        elif line.strip():
            for one in known:
                one.text = _joined([one.text, line])


def _read_field(found: Docstring, body: list[str]) -> None:
    """Read one field of Sphinx's: `:param int name: text`, `:type name: int`, `:returns: text`."""
    head = _FIELD.fullmatch(body[0])
    if head is None:
        return
    field_name, target, text = head[1].casefold(), (head[2] or "").split(), _joined([head[3], *body[1:]])
    if field_name in _PARAMETER_FIELDS and target:
        one = found.parameters.setdefault(target[-1].lstrip("*"), Described())
        one.text, one.kind = text, " ".join(target[:-1]) or one.kind
    elif field_name == "type" and target:
        found.parameters.setdefault(target[-1], Described()).kind = text
    elif field_name in ("return", "returns"):
        found.returns = text
