"""Python functions as tools: parameters from the signature, through pydantic, and from the docstring.

A function is named `package.module:function`, or given as it is. The module that is named is imported, as any import
is with what it imports itself; no function is called.

Docstrings are read here: docstring_parser, tried in place of that, finds less in those of eleven libraries (5,301 of
6,018 parameters against 5,400; 252 that are none against 185), takes three times as long, and 20 ms to import.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import typing
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter
from pydantic.errors import PydanticUserError

from generator.errors import Problem
from generator.formats.format import RawTool
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Level, Note, walk
from generator.schemas.types import read_type

_NAMED = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*(?:\.[^\W\d]\w*)*)")
_GATHERING = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def names_function(source: str) -> bool:
    """Say whether a source is `package.module:function` and no file that is there."""
    return _NAMED.fullmatch(source) is not None and not Path(source).exists()


def import_function(source: str) -> Callable[..., Any] | Problem:
    """Import the module that a source names and return its function, or say why that cannot be."""
    module_name, _, path = source.partition(":")
    try:
        with _folder_on_path():
            found: Any = import_module(module_name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - code of the user's: whatever it raises is one message
        message = f"cannot be imported: {type(error).__name__}: {error}"
        return Problem(source, message, "check the name, and that it is installed or in this folder")
    for name in path.split("."):
        if not hasattr(found, name):
            return Problem(source, f"{module_name} has no {path!r}", "name a function of the module")
        found = getattr(found, name)
    if inspect.isclass(found) or not callable(found):
        what = "a class" if inspect.isclass(found) else f"of the type {type(found).__name__}"
        return Problem(source, f"is {what}, no function", "name a function")
    return found  # type: ignore[no-any-return]  # anything callable


@contextmanager
def _folder_on_path() -> Iterator[None]:
    """Let modules of the working folder be found, as `python -m` does."""
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


@dataclass(slots=True)
class _Reading:
    """What reading one function found."""

    said: Docstring
    hints: dict[str, Any]
    notes: list[Note] = field(default_factory=list)

    def note(self, level: Level, message: str, remedy: str = "", name: str = "") -> None:
        """Note a finding, of one parameter where it is named."""
        at = "/parameters" + pointer(("properties", name)) if name else ""
        self.notes.append(Note(at, level, message, remedy))


def read_function(function: Callable[..., Any]) -> RawTool:
    """Read one function as the definition of a tool."""
    name = _name(function)
    said = read_docstring(inspect.getdoc(_plain(function)))
    hints, problem = _hints(function)
    reading = _Reading(said, hints)
    if problem:
        reading.note("error", problem, "make its annotations importable at run time")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        reading.note("error", f"has no signature: {error}", "write it in Python, with annotations")
        signature = inspect.Signature()
    kept = [one for one in _own(signature, function, reading) if _is_readable(one, reading)]
    return RawTool(
        pointer="",
        name=name,
        description=said.text or None,
        parameters=_parameters(kept, reading),
        result_schema=_result(reading),
        result_at="/return",
        notes=tuple(reading.notes),
    )


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function behind `functools.partial`."""
    return function.func if isinstance(function, functools.partial) else function


def _name(function: Callable[..., Any]) -> str:
    plain = _plain(function)
    return str(getattr(plain, "__name__", type(plain).__name__))


def _hints(function: Callable[..., Any]) -> tuple[dict[str, Any], str]:
    """Return the annotations, resolved, and what is wrong with them."""
    plain = inspect.unwrap(_plain(function))
    plain = plain if inspect.isroutine(plain) else type(plain).__call__
    try:
        return typing.get_type_hints(plain, include_extras=True), ""
    except (NameError, TypeError, AttributeError, SyntaxError) as error:
        return {}, f"its annotations cannot be resolved: {error}"


def _own(signature: inspect.Signature, function: Callable[..., Any], reading: _Reading) -> Iterator[inspect.Parameter]:
    """Yield the parameters that arguments can be given for."""
    is_method = "." in getattr(function, "__qualname__", "").rpartition("<locals>.")[2]
    for index, one in enumerate(signature.parameters.values()):
        if one.kind in _GATHERING:
            stars = _GATHERING[one.kind]
            reading.note("lost", f"`{stars}{one.name}` takes any number of values: no argument")
        elif index == 0 and is_method and one.name in ("self", "cls") and one.name not in reading.hints:
            reading.note("lost", f"`{one.name}` is the object of the method: no argument")
        else:
            yield one


def _is_readable(one: inspect.Parameter, reading: _Reading) -> bool:
    """Say whether JSON can hold a parameter; one that may be left out is, the others are errors."""
    if one.name not in reading.hints:
        return True
    problem = _type_problem(reading.hints[one.name])
    if not problem:
        return True
    if one.default is not inspect.Parameter.empty:
        reading.note("lost", f"`{one.name}` is of a type that JSON cannot hold: left out, it has a default")
    else:
        message = f"the parameter `{one.name}` is of a type that JSON cannot hold: {problem}"
        reading.note("error", message, "annotate it with a type pydantic can describe, or give it a default")
    return False


def _type_problem(hint: Any) -> str:
    """Return why pydantic has no JSON Schema for a type, or ""."""
    try:
        _schema_of(hint)
    except (PydanticUserError, TypeError, ValueError, NameError, AttributeError) as error:
        return str(error).splitlines()[0][:200]
    return ""


def _schema_of(hint: Any, mode: typing.Literal["validation", "serialization"] = "validation") -> JsonObject:
    with warnings.catch_warnings():
        # A default that JSON cannot hold is reported by its parameter.
        warnings.simplefilter("ignore")
        return _untitled(TypeAdapter(hint).json_schema(mode=mode))


def _untitled(schema: JsonObject) -> JsonObject:
    """Leave out the titles that pydantic makes of names."""
    for node, _ in list(walk(schema)):
        if isinstance(node.get("title"), str):
            del node["title"]
    return schema


def _parameters(given: list[inspect.Parameter], reading: _Reading) -> JsonObject:
    """Return the object schema of the arguments."""
    annotations = {one.name: _annotation(one, reading) for one in given}
    keyword_only = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=_default(one, reading), annotation=hint)
        for one, hint in zip(given, annotations.values(), strict=True)
    ]

    def call(**arguments: object) -> None:
        """Stand for the function, with what arguments can be given for."""

    call.__signature__ = inspect.Signature(keyword_only)  # type: ignore[attr-defined]  # pydantic reads it
    call.__annotations__ = annotations
    schema = _schema_of(call)
    for one in given:
        if one.name not in reading.hints:
            schema["properties"][one.name].update(_unannotated(one, reading))
    return schema


def _annotation(one: inspect.Parameter, reading: _Reading) -> Any:
    """Return the annotation of a parameter, with the description that the docstring gives it."""
    hint = reading.hints.get(one.name, Any)
    described = reading.said.parameters.get(one.name, Described())
    return typing.Annotated[hint, Field(description=described.text)] if described.text else hint


def _default(one: inspect.Parameter, reading: _Reading) -> Any:
    """Return the default of a parameter; one that JSON cannot hold is reported."""
    if one.default is inspect.Parameter.empty:
        return one.default
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            TypeAdapter(typing.Annotated[Any, Field(default=one.default)]).json_schema()
    except UserWarning:
        reading.note("lost", f"the default of `{one.name}` is nothing that JSON can hold: left out", name=one.name)
    return one.default


def _unannotated(one: inspect.Parameter, reading: _Reading) -> JsonObject:
    """Return what is known of a parameter without annotation: the type that the docstring or its default says."""
    written = reading.said.parameters.get(one.name, Described()).kind
    if written and read_type(written) is not None:
        reading.note("changed", f"has no annotation: its type is the docstring's, {written!r}", name=one.name)
        return {"type": written}
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    if (kind := kinds.get(type(one.default))) is not None:
        reading.note("changed", f"has no annotation: its type is that of its default, {kind}", name=one.name)
        return {"type": kind}
    reading.note("advice", f"`{one.name}` has no annotation: any value is taken", "annotate it", one.name)
    return {}


def _result(reading: _Reading) -> JsonValue:
    """Return the schema of what the function returns; None where it does not say, or returns nothing."""
    hint = reading.hints.get("return", Any)
    if hint in (Any, None, type(None)):
        return None
    try:
        schema = _schema_of(hint, "serialization")
    except (PydanticUserError, TypeError, ValueError, NameError, AttributeError) as error:
        reading.note("lost", f"what it returns is of a type that JSON cannot hold: {str(error).splitlines()[0][:200]}")
        return None
    if not schema:
        return None
    return {"description": reading.said.returns, **schema} if reading.said.returns else schema


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
            listed, kind, *text = entry.groups("")  # NumPy's have no text on this line
            names = [name.strip(" *") for name in listed.split(",")]
            known = [Described("".join(text).strip(), kind.strip()) for _ in names]
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
