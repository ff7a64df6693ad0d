"""Shapes of other projects, each a file in `foreign/`: what is read of them, and that nothing passes unread."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest

from generator.cli import main
from generator.datasets.checking import Task, check_all
from generator.datasets.conversion import Conversion, convert_all
from generator.datasets.origin import any_format, find_origins
from generator.formats.recognition import READ, WRITTEN
from generator.formats.writing import Shaping
from generator.validation.lines import read_lines
from generator.validation.verdict import Standard, Tally
from tests.checkout import CHECKOUT
from tests.tables import each_row

FOREIGN = CHECKOUT / "tests" / "foreign"


class Shape(NamedTuple):
    """A file, the formats its records are read in, and how much is read of it."""

    file: str
    forms: str
    records: int
    calls: int
    results: int
    tools: int


SHAPES = [
    Shape("acebench/data_normal_multi_turn.json", "acebench", 2, 4, 1, 5),
    Shape("alpaca_tools.json", "alpaca", 2, 2, 0, 2),
    Shape("anthropic.jsonl", "anthropic", 2, 2, 2, 2),
    Shape("api_bank.json", "api-bank", 2, 3, 1, 3),
    Shape("bfcl/BFCL_v4_live_parallel.json", "bfcl", 2, 3, 0, 2),
    Shape("bfcl/BFCL_v4_multi_turn_base.json", "bfcl", 2, 4, 0, 6),
    Shape("bfcl/BFCL_v4_simple_java.json", "bfcl", 2, 2, 0, 2),
    Shape("bfcl/BFCL_v4_simple_javascript.json", "bfcl", 2, 2, 0, 2),
    Shape("bracketed_messages.jsonl", "toolace", 2, 2, 0, 2),
    Shape("container.json", "openai", 2, 2, 1, 2),
    Shape("gemini_array.json", "gemini", 2, 3, 3, 2),
    Shape("glaive_chat.jsonl", "glaive", 2, 1, 1, 1),
    Shape("glaive_sample.jsonl", "glaive", 2, 2, 1, 2),
    Shape("hammer_prompts.jsonl", "alpaca", 3, 3, 0, 4),
    Shape("hermes_columns.jsonl", "hermes", 2, 3, 3, 3),
    Shape("hermes_messages.jsonl", "hermes", 2, 2, 1, 2),
    Shape("marked_others.jsonl", "marked", 4, 5, 2, 4),
    Shape("marked_toolcall.jsonl", "marked", 2, 3, 0, 3),
    Shape("messages_as_text.jsonl", "ms-swift", 2, 2, 2, 2),
    Shape("openai_array.json", "deepfabric openai", 2, 1, 1, 2),
    Shape("openai_functions.jsonl", "openai-functions", 2, 2, 1, 3),
    Shape("openai_parts.jsonl", "openai", 2, 3, 3, 3),
    Shape("openai_responses.jsonl", "openai-responses", 2, 3, 3, 2),
    Shape("preference.jsonl", "prompt-completion", 2, 2, 0, 2),
    Shape("prompt_completion.jsonl", "prompt-completion", 2, 2, 0, 2),
    Shape("sharegpt_function_call.json", "llamafactory", 2, 3, 3, 3),
    Shape("sharegpt_mixed.jsonl", "marked", 3, 4, 3, 4),
    Shape("tau_simulations.json", "tau", 2, 2, 2, 4),
    Shape("tau_trajectories.json", "tau", 2, 2, 2, 0),
    Shape("toolace.json", "toolace", 2, 3, 1, 3),
    Shape("toolalpaca_golden.json", "toolalpaca", 2, 2, 0, 4),
    Shape("toolalpaca_train.json", "toolalpaca", 2, 2, 2, 4),
    Shape("toolbench.json", "react", 2, 3, 1, 4),
    Shape("viewer_page.json", "xlam", 2, 2, 0, 2),
    Shape("xlam.json", "xlam", 2, 3, 0, 3),
    Shape("xlam_irrelevance.jsonl", "xlam", 2, 1, 0, 2),
]
UNREAD = sorted(path.name for path in (FOREIGN / "unread").iterdir())
COMPANIONS = ("possible_answer", "multi_turn_func_doc", "unread")


def tally_of(path: Path) -> Tally:
    counted = Tally()
    tasks = [Task(origin, Standard(reader=any_format)) for origin in find_origins(str(path))]
    for _, findings in check_all(tasks):
        counted.merge(findings.tally)
    return counted


def counts(tally: Tally) -> tuple[int, int, int, int]:
    return tally.records, tally.calls, tally.results, tally.tools


def test_every_shape_is_in_the_table() -> None:
    files = [path for path in FOREIGN.rglob("*") if path.is_file() and not set(path.parts) & set(COMPANIONS)]
    assert sorted(shape.file for shape in SHAPES) == sorted(str(path.relative_to(FOREIGN)) for path in files)
    assert len(SHAPES) >= 25
    assert len(UNREAD) >= 10


def test_the_shapes_are_of_every_format_that_is_only_read() -> None:
    only_read = {name for name, known in READ.items() if known.dump_record is None}
    assert only_read <= {form for shape in SHAPES for form in shape.forms.split()}


@each_row("shape", SHAPES, ids=lambda shape: shape.file)
def test_it_is_read(shape: Shape) -> None:
    tally = tally_of(FOREIGN / shape.file)
    assert (" ".join(sorted(tally.formats)), *counts(tally)) == shape[1:]


@each_row("shape", SHAPES, ids=lambda shape: shape.file)
def test_no_call_is_left_in_text_or_beside(shape: Shape) -> None:
    broken = {rule for rule, severity in tally_of(FOREIGN / shape.file).rules if severity == "error"}
    assert not broken & {"TC101", "TC116", "TC301", "TC302", "TC303"}


@pytest.mark.parametrize("target", ["openai", "deepfabric"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.file)
def test_what_was_read_converts_with_the_same_counts(shape: Shape, target: str, tmp_path: Path) -> None:
    converted = list(convert_all(find_origins(str(FOREIGN / shape.file)), Conversion("", Shaping(WRITTEN[target]))))
    assert [bad for _, batch in converted for bad in batch.bad] == []
    written = tmp_path / "x.jsonl"
    written.write_bytes(b"".join(batch.lines for _, batch in converted))
    assert counts(tally_of(written)) == shape[2:]


@pytest.mark.parametrize("name", UNREAD)
def test_what_cannot_be_understood_is_never_passed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(FOREIGN / "unread" / name)]) in (1, 5)
    told = capsys.readouterr()
    assert " error" in told.out or "error" in told.err


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.file)
def test_a_file_ends_with_what_was_read_of_it(shape: Shape, capsys: pytest.CaptureFixture[str]) -> None:
    main(["validate", str(FOREIGN / shape.file), "--json"])
    summary = orjson.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert (summary["records"], summary["calls"], summary["results"], summary["tools"]) == shape[2:]
    assert summary["unmet"] == []


def test_what_comes_through_a_pipe_is_read_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shape = next(each for each in SHAPES if each.file == "xlam.json")
    stream = io.TextIOWrapper(io.BytesIO((FOREIGN / shape.file).read_bytes()))
    monkeypatch.setattr("sys.stdin", stream)
    assert main(["validate", "-", "--statistics"]) in (0, 1)
    assert f"read {shape.calls} calls, {shape.results} results, {shape.tools} tools" in capsys.readouterr().err


def test_answers_may_lie_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "BFCL_v4_simple_java.json"
    questions = tmp_path / "questions.json"
    questions.write_bytes((FOREIGN / "bfcl" / name).read_bytes())
    assert main(["validate", str(questions)]) == 1
    assert "read 0 calls" in capsys.readouterr().err
    main(["validate", str(questions), "--answers", str(FOREIGN / "bfcl" / "possible_answer" / name)])
    assert "read 2 calls" in capsys.readouterr().err


def test_every_line_of_a_shape_that_is_lines_is_read_by_itself() -> None:
    with (FOREIGN / "hermes_columns.jsonl").open("rb") as stream:
        assert [any_format(orjson.loads(line or b"")).form for _, line in read_lines(stream)] == ["hermes"] * 2
