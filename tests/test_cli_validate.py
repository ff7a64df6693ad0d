"""`toolgen validate`: what it prints, what it finds by itself, and how it exits."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from generator.formats import FORMATS
from generator.jsontext import dump_line, dump_pretty
from tests.record_examples import CATALOG, KINDS, WEATHER, failed, simple

Json = Any  # parsed JSON


def write(path: Path, *documents: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(each if isinstance(each, bytes) else dump_line(each) for each in documents))
    return path


def bad_id() -> Json:
    document = simple()
    del document["metadata"]
    document["messages"][2]["tool_calls"][0]["id"] = document["messages"][3]["tool_call_id"] = "short"
    return document


def bad_result() -> Json:
    document = simple()
    document["messages"][3]["content"] = '{"temperature":"warm"}'
    document["messages"][4]["content"] = "The temperature in Rome is warm."
    return document


def only_warned() -> Json:
    document = simple()
    del document["metadata"]
    document["messages"][3]["content"] = "It is warm."
    document["messages"][4]["content"] = "It is warm in Rome."
    return document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run folder with a record of every kind."""
    write(tmp_path / "run" / "records.jsonl", *(kind() for kind in KINDS.values()))
    (tmp_path / "run" / "catalog.json").write_text(dump_pretty(CATALOG.dump()), encoding="utf-8")
    (tmp_path / "run" / "job.json").write_text("{}", encoding="utf-8")
    return tmp_path / "run"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["validate", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_good_records_pass(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, str(folder))
    assert (code, out) == (0, "")
    assert f"{len(KINDS)} records, {len(KINDS)} passed, 0 errors, 0 warnings" in err
    assert "NOT CHECKED" not in err


def test_a_violation_has_line_place_rule_and_reason(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", simple(), b'{"messages"\n', bad_id())
    code, out, err = run(capsys, str(path))
    assert code == 1
    assert out.splitlines() == [
        "DF005 error, once in 1 record: A call id is exactly nine letters and digits.",
        f"    {path}:3: /messages/2/tool_calls/0/id: a call id is exactly nine of a-z, A-Z, 0-9, not 'short'",
        "TC101 error, once in 1 record: A record can be stored as JSON, and is no larger than what is checked.",
        f"    {path}:2: /: this line is not JSON, as each record is: unexpected end of data at column 13",
    ]
    assert "3 records, 1 passed, 2 errors, 0 warnings" in err


def test_json_has_one_object_per_violation_and_a_summary(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", bad_id())
    code, out, err = run(capsys, str(path), "--json")
    first, last = map(json.loads, out.splitlines())
    assert (code, err) == (1, "")
    assert first == {
        "file": str(path),
        "line": 1,
        "rule": "DF005",
        "severity": "error",
        "pointer": "/messages/2/tool_calls/0/id",
        "message": "a call id is exactly nine of a-z, A-Z, 0-9, not 'short'",
    }
    assert last == {
        "summary": {
            "records": 1,
            "passed": 0,
            "errors": 1,
            "warnings": 0,
            "notes": 0,
            "rules": {"DF005": 1},
            "formats": {"deepfabric": 1},
            "calls": 1,
            "results": 1,
            "tools": 1,
            "columns": {},
            "unmet": [],
            "held_back": 0,
            "not_checked": {"rules": ["ADM113", "ADM114"], "files": [str(path)]},
        }
    }


@pytest.mark.parametrize("named", ["folder", "file"])
def test_a_run_brings_its_catalog(capsys: pytest.CaptureFixture[str], folder: Path, named: str) -> None:
    write(folder / "records.jsonl", bad_result())
    code, out, _ = run(capsys, str(folder if named == "folder" else folder / "records.jsonl"))
    assert code == 1
    assert "ADM113" in out


def test_without_a_catalog_results_are_not_checked_and_that_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = write(tmp_path / "x.jsonl", bad_result(), bad_result())
    code, out, err = run(capsys, str(path))
    assert (code, out) == (0, "")
    assert err.count("NOT CHECKED: results by their schemas (ADM113, ADM114)") == 1


def test_tools_can_be_given(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    definition = {"name": WEATHER.name, "description": WEATHER.description, "inputSchema": WEATHER.parameters}
    tools.write_text(json.dumps({"tools": [{**definition, "outputSchema": WEATHER.result_schema}]}), encoding="utf-8")
    path = write(tmp_path / "x.jsonl", bad_result())
    code, out, err = run(capsys, str(path), "--tools", str(tools), "--json")
    assert [json.loads(line).get("rule") for line in out.splitlines()] == ["ADM113", None], err
    assert code == 1


def test_records_of_a_run_without_metadata_are_held_to_all_rules(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    document = simple()
    del document["metadata"]
    document["messages"][2]["content"] = "Let me look."
    write(folder / "records.jsonl", document)
    assert run(capsys, str(folder))[0] == 1
    assert run(capsys, str(folder), "--mode", "read")[0] == 0
    other = write(tmp_path / "other.jsonl", document)
    assert run(capsys, str(other))[0] == 0
    assert run(capsys, str(other), "--mode", "written")[0] == 1


def test_stdin_is_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(dump_line(bad_id()))))
    code, out, _ = run(capsys, "-")
    assert code == 1
    assert "    stdin:1: /messages/2/tool_calls/0/id: " in out


def test_warnings_fail_only_when_strict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(write(tmp_path / "x.jsonl", only_warned()))
    code, out, err = run(capsys, path)
    assert (code, "DF010 warning" in out, "1 passed, 0 errors, 1 warnings" in err) == (0, True, True)
    assert run(capsys, path, "--strict")[0] == 1


def test_violations_are_printed_up_to_a_limit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(write(tmp_path / "x.jsonl", *[bad_id()] * 5))
    code, out, err = run(capsys, path, "--max-violations", "2")
    assert (code, len(out.splitlines()), out.count(f"{path}:")) == (1, 4, 2)
    assert "5 times in 5 records" in out
    assert "... and 3 more violations" in err
    assert "5 records, 0 passed, 5 errors" in err
    _, out, _ = run(capsys, path, "--max-violations", "0", "--json")
    assert json.loads(out)["summary"]["errors"] == 5


def test_several_files_are_summed(capsys: pytest.CaptureFixture[str], tmp_path: Path, folder: Path) -> None:
    path = write(tmp_path / "x.jsonl", bad_id())
    code, out, err = run(capsys, str(folder), str(path))
    assert (code, out.count("\n")) == (1, 2)
    assert f"{len(KINDS) + 1} records" in err
    assert f"(ADM113, ADM114) of {path};" in err


def test_messages_cannot_steer_a_terminal_nor_break_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = simple()
    document["messages"][2]["tool_calls"][0]["function"]["arguments"]["\x1b[31m\n\u202e"] = 1
    _, out, _ = run(capsys, str(write(tmp_path / "x.jsonl", document)), "--select", "ADM")
    assert len(out.splitlines()) == 2
    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize(
    ("make", "code", "says"),
    [
        (lambda path: None, 2, "there is no such file"),
        (lambda path: path.mkdir(), 2, "holds no records.jsonl"),
        (lambda path: path.write_text("\n\n", encoding="utf-8"), 1, "there is no record to check"),
    ],
)
def test_nothing_to_check_is_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, make: Any, code: int, says: str
) -> None:
    path = tmp_path / "x"
    make(path)
    exit_code, _, err = run(capsys, str(path))
    assert (exit_code, says in err) == (code, True)


def test_a_damaged_catalog_is_named(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "catalog.json").write_text("{", encoding="utf-8")
    code, _, err = run(capsys, str(folder))
    assert code == 5
    assert "catalog.json" in err


def test_an_error_result_passes(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write(folder / "records.jsonl", failed())
    assert run(capsys, str(folder))[0] == 0


def test_an_unknown_mode_names_the_known_ones(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, _, err = run(capsys, str(folder), "--mode", "writen")
    assert code == 2
    assert "written" in err


@pytest.mark.parametrize("name", ["openai", "qwen3", "deepfabric"])
def test_records_of_other_formats_are_read_first(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    dump = FORMATS[name].dump_record
    assert dump is not None
    path = str(write(tmp_path / "x.jsonl", *(dump(kind()) for kind in KINDS.values())))
    code, out, _ = run(capsys, path, "--format", name)
    assert (code, out) == (0, "")
    code, _, err = run(capsys, path)
    assert (code, f"{name} (" in err) == (0, True)
    assert run(capsys, path, "--format", "canonical")[0] == (0 if name == "deepfabric" else 1)


def test_broken_records_of_other_formats_are_violations(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = [b"3\n", b"{}\n", b"[" * 900 + b"\n", b'{"messages":[{"role":3,"tool_calls":[3]}]}\n']
    path = str(write(tmp_path / "x.jsonl", *lines, b'{"messages":' + b"[" * 300 + b"]" * 300 + b"}\n"))
    for name in ("openai", "qwen3", "deepfabric"):
        code, out, _ = run(capsys, path, "--format", name, "--json")
        assert code == 1
        assert {json.loads(line).get("line") for line in out.splitlines()} == {1, 2, 3, 4, 5, None}


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ((), {"DF005", "TC101", "TC102"}),
        (("--select", "DF"), {"DF005", "TC101"}),
        (("--select", "df005,TC102"), {"DF005", "TC101", "TC102"}),
        (("--select", "DF", "--select", "TC1"), {"DF005", "TC101", "TC102"}),
        (("--ignore", "DF"), {"TC101", "TC102"}),
        (("--ignore", "TC"), {"DF005", "TC101"}),
        (("--ignore", "TC", "--ignore", "TC101"), {"DF005"}),
        (("--select", "DF", "--ignore", "DF005"), {"TC101"}),
    ],
)
def test_rules_are_chosen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...], rules: set[str]
) -> None:
    shown_none = simple()
    del shown_none["tools"], shown_none["metadata"]
    path = write(tmp_path / "x.jsonl", bad_id(), b"nothing\n", shown_none)
    _, out, _ = run(capsys, str(path), "--mode", "read", "--json", *options)
    assert {json.loads(line).get("rule") for line in out.splitlines()} - {None} == rules


def test_what_is_ignored_does_not_fail(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(write(tmp_path / "x.jsonl", bad_id()))
    assert run(capsys, path)[0] == 1
    assert run(capsys, path, "--ignore", "DF005")[0] == 0


@pytest.mark.parametrize("look", ["--sarif", "--github", "--statistics", "--json"])
def test_each_report_is_asked_for_by_its_option(capsys: pytest.CaptureFixture[str], tmp_path: Path, look: str) -> None:
    path = str(write(tmp_path / "x.jsonl", bad_id(), bad_id()))
    code, out, err = run(capsys, path, look, "--max-violations", "1")
    assert code == 1
    assert "DF005" in out
    if look == "--sarif":
        assert len(json.loads(out)["runs"][0]["results"]) == 1
    if look == "--github":
        assert out.count("::error file=") == 1
    if look in ("--sarif", "--json"):
        assert err == ""
    else:
        assert "... and 1 more violations" in err


def test_two_reports_at_once_are_refused(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, str(folder), "--json", "--sarif")
    assert (code, out) == (2, "")
    assert "give one of --json, --sarif, --github and --statistics" in err


def test_lines_of_any_format_are_read_as_what_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = ("openai", "qwen3", "deepfabric", "mistral", "hermes", "bfcl")
    dumps = [(name, FORMATS[name].dump_record) for name in names]
    lines = [dump(KINDS["multiple"]()) for _, dump in dumps if dump is not None]
    path = str(write(tmp_path / "x.jsonl", *lines, b'{"foo": 1}\n'))
    code, out, _ = run(capsys, path, "--mode", "read", "--json", "--ignore", "TC")
    assert code == 1
    *found, last = map(json.loads, out.splitlines())
    assert {each["line"] for each in found if each["severity"] == "error"} == {7}
    assert last["summary"]["formats"] == dict.fromkeys(sorted(names), 1)


def test_canonical_records_stay_canonical_though_their_arguments_are_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = simple()
    call = document["messages"][2]["tool_calls"][0]
    call["function"]["arguments"] = json.dumps(call["function"]["arguments"])
    bare = {key: value for key, value in document.items() if key != "metadata"}
    path = str(write(tmp_path / "x.jsonl", document, bare))
    _, out, _ = run(capsys, path, "--json", "--select", "DF")
    assert [json.loads(line).get("rule") for line in out.splitlines()] == ["DF004", "DF004", None]


@pytest.mark.parametrize(
    "name", ["openai-request", "openai-response", "openai-stream", "adm-tool", "adm-call", "adm-result"]
)
@pytest.mark.parametrize("line", [b"{}\n", b"[]\n", b"3\n", b"nothing\n", b'{"a":1,"a":2}\n'])
def test_what_is_no_record_has_its_own_formats(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, line: bytes
) -> None:
    code, out, err = run(capsys, str(write(tmp_path / "x.jsonl", line)), "--format", name)
    assert (code, "NOT CHECKED" in err) == (1, False)
    assert out


def test_an_unknown_format_names_the_nearest(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, _, err = run(capsys, str(folder), "--format", "openai-requests")
    assert code == 2
    assert "did you mean openai-request?" in err
