"""Text from outside: JSON, JSON lines and YAML by content, and one clear problem for whatever is neither."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.formats.loading import parsing
from generator.formats.loading.parsing import (
    MAX_DEPTH,
    MAX_EXPANDED,
    MAX_FILE_BYTES,
    Path,
    find_unusable,
    lines_of,
    read_documents,
)
from tests.tables import each_row


def values(text: str | bytes) -> list[Any]:
    reading = read_documents(text.encode() if isinstance(text, str) else text, "f")
    assert reading.problems == ()
    return [document.value for document in reading.documents]


@each_row(
    ("text", "expected"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('\ufeff {"a": 1}\n', [{"a": 1}]),
        ("[1, 2]", [[1, 2]]),
        ("[18446744073709551615, -9223372036854775808]", [[2**64 - 1, -(2**63)]]),
        ('{"a": 1}\n\n{"b": 2}\r\n', [{"a": 1}, {"b": 2}]),
        ("a: 1\nb: [x, 'y']\n", [{"a": 1, "b": ["x", "y"]}]),
        ("# tools\n- a\n- b\n", [["a", "b"]]),
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("---\na: 1\n...\n", [{"a": 1}]),
        ("é: ü", [{"é": "ü"}]),
    ],
)
def test_the_notation_is_told_by_content(text: str, expected: list[Any]) -> None:
    assert values(text) == expected


@each_row(
    ("plain", "value"),
    [
        ("yes", "yes"), ("on", "on"), ("no", "no"), ("2024-01-01", "2024-01-01"), ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None), ("7", 7), ("-7", -7), ("0x10", 16),
        ("0o17", 15), ("017", 17), ("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5), ("'7'", "7"), ('"true"', "true"),
        ("!!str 7", "7"), ("1.2.3", "1.2.3"), ("<<", "<<"),
    ],
)  # fmt: skip
def test_yaml_scalars_are_those_of_json(plain: str, value: Any) -> None:
    assert values(f"a: {plain}") == [{"a": value}]


def test_yaml_keys_are_text() -> None:
    assert values("404: a\ntrue: b\nnull: c\n") == [{"404": "a", "true": "b", "null": "c"}]


def test_yaml_aliases_and_merges() -> None:
    assert values("a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\nd: {<<: [{z: 1}, *a]}\n") == [
        {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}, "c": {"x": 1, "y": 3}, "d": {"z": 1, "x": 1, "y": 2}}
    ]


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [" + ", ".join(["x"] * 10) + "]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, levels)]
    return "\n".join(lines)


@each_row(
    ("text", "where", "word"),
    [
        ("", "f", "is empty"),
        (" \n\t\n", "f", "is empty"),
        ("# nothing\n", "f", "is empty"),
        ('{"a": 1,}', "f:1:9", "not JSON"),
        ('{"a": 1\n "b": 2}', "f:2:2", "not JSON"),
        ("[1, 2", "f:1:6", "not JSON"),
        ('{"a": 1} x', "f:1:10", "Extra data"),
        ('{"a": 1}\n{"b": 2,}\n', "f:2:9", "not JSON"),
        ('{"a": 1,\n "b": {"c": 1, "c": 2}}', "f:2:16", '"c" is given twice'),
        ('{"a": ["a", "a"], "a": 2}', "f:1:19", '"a" is given twice'),
        ('{"a": 1}\n{"b": 1, "b": 2}\n', "f:2:10", '"b" is given twice'),
        ('{"a": "NaN, {", "b": NaN}', "f:1:22", "NaN is not JSON"),
        ("[-Infinity]", "f:1:2", "-Infinity is not JSON"),
        ("[1e999]", "f#/0", "number that JSON cannot hold"),
        ("[18446744073709551616]", "f#/0", "64 bits"),
        ("[" + "1" * 5000 + "]", "f:1:2", "an integer with thousands of digits"),
        ('{"a": ["\\ud800"]}', "f#/a/0", "surrogate"),
        ('{"\\ud800": 1}', "f#", "surrogate"),
        ("[" * 100_000, "f:1:1", "nested too deeply"),
        ('{"a":' * 100_000, "f:1:1", "nested too deeply"),
        ("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2), "f#/0/0/0/0/0/0/0/0", "nested deeper"),
        ("a: [1,\nb: }", "f:2:4", "neither JSON nor YAML"),
        ("a: 1\n\tb: 2", "f:2:1", "neither JSON nor YAML"),
        ("a: 1\nb: 2\na: 3\n", "f:3:1", "'a' is given twice"),
        ("a: &a [*a]", "f:1:8", "inside itself"),
        ("a: *b", "f:1:4", "names no anchor"),
        ("a: !!python/object/apply:os.system [ls]", "f:1:4", "has the tag"),
        ("a: !!set {b}", "f:1:4", "has the tag"),
        ("a: !custom b", "f:1:4", "has the tag"),
        ("a: .nan", "f:1:4", "cannot hold"),
        ("? [a, b]\n: c\n", "f:1:8", "a key is a list"),
        ("a: {<<: 7}", "f:1:9", "no mapping"),
        ("a: " + "[" * 900, "f:1:203", "nested deeper"),
        ("- " * 100_000, "f:1:401", "nested deeper"),
        ("a: 1\x01", "f:1:5", "neither JSON nor YAML"),
        (bomb(12), "f:6:10", f"more than {MAX_EXPANDED:,} values"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_problem_with_its_place(text: str, where: str, word: str) -> None:
    reading = read_documents(text.encode(), "f")
    assert [problem.where for problem in reading.problems] == [where]
    assert word in reading.problems[0].what
    assert len(str(reading.problems[0])) < 300


def test_nesting_without_end_is_one_problem_whichever_limit_meets_it() -> None:
    (problem,) = read_documents(("a: " + "[" * 100_000).encode(), "f").problems
    assert problem.where.startswith("f:1:")
    assert "nested deeper than 200 levels" in str(problem)


@pytest.mark.parametrize(
    ("data", "where", "word"),
    [
        (b'{"a":\n "\xff"}', "f:2:3", "byte 0xff"),
        ('{"a": 1}'.encode("utf-16"), "f:1:1", "not UTF-8"),
        (b"\x00\x01\x02", "f:1:1", "neither JSON nor YAML"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, where: str, word: str) -> None:
    (problem,) = read_documents(data, "f").problems
    assert problem.where == where
    assert word in problem.what


def test_good_lines_are_kept_beside_bad_ones() -> None:
    reading = read_documents(b'{"a": 1}\nnope\n{"b": 2}\n[\n', "f")
    assert [(document.value, document.place) for document in reading.documents] == [
        ({"a": 1}, "f:1"),
        ({"b": 2}, "f:3"),
    ]
    assert [problem.where for problem in reading.problems] == ["f:2:1", "f:4:2"]


def test_large_files_are_refused_before_they_are_parsed() -> None:
    data = b"[" + b"0," * (MAX_FILE_BYTES // 2) + b"0]"
    tracemalloc.start()
    (problem,) = read_documents(data, "f").problems
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert f"{MAX_FILE_BYTES:,}" in problem.what
    assert peak < 1_000_000


def test_yaml_has_a_smaller_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MAX_YAML_BYTES", 100)
    (problem,) = read_documents(b"a: " + b"x" * 200, "f").problems
    assert "bytes of YAML" in problem.what


def test_a_bomb_takes_little_memory() -> None:
    tracemalloc.start()
    assert read_documents(bomb(30).encode(), "f").problems
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def test_values_in_memory_are_checked_alike() -> None:
    cyclic: list[Any] = []
    cyclic += [cyclic, cyclic]
    assert find_unusable(cyclic)
    assert [at for at, _, _ in find_unusable({"a": {1, 2}, "b": [float("nan")], "c": {3: 4}})] == ["/c", "/b/0", "/a"]
    assert find_unusable({"a": [1, 1.5, None, True, "ü"]}) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",))), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(JSON, max_size=3) | st.dictionaries(st.text("abc"), JSON, max_size=3))
def test_json_is_read_as_it_was_written(value: Any) -> None:
    assert values(json.dumps(value)) == [value]
    assert values(json.dumps(value, indent=2, ensure_ascii=False)) == [value]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text("{}[]:,\"-'&*!|>#%@ \n\tab01.~<", max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    reading = read_documents(data, "f")
    assert reading.documents or reading.problems


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
NESTED = '{\n "tools": {\n  "re\\"new": [\n   1, {"}": "[,"},\n   {"a": null,\n    "b": -1.5e3}]}}'


@each_row(
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
        (NESTED, ("tools", 're"new'), 3),
        (NESTED, ("tools", 're"new', 1, "}"), 4),
        (NESTED, ("tools", 're"new', 2, "a"), 5),
        (NESTED, ("tools", 're"new', 2, "b"), 6),
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
