"""`toolgen export`: whole files of records that read back and pass, or a message that says why not."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.cli import main
from generator.datasets.export import UNFAITHFUL, UNREADABLE, Export
from generator.formats import FORMATS
from generator.formats.recognition import WRITTEN
from generator.formats.writing import Shaping
from tests import own_templates, record_examples

Json = Any  # parsed JSON
LOSSLESS = ["deepfabric", "openai", "qwen3", "qwen3-text", "hermes", "anthropic"]
"""The formats that lose nothing of the records below."""


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file with a record of every kind."""
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"".join(orjson.dumps(make()) + b"\n" for make in record_examples.KINDS.values()))
    return path


def lines(path: Path) -> list[Json]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("name", LOSSLESS)
def test_every_format_can_be_exported_and_imported_again(records: Path, tmp_path: Path, name: str) -> None:
    there, back = tmp_path / "there.jsonl", tmp_path / "back.jsonl"
    assert main(["export", str(records), "--format", name, "-o", str(there)]) == 0
    assert main(["export", str(there), "--format", "deepfabric", "-o", str(back)]) == 0
    assert lines(back) == lines(records)
    assert not list(tmp_path.glob(".*"))


def test_without_metadata_only_messages_and_tools_remain(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["export", str(records), "--format", "deepfabric", "--no-metadata", "-o", str(out)]) == 0
    assert {tuple(record) for record in lines(out)} == {("messages", "tools")}


def test_a_dash_means_stdout(records: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["export", str(records), "--format", "deepfabric", "-o", "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert out == records.read_bytes()
    assert b"records written to stdout as deepfabric" in err


def test_a_record_that_fails_is_left_out_and_told(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = record_examples.simple()
    bad["messages"][3]["tool_call_id"] = "zzzzzzzzz"
    with records.open("ab") as file:
        file.write(b"not json\n[1]\n\n" + orjson.dumps(bad) + b"\n")
    out = tmp_path / "out.jsonl"
    assert main(["export", str(records), "--format", "openai", "-o", str(out)]) == 1
    err = capsys.readouterr().err
    count = len(record_examples.KINDS)
    assert len(lines(out)) == count
    assert f"records.jsonl:{count + 1}: /: {UNREADABLE}: " in err
    assert f"records.jsonl:{count + 4}: /messages/" in err
    assert "3 failed and were left out" in err


def test_a_record_that_the_format_cannot_hold_does_not_count() -> None:
    def forgetful(document: Json) -> Json:
        return json.loads(json.dumps(document).replace("Rome", "Oslo"))

    target = replace(FORMATS["deepfabric"], dump_record=forgetful)
    export = Export(Shaping(target))
    assert list(export.lines(BytesIO(orjson.dumps(record_examples.simple())))) == []
    assert [violation.rule for violation in export.failures[0].violations] == [UNFAITHFUL]


def test_only_the_first_failures_are_kept() -> None:
    export = Export(Shaping(FORMATS["deepfabric"]))
    assert list(export.lines(BytesIO(b"{}\n" * 50))) == []
    assert (export.failed, len(export.failures)) == (50, Export.KEPT_FAILURES)


@pytest.mark.parametrize(
    ("source", "output", "code", "message"),
    [
        ("missing", "out.jsonl", 2, "there is no such file or folder"),
        ("empty", "out.jsonl", 2, "holds no records.jsonl"),
        ("empty.jsonl", "out.jsonl", 1, "holds no records"),
        ("records.jsonl", "records.jsonl", 2, "is the file the records come from"),
        ("records.jsonl", "empty", 2, "is a folder"),
        ("records.jsonl", "empty.jsonl/out.jsonl", 5, "empty.jsonl: "),
    ],
)
def test_what_cannot_be_exported_is_said_plainly(
    records: Path, capsys: pytest.CaptureFixture[str], source: str, output: str, code: int, message: str
) -> None:
    folder = records.parent
    (folder / "empty").mkdir()
    (folder / "empty.jsonl").touch()
    before = records.read_bytes()
    assert main(["export", str(folder / source), "--format", "openai", "-o", str(folder / output)]) == code
    assert message in capsys.readouterr().err
    assert records.read_bytes() == before


def test_an_old_export_stays_where_no_record_is_left(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    assert main(["export", str(records), "--format", "trl", "--max-length", "5", "-o", str(out)]) == 1
    assert "no record is left to be written" in capsys.readouterr().err
    assert out.read_text() == "old"


def test_an_old_export_survives_a_failing_one(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("generator.disk.os.fsync", fail)
    assert main(["export", str(records), "--format", "openai", "-o", str(out)]) == 5
    assert out.read_text() == "old"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("name", ["job.json", "catalog.json", "run.db", "rejections.jsonl", "summary.json", "run.lock"])
def test_no_file_of_a_run_is_written_over(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    for file in ("job.json", "run.db", name):
        (run / file).write_text("the run's own", encoding="utf-8")
    assert main(["export", str(records), "--format", "openai", "-o", str(run / name)]) == 2
    assert "is a file of the run" in capsys.readouterr().err
    assert (run / name).read_text(encoding="utf-8") == "the run's own"
    assert main(["export", str(records), "--format", "openai", "-o", str(run / "train.jsonl")]) == 0


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="needs /dev/null")
def test_a_device_stays_a_device(records: Path, tmp_path: Path) -> None:
    link = tmp_path / "nowhere"
    link.symlink_to("/dev/null")
    assert main(["export", str(records), "--format", "openai", "-o", str(link)]) == 0
    assert link.is_char_device()


def nested(levels: int) -> Json:
    schema: Json = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize(
    "hostile",
    [
        {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "x"}], "tool_calls": [{"id": "x"}]}]},
        {"messages": [{"role": "tool", "content": {"a": 1}}], "tools": "x"},
        {"messages": [1, None, "x", [], {}], "tools": [5]},
        {"messages": [], "tools": [{"type": "function", "function": {"name": "a", "parameters": nested(120)}}]},
    ],
)
def test_what_is_no_record_is_left_out_and_never_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, hostile: Json
) -> None:
    (tmp_path / "in.jsonl").write_bytes(orjson.dumps(hostile) + b"\n")
    assert main(["export", str(tmp_path / "in.jsonl"), "--format", name, "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "1 failed and were left out" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_what_an_option_makes_of_a_record_is_judged(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", str(records), "--format", "openai", "--system", "Be kind.<|im_end|>"]
    assert main([*command, "-o", str(tmp_path / "out.jsonl")]) == 1
    assert f"{len(record_examples.KINDS)} failed and were left out" in capsys.readouterr().err


def test_serialized_records_are_exported(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl.gz"
    command = ["export", str(records), "--format", "qwen3-text", "--variant", "instruct", "--serialize-parallel"]
    assert main([*command, "-o", str(out)]) == 0
    assert main(["export", str(out), "--format", "trl", "-o", str(tmp_path / "back.jsonl")]) == 0
    assert len(lines(tmp_path / "back.jsonl")) == len(record_examples.KINDS)


@pytest.fixture(scope="module")
def told_by_the_system(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records over the bundled tools, some of whose values only the system message tells."""
    folder = tmp_path_factory.mktemp("told") / "run"
    assert main(["generate", "--count", "60", "--seed", "5", "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.mark.parametrize("options", [["--system", "You help."], ["--serialize-parallel"],
                                     ["--system", "You help.", "--serialize-parallel"]])  # fmt: skip
def test_what_is_written_passes_as_what_it_says_it_is(
    told_by_the_system: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """Another system message takes values away; a record that keeps its metadata is held to them."""
    out = tmp_path / "out.jsonl"
    code = main(["export", str(told_by_the_system), "--format", "deepfabric", *options, "-o", str(out)])
    assert code == (1 if "--system" in options else 0)
    assert ("failed and were left out" in capsys.readouterr().err) is (code == 1)
    assert len(lines(out)) > 40
    assert main(["validate", str(out)]) == 0


@pytest.mark.parametrize("command", [["export"], ["convert"]])
def test_a_model_chooses_format_and_options(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    template, out, by_hand = tmp_path / "chat_template.jinja", tmp_path / "out.jsonl", tmp_path / "by_hand.jsonl"
    template.write_text(own_templates.ARGUMENTS_AS_TEXT, "utf-8")
    assert main([*command, str(records), "--for", str(template), "-o", str(out)]) == 0
    told = capsys.readouterr().err.partition("for ")[2].splitlines()
    assert told[0].startswith(f"{template}: --format trl --variant text (arguments as JSON text, ")
    assert told[1] == "its chat template drops: the ids of calls; the names on results"
    assert told[2].startswith(f'TRL: SFTConfig(chat_template_path="{template}", assistant_only_loss=True); TRL puts ')
    option = "--format" if command == ["export"] else "--to"
    assert main([*command, str(records), option, "trl", "--variant", "text", "-o", str(by_hand)]) == 0
    assert out.read_bytes() == by_hand.read_bytes()
    arguments = [call["function"]["arguments"] for line in lines(out) for message in line["messages"]
                 for call in message.get("tool_calls", [])]  # fmt: skip
    assert arguments
    assert all(isinstance(orjson.loads(each), dict) for each in arguments)


def test_each_record_passes_through_the_template_and_what_is_not_whole_is_left_out(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template, out = tmp_path / "it.jinja", tmp_path / "out.jsonl"
    text = own_templates.WHOLE.replace("{{ message.content }}", "{{ message.content | replace('Rome', '') }}")
    template.write_text(text, "utf-8")
    assert main(["export", str(records), "--for", str(template), "-o", str(out)]) == 1
    err = capsys.readouterr().err
    assert "EX003: the chat template drops what the user says" in err
    assert 0 < len(lines(out)) < len(lines(records))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "give --format NAME, or --for MODEL, which chooses it"),
        (["--for", "Qwen3", "--format", "openai"], "leave --format openai out"),
        (["--for", "Qwen3", "--variant", "text"], "leave --variant text out"),
        (["--for", "meetkai/functionary-medium-v3.2", "--format", "hf"], "and hf holds no text"),
        (["--for", "zzz"], "no model family of that name was tried"),
        (["--for", "deepseek-ai/DeepSeek-V3"], "none passed whole (shows no tools)"),
        (["--for", "Qwen3", "--splits", "train=1"], "--splits is for --format hf"),
    ],
)
def test_a_model_that_cannot_be_written_for_is_one_message(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["export", str(records), *options, "-o", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_merged_system_message_stands_before_the_users_words(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["export", str(records), "--format", "deepfabric", "--merge-system", "-o", str(out)]) == 0
    given, written = lines(records), lines(out)
    assert {message["role"] for record in written for message in record["messages"]} == {"user", "assistant", "tool"}
    for before, after in zip(given, written, strict=True):
        system = [message["content"] for message in before["messages"] if message["role"] == "system"]
        words = next(message["content"] for message in before["messages"] if message["role"] == "user")
        assert after["messages"][0]["content"] == "\n\n".join([*system, words])
        assert ("metadata" in after) == (not system and "metadata" in before)
