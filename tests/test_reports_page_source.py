"""Splits of a build, found again in its files."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from generator.reports.page.source import open_placings, open_source
from tests.report_pages import Json, example_records, folder_of


def write_split(folder: Path, form: str, name: str, records: list[Json]) -> None:
    path = folder / "data" / form / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.mark.parametrize("keeps", [("messages", "metadata"), ("messages",)])
def test_a_record_is_found_in_its_split(tmp_path: Path, keeps: tuple[str, ...]) -> None:
    records = example_records()[:4]
    for number, record in enumerate(records):
        next(each for each in record["messages"] if each["role"] == "user")["content"] = f"request {number}"
    source = folder_of(tmp_path / "build", records)
    shown = [{key: record[key] for key in keeps} for record in records]
    write_split(source, "a-text", "train", [{"text": "what"}])
    write_split(source, "b-messages", "train", [shown[0], shown[3]])
    write_split(source, "b-messages", "test", [shown[1]])
    with open_placings(open_source(source)) as placings:
        assert [placings.split_of(record) for record in records] == ["train", "test", "", "train"]


def test_without_splits_a_record_is_in_none(tmp_path: Path) -> None:
    records = example_records()
    with open_placings(open_source(folder_of(tmp_path / "run", records))) as placings:
        assert {placings.split_of(record) for record in records} == {""}
