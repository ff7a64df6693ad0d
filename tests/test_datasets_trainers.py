"""Trainers: each has a format, what it needs lies beside the data and reads it, and other files stay."""

from __future__ import annotations

import ast
import shlex
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from generator.cli import main
from generator.datasets.trainers import TRAINERS, next_command, sidecar_of, trainer_of
from generator.formats import FORMATS
from generator.formats.deepfabric import HF
from tests.record_examples import KINDS

Run = Any


def exported(folder: Path, trainer: str, out: str = "mine.jsonl", *more: str) -> tuple[int, Path]:
    source = folder / "records.jsonl"
    source.write_bytes(b"".join(orjson.dumps(make()) + b"\n" for make in KINDS.values()))
    output = folder / "a new folder" / "deep" / out
    return main(["export", str(source), "--trainer", trainer, "-o", str(output), *more]), output


@pytest.mark.parametrize("name", TRAINERS)
def test_each_reads_a_format_that_is_written(name: str) -> None:
    trainer = TRAINERS[name]
    assert trainer.form in FORMATS
    assert bool(trainer.ending) is bool(trainer.sidecar)
    assert trainer.learns


@pytest.mark.parametrize("name", [name for name in TRAINERS if TRAINERS[name].form != HF])
def test_an_export_makes_its_folder_and_leads_on(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, output = exported(tmp_path, name)
    assert code == 0
    assert TRAINERS[name].by_turn or len(output.read_bytes().splitlines()) == len(KINDS)
    told = capsys.readouterr().err
    command = told.partition("next: ")[2].strip()
    assert command == next_command(TRAINERS[name], output)
    if "{file}" in TRAINERS[name].command:
        assert str(output) in shlex.split(command)
    sidecar = sidecar_of(TRAINERS[name], output)
    beside = {each.name for each in output.parent.iterdir()} - {output.name}
    if sidecar is None:
        assert beside in (set(), {"dataset_info.json"})
    else:
        assert beside == {sidecar.name}
        assert str(sidecar) in told


def test_what_axolotl_reads_has_no_column_to_guess(tmp_path: Path) -> None:
    _, output = exported(tmp_path, "axolotl", "mine.jsonl.gz")
    section = yaml.safe_load((output.parent / "mine.axolotl.yaml").read_text(encoding="utf-8"))
    (entry,) = section["datasets"]
    assert entry["path"] == str(output.absolute())
    assert (entry["type"], entry["field_messages"], entry["field_tools"]) == ("chat_template", "messages", "tools")
    _, plain = exported(tmp_path, "axolotl")
    for line in plain.read_bytes().splitlines():
        record = orjson.loads(line)
        assert record.keys() == {"messages", "tools"}
        assert isinstance(orjson.loads(record["tools"]), list)
        for message in record["messages"]:
            assert isinstance(message["content"], str)
            for call in message.get("tool_calls", ()):
                assert isinstance(orjson.loads(call["function"]["arguments"]), dict)


def test_the_section_of_mistral_finetune_names_the_file(tmp_path: Path) -> None:
    _, output = exported(tmp_path, "mistral-finetune")
    section = yaml.safe_load((output.parent / "mine.mistral-finetune.yaml").read_text(encoding="utf-8"))
    assert section["data"]["instruct_data"] == str(output.absolute())


def test_mistral_finetune_learns_the_last_message_of_a_line_so_each_turn_ends_one(tmp_path: Path) -> None:
    _, output = exported(tmp_path, "mistral-finetune")
    lines = [orjson.loads(line)["messages"] for line in output.read_bytes().splitlines()]
    turns = [
        (place, message)
        for make in KINDS.values()
        for place, message in enumerate(make()["messages"], 1)
        if message["role"] == "assistant"
    ]
    assert [(len(line), bool(line[-1].get("tool_calls"))) for line in lines] == [
        (place, bool(message.get("tool_calls"))) for place, message in turns
    ]


def test_the_reader_for_verl_gives_back_what_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pandas = pytest.importorskip("pandas")
    code, output = exported(tmp_path, "verl", "set")
    assert code == 0
    command = shlex.split(capsys.readouterr().err.partition("next: ")[2])
    (files,) = [word.partition("=")[2] for word in command if word.startswith("data.train_files=")]
    frame = pandas.read_parquet(files.strip("[]"), dtype_backend="pyarrow")
    sidecar = output.with_name("set.verl.py")
    assert f"data.custom_cls.path={sidecar}" in command

    class Base:
        messages_key, tools_key = "messages", "tools"

        def _read_files_and_process(self) -> None:
            self.dataframe = frame.copy()

    source = ast.parse(sidecar.read_text(encoding="utf-8"))
    source.body = [each for each in source.body if not isinstance(each, ast.ImportFrom)]
    names: dict[str, Any] = {"MultiTurnSFTDataset": Base}
    exec(compile(source, str(sidecar), "exec"), names)
    read = names["Records"]()
    read._read_files_and_process()
    wanted = [make() for make in KINDS.values()]
    assert read.tools == [record["tools"] for record in wanted]
    assert [[message["role"] for message in messages] for messages in read.messages] == [
        [message["role"] for message in record["messages"]] for record in wanted
    ]


@pytest.mark.parametrize("name", [name for name in TRAINERS if TRAINERS[name].ending and TRAINERS[name].form != HF])
def test_a_sidecar_of_ours_is_replaced_and_no_other(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, output = exported(tmp_path, name)
    sidecar = sidecar_of(TRAINERS[name], output)
    assert sidecar is not None
    assert exported(tmp_path, name)[0] == 0
    sidecar.write_text("mine: true\n", encoding="utf-8")
    before = output.read_bytes()
    output.unlink()
    capsys.readouterr()
    assert exported(tmp_path, name)[0] == 2
    assert f"{sidecar}: is a file of another's" in " ".join(capsys.readouterr().err.split())
    assert sidecar.read_text(encoding="utf-8") == "mine: true\n"
    assert before and not output.exists()


@pytest.mark.parametrize("more", [("--format", "trl"), ("--for", "Qwen/Qwen3-8B"), ("--variant", "text")])
def test_a_trainer_and_a_form_are_not_both_given(
    more: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exported(tmp_path, "axolotl", "mine.jsonl", *more)[0] == 2
    assert f"leave {' '.join(more)} out" in capsys.readouterr().err


def test_formats_lead_to_their_trainers() -> None:
    assert {form: found.form for form in FORMATS if (found := trainer_of(form))} == {
        form: form for form in ("trl", "llamafactory", "ms-swift", "openai-finetune")
    }


def test_on_stdout_there_is_nothing_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "records.jsonl"
    source.write_bytes(orjson.dumps(KINDS["simple"]()) + b"\n")
    assert main(["export", str(source), "--trainer", "llamafactory", "-o", "-"]) == 0
    assert "next: " not in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["records.jsonl"]
