"""Folders for `datasets`: whole or not at all, never over something else, with a card that tells what is in them."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.cli import main
from generator.datasets.folder import Facts, card
from tests import record_examples
from tests.record_examples import simple
from tests.tables import each_row

OUTSIDE = (
    "a | b | c",
    "---\ninjected: true\n---",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](http://evil) ![pixel](http://evil/p.png)",
    "http://evil.example www.evil.example a@evil.example",
    "`code` **bold** __bold__ ~~gone~~ $x$ # title",
    "\n\n# A heading\n\n- a list",
    "&lt;b&gt; &#60;",
    "\x1b[2J \u202egpj.exe \u2028 \ud800 \x00",
    "x" * 100_000,
)


def told(text: str) -> Facts:
    facts = Facts(columns=("messages", "tools", "metadata"))
    record = simple()
    record["metadata"].update({"kind": text, "toolgen_version": text, "author": text, "locale": text})
    facts.count(record, "train")
    return facts


def parts(written: str) -> tuple[Any, str]:
    """The header as YAML reads it, and what follows."""
    _, header, body = written.split("---\n", 2)
    return yaml.safe_load(header), body


@each_row("text", OUTSIDE, ids=range(len(OUTSIDE)))
def test_a_text_of_a_record_is_text(text: str) -> None:
    plain, hostile = card("mine", told("simple")), card(text, told(text))
    header, body = parts(hostile)
    assert header.keys() <= {*parts(plain)[0], "language"}
    assert len(body.splitlines()) == len(parts(plain)[1].splitlines())
    assert len(hostile) < 3_000
    assert hostile.encode()
    for mark in ("<", "](", "![", "`code", "**", "__", "~~", "http:", "www.", "@evil", "\x1b", "\u202e", "&", "$x"):
        outside_code = body.replace("`datasets`", "").replace("`messages`", "").replace("`tools`", "")
        assert mark not in outside_code.replace(f"\\{mark[0]}", "")


@given(st.text())
def test_a_table_keeps_its_columns(text: str) -> None:
    rows = [line for line in card("mine", told(text)).split("\n") if line.startswith("|")]
    assert len(rows) == 3
    assert {row.replace("\\\\", "").replace("\\|", "").count("|") for row in rows} == {3}


@pytest.mark.parametrize(
    ("locale", "languages"), [("no_NO", ["no"]), ("en_US", ["en"]), ("yes: [", None), ("x\n- y", None), ("DE_de", None)]
)
def test_a_language_is_a_text_of_its_own(locale: str, languages: list[str] | None) -> None:
    assert parts(card("mine", told(locale)))[0].get("language") == languages


def test_a_split_may_be_called_what_yaml_takes_for_another_thing() -> None:
    facts = Facts(columns=("messages", "tools"), splits={"yes": 1, "null": 2})
    header, _ = parts(card("mine", facts))
    assert [each["split"] for each in header["configs"][0]["data_files"]] == ["yes", "null"]


def test_thousands_of_kinds_and_makers_do_not_make_a_book() -> None:
    facts = Facts(columns=("messages", "tools"), splits={"train": 1})
    facts.kinds = {f"k{at:06}": Counter(train=1) for at in range(10_000)}
    facts.makers = Counter({f"m{at:06}": 1 for at in range(10_000)})
    written = card("mine", facts)
    assert len(written) < 6_000
    assert "| 9,900 more | |" in written
    assert "; 9,990 more." in written


def test_words_of_ours_stay_as_they_are() -> None:
    written = card("my-set_2", told("parallel_multiple"))
    assert "\n# my-set_2\n" in written
    assert "\n| parallel_multiple | 1 |\n" in written


Json = Any  # parsed JSON
parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra `hf`")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"".join(orjson.dumps(make()) + b"\n" for make in record_examples.KINDS.values()) * 5)
    return path


def export(records: Path, folder: Path, *options: str) -> int:
    return main(["export", str(records), "--format", "hf", "-o", str(folder), *options])


def rows(file: Path) -> list[Json]:
    return [{name: _parsed(cells) for name, cells in row.items()} for row in parquet.read_table(file).to_pylist()]


def _parsed(cells: Json) -> Json:
    return [orjson.loads(cell) for cell in cells] if isinstance(cells, list) else orjson.loads(cells)


def test_each_record_is_a_row_of_cells(records: Path, tmp_path: Path) -> None:
    assert export(records, tmp_path / "set") == 0
    assert [str(path.relative_to(tmp_path / "set")) for path in sorted((tmp_path / "set").rglob("*.*"))] == [
        "README.md",
        "data/train-00000-of-00001.parquet",
    ]
    held = rows(tmp_path / "set" / "data" / "train-00000-of-00001.parquet")
    assert held == [orjson.loads(line) for line in records.read_bytes().splitlines()]


def test_the_features_are_declared_in_the_file(records: Path, tmp_path: Path) -> None:
    assert export(records, tmp_path / "set", "--no-metadata") == 0
    schema = parquet.read_schema(tmp_path / "set" / "data" / "train-00000-of-00001.parquet")
    cells = {"feature": {"_type": "Json"}, "_type": "List"}
    declared = orjson.loads(schema.metadata[b"huggingface"])
    assert declared == {"info": {"features": {"messages": cells, "tools": cells}}}


def test_the_card_names_splits_kinds_and_languages(records: Path, tmp_path: Path) -> None:
    assert export(records, tmp_path / "set", "--splits", "train=0.3,test=0.7") == 0
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nconfigs:\n- config_name: default\n")
    assert "  - split: test\n    path: data/test-*.parquet\n" in card
    assert "| simple | 0 | 10 |" in card
    assert "| irrelevance | 5 | 0 |" in card
    assert "The digest of its request decides which split a record is in" in card
    assert "language:\n- en\n" in card
    assert f"{5 * len(record_examples.KINDS)} tool-calling conversations over 2 tools" in card


def test_the_same_records_give_the_same_files_and_an_earlier_set_is_replaced(records: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    assert export(records, folder, "--splits", "a=0.5,b=0.5") == 0
    first = {path.name: path.read_bytes() for path in folder.rglob("*.*")}
    assert export(records, folder) == 0
    assert not list(folder.rglob("a-*"))
    assert export(records, folder, "--splits", "a=0.5,b=0.5") == 0
    assert {path.name: path.read_bytes() for path in folder.rglob("*.*")} == first
    assert not list(tmp_path.glob(".*"))


def test_a_record_that_fails_is_left_out_and_told(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with records.open("ab") as file:
        file.write(b"not json\n")
    assert export(records, tmp_path / "set") == 1
    assert "1 failed and were left out" in capsys.readouterr().err
    assert (tmp_path / "set" / "README.md").is_file()


@pytest.mark.parametrize(
    ("output", "options", "message"),
    [
        ("full", [], "holds mine.txt; give -o a new folder"),
        ("records.jsonl", [], "writes a folder"),
        ("-", [], "writes a folder"),
        ("set", ["--tools-as-string"], "has no list of tools"),
        ("set", ["--splits", "train=2"], "the shares are more than 0 each and 1 together"),
        ("set", ["--splits", "held_out=1", "--hold-out", "get_time"], "give it another name"),
        ("set", ["--near", "0.1"], "0.1 is not in the range"),
        ("set", ["--decontaminate", "nowhere.jsonl"], "there is no such file"),
        ("set", ["--decontaminate", "full/mine.txt"], "holds no question"),
    ],
)
def test_what_cannot_be_written_is_said_plainly(
    records: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    output: str, options: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(records.parent)
    (records.parent / "full").mkdir()
    (records.parent / "full" / "mine.txt").touch()
    before = records.read_bytes()
    assert export(records, Path(output), *options) == 2
    assert message in capsys.readouterr().err
    assert records.read_bytes() == before
    assert (records.parent / "full" / "mine.txt").is_file()


def test_without_the_extra_there_is_one_clear_message(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    assert export(records, tmp_path / "set") == 2
    assert "[hf]" in capsys.readouterr().err
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("option", ["--splits=a=1", "--hold-out=x", "--near=0.9", "--split-index=i"])
def test_splits_are_for_folders_alone(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert main(["export", str(records), "--format", "openai", option, "-o", str(tmp_path / "x")]) == 2
    assert f"{option.partition('=')[0]} is for --format hf" in capsys.readouterr().err


def test_tools_held_out_are_in_their_split_and_what_is_near_is_left_out(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--splits", "train=0.05,test=0.95", "--hold-out", "get_time", "--hold-out", "get_tea"]
    assert export(records, tmp_path / "set", *options) == 0
    files = {path.name.partition("-")[0]: rows(path) for path in (tmp_path / "set" / "data").iterdir()}
    shown = {
        split: {tool["function"]["name"] for record in records for tool in record["tools"]}
        for split, records in files.items()
    }
    assert "get_time" in shown.pop("held_out")
    assert not any("get_time" in names for names in shown.values())
    told = capsys.readouterr().err
    assert "held_out" in told
    assert "held out, and in no record: get_tea" in told
    assert "left out, near to records of another split" in told  # the same request with and without the tool
    assert "show or call get_tea, get_time are in the split held_out" in (tmp_path / "set" / "README.md").read_text(
        "utf-8"
    )


def test_an_index_of_splits_is_kept_and_the_next_export_goes_by_it(records: Path, tmp_path: Path) -> None:
    options = ["--split-index", str(tmp_path / "index")]
    assert export(records, tmp_path / "set", "--splits", "a=0.5,b=0.5", *options) == 0
    first = {path.name: path.read_bytes() for path in (tmp_path / "set" / "data").iterdir()}
    assert export(records, tmp_path / "set", "--splits", "a=0.001,b=0.999", *options) == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "set" / "data").iterdir()} == first


def test_records_that_ask_a_benchmarks_question_are_left_out_and_told(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = orjson.loads(records.read_bytes().splitlines()[0])
    asked = next(message["content"] for message in first["messages"] if message["role"] == "user")
    (tmp_path / "bench.jsonl").write_bytes(
        orjson.dumps({"question": "Who?"}) + b"\n" + orjson.dumps({"question": asked})
    )
    assert export(records, tmp_path / "set", "--decontaminate", str(tmp_path / "bench.jsonl")) == 0
    told = capsys.readouterr().err
    assert f"records.jsonl:1: asks what {tmp_path / 'bench.jsonl'}:2 asks, and is left out" in told
    assert "that ask a question of a benchmark were left out" in told
    card = (tmp_path / "set" / "README.md").read_text("utf-8")
    assert "records that ask one of the 2 questions of bench" in card
    held = [orjson.dumps(row) for path in (tmp_path / "set" / "data").iterdir() for row in rows(path)]
    assert held
    assert orjson.dumps(asked) not in b"".join(held)
