"""The bundled tools: they load without a change, and their frames say every argument they can be given."""

from itertools import combinations
from pathlib import Path

import pytest
from generator.tools.frame_syntax import Choice, Optional, Slot, frame_problems, parse_frame, slots_of

from generator.assets import asset_folder
from generator.formats.tool_files import load_catalog
from generator.tools.tool import Tool

FOLDER = asset_folder("tool_specs")
TOOLS = load_catalog([FOLDER]).catalog.tools
OPTIONALS_AT_ONCE = 2
FEWEST_FRAMES = 3


def by_name(tool: Tool) -> str:
    return tool.name


def properties(tool: Tool) -> dict[str, object]:
    return dict(tool.parameters["properties"])


def required(tool: Tool) -> set[str]:
    return set(tool.parameters.get("required", ()))


def said_by(frame: str) -> tuple[set[str], set[str]]:
    """The parameters a frame cannot do without, and all it can say."""
    needed: set[str] = set()
    sayable: set[str] = set()
    for part in parse_frame(frame):
        names = {slot.path[0] for slot in slots_of((part,))}
        sayable |= names
        if not isinstance(part, Optional):
            needed |= names
    return needed, sayable


def frames_for(tool: Tool, given: set[str]) -> list[str]:
    """The frames that fit a call with these parameters."""
    told = [(frame, *said_by(frame)) for frame in tool.frames.requests]
    return [frame for frame, needed, sayable in told if needed <= given <= sayable]


def test_there_are_about_thirty_tools_in_every_format() -> None:
    assert 30 <= len(TOOLS) <= 45
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    assert {path.suffix for path in FOLDER.iterdir()} == {".json", ".jsonl", ".yaml", ".md"}


def test_the_readme_names_every_file() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    files = [path.name for path in FOLDER.iterdir() if ".frames." not in path.name and path.suffix != ".md"]
    assert [name for name in files if f"`{name}`" not in readme] == []


def test_every_file_with_tools_has_sentences() -> None:
    lone = {path.name.split(".")[0] for path in FOLDER.glob("*.frames.json")}
    stems = {path.stem for path in FOLDER.iterdir() if ".frames." not in path.name and path.suffix != ".md"}
    assert stems - lone == {"parcels"}  # holds its sentences inside
    assert lone <= stems


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_every_parameter_is_described(tool: Tool) -> None:
    assert tool.description
    assert [name for name, schema in properties(tool).items() if not schema.get("description")] == []  # type: ignore[attr-defined]  # schemas are JSON


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_results_are_declared(tool: Tool) -> None:
    assert tool.result_origin == "declared"


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_request_frames_name_only_real_parameters(tool: Tool) -> None:
    assert frame_problems(tool.frames, tool.parameters) == []
    assert 12 <= len(set(tool.frames.requests)) == len(tool.frames.requests)


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_every_choice_of_optional_parameters_can_be_said(tool: Tool) -> None:
    optional = sorted(properties(tool).keys() - required(tool))
    for count in range(OPTIONALS_AT_ONCE + 1):
        for chosen in combinations(optional, count):
            assert len(frames_for(tool, required(tool) | set(chosen))) >= FEWEST_FRAMES, chosen


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_flags_have_words_for_both_values(tool: Tool) -> None:
    flags = {name for name, schema in properties(tool).items() if schema.get("type") == "boolean"}  # type: ignore[attr-defined]  # schemas are JSON
    for frame in tool.frames.requests:
        for slot in slots_of(parse_frame(frame)):
            if slot.path[0] in flags:
                assert slot.when_true and slot.when_false, frame


def schema_knows(schema: object, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(schema, dict):
            return False
        if schema.get("type") == "array":
            if key == "count":
                return True
            schema = schema["items"] if key == "*" or key.isdigit() else None
        else:
            schema = schema.get("properties", {}).get(key)
    return isinstance(schema, dict)


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_reply_frames_name_results_or_arguments(tool: Tool) -> None:
    assert 6 <= len(set(tool.frames.replies)) == len(tool.frames.replies)
    for frame in tool.frames.replies:
        for slot in slots_of(parse_frame(frame)):
            known = schema_knows(tool.result_schema, slot.path) or schema_knows(tool.parameters, slot.path)
            assert known, (slot.path, frame)


@pytest.mark.parametrize("tool", TOOLS, ids=by_name)
def test_one_reply_frame_at_least_needs_no_optional_argument(tool: Tool) -> None:
    def needs(frame: str) -> set[str]:
        parts = [part for part in parse_frame(frame) if not isinstance(part, Optional)]
        slots = [slot for slot in slots_of(tuple(parts)) if not schema_knows(tool.result_schema, slot.path)]
        return {slot.path[0] for slot in slots}

    assert any(needs(frame) <= required(tool) for frame in tool.frames.replies)


def test_choices_hold_at_least_two_wordings() -> None:
    for tool in TOOLS:
        for frame in (*tool.frames.requests, *tool.frames.replies):
            for part in parse_frame(frame):
                assert not isinstance(part, Choice) or len(part.options) > 1, frame
                assert not isinstance(part, Slot) or part.path, frame


def test_definitions_are_changed_only_where_adm_spells_types_in_capitals() -> None:
    changed = {Path(tool.source.split("#")[0]).name for tool in TOOLS if tool.changes}
    assert changed <= {"finance.json", "smart_home.json", "parcels.json"}
