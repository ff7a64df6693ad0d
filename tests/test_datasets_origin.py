"""Folders of data sets, as Hugging Face keeps them, are read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.cli import main
from generator.datasets.origin import dataset_files, find_origins
from generator.datasets.tables import rows_as_lines
from generator.errors import StorageError, UsageError
from tests.checkout import CHECKOUT
from tests.record_examples import KINDS, simple

Json = Any  # parsed JSON

XLAM = CHECKOUT / "tests" / "foreign" / "xlam.json"
datasets = pytest.importorskip("datasets")


def records_of(folder: Path) -> list[Json]:
    found = []
    for origin in find_origins(str(folder)):
        with origin.open() as stream:
            found += [orjson.loads(line) for line in stream]
    return found


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")


def test_what_is_converted_to_rows_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(XLAM), "--to", "hf", "-o", str(tmp_path / "set")]) == 0
    assert "2 records written" in capsys.readouterr().err
    assert [path.suffix for path in dataset_files(tmp_path / "set")] == [".parquet"]
    main(["validate", str(tmp_path / "set")])
    assert "read 3 calls, 0 results, 3 tools" in capsys.readouterr().err
    back = datasets.load_dataset(str(tmp_path / "set"), split="train", cache_dir=str(tmp_path / "cache"))
    assert back.num_rows == 2


def test_rows_of_toolgen_are_the_records_they_were(tmp_path: Path) -> None:
    lines = tmp_path / "x.jsonl"
    records = [kind() for kind in KINDS.values()]
    lines.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    assert main(["convert", str(lines), "--to", "hf", "-o", str(tmp_path / "set")]) == 0
    assert records_of(tmp_path / "set") == records


def test_structs_lose_the_keys_of_other_rows(tmp_path: Path) -> None:
    first, second = simple(), simple()
    second["messages"][2]["tool_calls"][0]["function"]["arguments"] = {"town": "Oslo", "days": 2}
    for record in (first, second):
        record["tools"] = json.dumps(record["tools"])
        del record["metadata"]
    path = tmp_path / "x.parquet"
    datasets.Dataset.from_list([first, second]).to_parquet(path)
    assert [json.loads(line)["messages"] for line in rows_as_lines(path)] == [first["messages"], second["messages"]]


def test_what_save_to_disk_writes_is_read(tmp_path: Path) -> None:
    rows = json.loads(XLAM.read_text())
    whole = datasets.Dataset.from_list(rows)
    whole.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"train": whole, "test": whole}).save_to_disk(tmp_path / "two")
    assert records_of(tmp_path / "one") == rows
    assert records_of(tmp_path / "two") == rows * 2


def test_the_card_says_which_files_are_data(tmp_path: Path) -> None:
    touch(tmp_path / "a" / "train.jsonl", tmp_path / "a" / "more.jsonl", tmp_path / "b.json", tmp_path / "c.jsonl")
    configs = "[{config_name: x, data_files: [{split: train, path: a/*.jsonl}]}, {config_name: y, data_files: b.json}]"
    (tmp_path / "README.md").write_text(f"---\nlicense: mit\nconfigs: {configs}\n---\n# A set\n")
    assert [path.name for path in dataset_files(tmp_path)] == ["more.jsonl", "train.jsonl", "b.json"]


@pytest.mark.parametrize("card", ["", "# no head", "---\n: [\n---\n", "---\nconfigs: 3\n---\n", "---\n- a\n---\n"])
def test_without_a_word_from_the_card_data_lies_where_data_lies(tmp_path: Path, card: str) -> None:
    touch(tmp_path / "data" / "train.jsonl", tmp_path / "x.jsonl", tmp_path / "dataset_info.json")
    (tmp_path / "README.md").write_text(card)
    assert [path.name for path in dataset_files(tmp_path)] == ["train.jsonl"]


def test_a_card_leads_nowhere_else(tmp_path: Path) -> None:
    touch(tmp_path / "outside.jsonl", tmp_path / "set" / "inside.jsonl")
    (tmp_path / "set" / "README.md").write_text("---\nconfigs: [{data_files: ['../*.jsonl', '/etc/*']}]\n---\n")
    assert [path.name for path in dataset_files(tmp_path / "set")] == ["inside.jsonl"]


def test_a_folder_without_data_is_told(tmp_path: Path) -> None:
    touch(tmp_path / "dataset_info.json")
    with pytest.raises(UsageError, match="no files of a data set"):
        find_origins(str(tmp_path))


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1" + b"\0" * 40)
    with pytest.raises(StorageError, match="is damaged"):
        list(rows_as_lines(path))
    assert main(["validate", str(path)]) == 5


def test_without_pyarrow_the_remedy_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1" + b"\0" * 40)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install .*hf"):
        list(rows_as_lines(path))
