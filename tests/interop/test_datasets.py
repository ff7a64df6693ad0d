"""Hugging Face datasets loads an export back equal, with the features that the page of data sets declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from generator.formats.loading.tool_files import load_tools
from generator.jsontext import dump_line
from generator.record import generate_records
from tests.readmes import blocks

pytestmark = pytest.mark.interop

datasets = pytest.importorskip("datasets", reason="needs the extra `test`")

Json = Any  # parsed JSON


def test_the_readmes_program_loads_every_record_back(
    judged: list[Json], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = [{"messages": record["messages"], "tools": record["tools"]} for record in judged]
    (tmp_path / "train.jsonl").write_bytes(b"".join(map(dump_line, bare)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (program,) = blocks("generator/datasets/README.md", "python")
    names: dict[str, Any] = {}
    exec(program, names)
    assert _rounded(list(names["records"])) == _rounded(bare)


def _rounded(value: Json) -> Json:
    """Round fractions as that page says: `datasets` reads JSON with a parser that may miss their last digit."""
    if isinstance(value, float):
        return round(value, 12)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


PARAMETERS = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "The city."},
        "share": {"type": "number", "description": "A share.", "minimum": 0, "maximum": 1},
        "days": {"type": "integer", "description": "How many days.", "minimum": 1, "maximum": 9},
    },
    "required": ["city"],
}


@pytest.fixture(scope="module")
def over_forty_functions(tmp_path_factory: pytest.TempPathFactory) -> list[Json]:
    """300 records over 40 functions, each with parameters of a name of its own."""
    nouns = "weather traffic news opera museum library market garden harbour stadium".split()
    tools = []
    for number in range(40):
        noun, verb = nouns[number % 10], ("get", "find", "check", "compare")[number // 10]
        properties = {f"{noun}_{verb}_{name}": schema for name, schema in PARAMETERS["properties"].items()}
        schema = {**PARAMETERS, "properties": properties, "required": [f"{noun}_{verb}_city"]}
        described = f"{verb.capitalize()} the {noun} of a specific city."
        tools.append({"name": f"{verb}_{noun}", "description": described, "parameters": schema})
    file = tmp_path_factory.mktemp("tools") / "forty.json"
    file.write_bytes(dump_line({"tools": tools}))
    mix = {"simple": 2, "multiple": 1, "parallel": 1, "irrelevance": 1}
    records = [record.to_dict() for record in generate_records(load_tools(file), count=300, seed=3, mix=mix)]
    shown = {tool["function"]["name"] for record in records for tool in record["tools"]}
    assert (len(records), len(shown)) == (300, 40)
    return records


def test_a_folder_gives_300_records_with_40_functions_back_equal(
    over_forty_functions: list[Json], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "records.jsonl").write_bytes(b"".join(map(dump_line, over_forty_functions)))
    folder = tmp_path / "dataset"
    splits = "train=0.8,validation=0.1,test=0.1"
    command = ["export", str(tmp_path / "records.jsonl"), "--format", "hf", "--splits", splits, "-o", str(folder)]
    assert main(command) == 0
    loaded = datasets.load_dataset(str(folder))
    assert list(loaded) == ["train", "validation", "test"]
    found = {record["metadata"]["id"]: record for split in loaded.values() for record in split}
    assert found == {record["metadata"]["id"]: record for record in over_forty_functions}
    features = datasets.Features({"messages": datasets.List(datasets.Json()), "tools": datasets.List(datasets.Json())})
    assert {name: loaded["train"].features[name] for name in features} == features


def test_numbers_that_datasets_reads_wrongly_are_spelled_another_way(tmp_path: Path) -> None:
    from datasets.utils.json import ujson_loads

    from generator.formats.deepfabric import cell

    numbers = [round(step * 0.37 + step**0.5, step % 6 + 1) for step in range(20_000)]
    wrong = [number for number in numbers if ujson_loads(repr(number)) != number]
    assert wrong
    assert [ujson_loads(cell({"a": [number]})) for number in wrong] == [{"a": [number]} for number in wrong]
