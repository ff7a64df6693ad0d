"""The file of prices: what a million tokens of each model cost, written by the user; no list of ours could stay true.

[my-model]        # TOML; or the same as JSON
in = 0.15
out = 0.60
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from generator.backends.limits import Price
from generator.boundary import BoundaryModel
from generator.errors import UsageError
from generator.jsontext import JsonValue
from generator.suggest import did_you_mean

_LARGEST_FILE = 1 << 20
_FEW = 8
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class _Entry(BoundaryModel):
    """The prices of one model, of a million tokens each."""

    prompt: _Amount = Field(alias="in")
    completion: _Amount = Field(alias="out")


_ENTRIES = TypeAdapter(dict[str, _Entry])


def read_price(path: Path, model: str) -> Price:
    """Return what a model costs by a file of prices, TOML or JSON told apart by content.

    Raises:
        UsageError: the file cannot be read, says something else, or does not have the model.
    """
    try:
        entries = _ENTRIES.validate_python(_document(path))
    except ValidationError as error:
        mistake = error.errors(include_url=False, include_context=False)[0]
        place = "/".join(map(str, mistake["loc"]))
        raise UsageError(
            f"{path}#/{place}: {mistake['msg']}; write both prices of each model, as in [my-model] in = 0.15 out = 0.6"
        ) from error
    if model not in entries:
        known = did_you_mean(model, entries) or f"it has {', '.join(list(entries)[:_FEW]) or 'none'}"
        raise UsageError(f"{path}: no prices of the model {model!r}; {known}")
    return Price(entries[model].prompt, entries[model].completion)


def _document(path: Path) -> JsonValue:
    try:
        with path.open("rb") as opened:
            data = opened.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; give --prices a TOML or JSON file") from error
    if len(data) > _LARGEST_FILE:
        raise UsageError(f"{path}: larger than {_LARGEST_FILE:,} bytes, this is no file of prices")
    try:
        text = data.decode("utf-8-sig")
        found: JsonValue = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: broken JSON: {error.msg}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: broken TOML: {error}") from error
    except (RecursionError, ValueError) as error:  # a UnicodeDecodeError is one
        raise UsageError(f"{path}: neither TOML nor JSON in UTF-8") from error
    return found
