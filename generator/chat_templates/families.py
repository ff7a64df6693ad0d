"""What was found out for the chat templates of model families, told by the names of models: nothing is downloaded.

`assets/model_families.json` is written by `python -m tests.benchmarks.bench_chat_templates FOLDER --write`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import orjson

from generator.assets import asset_file
from generator.chat_templates.forms import Form

_SEPARATORS = re.compile(r"[^a-z0-9.]+")
_VERSION = re.compile(r"(?<=\d)[-_](?=\d+(?:[-_]|$))")
"""A version as files write it: llama3_1."""


@dataclass(frozen=True, slots=True)
class Family:
    """The models of one name, and what came of the templates that were tried."""

    name: str
    pattern: str
    """What the names of its models match, as `plain` writes them."""
    form: Form
    """The form that every template of it takes that takes one at all."""
    tried: int
    whole: int
    """How many of the templates tried pass whole in that form."""
    drops: tuple[str, ...] = ()
    """What one of those templates drops all the same."""
    why: tuple[str, ...] = ()
    """What is wrong with the others."""
    marked: int = 0
    """How many of them mark what the assistant says."""


@cache
def families() -> tuple[Family, ...]:
    """Return the families, those whose names are more special first."""
    read = orjson.loads(asset_file("model_families.json").read_bytes())
    return tuple(_family(each) for each in read)


def _family(said: dict[str, object]) -> Family:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    return Family(**{**fields, "form": Form(**said["form"])})  # type: ignore[arg-type]  # a file of our own


def plain(name: str) -> str:
    """Return the name of a model, or of a template's file, as the patterns of families are written."""
    last = name.rstrip("/").rpartition("/")[2].lower().removesuffix(".jinja")
    return _SEPARATORS.sub("-", _VERSION.sub(".", last) if "_" in last else last)


def family_of(name: str) -> Family | None:
    """Return the family of a model's name, of a family's own name, or of the name of a template's file."""
    exact = next((each for each in families() if each.name.lower() == name.lower()), None)
    return exact or next((each for each in families() if re.search(each.pattern, plain(name))), None)
