"""A job file to begin with: every key of a job with what it means, those that matter set, the others commented out.

In: the tools of a job, as they were given and as they were loaded. Out: the text of a TOML file, which
`toolgen generate --job` takes as it stands, and line by line as it is uncommented. What only a build knows stands at
its end, for `toolgen build`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from generator.boundary import BoundaryModel
from generator.builds.settings import TABLES, BuildSettings
from generator.domains.catalog import Catalog
from generator.job import Job
from generator.job_choices import JOB_KEYS
from generator.jsontext import JsonValue, dump_compact
from generator.scenarios.planner import Planner

_COLUMNS = 100
_MOST_NAMED = 12
_SET = ("tools", "count", "seed")
"""What stands there uncommented."""
_NOT_TYPED = frozenset({"prompts", "tokenizer_digest"})
"""What is worked out from other files."""
_EXAMPLES: dict[str, JsonValue] = {
    "name": "my_tools",
    "domains": ["my_tools.domain.yaml"],
    "max_length": 2048,
    "tokenizer": "my_model/tokenizer.json",
    "verify_model": "MODEL",
    "model": "MODEL",
    "temperature": 0.8,
    "top_p": 0.95,
    "reasoning_effort": "low",
    "extra_body": {},
}
"""What stands behind a key whose default says nothing."""
_OF_A_MODEL = JOB_KEYS[JOB_KEYS.index("freedom") :]
_HEAD = """\
# A job of toolgen: toolgen generate --job {file}
# A line that begins with "#" and a key is the default, or an example; take the "#" away to say otherwise.
"""
_MODEL_HEAD = """\
# With `author = "llm"` a model writes: `model` is its name; its server is --base-url URL or OPENAI_BASE_URL, and its
# key stands in the environment, in OPENAI_API_KEY or the variable that --api-key-env NAME names.
"""
_BUILD_HEAD = """\
# What follows is for `toolgen build {file}`: a data set that is made anew where something changed, and published.
"""
_BUILD_EXAMPLES: dict[str, JsonValue] = {
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


def job_template(sources: Sequence[str], catalog: Catalog, file: str) -> str:
    """Write the job file over these tools."""
    planner = Planner(Job(), catalog)
    parts = [_HEAD.format(file=file), "\n".join(f"# {line}" for line in _found(planner, catalog)) + "\n"]
    keys = [key for key in JOB_KEYS if key not in _NOT_TYPED]
    first = sorted((key for key in keys if key not in _OF_A_MODEL), key=lambda key: key not in _SET)
    parts += ["\n".join(_entry(key, sources, planner)) + "\n" for key in first]
    parts.append(_MODEL_HEAD)
    parts += ["\n".join(_entry(key, sources, planner)) + "\n" for key in keys if key in _OF_A_MODEL]
    return "\n".join(parts)


def _found(planner: Planner, catalog: Catalog) -> Iterator[str]:
    """Yield what was found in the tools: how many, what is known of them, and which kinds they can serve."""
    names = [tool.name for tool in catalog.tools]
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    tools = f"{len(names):,} tool{'' if len(names) == 1 else 's'}: {', '.join(names[:_MOST_NAMED])}{more}."
    yield from textwrap.wrap(tools, _COLUMNS)
    if derived := planner.origins.get("derived"):
        told = (
            f"{derived:,} without a domain file: what is known of these is derived from their definitions; "
            "NAME.domain.yaml beside NAME.json says more: `toolgen help domains`."
        )
        yield from textwrap.wrap(told, _COLUMNS)
    yield from textwrap.wrap(f"Kinds of records that they can serve: {', '.join(planner.mix)}.", _COLUMNS)
    if planner.dropped:
        told = f"Not served: {', '.join(planner.dropped)}; `toolgen kinds KIND` says what each needs."
        yield from textwrap.wrap(told, _COLUMNS)


def _entry(key: str, sources: Sequence[str], planner: Planner) -> Iterator[str]:
    """Yield the lines of one key: what it means, and the key with a value."""
    info = Job.model_fields[key]
    meaning = " ".join((info.description or "").split())
    yield from (f"# {line}" for line in textwrap.wrap(meaning, _COLUMNS))
    if key == "tools":
        yield f"tools = {_toml(list(sources))}"
    elif key == "mix":
        yield f"#mix = {_toml({kind: round(weight, 4) for kind, weight in planner.mix.items()})}"
    else:
        value = Job().model_dump(mode="json")[key]
        value = _EXAMPLES.get(key, value) if value in (None, "", [], {}, "bundled") else value
        yield f"{'' if key in _SET else '#'}{key} = {_toml(value)}"


def _toml(value: JsonValue) -> str:
    """Write a value in one line of TOML, whose texts, numbers and lists are those of JSON."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return dump_compact(value)


def build_template(file: str) -> str:
    """Write the part of a job file that only a build reads; it stands at the end, behind the keys of the job."""
    parts = [_BUILD_HEAD.format(file=file)]
    flat = [name for name in BuildSettings.model_fields if name not in TABLES]
    parts += ["\n".join(_build_entry(BuildSettings, name)) + "\n" for name in flat]
    for name, table in TABLES.items():
        lines = [f"[{name}]", *(line for key in table.model_fields for line in _build_entry(table, key))]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _build_entry(table: type[BoundaryModel], key: str) -> Iterator[str]:
    """Yield the lines of one key: what it means, and the key with its default, or an example."""
    info = table.model_fields[key]
    yield from (f"# {line}" for line in textwrap.wrap(" ".join((info.description or "").split()), _COLUMNS))
    default = table().model_dump(mode="json")[key]
    yield f"#{key} = {_toml(_BUILD_EXAMPLES.get(key, default))}"
