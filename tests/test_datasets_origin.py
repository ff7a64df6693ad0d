"""Folders of data sets, as Hugging Face keeps them, are read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.cli import main
from generator.datasets.origin import FormatReader, any_format, dataset_files, find_origins, is_canonical, rows_as_lines
from generator.errors import StorageError, UsageError
from generator.formats import FORMATS
from generator.validation.entities import ENTITIES
from generator.validation.examiner import check_line
from generator.validation.verdict import Standard
from tests.checkout import CHECKOUT
from tests.record_examples import KINDS, simple
from tests.tables import each_row
from tests.test_validation_fuzz import ANY_JSON, places

Json = Any  # parsed JSON

WRITTEN = {name: known.dump_record for name, known in FORMATS.items() if known.dump_record and known.load_record}
FEW = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
READ = [name for name, known in FORMATS.items() if known.load_record]
KEYS = st.sampled_from(
    "messages conversations question function ground_truth query answers tools system chat text contents calls results "
    "from value role parts prompt completion parallel_tool_calls metadata tool call result request response".split()
)


@st.composite
def spoiled(draw: st.DrawFn) -> Json:
    """A record of some format in which up to three places hold anything else."""
    dump = WRITTEN[draw(st.sampled_from(list(WRITTEN)))]
    document = orjson.loads(orjson.dumps(dump(draw(st.sampled_from(list(KINDS.values())))())))
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        holder, key = draw(st.sampled_from(found))
        if draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = draw(ANY_JSON)
    return document


def examine(document: Json, standard: Standard) -> None:
    try:
        line = orjson.dumps(document)
    except TypeError:
        return
    for violation in check_line(line, standard)[1]:
        violation.model_dump_json()


@FEW
@given(spoiled())
def test_spoiled_records_of_any_format_are_examined(document: Json) -> None:
    examine(document, Standard(reader=any_format))


@each_row("name", WRITTEN)
def test_an_empty_list_or_object_in_any_place_is_examined(name: str) -> None:
    written = orjson.dumps(WRITTEN[name](simple()))
    for number in range(len(places(orjson.loads(written)))):
        for other in ([], {}):
            document = orjson.loads(written)
            holder, key = places(document)[number]
            holder[key] = other
            examine(document, Standard(reader=any_format))
            examine(document, Standard(reader=FormatReader(name)))


@FEW
@given(st.dictionaries(KEYS, ANY_JSON, max_size=5), st.sampled_from(READ))
def test_anything_is_read_in_any_format(document: Json, name: str) -> None:
    examine(document, Standard(reader=any_format))
    examine(document, Standard(reader=FormatReader(name)))


@FEW
@given(ANY_JSON | st.dictionaries(KEYS, ANY_JSON, max_size=5), st.sampled_from(list(ENTITIES)))
def test_anything_is_judged_as_any_entity(document: Json, name: str) -> None:
    examine(document, Standard(judge=ENTITIES[name]))


def with_text_arguments(document: Json, call_id: str | None = None) -> Json:
    for turn in document["messages"]:
        for call in turn.get("tool_calls", ()):
            call["function"]["arguments"] = orjson.dumps(call["function"]["arguments"]).decode()
            call["id"] = call_id or call["id"]
    return document


def without(document: Json, *keys: str) -> Json:
    return {key: value for key, value in document.items() if key not in keys}


@each_row(
    ("document", "canonical"),
    [
        (simple(), True),
        (without(simple(), "metadata"), True),
        (with_text_arguments(simple()), True),
        (without(with_text_arguments(simple()), "metadata"), True),
        (without(with_text_arguments(simple(), "call_1"), "metadata"), False),
        (with_text_arguments(simple(), "call_1"), False),
        ({**simple(), "tools": "[]"}, False),
        (KINDS["irrelevance"](), True),
        (without(KINDS["irrelevance"](), "metadata"), False),
        ({"messages": 3}, False),
        ({}, False),
    ],
)
def test_what_is_canonical_is_told_by_calls(document: Json, canonical: bool) -> None:
    assert is_canonical(document) is canonical


@each_row("name", WRITTEN)
@each_row("kind", KINDS)
def test_what_a_format_writes_is_read_as_that_format_or_one_that_reads_alike(name: str, kind: str) -> None:
    written = orjson.loads(orjson.dumps(WRITTEN[name](KINDS[kind]())))
    reading = any_format(written)
    assert reading.form
    again = any_format(reading.document)
    assert again.document == reading.document


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
