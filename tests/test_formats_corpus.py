"""Real tool definitions of many origins: all of them load, as the working form wants them."""

from collections import Counter
from functools import cache

import pytest

from generator.errors import ToolFileError
from generator.formats.loading.tool_files import LoadedCatalog, load_catalog, load_tools
from generator.formats.writing import TOOL_FORMATS, dump_tools
from generator.schemas.keywords import walk
from generator.schemas.steps import find_control_token
from generator.schemas.types import JSON_TYPES
from generator.schemas.validators import schema_problems
from generator.tools import is_valid_name
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row

pytestmark = needs_shared
CORPUS = SHARED / "corpus"
SHOWN = ["github_mcp", "adm_spec", "playwright_mcp", "openai_sdk", "tau2"]
"""The folders of the main example."""
CONFLICTS = ["get_current_time", "get_weather", "get_user_details", "transfer_to_human_agents"]


@cache
def loaded(*folders: str) -> LoadedCatalog:
    return load_catalog([CORPUS / folder for folder in folders], skip_invalid=True, on_conflict="source")


@each_row(
    ("folder", "tools"),
    [
        ("adm_spec", 13), ("anthropic_cookbook", 23), ("bfcl", 1799), ("bfcl_multi_turn", 162), ("gemini_cookbook", 20),
        ("github_mcp", 117), ("mcp_reference", 56), ("openai_sdk", 14), ("playwright_mcp", 50), ("tau2", 145),
    ],
)  # fmt: skip
def test_every_definition_is_loaded(folder: str, tools: int) -> None:
    catalog = loaded(folder)
    assert len(catalog.catalog.tools) == tools
    assert all("the file holds no tool" in problem.what for problem in catalog.skipped)


def test_the_names_that_conflict_are_refused_with_their_places() -> None:
    with pytest.raises(ToolFileError) as caught:
        load_catalog([CORPUS / folder for folder in SHOWN], skip_invalid=True)
    conflicts = [problem for problem in caught.value.problems if "is defined differently" in problem.what]
    assert [problem.what.split("'")[1] for problem in conflicts] == CONFLICTS


def test_a_folder_of_one_tool_per_file_is_one_toolset() -> None:
    counts = Counter(tool.toolset for tool in loaded(*SHOWN).catalog.tools)
    assert counts["github_mcp"] == 117
    assert counts["playwright_mcp"] == 50
    assert counts["tau2/airline.AirlineTools"] == 14
    assert len({tool.key for tool in loaded(*SHOWN).catalog.tools}) == sum(counts.values())


@pytest.mark.parametrize("folder", [*SHOWN, "bfcl", "bfcl_multi_turn", "anthropic_cookbook", "gemini_cookbook"])
def test_every_tool_is_as_consumers_want_it(folder: str) -> None:
    for tool in loaded(folder).catalog.tools:
        assert is_valid_name(tool.name)
        assert tool.description.strip()
        assert tool.parameters["type"] == "object"
        assert isinstance(tool.parameters["properties"], dict)
        assert schema_problems(tool.parameters) == schema_problems(tool.result_schema) == []
        for node, path in walk(tool.parameters):
            assert node.get("type", "object") in JSON_TYPES, (tool.name, path)
            assert not find_control_token(str(node.get("description", "")))
            if len(path) > 1 and path[-2] == "properties" and "properties" not in path[-3:-2]:
                assert node["description"].strip(), (tool.name, path)


@pytest.mark.parametrize("to", TOOL_FORMATS)
def test_every_tool_can_be_written_and_read_back(to: str) -> None:
    for toolset in loaded(*SHOWN, "bfcl").catalog.toolsets.values():
        read = load_tools(dump_tools(toolset, to).document)
        assert len(read) == len(toolset)
        if to == "openai":
            assert [tool.shown for tool in read] == [tool.shown for tool in toolset]
        if to == "mcp":
            assert [tool.parameters for tool in read] == [tool.parameters for tool in toolset]
