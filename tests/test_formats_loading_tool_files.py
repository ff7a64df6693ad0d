"""Tool files in: formats, sources, sidecars, merging and refusal."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.errors import Problem, ToolFileError
from generator.formats.loading import parsing, sources
from generator.formats.loading.tool_files import LoadedCatalog, load_catalog, load_tools
from tests.tables import each_row

PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "The city"}},
    "required": ["city"],
}
RESULT = {"type": "object", "properties": {"degrees": {"type": "number"}}}
CAPITALS = {
    "type": "OBJECT",
    "properties": {"city": {"type": "STRING", "description": "The city"}},
    "required": ["city"],
}
NAMED = {"name": "get_weather", "description": "Get the weather."}
BARE = {**NAMED, "parameters": PARAMETERS}


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def problems(given: Sequence[str | Path], **options: Any) -> list[Problem]:
    with pytest.raises(ToolFileError) as caught:
        load_catalog(given, **options)
    return list(caught.value.problems)


def named(name: str, **more: Any) -> dict[str, Any]:
    return {**BARE, "name": name, **more}


def placed(loaded: LoadedCatalog) -> list[tuple[str, str]]:
    return [(tool.toolset, tool.name) for tool in loaded.catalog.tools]


WRITINGS: dict[str, Any] = {
    "adm tool": {"function_declarations": [{**NAMED, "parameters": CAPITALS}]},
    "adm tool, camel": {"functionDeclarations": [{**NAMED, "parameters": CAPITALS}]},
    "adm tools": [{"function_declarations": [{**NAMED, "parameters": CAPITALS}]}],
    "adm declaration": {**NAMED, "parameters": CAPITALS},
    "gemini request": {"contents": [], "tools": [{"functionDeclarations": [{**NAMED, "parameters": CAPITALS}]}]},
    "openai nested": {"type": "function", "function": BARE},
    "openai without type": {"function": BARE},
    "openai flat": {"type": "function", **BARE},
    "openai list": [{"type": "function", "function": BARE}],
    "openai request": {"model": "m", "messages": [], "tools": [{"type": "function", "function": BARE}]},
    "openai functions": {"model": "m", "messages": [], "functions": [BARE]},
    "mcp answer": {"tools": [{**NAMED, "inputSchema": PARAMETERS}]},
    "mcp json-rpc": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{**NAMED, "inputSchema": PARAMETERS}]}},
    "mcp list": [{**NAMED, "inputSchema": PARAMETERS}],
    "mcp tool": {**NAMED, "inputSchema": PARAMETERS},
    "anthropic": {**NAMED, "input_schema": PARAMETERS},
    "anthropic request": {"model": "m", "tools": [{**NAMED, "input_schema": PARAMETERS}]},
    "bare": BARE,
    "bare with an id": {"id": 7, **BARE},
    "openai with an id": {"id": "t7", "type": "function", "function": BARE},
    "bfcl": [{**NAMED, "parameters": {**PARAMETERS, "type": "dict"}}],
    "bfcl question": {"id": "simple_0", "question": [], "function": [BARE]},
}


@pytest.mark.parametrize("writing", WRITINGS)
@pytest.mark.parametrize("notation", ["json", "jsonl", "yaml", "in memory"])
def test_every_format_in_every_notation_is_the_same_tool(writing: str, notation: str, tmp_path: Path) -> None:
    value = WRITINGS[writing]
    if notation == "in memory":
        (tool,) = load_tools(value)
    else:
        text = {
            "json": json.dumps(value, indent=1),
            "jsonl": "\n".join(json.dumps(line) for line in (value if isinstance(value, list) else [value])) + "\n",
            "yaml": f"# comment\n{to_yaml(value)}",
        }[notation]
        (tool,) = load_catalog([write(tmp_path / "definitely.txt", text)]).catalog.tools
    assert tool.shown == {"type": "function", "function": BARE}
    assert tool.original_name == tool.name
    assert tool.result_origin == "domain"


def to_yaml(value: Any) -> str:
    import yaml

    return yaml.safe_dump(value, sort_keys=False)


def test_many_formats_in_one_document() -> None:
    mixed = [
        named("a"),
        {"type": "function", "function": named("b")},
        {**NAMED, "name": "c", "inputSchema": PARAMETERS},
    ]
    assert [tool.name for tool in load_tools(mixed)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ({**NAMED, "inputSchema": PARAMETERS, "outputSchema": RESULT}, RESULT),
        ({**BARE, "response": {"type": "dict", "properties": {"degrees": {"type": "float"}}}}, RESULT),
        ({**BARE, "x_result_schema": RESULT}, RESULT),
        ({"type": "function", "function": {**BARE, "x_result_schema": {"type": "array", "items": RESULT}}},
         {"type": "array", "items": RESULT}),
        ({**NAMED, "parameters": CAPITALS, "x_result_schema": {"type": "STRING"}}, {"type": "string"}),
    ],
)  # fmt: skip
def test_declared_result_schemas(value: Any, schema: Any) -> None:
    (tool,) = load_tools(value)
    assert (tool.result_schema, tool.result_origin) == (schema, "declared")


def test_contradicting_result_schemas_are_reported() -> None:
    value = {**NAMED, "inputSchema": PARAMETERS, "outputSchema": RESULT, "x_result_schema": {"type": "string"}}
    (tool,) = load_tools(value)
    assert tool.result_schema == {"type": "string"}
    with pytest.raises(ToolFileError, match="contradicts `x_result_schema`"):
        load_tools(value, strict=True)


def test_what_a_tool_without_any_result_schema_answers_is_its_domain_s_to_say() -> None:
    (tool,) = load_tools(BARE)
    assert (tool.result_origin, tool.result_schema) == ("domain", {})


def test_extensions_and_descriptive_fields_are_preserved() -> None:
    given = {"x_owner": "me", "vendor_acme": {"a": 1}, "_metadata": {"v": 2}, "annotations": {"readOnlyHint": True}}
    (tool,) = load_tools({**NAMED, "inputSchema": PARAMETERS, **given})
    assert tool.extensions == given


@pytest.mark.parametrize(
    "value",
    [
        {**BARE, "behavior": 1},
        {"type": "function", "function": BARE, "behavior": 1},
        {"type": "function", "function": {**BARE, "behavior": 1}},
        {**NAMED, "inputSchema": PARAMETERS, "behavior": 1},
        {**NAMED, "input_schema": PARAMETERS, "behavior": 1},
    ],
)
def test_unknown_fields_are_warnings_and_errors_under_strict_loading(value: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "t.json", value)
    loaded = load_catalog([path])
    assert ["`behavior`" in problem.what for problem in loaded.warnings] == [True]
    assert loaded.catalog.tools[0].extensions == {}
    (problem,) = problems([path], strict=True)
    assert problem.where.endswith("/behavior")


@each_row(
    ("value", "word"),
    [
        ({"parameters": PARAMETERS, "name": None}, "no name"),
        ({"parameters": PARAMETERS, "name": 7}, "no text"),
        ({**BARE, "description": 7}, "no text"),
        ({**BARE, "name": "<|im_start|>"}, "control token"),
        ({**BARE, "parameters": "city"}, "JSON Schema object"),
        ({**BARE, "parameters": {"type": "object", "properties": {"a": {"minLength": "3"}}}}, "is no JSON Schema"),
        ({**BARE, "parameters": {"type": "object", "properties": {"a": {"pattern": "("}}}}, "is no JSON Schema"),
        ({**BARE, "parameters": {**PARAMETERS, "not": {}}}, "no value satisfies"),
        ({**BARE, "parameters": {**PARAMETERS, "maxProperties": 0}}, "no value satisfies"),
        ({**BARE, "response": {"type": "integer", "minimum": 3, "maximum": 2}}, "no value satisfies"),
        ({**BARE, "parameters": {**PARAMETERS, "x_note": "[INST]"}}, "control token"),
        ({**BARE, "strict": "yes"}, "neither true nor false"),
        ({"result_origin": "magic", "result_schema": {}, **BARE}, "declared"),
        ({"result_origin": "domain", "result_schema": {"type": 5}, **BARE}, "5"),
        ({"result_origin": "domain", "result_schema": {}, **BARE, "parameters": {}}, "object schema"),
    ],
)
def test_a_definition_that_cannot_be_used_is_refused(value: Any, word: str) -> None:
    with pytest.raises(ToolFileError) as caught:
        load_tools([named("good"), value])
    assert word in caught.value.problems[0].what
    assert caught.value.problems[0].where.startswith("argument 1#/1")
    assert [tool.name for tool in load_tools([named("good"), value], skip_invalid=True)] == ["good"]


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ([], "holds nothing"),
        ({}, "is no tool definition"),
        (5, "is no tool definition"),
        ([{"type": "OBJECT", "properties": {}}], "schema without a name"),
        ([{"name": "a", "returns": {}}], "it has name, returns"),
        ([{"id": "call_1", "type": "function", "function": {"name": "a"}}], "tool call"),
        ({"name": "a", "arguments": {}}, "tool call"),
        ({"type": "web_search", "name": "web_search"}, "built-in"),
        ({"tools": ["a", "b"]}, "is no tool definition"),
    ],
)
def test_documents_without_tools_say_what_they_are(value: Any, word: str, tmp_path: Path) -> None:
    (problem,) = problems([write(tmp_path / "x.json", value)])
    assert word in problem.what
    assert "the file holds no tool" in problem.what


def test_an_element_that_is_no_tool_is_named() -> None:
    with pytest.raises(ToolFileError) as caught:
        load_tools({"tools": [BARE, "text"]})
    assert [problem.where for problem in caught.value.problems] == ["argument 1#/tools/1"]


def test_every_problem_of_every_file_at_once(tmp_path: Path) -> None:
    write(tmp_path / "a.json", '{"a": 1,}')
    write(tmp_path / "b.json", [named("x", description=5), named("y", parameters=5)])
    write(tmp_path / "c.yaml", "a: [")
    write(tmp_path / "d.json", named("z"))
    found = problems([tmp_path, tmp_path / "missing"])
    assert [problem.where.removeprefix(f"{tmp_path}/") for problem in found] == [
        "missing", "a.json:1:9", "b.json#/0/description", "b.json#/1/parameters", "c.yaml:2:1"
    ]  # fmt: skip
    loaded = load_catalog([tmp_path], skip_invalid=True)
    assert [tool.name for tool in loaded.catalog.tools] == ["z"]
    assert len(loaded.skipped) == 4


@pytest.mark.parametrize("given", [[], ["no/such/file.json"], ["no/such/*.json"]])
def test_sources_that_are_not_there_are_refused_even_when_skipping(given: list[str]) -> None:
    (problem,) = problems(given, skip_invalid=True)
    assert problem.remedy


def test_a_folder_without_tool_files(tmp_path: Path) -> None:
    write(tmp_path / "README.md", "# no tools")
    (problem,) = problems([tmp_path])
    assert "holds no tool file" in problem.what


def test_nothing_left_is_refused_even_when_skipping(tmp_path: Path) -> None:
    assert problems([write(tmp_path / "a.json", {})], skip_invalid=True)


def test_folders_are_read_in_order_and_hidden_files_left(tmp_path: Path) -> None:
    for place in ("b/z.json", "b/a.yaml", "a.jsonl", ".hidden/h.json", "node_modules/n.json", ".h.json", "notes.txt"):
        write(tmp_path / place, named(Path(place).stem.strip(".") or "h"))
    assert [tool.source.removeprefix(str(tmp_path)) for tool in load_catalog([tmp_path]).catalog.tools] == [
        "/a.jsonl", "/b/z.json"
    ]  # fmt: skip


def test_globs_name_files(tmp_path: Path) -> None:
    for name in ("a1", "a2", "b1"):
        write(tmp_path / f"{name}.json", named(name))
    loaded = load_catalog([f"{tmp_path}/a*.json"])
    assert [tool.name for tool in loaded.catalog.tools] == ["a1", "a2"]


def test_a_file_in_two_sources_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", BARE)
    loaded = load_catalog([path, str(tmp_path), f"{tmp_path}/*.json", path])
    assert loaded.merged == ()
    assert len(loaded.catalog.tools) == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(BARE).encode())))
    (tool,) = load_catalog(["-"]).catalog.tools
    assert tool.source == "stdin"


def test_an_unreadable_file_and_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(BARE))
    (tmp_path / "t.frames.json").symlink_to(tmp_path / "gone.json")
    (tmp_path / "broken.json").symlink_to(tmp_path / "gone.json")
    found = problems([tmp_path])
    assert ["cannot be read" in problem.what for problem in found] == [True]


def test_a_glob_that_matches_folders_reads_them(tmp_path: Path) -> None:
    write(tmp_path / "server_a/t.json", named("a"))
    write(tmp_path / "server_b/t.json", named("b"))
    loaded = load_catalog([f"{tmp_path}/server_*"], on_conflict="source")
    assert placed(loaded) == [("server_a", "a"), ("server_b", "b")]


def test_a_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_FILE_BYTES", 1000)
    path = tmp_path / "large.json"
    with path.open("wb") as stream:
        stream.truncate(100_000_000)
    (problem,) = problems([path])
    assert "100,000,000 bytes" in problem.what


def test_many_large_files_are_refused_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_TOTAL_BYTES", 500)
    for number in range(4):
        write(tmp_path / f"{number}.json", named(f"t{number}"))
    assert any("together" in problem.what for problem in problems([tmp_path]))


def test_a_folder_with_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_FILES", 3)
    for number in range(6):
        write(tmp_path / f"{number}.json", named(f"t{number}"))
    assert any("more than 3 files" in problem.what for problem in problems([tmp_path]))


def test_deep_definitions_are_refused() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(parsing.MAX_DEPTH):
        deep = {"type": "array", "items": deep}
    with pytest.raises(ToolFileError, match="nested deeper"):
        load_tools(named("x", parameters={"type": "object", "properties": {"a": deep}}))


def test_names_are_mapped_reversibly_and_reported() -> None:
    tools = load_tools([named("math.sum"), named("math_sum")])
    assert [(tool.name, tool.original_name) for tool in tools] == [("math_sum_2", "math.sum"), ("math_sum", "math_sum")]
    assert tools[0].changes[0].pointer == "/name"
    assert [tool.shown["function"]["name"] for tool in tools] == ["math_sum_2", "math_sum"]
    assert len({tool.fingerprint for tool in tools}) == 2


def test_equal_definitions_merge_whatever_their_format(tmp_path: Path) -> None:
    write(tmp_path / "a.json", BARE)
    write(tmp_path / "b.json", {**NAMED, "inputSchema": PARAMETERS, "outputSchema": RESULT})
    for order in (["a", "b"], ["b", "a"]):
        loaded = load_catalog([tmp_path / f"{name}.json" for name in order])
        (tool,) = loaded.catalog.tools
        assert tool.result_schema == RESULT
        assert len(loaded.merged) == 1


@pytest.mark.parametrize(
    "other",
    [
        {**BARE, "description": "Another."},
        {**BARE, "parameters": {**PARAMETERS, "required": []}},
        {**BARE, "response": {"type": "string"}},
    ],
)
def test_different_definitions_of_one_name_are_refused_with_both_places(other: Any, tmp_path: Path) -> None:
    write(tmp_path / "a.json", {**BARE, "response": RESULT})
    write(tmp_path / "b.json", other)
    for skip in (False, True):
        (problem,) = problems([tmp_path], skip_invalid=skip)
        assert "'get_weather' is defined differently" in problem.what
        assert {problem.where, problem.what.split(" at ")[1]} == {f"{tmp_path}/a.json", f"{tmp_path}/b.json"}


def test_sources_as_toolsets(tmp_path: Path) -> None:
    """Each source is a toolset; files of one folder that contradict each other leave it for one of their own."""
    write(tmp_path / "server/one.json", named("one"))
    write(tmp_path / "server/two.json", named("two"))
    write(tmp_path / "server/left.json", [named("get"), named("left")])
    write(tmp_path / "server/right.json", [named("get", description="Another."), named("one")])
    write(tmp_path / "file.json", [named("get"), named("two")])
    loaded = load_catalog([tmp_path / "server", tmp_path / "file.json"], on_conflict="source")
    assert sorted(placed(loaded)) == [
        ("file", "get"), ("file", "two"),
        ("server", "one"), ("server", "two"),
        ("server/left", "get"), ("server/left", "left"),
        ("server/right", "get"), ("server/right", "one"),
    ]  # fmt: skip


def test_a_folder_of_one_tool_each_is_one_toolset(tmp_path: Path) -> None:
    for number in range(20):
        write(tmp_path / f"server/t{number}.json", named(f"t{number}"))
    loaded = load_catalog([tmp_path / "server"], on_conflict="source")
    assert list(loaded.catalog.toolsets) == ["server"]


def test_a_file_that_contradicts_itself_has_numbered_toolsets(tmp_path: Path) -> None:
    path = write(tmp_path / "f.json", [named("a"), named("b"), named("a", description="Two."), named("a")])
    assert placed(load_catalog([path], on_conflict="source")) == [("f", "a"), ("f#2", "a"), ("f", "b")]


def test_toolsets_do_not_depend_on_the_order_or_on_other_sources(tmp_path: Path) -> None:
    write(tmp_path / "x/tools.json", [named("a"), named("b")])
    write(tmp_path / "y/tools.json", [named("a", description="Other.")])
    write(tmp_path / "z/more.json", [named("b", description="Other.")])
    given = [tmp_path / "x/tools.json", tmp_path / "y/tools.json", tmp_path / "z/more.json"]
    digests = {load_catalog(order, on_conflict="source").catalog.digest for order in itertools.permutations(given)}
    assert len(digests) == 1
    loaded = load_catalog(given, on_conflict="source")
    assert sorted(loaded.catalog.toolsets) == ["more", "x/tools", "y/tools"]
    alone = load_catalog(given[2:], on_conflict="source")
    assert alone.catalog.tools[0].key == loaded.catalog.tools[-1].key


def test_two_tools_of_one_name_are_never_in_one_toolset(tmp_path: Path) -> None:
    names = ["a", "b", "a.b", "a_b"]
    for number in range(6):
        content = [named(name, description=f"{number % 3} {name}") for name in names[number % 4 :] + names[:2]]
        write(tmp_path / f"d{number % 2}/f{number}.json", content)
    loaded = load_catalog([tmp_path / "d0", tmp_path / "d1"], on_conflict="source")
    assert len(set(placed(loaded))) == len(loaded.catalog.tools)


def test_the_catalog_file_reads_back_equal(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [named("math.sum", response=RESULT), {**BARE, "x_frames": {"requests": ["{city}?"]}}])
    write(tmp_path / "b.json", [named("get_weather", description="Another.", x_owner="me")])
    loaded = load_catalog([tmp_path / "a.json", tmp_path / "b.json"], on_conflict="source")
    path = write(tmp_path / "catalog.json", loaded.catalog.dump())
    for on_conflict in ("refuse", "source"):
        again = load_catalog([path], on_conflict=on_conflict)  # type: ignore[arg-type]  # the literals of OnConflict
        assert again.catalog == loaded.catalog
        assert again.catalog.digest == loaded.catalog.digest


def test_tools_and_paths_and_definitions_mix(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", named("from_file"))
    (tool,) = load_tools(named("given"))
    assert [one.name for one in load_tools(named("first"), path, tool)] == ["first", "from_file", "given"]
    with pytest.raises(ToolFileError, match="no tool file was given"):
        load_tools()
    with pytest.raises(ToolFileError, match="no such file"):
        load_tools(BARE, "missing.json")


def test_an_empty_path_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tools.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ToolFileError, match="an empty path was given"):
        load_tools("")


def schema_of(word: str) -> dict[str, Any]:
    return {"type": "object", "properties": {word: {"type": "string"}}, "required": [word]}


def results_of(loaded: LoadedCatalog) -> dict[str, tuple[str, str]]:
    return {
        tool.original_name: (tool.result_origin, next(iter(tool.result_schema["properties"])))
        for tool in loaded.catalog.tools
    }


def test_a_domain_file_is_not_blamed_for_tools_that_conflict(tmp_path: Path) -> None:
    path = write(tmp_path / "t.json", [named("f"), named("f", description="Another.")])
    write(tmp_path / "t.domain.yaml", {"domain": 1, "tools": {"f": {"can": "do it"}}})
    (problem,) = problems([path])
    assert "is defined differently" in problem.what


def test_a_path_is_a_file_and_names_no_function(tmp_path: Path) -> None:
    with pytest.raises(ToolFileError) as caught:
        load_tools(BARE, Path("package.module:function"))
    assert [problem.what for problem in caught.value.problems] == ["no such file or folder"]


def test_a_domain_file_is_not_blamed_for_tools_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path / "t.domain.yaml", "domain: 1\ntools: {get_weather: {}, find_restaurants: {}}\n")
    (problem,) = problems([write(tmp_path / "t.json", '{"tools": [')])
    assert "is not JSON" in str(problem)
