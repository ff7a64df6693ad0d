"""LLaMA-Factory's dataset_info.json: its columns and tags are those of what is written, and other entries stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.cli import main
from generator.datasets.trainers import add_dataset_info, dataset_name, has_dataset_info
from generator.formats import FORMATS
from tests.record_examples import KINDS
from tests.tables import each_row

Json = Any  # parsed JSON
FORMS = ["llamafactory"]


def aligned(record: Json, entry: Json) -> list[str]:
    """Who speaks, as LLaMA-Factory's readers take it; what is in no place of its own is an error."""
    columns, tags = entry["columns"], entry["tags"]
    messages = record[columns["messages"]]
    turns: list[str] = []
    for message in messages:
        speaker = message[tags["role_tag"]]
        assert isinstance(message[tags["content_tag"]], str)
        place = {tags["user_tag"]: 0, tags["observation_tag"]: 0, tags["assistant_tag"]: 1, tags["function_tag"]: 1}
        if not (turns and turns[-1] == speaker == tags["observation_tag"]):
            assert place[speaker] == len(turns) % 2
            turns.append(speaker)
    return turns


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_record_is_read_by_its_entry(tmp_path: Path, form: str, kind: str) -> None:
    dump = FORMATS[form].dump_record
    assert dump is not None
    info = orjson.loads(add_dataset_info(tmp_path / "train.jsonl", form).read_bytes())
    record = dump(KINDS[kind]())
    turns = aligned(record, info["train"])
    assert len(turns) % 2 == 0
    assert isinstance(record[info["train"]["columns"]["tools"]], str)
    assert set(info["train"]["columns"].values()) <= record.keys()


@each_row("form", FORMATS)
def test_only_its_own_formats_have_one(form: str) -> None:
    assert has_dataset_info(form) is (form in FORMS)


@pytest.mark.parametrize(("name", "called"), [("train.jsonl", "train"), ("a.b.jsonl.gz", "a"), (".hidden", ".hidden")])
def test_a_data_set_is_called_as_its_file(name: str, called: str) -> None:
    assert dataset_name(Path("x") / name) == called


def exported(tmp_path: Path, form: str, out: str = "train.jsonl") -> int:
    source = tmp_path / "records.jsonl"
    source.write_bytes(b"".join(orjson.dumps(make()) + b"\n" for make in KINDS.values()))
    (tmp_path / "data").mkdir(exist_ok=True)
    return main(["export", str(source), "--format", form, "-o", str(tmp_path / "data" / out)])


def test_an_export_adds_its_entry_and_keeps_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exported(tmp_path, "llamafactory") == 0
    assert "--dataset train" in capsys.readouterr().err
    assert exported(tmp_path, "llamafactory", "other.jsonl") == 0
    info = orjson.loads((tmp_path / "data" / "dataset_info.json").read_bytes())
    assert [(name, entry["file_name"], entry["formatting"]) for name, entry in info.items()] == [
        ("train", "train.jsonl", "sharegpt"),
        ("other", "other.jsonl", "sharegpt"),
    ]


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'"x"', b"\xff"])
def test_what_is_no_such_file_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "dataset_info.json").write_bytes(content)
    assert exported(tmp_path, "llamafactory") == 2
    assert "dataset_info.json: no object in JSON" in capsys.readouterr().err
    assert (tmp_path / "data" / "dataset_info.json").read_bytes() == content
    assert not (tmp_path / "data" / "train.jsonl").exists()


@pytest.mark.parametrize("form", ["openai", "trl"])
def test_other_formats_leave_no_such_file(tmp_path: Path, form: str) -> None:
    assert exported(tmp_path, form) == 0
    assert not (tmp_path / "data" / "dataset_info.json").exists()
