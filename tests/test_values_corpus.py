"""Real tool definitions: arguments and a result for every one, accepted by both judges."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from generator.formats.loading.tool_files import load_catalog
from generator.tools import Tool
from generator.values import Context, synthesize_value
from tests.shared_data import SHARED, needs_shared

FOLDERS = (
    "adm_spec anthropic_cookbook bfcl bfcl_multi_turn gemini_cookbook github_mcp mcp_reference openai_sdk openapi "
    "playwright_mcp tau2"
).split()
"""All of the corpus; the tools of bfcl_gold are those of bfcl."""
PURPOSES: tuple[Literal["argument", "result"], ...] = ("argument", "result")
SEEDS = range(1, 6)


@lru_cache(maxsize=1)
def tools() -> tuple[tuple[str, Tool], ...]:
    """Return every tool of the corpus with its folder."""
    return tuple(
        (folder, tool)
        for folder in FOLDERS
        for tool in load_catalog([SHARED / "corpus" / folder], skip_invalid=True, on_conflict="source").catalog.tools
    )


def refused(folder: str, tool: Tool, seeds: range) -> Iterator[tuple[str, str, str, object]]:
    """Yield each value of a tool that one of the judges refuses."""
    for purpose in PURPOSES:
        schema = tool.parameters if purpose == "argument" else tool.result_schema
        context = Context(name=tool.name, description=tool.description, purpose=purpose)
        rust = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
        python = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        for seed in seeds:
            value = synthesize_value(schema, seed=seed, context=context)
            if not (rust.is_valid(value) and python.is_valid(value)):
                yield folder, tool.name, purpose, value


@needs_shared
def test_real_tools_get_valid_arguments_and_results() -> None:
    """Every sixth tool; the slow test takes all."""
    found = [
        wrong for at, (folder, tool) in enumerate(tools()[::6]) for wrong in refused(folder, tool, range(at, at + 1))
    ]
    assert not found


@needs_shared
@pytest.mark.slow
def test_every_real_tool_gets_valid_arguments_and_results() -> None:
    assert len(tools()) >= 2_404
    assert sum(folder == "openapi" for folder, _ in tools()) >= 120
    assert [wrong for folder, tool in tools() for wrong in refused(folder, tool, SEEDS)] == []
