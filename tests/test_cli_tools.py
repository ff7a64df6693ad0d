"""`toolgen tools`: the table, JSON, other formats, refusal."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from generator.cli.tools import command

TOOL = {
    "name": "book.room",
    "description": "Book a room.",
    "parameters": {
        "type": "dict",
        "properties": {
            "city": {"type": "string", "description": "The city"},
            "stay": {"type": "dict", "properties": {"nights": {"type": "float", "description": "Nights"}}},
            "tags": {"type": "array", "items": {"type": "String"}, "description": "Tags"},
            "mood": {"type": ["string", "null"], "description": "Mood"},
        },
        "required": ["city", "town"],
    },
    "response": {"type": "dict", "properties": {"booking_id": {"type": "string"}}},
}


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([TOOL]))
    return str(file)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["tools", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_table_names_parameters_result_origin_and_every_change(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, path, "--verbose")
    flat = " ".join(out.replace("│", " ").split())
    assert code == 0
    for part in (
        "book_room", "city: string", "stay?: object", "tags?: list of string", "mood?: string or null",
        "declared: object of booking_id", "parameters, stay, result:", 'the type "dict" became object', "stay.nights:",
        "tags[]:", "LOST:", "the missing description of a parameter became its name", "'book.room' became",
    ):  # fmt: skip
        assert part in flat, part


def test_json_is_a_catalog_with_every_warning(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, path, "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert document["tools"][0]["original_name"] == "book.room"
    assert {"skipped", "warnings", "merged"} <= set(document)
    again = Path(path).with_name("again.json")
    again.write_text(out)
    assert json.loads(run(capsys, str(again), "--json")[1])["tools"] == document["tools"]


@pytest.mark.parametrize("to", ["openai", "adm", "mcp"])
def test_tools_are_written_in_another_format(to: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, path, "--to", to)
    assert code == 0
    assert json.loads(out)
    assert ("lost:" in err) == (to != "mcp")


def test_as_trained_shows_what_records_show(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = json.loads(run(capsys, path, "--as-trained")[1])
    assert shown["function"]["name"] == "book_room"
    assert shown["function"]["parameters"]["properties"]["stay"]["type"] == "object"
    (served,) = json.loads(run(capsys, path, "--as-trained", "--to", "mcp")[1])["tools"]
    assert served["name"] == "book_room"
    assert served["inputSchema"] == shown["function"]["parameters"]
    (converted,) = json.loads(run(capsys, path, "--to", "mcp")[1])["tools"]
    assert converted["name"] == "book.room"


def test_output_goes_to_a_file(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--as-trained"], ["--json"], []):
        target = tmp_path / "out"
        code, out, _ = run(capsys, path, "-o", str(target), *arguments)
        assert (code, out) == (0, "")
        assert "book_room" in target.read_text()


def test_an_unwritable_file_is_one_error(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, path, "--json", "-o", str(tmp_path / "no" / "such" / "file"))
    assert (code, out) == (5, "")
    assert err.count("error:") == 1


def test_without_files_the_bundled_tools_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert code == 0
    assert "bundled" in err
    assert "declared" in out


def test_refusal_lists_every_problem_and_prints_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text('{"a": 1,}')
    (tmp_path / "b.json").write_text(json.dumps([{**TOOL, "description": 5}, {**TOOL, "parameters": 5}]))
    code, out, err = run(capsys, str(tmp_path))
    assert (code, out) == (2, "")
    assert [line.split(": ")[0] for line in err.splitlines()] == ["error"] * 3
    assert "a.json:1:9" in err
    assert "b.json#/1/parameters" in err


def test_skipping_says_what_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text(json.dumps(TOOL))
    code, out, err = run(capsys, str(tmp_path), "--skip-invalid", "--as-trained")
    assert code == 0
    assert err.startswith("skipped: ")
    assert len(json.loads(out)) == 1


def conflicting(folder: Path) -> list[str]:
    (folder / "a.json").write_text(json.dumps(TOOL))
    (folder / "b.json").write_text(json.dumps({**TOOL, "description": "Another."}))
    return [str(folder / "a.json"), str(folder / "b.json")]


def test_conflicts_are_refused_or_parted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = conflicting(tmp_path)
    code, _, err = run(capsys, *paths, "--skip-invalid")
    assert code == 2
    assert "a.json" in err and "b.json" in err
    code, out, _ = run(capsys, *paths, "--on-conflict", "source")
    assert code == 0
    assert "toolset" in out
    assert run(capsys, *paths, "--on-conflict", "source", "--to", "adm")[0] == 2


def test_strict_refuses_unknown_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps({**TOOL, "behavior": "BLOCKING"}))
    assert "warning: " in run(capsys, str(file))[2]
    code, _, err = run(capsys, str(file), "--strict")
    assert code == 2
    assert "behavior" in err


def test_warnings_that_are_alike_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps({**TOOL, **{f"field{n}": 1 for n in range(30)}}))
    err = run(capsys, str(file))[2]
    assert err.count("warning: ") == 1
    assert "`field0`" in err
    assert "29 more like it; --verbose tells all" in " ".join(err.split())
    assert run(capsys, str(file), "--verbose")[2].count("warning: ") == 30
    assert len(json.loads(run(capsys, str(file), "--json")[1])["warnings"]) == 30


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--to", "mpc"], "did you mean mcp?"),
        (["--json", "--to", "mcp"], "leave out --to"),
        (["--json", "--as-trained"], "leave out --to"),
        (["--on-conflict", "sauce"], "did you mean source?"),
    ],
)
def test_usage_errors(arguments: list[str], word: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, path, *arguments)
    assert (code, out) == (2, "")
    assert word in err


def test_text_from_files_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.json"
    tool: dict[str, Any] = {**TOOL, "name": "a\x1b[2J", "x\x1b[31m": 1}
    file.write_text(json.dumps(tool))
    _, out, err = run(capsys, str(file))
    assert "\x1b[2J" not in out
    assert "\x1b" not in err


def test_help_names_every_option() -> None:
    names = {option for parameter in command.params for option in parameter.opts}
    assert {"--json", "--to", "--as-trained", "-o", "--strict", "--skip-invalid", "--on-conflict"} <= names
