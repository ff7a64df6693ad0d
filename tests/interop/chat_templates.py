"""The chat templates that other projects ship, rendered the way `transformers` renders them, and what came of records.

A rendered record is whole when every text, call, argument and result is in it, in the order of the record, and the
arguments of no call are JSON text inside JSON text.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

Json = Any  # parsed JSON

DISTRIBUTIONS = ("trl==1.16.0", "axolotl==0.19.0", "llama-cpp-python==0.3.36")
FOLDERS = ("trl/chat_templates/", "axolotl/utils/chat_templates/templates/", "vendor/llama.cpp/models/templates/")


class Unreachable(Exception):
    """The package index did not give an archive."""


def fetch(requirement: str, folder: Path) -> dict[str, str]:
    """Return the templates of a distribution by `distribution/file`; its archive is read, never installed."""
    name = requirement.partition("==")[0]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    command += [*(["--no-binary", name] if name == "llama-cpp-python" else []), "--dest", str(folder), requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except subprocess.TimeoutExpired as error:
        raise Unreachable(f"{requirement}: no answer in time") from error
    if done.returncode:
        raise Unreachable(f"{requirement}: {done.stderr.strip().splitlines()[-1:]}")
    (archive,) = (path for path in folder.iterdir() if path.name.startswith(name.replace("-", "_")))
    return {f"{name}/{Path(path).name}": text for path, text in _texts(archive) if any(f in path for f in FOLDERS)}


def _texts(archive: Path) -> Iterator[tuple[str, str]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for path in wheel.namelist():
                if path.endswith(".jinja"):
                    yield path, wheel.read(path).decode()
        return
    with tarfile.open(archive) as source:
        for member in source:
            file = source.extractfile(member) if member.name.endswith(".jinja") else None
            if file is not None:
                yield member.name, io.TextIOWrapper(file, encoding="utf-8").read()


class _Generation(Extension):
    """The tag `generation`, which marks what is trained on and writes what is inside."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 declares it so

    def parse(self, parser: Any) -> nodes.CallBlock:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

    def _inside(self, caller: Any) -> str:
        return str(caller())


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)


def _to_json(value: Json, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def environment() -> ImmutableSandboxedEnvironment:
    """The environment in which `transformers` renders templates."""
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    made.filters["tojson"] = _to_json
    made.globals["raise_exception"] = _refuse
    made.globals["strftime_now"] = datetime(2026, 1, 15, tzinfo=UTC).strftime
    return made


ENVIRONMENT = environment()


def knows_tools(text: str) -> bool:
    """Say whether a template reads the tools shown, or the calls of a message."""
    tree = ENVIRONMENT.parse(text)
    attributes = {node.attr for node in tree.find_all(nodes.Getattr)}
    constants = {node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str)}
    shown = {"tools", "functions"} & meta.find_undeclared_variables(tree)
    return bool(shown) or "tool_calls" in attributes | constants


@lru_cache(maxsize=256)
def _compiled(text: str) -> jinja2.Template:
    return ENVIRONMENT.from_string(text)


def render(text: str, document: Json) -> str:
    """Render a record without a prompt for more."""
    return _compiled(text).render(
        messages=document["messages"],
        tools=document["tools"] or None,
        add_generation_prompt=False,
        bos_token="<s>",
        eos_token="</s>",
    )


@dataclass
class Reader:
    """Reads a rendered record from its start, and collects what it misses."""

    text: str
    at: int = 0
    began: int = 0
    """Where the last text that was found began."""
    calls_from: int = 0
    """Where the calls that wait for their results may begin."""

    def passes(self, spellings: list[str]) -> bool:
        """Go behind the next place at which a text stands in any of its spellings."""
        places = [(place, len(each)) for each in spellings if (place := self.text.find(each, self.at)) >= 0]
        if places:
            self.began, size = min(places)
            self.at = self.began + size
        return bool(places)

    def calls(self, calls: list[Json]) -> Iterator[str]:
        """Yield what is wrong with the calls of a turn, up to which the text has been read."""
        self.calls_from = self.at
        for call in calls:
            if not self.passes([call["function"]["name"]]):
                yield "lost: a call"
        for leaf in (leaf for call in calls for leaf in _leaves(call["function"]["arguments"])):
            if not any(self.text.find(each, self.calls_from) >= 0 for each in _spellings(leaf)):
                yield "lost: an argument"

    def encoded_twice(self, calls: list[Json]) -> Iterator[str]:
        """Yield where the text between the calls and what comes next holds their arguments as text inside text."""
        between = self.text[self.calls_from : self.began]
        if any(f'\\"{key}\\":' in between for call in calls for key in call["function"]["arguments"]):
            yield "encoded twice: the arguments of a call"


def faults(rendered: str, document: Json) -> Iterator[str]:
    """Yield what a rendered record has lost, put elsewhere or encoded twice."""
    for tool in document["tools"]:
        for part in ("name", "description"):
            if not any(each in rendered for each in _spellings(tool["function"][part])):
                yield f"lost: the {part} of a tool"
    reader = Reader(rendered)
    waiting: list[Json] = []
    for message in document["messages"]:
        content = message["content"].strip()
        if content and not reader.passes(_spellings(content)):
            yield f"{'moved' if content in rendered else 'lost'}: a message of the {message['role']}"
        yield from reader.encoded_twice(waiting)
        waiting = message.get("tool_calls", [])
        yield from reader.calls(waiting)


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _spellings(value: Json) -> list[str]:
    """How a value may stand in a text: as it is, as JSON, as Python says it."""
    if isinstance(value, str):
        quoted = [json.dumps(value, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True)]
        single = value.replace("\\", "\\\\").replace("'", "\\'")
        return list(dict.fromkeys([value, *quoted, repr(value)[1:-1], single]))
    return list(dict.fromkeys([json.dumps(value), str(value)]))
