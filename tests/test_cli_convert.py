"""`toolgen convert`: data sets of any origin in another format, line by line, in order."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from generator.cli import main
from generator.formats.recognition import WRITTEN
from tests import record_examples
from tests.test_formats_foreign import OTHERS

Json = Any  # parsed JSON


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file with records of every kind, some hundred lines in all."""
    path = tmp_path / "records.jsonl"
    lines = [orjson.dumps(make()) + b"\n" for make in record_examples.KINDS.values()]
    path.write_bytes(b"".join(lines * 60))
    return path


def lines(path: Path) -> list[Json]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("name", ["deepfabric", "openai", "qwen3", "qwen3-text", "hermes", "anthropic"])
def test_a_data_set_comes_back_the_same(records: Path, tmp_path: Path, name: str) -> None:
    there, back = tmp_path / "there.jsonl", tmp_path / "back.jsonl"
    assert main(["convert", str(records), "--to", name, "-o", str(there)]) == 0
    assert main(["convert", str(there), "--from", name, "--to", "deepfabric", "-o", str(back)]) == 0
    assert back.read_bytes() == records.read_bytes() or lines(back) == lines(records)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("target", ["openai", "llamafactory", "gemini", "qwen3-text"])
def test_records_of_other_projects_are_written_in_any_format(tmp_path: Path, name: str, target: str) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(orjson.dumps(OTHERS[name]) + b"\n")
    assert main(["convert", str(source), "--to", target, "-o", str(out)]) == 0
    assert main(["convert", str(source), "--from", name, "--to", target, "-o", "-"]) == 0
    assert "find_trains" in out.read_text(encoding="utf-8")


def test_the_output_does_not_depend_on_the_number_of_processes(records: Path, tmp_path: Path) -> None:
    with records.open("ab") as file:
        file.write(b"[1]\n" * 3)
    outputs = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.jsonl"
        assert main(["convert", str(records), str(records), "--to", "openai", "--jobs", jobs, "-o", str(out)]) == 1
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 2 * 60 * len(record_examples.KINDS)


def test_a_bad_line_is_told_with_its_number_and_the_rest_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    unanswered = record_examples.parallel()
    del unanswered["messages"][4]
    textual = record_examples.simple()
    textual["messages"][2]["tool_calls"][0]["function"]["arguments"] = "{"
    good = orjson.dumps(record_examples.simple())
    both = b'{"messages": [], "question": 1, "function": 2, "query": 3, "tools": 4, "answers": 5}'
    bad = [b"{", b"[]", b'{"a": 1}', both, orjson.dumps(unanswered), orjson.dumps(textual), b'{"messages": []}']
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join([good, *bad, b"", good]))
    assert main(["convert", str(path), "--to", "openai"]) == 1
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 2
    told = [line for line in err.splitlines() if line.startswith(str(path))]
    assert [int(line.removeprefix(f"{path}:").partition(":")[0]) for line in told] == list(range(2, len(bad) + 2))
    for place, what in {
        0: "/: the line is not JSON",
        1: "/: a record is a JSON object",
        2: "/: is in no format that is known: it has 'a'",
        3: "say which",
        4: "/messages/4: only some of the calls before this message have a result",
        5: "/messages/2/tool_calls/0: the arguments of a call are an object",
        6: "/messages: a record has a list of messages that is not empty",
    }.items():
        assert what in told[place], told[place]
    assert "2 records written to stdout as openai" in err
    assert "7 lines were left out" in err


def test_stdin_is_read_and_stdout_written(
    records: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    packed = io.BytesIO(gzip.compress(records.read_bytes()))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=packed))
    assert main(["convert", "-", "--to", "deepfabric"]) == 0
    assert capfdbinary.readouterr().out == records.read_bytes()


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_archives_are_written_by_name_and_read_by_content(records: Path, tmp_path: Path, ending: str) -> None:
    if ending == "zst":
        pytest.importorskip("zstandard")
    there, back = tmp_path / f"there.jsonl.{ending}", tmp_path / "back.jsonl"
    assert main(["convert", str(records), "--to", "deepfabric", "-o", str(there)]) == 0
    assert there.stat().st_size < records.stat().st_size / 5
    first = there.read_bytes()
    assert main(["convert", str(records), "--to", "deepfabric", "-o", str(there)]) == 0
    assert there.read_bytes() == first, "the same records give the same bytes"
    assert main(["convert", str(there), "--to", "deepfabric", "-o", str(back)]) == 0
    assert back.read_bytes() == records.read_bytes()


def test_the_options_of_writing_are_obeyed(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    options = ["--no-metadata", "--system", "Be kind.", "--serialize-parallel", "--tools-as-string"]
    assert main(["convert", str(records), "--to", "openai", *options, "-o", str(out)]) == 0
    for record in lines(out):
        assert record["messages"][0] == {"role": "system", "content": "Be kind."}
        assert all(len(message.get("tool_calls", [1])) == 1 for message in record["messages"])
        assert isinstance(record["tools"], str)
        assert "metadata" not in record


@pytest.mark.parametrize("name", WRITTEN)
def test_lines_without_tools_are_written_in_every_format(tmp_path: Path, name: str) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b'{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}\n')
    assert main(["convert", str(path), "--to", name, "-o", str(out)]) == 0
    assert main(["convert", str(out), "--from", name, "--to", "deepfabric", "-o", str(path)]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing", "--to", "openai"], 2, "there is no such file or folder"),
        (["records.jsonl", "--to", "opena"], 2, "did you mean openai?"),
        (["records.jsonl", "--from", "xlma", "--to", "openai"], 2, "did you mean xlam?"),
        (["records.jsonl", "--to", "xlam"], 2, "is not one of"),
        (["records.jsonl", "--to", "openai", "-o", "records.jsonl"], 2, "is the file the records come from"),
        (["empty.jsonl", "--to", "openai", "-o", "out.jsonl"], 1, "no records"),
        (["records.jsonl", "--to", "openai", "-o", "records.jsonl/out.jsonl"], 5, "records.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_plainly(
    records: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], code: int, message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(records.parent)
    (records.parent / "empty.jsonl").touch()
    assert main(["convert", *arguments]) == code
    assert message in capsys.readouterr().err
