"""The `hf` format: rows of a Hugging Face data set, each message, tool and metadata a cell of JSON.

Guessed schemas fill every record with the null fields of all others, or fail; cells of the feature `Json` do not. That
reader rounds some numbers wrongly, so such a number is spelled another way, of the same value, that it reads right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from generator.formats.format import Format
from generator.jsontext import JsonObject, JsonValue

HF = "hf"
FEATURES: JsonObject = {
    "messages": {"feature": {"_type": "Json"}, "_type": "List"},
    "tools": {"feature": {"_type": "Json"}, "_type": "List"},
    "metadata": {"_type": "Json"},
}
"""The columns as `datasets` declares them: `Features({"messages": List(Json()), ...})`."""


def dump_record(document: JsonObject) -> JsonObject:
    """Return the row of a canonical record."""
    return {name: document[name] for name in FEATURES if name in document}


def load_record(row: JsonObject) -> JsonObject:
    """Return the canonical record of a row; metadata that is null was not there."""
    return {name: value for name, value in row.items() if name != "metadata" or value is not None}


def cell(value: JsonValue) -> str:
    """Write a value as JSON that `datasets` reads as the same value.

    Raises:
        ImportError: `datasets` is not installed.
    """
    from datasets.utils.json import ujson_loads

    text = orjson.dumps(value).decode()
    return text if ujson_loads(text) == value else orjson.dumps(_respelled(value, ujson_loads)).decode()


def _respelled(value: JsonValue, read: Any) -> JsonValue:
    if isinstance(value, dict):
        return {key: _respelled(inner, read) for key, inner in value.items()}
    if isinstance(value, list):
        return [_respelled(inner, read) for inner in value]
    if not isinstance(value, float) or _reads_right(repr(value), value, read):
        return value
    right = (text for text in _spellings(value) if float(text) == value and _reads_right(text, value, read))
    spelled = next(right, None)
    return value if spelled is None else orjson.Fragment(spelled)


def _reads_right(text: str, value: float, read: Any) -> bool:
    try:
        return bool(read(text) == value)
    except ValueError:
        return False


def _spellings(value: float) -> Iterator[str]:
    """Yield other ways to write a number: with more digits, with another exponent."""
    from decimal import Decimal

    for digits in range(1, 18):
        yield f"{value:.{digits}f}"
    for shift in range(20):
        scaled = Decimal(value).scaleb(shift)
        if abs(scaled) < 2**63:
            yield f"{int(scaled.to_integral_value())}e-{shift}"
    for digits in range(10, 18):
        yield f"{value:.{digits}e}"


FORMAT = Format(
    name=HF,
    summary="Hugging Face: a folder of Parquet with declared features, splits and a card",
    recognised_by="the folder, which `toolgen` and `datasets.load_dataset(FOLDER)` read",
    tools_column="",
)
