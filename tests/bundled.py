"""What toolgen ships, loaded once for all tests: its tools with their domains, and its prompts."""

from __future__ import annotations

from functools import cache

from generator.assets import asset_folder
from generator.authors.llm.prompts import Prompts, load_prompts
from generator.domains.catalog import Catalog
from generator.formats.loading.tool_files import LoadedTools, load_catalog


@cache
def bundled() -> Catalog:
    """The bundled tools."""
    return load_catalog([asset_folder("tool_specs")]).catalog


def bundled_tools() -> LoadedTools:
    """The bundled tools, as `load_tools` gives them."""
    return LoadedTools(bundled())


@cache
def bundled_prompts() -> Prompts:
    """The bundled prompts."""
    return load_prompts(asset_folder("prompts"))
