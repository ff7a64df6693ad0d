"""What only a build knows, as a job file holds it to begin with: every key with what it means, commented out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from generator.boundary import BoundaryModel
from generator.builds.settings import TABLES, BuildSettings
from generator.jsontext import JsonValue, dump_compact

_COLUMNS = 100
_HEAD = """\
# What follows is for `toolgen build {file}`: a data set that is made anew where something changed, and published.
"""
_EXAMPLES: dict[str, JsonValue] = {
    "mcp": ["npx my-server", "http://127.0.0.1:8000/mcp"],
    "formats": ["trl", "openai"],
    "base_url": "http://localhost:8000/v1",
    "protocol": "chat-completions",
    "api_key_env": "OPENAI_API_KEY",
    "prompts": "my_prompts",
    "verify_base_url": "http://localhost:8001/v1",
    "verify_api_key_env": "OTHER_API_KEY",
    "max_minutes": 60,
    "max_requests": 10_000,
    "max_tokens": 2_000_000,
    "max_cost": 5,
    "rpm": 600,
    "tpm": 200_000,
    "price_in": 0.4,
    "price_out": 1.6,
    "prices": "prices.toml",
    "hold_out": ["my_tool"],
    "decontaminate": ["bench/*.jsonl"],
    "min_records": 90,
    "min_yield": 0.5,
    "min_of_kind": {"simple": 1},
    "max_rejection_rate": 0.5,
    "max_duplicate_rate": 0.1,
    "max_derived_share": 0.5,
    "push": ["hf://datasets/NAME/SET"],
}
"""What stands behind a key whose default says nothing."""


def build_template(file: str) -> str:
    """Write the part of a job file that only a build reads; it stands at the end, behind the keys of the job."""
    parts = [_HEAD.format(file=file)]
    flat = [name for name in BuildSettings.model_fields if name not in TABLES]
    parts += ["\n".join(_entry(BuildSettings, name)) + "\n" for name in flat]
    for name, table in TABLES.items():
        lines = [f"[{name}]", *(line for key in table.model_fields for line in _entry(table, key))]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _entry(table: type[BoundaryModel], key: str) -> Iterator[str]:
    """Yield the lines of one key: what it means, and the key with its default, or an example."""
    info = table.model_fields[key]
    yield from (f"# {line}" for line in textwrap.wrap(" ".join((info.description or "").split()), _COLUMNS))
    default = table().model_dump(mode="json")[key]
    yield f"#{key} = {_toml(_EXAMPLES.get(key, default))}"


def _toml(value: JsonValue) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return dump_compact(value)
