"""Python functions as tools: signature, docstring, what is reported and what is refused."""

import dataclasses
import datetime
import functools
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from generator.cli import main
from generator.errors import ToolFileError
from generator.formats.loading.functions import Described, read_docstring
from generator.formats.loading.tool_files import load_catalog, load_tools
from generator.tools import Tool


@dataclasses.dataclass
class Place:
    city: str
    country: str = "NO"


def get_forecast(
    place: Place,
    days: Annotated[int, Field(ge=1, le=7)] = 3,
    unit: Literal["C", "F"] = "C",
    since: datetime.date | None = None,
) -> list[float]:
    """Get the forecast of a place.

    Args:
        place: Where.
        days (int): How many days
            to look ahead.
        unit: The unit.

    Returns:
        One temperature for each day.
    """
    raise AssertionError("no function is called")


def loose(city, limit=5, *rest, callback=print, **more):  # type: ignore[no-untyped-def]  # shows missing annotations
    """Find.

    :param city: the city
    :type city: str, optional
    """


def takes(connection: object, log: Any = sys.stderr) -> None:
    """Take what JSON cannot hold."""


def impossible(stream: Path.__class__, found: "Nowhere") -> None:  # type: ignore[name-defined,valid-type]  # noqa: F821 - shows it
    """Be impossible."""


class Shop:
    def order(self, item_id: int) -> dict[str, str]:
        """Order something."""
        return {}


def only(source: Any) -> Tool:
    (tool,) = load_tools([source])
    return tool


def told(tool: Tool) -> str:
    return "\n".join(f"{change.kind} {change.message}" for change in tool.changes)


def refused(*sources: Any) -> list[str]:
    with pytest.raises(ToolFileError) as caught:
        load_tools(*sources)
    return [str(problem) for problem in caught.value.problems]


def test_signature_and_docstring_are_a_tool() -> None:
    tool = only(get_forecast)
    properties = tool.parameters["properties"]
    assert (tool.name, tool.description) == ("get_forecast", "Get the forecast of a place.")
    assert tool.parameters["required"] == ["place"]
    assert properties["place"] == {"$ref": "#/$defs/Place", "description": "Where."}
    assert properties["days"] == {
        "type": "integer", "minimum": 1, "maximum": 7, "default": 3, "description": "How many days to look ahead."
    }  # fmt: skip
    assert properties["unit"]["enum"] == ["C", "F"]
    assert properties["since"]["anyOf"][0] == {"type": "string", "format": "date"}
    assert tool.result_schema == {
        "description": "One temperature for each day.", "type": "array", "items": {"type": "number"}
    }  # fmt: skip
    assert "title" not in str(tool.parameters)


def test_missing_annotations_and_stars_are_reported() -> None:
    tool = only(loose)
    assert {name: part.get("type") for name, part in tool.parameters["properties"].items()} == {
        "city": "string", "limit": "integer", "callback": None
    }  # fmt: skip
    for part in (
        "lost `*rest`",
        "lost `**more`",
        "the docstring's, 'str, optional'",
        "its default, integer",
        "lost the default",
    ):
        assert part in told(tool), part
    assert (tool.result_origin, tool.result_schema) == ("domain", {})


def test_methods_and_partials_are_functions() -> None:
    assert list(only(Shop().order).parameters["properties"]) == ["item_id"]
    unbound = only(Shop.order)
    assert list(unbound.parameters["properties"]) == ["item_id"]
    assert "`self` is the object" in told(unbound)
    assert only(functools.partial(get_forecast, unit="F")).parameters["properties"]["unit"]["default"] == "F"


def test_what_json_cannot_hold_is_left_out_or_refused() -> None:
    nowhere = functools.partial(int)

    def listen(name: str, sink: functools.partial[int] = nowhere) -> functools.partial[int]:
        """Listen."""
        return sink

    def connect(channel: sys.__class__) -> None:  # type: ignore[valid-type]  # shows it
        """Connect."""

    tool = only(listen)
    assert list(tool.parameters["properties"]) == ["name"]
    assert "lost `sink` is of a type" in told(tool)
    assert "lost what it returns" in told(tool)
    (problem,) = refused([connect])
    assert "the parameter `channel` is of a type that JSON cannot hold" in problem
    (problem,) = refused([impossible])
    assert "annotations cannot be resolved" in problem


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_shop_module.py").write_text('def order(item: str) -> str:\n    """Order an item."""\nNUMBER = 7\n')
    (tmp_path / "my_broken_module.py").write_text("raise RuntimeError('no licence')\n")
    (tmp_path / "my_leaving_module.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    for name in ("my_shop_module", "my_broken_module", "my_leaving_module"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.usefixtures("shop")
def test_only_the_module_that_is_named_is_imported(capsys: pytest.CaptureFixture[str]) -> None:
    path = list(sys.path)
    assert main(["tools", "my_shop_module:order"]) == 0
    assert "item: string" in capsys.readouterr().out
    assert "my_broken_module" not in sys.modules
    assert sys.path == path
    (tool,) = load_catalog(["my_shop_module:order"]).catalog.tools
    assert (tool.source, tool.result_schema) == ("my_shop_module:order", {"type": "string"})


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("my_absent_module:order", "cannot be imported: ModuleNotFoundError"),
        ("my_broken_module:order", "cannot be imported: RuntimeError: no licence"),
        ("my_leaving_module:order", "cannot be imported: SystemExit: 3"),
        ("my_shop_module:sell", "has no 'sell'"),
        ("my_shop_module:NUMBER", "is of the type int, no function"),
        ("pathlib:Path", "is a class, no function"),
    ],
)
def test_what_is_no_function_is_one_clear_message(source: str, what: str) -> None:
    (problem,) = refused(source)
    assert problem.startswith(source)
    assert what in problem


def test_functions_stand_beside_definitions() -> None:
    tools = load_tools([get_forecast, {"name": "a", "parameters": {}}], loose)
    assert [tool.name for tool in tools] == ["get_forecast", "a", "loose"]


NUMPY = """Sum up.

Extended text.

Parameters
----------
a, b : int
    The terms
    to add.
how : {'fast', 'exact'}, optional
    The way.

Returns
-------
int
    The sum.
"""
SPHINX = """Sum up.

:param int a: the first
:param b: the second,
    on two lines
:type b: float
:returns: the sum
:raises ValueError: never
"""


def test_docstrings_of_three_styles() -> None:
    numpy, sphinx = read_docstring(NUMPY), read_docstring(SPHINX)
    assert numpy.text == "Sum up.\n\nExtended text."
    assert numpy.parameters == {
        "a": Described("The terms to add.", "int"),
        "b": Described("The terms to add.", "int"),
        "how": Described("The way.", "{'fast', 'exact'}, optional"),
    }
    assert sphinx.text == "Sum up."
    assert sphinx.parameters == {
        "a": Described("the first", "int"), "b": Described("the second, on two lines", "float")
    }  # fmt: skip
    assert sphinx.returns == "the sum"
    assert read_docstring(None).text == ""
    assert read_docstring("Take a url: it is read.\n\nNote: of no style.").text.endswith("of no style.")
