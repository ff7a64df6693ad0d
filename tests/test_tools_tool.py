"""Tool and Catalog: what identifies them."""

from generator.domains.catalog import Catalog
from generator.tools.tool import Tool


def tool(name: str = "f", **more: object) -> Tool:
    fields = {"description": "F.", "parameters": {"type": "object", "properties": {}}, "result_schema": {}}
    return Tool(name=name, result_origin="domain", **{**fields, **more})  # type: ignore[arg-type]  # fields by name


def test_a_changed_copy_is_shown_and_identified_anew() -> None:
    one = tool()
    other = one.model_copy(update={"name": "g", "toolset": "t"}) if one.fingerprint and one.key else one
    assert other.shown["function"]["name"] == "g"
    assert other.fingerprint == tool("g").fingerprint != one.fingerprint
    assert other.key == "t\x1fg"


def test_strict_is_shown_where_it_was_said() -> None:
    assert "strict" not in tool().shown["function"]
    assert tool(strict=False).shown["function"]["strict"] is False


def test_the_fingerprint_is_of_what_a_record_shows() -> None:
    assert tool(result_schema={"type": "string"}, source="x").fingerprint == tool().fingerprint
    assert tool(description="G.").fingerprint != tool().fingerprint


def test_the_digest_is_of_the_tools_and_not_of_their_order_or_place() -> None:
    one, two = tool("a"), tool("b")
    digest = Catalog(tools=(one, two)).digest
    assert Catalog(tools=(two, one.model_copy(update={"source": "elsewhere"}))).digest == digest
    assert Catalog(tools=(one,)).digest != digest
    assert Catalog(tools=(one, tool("b", result_schema={"type": "string"}))).digest != digest


def test_equal_definitions_share_their_first_tool() -> None:
    one, again = tool("a", toolset="x"), tool("a", toolset="y")
    catalog = Catalog(tools=(one, again))
    assert catalog.by_fingerprint == {one.fingerprint: one}
    assert catalog.toolsets == {"x": (one,), "y": (again,)}
