"""The file of prices: what a million tokens of each model cost, written by the user; no list of ours could stay true.

[my-model]        # TOML; or the same as JSON
in = 0.15
out = 0.60
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from generator.backends.limits import Price
from generator.boundary import BoundaryModel
from generator.errors import UsageError
from generator.settings_file import read_settings
from generator.suggest import did_you_mean

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
        entries = _ENTRIES.validate_python(read_settings(path, "--prices", "file of prices"))
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
