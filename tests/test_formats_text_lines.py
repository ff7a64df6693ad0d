"""Lines of the parts of JSON and YAML texts."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.formats.text_lines import Path, lines_of

YAML = """\
# a comment
tools:
  renew:
    ways:
      - requests:
          - "a"
          - b: c
      - {requests: [d,
          e]}
shared: &it
  x: 1
again: *it
"""
JSON = '{\n "tools": {\n  "re\\"new": [\n   1, {"}": "[,"},\n   {"a": null,\n    "b": -1.5e3}]}}'


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        (YAML, (), 2),
        (YAML, ("tools", "renew"), 3),
        (YAML, ("tools", "renew", "ways"), 4),
        (YAML, ("tools", "renew", "ways", 0, "requests", 1), 7),
        (YAML, ("tools", "renew", "ways", 0, "requests", 1, "b"), 7),
        (YAML, ("tools", "renew", "ways", 1, "requests", 1), 9),
        (YAML, ("again",), 12),
        (YAML, ("again", "x"), 12),
        (YAML, ("tools", "renew", "ways", 5), 4),
        (YAML, ("nowhere",), 2),
        (JSON, ("tools", 're"new'), 3),
        (JSON, ("tools", 're"new', 1, "}"), 4),
        (JSON, ("tools", 're"new', 2, "a"), 5),
        (JSON, ("tools", 're"new', 2, "b"), 6),
    ],
)
def test_the_line_of_a_path(text: str, path: Path, line: int) -> None:
    assert lines_of(text, [path]) == {path: line}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def every_path(value: object, path: Path = ()) -> list[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for key, held in inner for each in every_path(held, (*path, key)))]


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
def test_json_and_yaml_of_one_value_on_a_line_each_agree(value: dict[str, object]) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=True)
    if "\\ud" in text:
        return
    paths = every_path(value)
    assert lines_of(text, paths) == {path: _line(text, value, path) for path in paths}


def _line(text: str, value: object, path: Path) -> int:
    """Count the lines that an indented writer gives what stands before a path."""
    line, held = 1, value
    for part in path:
        inner = list(held.items()) if isinstance(held, dict) else list(enumerate(held))  # type: ignore[call-overload]  # keys and places are told apart by the data
        before = [each for key, each in inner[: [key for key, _ in inner].index(part)]]
        line += 1 + sum(json.dumps(each, indent=1).count("\n") + 1 for each in before)
        held = dict(inner)[part]
    return line


def test_yaml_written_by_a_writer_has_the_line_of_each_key() -> None:
    value = {"a": {"b": [{"c": "d"}, {"e": ["f", "g"]}]}, "h": "i"}
    text = yaml.safe_dump(value, sort_keys=False)
    rows = text.splitlines()
    found = lines_of(text, [("a", "b", 1, "e", 1), ("h",), ("a", "b", 0, "c")])
    assert [rows[line - 1].strip(" -") for line in found.values()] == ["g", "h: i", "c: d"]
