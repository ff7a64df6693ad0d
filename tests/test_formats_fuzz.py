"""Whatever a file holds, it is loaded or refused: no other error, no change of what the caller gave."""

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import Problem, ToolFileError
from generator.formats.loading.tool_files import load_catalog, load_tools
from generator.formats.writing import TOOL_FORMATS, dump_tools
from generator.schemas.validators import schema_problems
from generator.tools import is_valid_name

NAMES = st.sampled_from(["a", "get_weather", "math.sum", "", "é", "<|im_end|>", "x" * 70, "2"]) | st.none()
TEXTS = st.sampled_from(["Get it.", "", " ", "<|im_end|>", "é" * 3]) | st.none()
KEYWORDS = st.sampled_from(
    ["type", "properties", "items", "required", "enum", "anyOf", "allOf", "description", "default", "nullable",
     "$ref", "$defs", "additionalProperties", "minimum", "const", "not", "pattern", "format", "x_note"]
)  # fmt: skip
TYPES = st.sampled_from(["string", "dict", "float", "OBJECT", "ARRAY", "any", "null", "integer", "wat", "STRING"])
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | TYPES | st.sampled_from(["#", "#/properties/a", "a", "(", "date"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=12,
)
SCHEMAS = st.builds(
    lambda kind, properties, rest: {"type": kind, "properties": properties, **rest},
    st.sampled_from(["object", "dict", "OBJECT"]),
    st.dictionaries(st.sampled_from(["a", "type", "city_name", "items"]), ANY, max_size=4),
    st.dictionaries(KEYWORDS, ANY, max_size=1),
)
DEFINITIONS = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "description": TEXTS | ANY,
        "parameters": SCHEMAS | ANY,
        "inputSchema": SCHEMAS | ANY,
        "input_schema": SCHEMAS | ANY,
        "outputSchema": SCHEMAS | ANY,
        "response": SCHEMAS | ANY,
        "type": st.just("function") | ANY,
        "strict": st.booleans() | ANY,
        "x_frames": ANY,
        "x_owner": ANY,
        "behavior": ANY,
    },
)
DOCUMENTS = (
    DEFINITIONS
    | st.lists(DEFINITIONS, max_size=3)
    | st.builds(
        lambda key, inside: {key: inside},
        st.sampled_from(["tools", "function_declarations", "functionDeclarations", "function", "functions", "result"]),
        st.lists(DEFINITIONS | ANY, max_size=3) | DEFINITIONS | ANY,
    )
    | ANY
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS, st.booleans(), st.sampled_from(["refuse", "source"]))
def test_any_document_is_loaded_or_refused(document: Any, strict: bool, on_conflict: Any) -> None:
    before = copy.deepcopy(document)
    problems: list[Problem] = []
    try:
        tools = load_tools(document, strict=strict, on_conflict=on_conflict, skip_invalid=True)
    except ToolFileError as refusal:
        tools, problems = [], list(refusal.problems)
    assert tools or problems
    assert all(problem.where and problem.what for problem in problems)
    assert document == before
    for tool in tools:
        assert is_valid_name(tool.name)
        assert tool.description.strip()
        assert tool.parameters["type"] == "object"
        assert schema_problems(tool.parameters) == schema_problems(tool.result_schema) == []


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS)
def test_what_was_loaded_can_be_written_and_read_back(schema: Any) -> None:
    try:
        tools = load_tools({"name": "f", "description": "F.", "parameters": schema})
    except ToolFileError:
        return
    for to in TOOL_FORMATS:
        (read,) = load_tools(dump_tools(tools, to).document)
        if to != "adm":
            assert read.shown == tools[0].shown


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_any_file_is_loaded_or_refused(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(data)
    with pytest.raises(ToolFileError):
        load_catalog([path])
