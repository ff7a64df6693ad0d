"""`toolgen fix`: what can be mended is written, whole and once; the rest is told, and nothing is ever lost."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.cli import main
from generator.formats.recognition import WRITTEN
from generator.formats.writing import Shaping
from generator.validation.fixes.mending import FIXES
from tests.lines_of_records import mend_lines
from tests.record_examples import CATALOG, KINDS
from tests.test_validation_fixes import LOSING, MENDED, RESTORED, broken
from tests.test_validation_fuzz import mutated

Json = Any  # parsed JSON

FAULTY = [broken("simple", break_it) for code, kind, break_it in RESTORED if kind == "simple"]
HOPELESS: list[bytes] = [
    b"not json",
    b"5",
    b"[]",
    b"{}",
    b'{"messages":{}}',
    b'{"messages":[null,5,[]],"tools":[null]}',
    b"[" * 5000 + b"]" * 5000,
    b'{"messages":' + b"[" * 300 + b"]" * 300 + b"}",
    b'{"messages":[{"role":"user","role":"assistant","content":"Hi"}],"tools":[]}',
    b'{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho","n":1e999}]}',
    b'{"messages":[{"role":"user","content":"\xff"}]}',
    b'{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}],"n":12345678901234567890123}',
]


def written(path: Path, *records: Json) -> Path:
    lines = [record if isinstance(record, bytes) else orjson.dumps(record) for record in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def lines(path: Path) -> list[Json]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def test_what_is_fixed_is_what_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = written(tmp_path / "in.jsonl", *FAULTY, KINDS["simple"]()), tmp_path / "out.jsonl"
    assert main(["fix", str(source), "-o", str(out)]) == 0
    assert lines(out) == [KINDS["simple"]()] * (len(FAULTY) + 1)
    told = capsys.readouterr()
    assert told.out == ""
    assert (
        f"{len(FAULTY) + 1:,} records: 1 as they were, {len(FAULTY)} fixed, 0 not fixed; written to {out}" in told.err
    )
    assert "arguments-from-text" in told.err
    assert main(["validate", str(out)]) == 0
    again = tmp_path / "again.jsonl"
    assert main(["fix", str(out), "-o", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_a_record_without_a_fault_keeps_its_bytes(tmp_path: Path) -> None:
    record = json.dumps(KINDS["simple"](), indent=None, separators=(", ", ": ")).encode() + b"  "
    source, out = written(tmp_path / "in.jsonl", record), tmp_path / "out.jsonl"
    assert main(["fix", str(source), "-o", str(out)]) == 0
    assert out.read_bytes() == record + b"\n"


def test_what_cannot_be_fixed_is_told_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = written(tmp_path / "in.jsonl", *HOPELESS, KINDS["simple"]()), tmp_path / "out.jsonl"
    assert main(["fix", str(source), "-o", str(out)]) == 1
    assert lines(out) == [KINDS["simple"]()]
    told = capsys.readouterr().err
    for number in range(1, len(HOPELESS) + 1):
        assert f"{source}:{number}: " in told
    assert f"1 as they were, 0 fixed, {len(HOPELESS)} not fixed" in told
    assert "is in no format that is known" in told
    assert "Traceback" not in told


def test_unsafe_fixes_are_asked_for(tmp_path: Path) -> None:
    for code, kind, break_it in LOSING:
        if code in ("OA008", "OA032", "ADM101"):
            source, out = written(tmp_path / "in.jsonl", broken(kind, break_it)), tmp_path / "out.jsonl"
            assert main(["fix", str(source), "-o", str(out)]) == 1
            assert main(["fix", str(source), "-o", str(out), "--unsafe"]) == (1 if code == "OA008" else 0)


def test_the_differences_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty = broken("simple", RESTORED[3][2])
    faulty["messages"][0]["content"] = "You help.\x1b[31m"
    source = written(tmp_path / "in.jsonl", KINDS["simple"](), faulty)
    assert main(["fix", str(source), "--diff", "--unsafe"]) == 0
    told = capsys.readouterr()
    assert "nothing was written" in told.err
    shown = told.out.splitlines()
    assert shown[0] == f"--- {source}:2"
    assert shown[1].startswith(f"+++ {source}:2 fixed: arguments-from-text")
    assert any(line.startswith('-            "arguments": "{') for line in shown)
    assert '+              "city": "Rome"' in shown
    assert "\x1b" not in told.out
    assert list(tmp_path.iterdir()) == [source]
    out = tmp_path / "out.jsonl"
    assert main(["fix", str(source), "--diff", "--unsafe", "-o", str(out)]) == 0
    assert capsys.readouterr().out == told.out
    assert len(lines(out)) == 2


def test_a_huge_record_is_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = broken("simple", RESTORED[3][2])
    record["tools"][0]["function"]["parameters"]["properties"]["day"]["examples"] = ["2026-01-01"] * 21_000
    source = written(tmp_path / "in.jsonl", record)
    assert main(["fix", str(source), "--diff"]) == 0
    assert "too long to compare" in capsys.readouterr().out


def test_several_inputs_of_any_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = written(tmp_path / "one.jsonl", FAULTY[0])
    two = tmp_path / "two.jsonl.gz"
    two.write_bytes(gzip.compress(orjson.dumps(FAULTY[1]) + b"\n"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(orjson.dumps(FAULTY[2]))))
    out = tmp_path / "out.jsonl.gz"
    assert main(["fix", str(one), str(two), "-", "-o", str(out)]) == 0
    assert [orjson.loads(line) for line in gzip.decompress(out.read_bytes()).splitlines()] == [KINDS["simple"]()] * 3


def test_a_dash_means_stdout(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    source = written(tmp_path / "in.jsonl", FAULTY[0])
    assert main(["fix", str(source), "-o", "-"]) == 0
    assert orjson.loads(capfdbinary.readouterr().out) == KINDS["simple"]()


def test_the_input_is_replaced_where_nothing_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path / "in.jsonl", FAULTY[0])
    assert main(["fix", str(source), "-o", str(source)]) == 0
    assert lines(source) == [KINDS["simple"]()]
    written(source, FAULTY[0], b"not json")
    before = source.read_bytes()
    assert main(["fix", str(source), "-o", str(source)]) == 1
    assert source.read_bytes() == before
    assert "the file was left as it is" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [source]


def test_one_of_several_inputs_is_never_replaced(tmp_path: Path) -> None:
    one, two = written(tmp_path / "one.jsonl", FAULTY[0]), written(tmp_path / "two.jsonl", FAULTY[1])
    before = one.read_bytes()
    assert main(["fix", str(one), str(two), "-o", str(one)]) == 2
    assert one.read_bytes() == before


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "job.json").write_text("{}")
    (folder / "run.db").write_bytes(b"")
    (folder / "catalog.json").write_text(CATALOG.model_dump_json())
    written(folder / "records.jsonl", KINDS["simple"](), broken("simple", RESTORED[3][2]))
    return folder


def test_the_records_of_a_run_are_read_and_never_replaced(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["fix", str(run), "-o", str(out)]) == 0
    assert lines(out) == [KINDS["simple"]()] * 2
    before = (run / "records.jsonl").read_bytes()
    assert main(["fix", str(run), "-o", str(run / "records.jsonl")]) == 2
    assert main(["fix", str(run), "-o", str(run / "job.json")]) == 2
    assert (run / "records.jsonl").read_bytes() == before


def test_results_are_checked_by_the_catalog_of_a_run(run: Path, tmp_path: Path) -> None:
    record = KINDS["simple"]()
    record["messages"][3]["content"] = '{"temperature":"warm"}'
    written(run / "records.jsonl", record)
    assert main(["fix", str(run), "-o", str(tmp_path / "out.jsonl")]) == 1


@pytest.mark.parametrize(
    "arguments",
    [["fix"], ["fix", "in.jsonl"], ["fix", "none.jsonl", "-o", "out.jsonl"], ["fix", "in.jsonl", "-o", "-", "--diff"],
     ["fix", "in.jsonl", "-o", "."]],
)  # fmt: skip
def test_what_cannot_be_done_is_one_message(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "in.jsonl", FAULTY[0])
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("error: ")
    assert not (tmp_path / "out.jsonl").exists()


def test_the_folder_is_made(tmp_path: Path) -> None:
    source = written(tmp_path / "in.jsonl", FAULTY[0])
    out = tmp_path / "none" / "out.jsonl"
    main(["fix", str(source), "-o", str(out)])
    assert out.exists()
    assert main(["fix", str(source), "-o", str(source / "out.jsonl")]) == 5


def test_no_records_are_a_failure(tmp_path: Path) -> None:
    assert main(["fix", str(written(tmp_path / "in.jsonl")), "-o", str(tmp_path / "out.jsonl")]) == 1


def test_every_fix_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "--list"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert all(name in told for name in FIXES)
    safe, unsafe = told.split("With --unsafe:")
    assert all((f" {fix.name} (" in safe) == fix.is_safe for fix in FIXES.values())
    assert all(f"Loses {fix.loses}" in unsafe for fix in FIXES.values() if not fix.is_safe)


def test_a_rule_says_that_it_is_fixable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "DF004"]) == 0
    assert "Fixable:" in capsys.readouterr().out
    assert main(["rule", "DF001"]) == 0
    assert "Fixable:" not in capsys.readouterr().out
    assert main(["rule", "ADM008"]) == 0
    assert "--unsafe" in capsys.readouterr().out


def test_ids_are_new_and_linked(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    faulty = [broken(kind, break_it) for code, kind, break_it in MENDED if code in ("DF005", "DF006")]
    written(source, *({key: record[key] for key in ("messages", "tools")} for record in faulty))
    assert main(["fix", str(source), "-o", str(out)]) == 0
    for record in lines(out):
        made = [call["id"] for message in record["messages"] for call in message.get("tool_calls", ())]
        assert made == [message["tool_call_id"] for message in record["messages"] if message["role"] == "tool"]
        assert len(set(made)) == len(made)


LINES = st.one_of(
    st.binary(max_size=40),
    mutated().map(lambda record: json.dumps(record, default=str).encode("utf-8", "replace")),
    st.sampled_from(HOPELESS),
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(LINES, max_size=3), st.booleans())
def test_any_bytes_are_mended_or_told(given_lines: list[bytes], unsafe: bool) -> None:
    for line in mend_lines(io.BytesIO(b"\n".join(given_lines)), catalog=CATALOG, unsafe=unsafe):
        assert (line.text is None) == bool(line.errors)
        if line.text is not None:
            again = list(mend_lines(io.BytesIO(line.text), catalog=CATALOG, unsafe=unsafe))
            assert [each.text for each in again] == [line.text]


NEAR = ("deepfabric", "openai", "openai-finetune", "mistral", "trl")
"""Formats that fixes bring to the canonical form, or that have it."""
OTHERS = [name for name in WRITTEN if name not in NEAR]


def in_format(name: str, document: Json) -> Json:
    shaping = Shaping(WRITTEN[name])
    return shaping.write(shaping.prepare(document))


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("told", [True, False])
def test_every_format_is_read(name: str, told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ["simple", "parallel", "multiple"]
    source = written(tmp_path / "in.jsonl", *(in_format(name, KINDS[kind]()) for kind in kinds))
    out = tmp_path / "out.jsonl"
    options = ["--format", name] if told else []
    assert main(["fix", str(source), "-o", str(out), *options]) == 0, capsys.readouterr().err
    called = [
        [call["function"]["name"] for turn in record["messages"] for call in turn.get("tool_calls", ())]
        for record in lines(out)
    ]
    assert called == [
        [call["function"]["name"] for turn in KINDS[kind]()["messages"] for call in turn.get("tool_calls", ())]
        for kind in kinds
    ]
    if name in OTHERS:
        assert f"brought from other formats: 3 of {name}" in capsys.readouterr().err
    again = tmp_path / "again.jsonl"
    assert main(["fix", str(out), "-o", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()


def test_a_record_of_another_format_is_mended_once_it_is_brought(tmp_path: Path) -> None:
    document = in_format("llamafactory", KINDS["simple"]())
    text = orjson.dumps(document).decode().replace("celsius", "celsius<|im_end|>", 1)
    source, out = written(tmp_path / "in.jsonl", text.encode()), tmp_path / "out.jsonl"
    assert main(["fix", str(source), "-o", str(out)]) == 0
    assert [record.keys() for record in lines(out)] == [{"messages", "tools"}]


def test_what_was_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path / "in.jsonl", in_format("hermes", KINDS["parallel"]()), KINDS["simple"](), b"no")
    assert main(["fix", str(source), "-o", str(tmp_path / "out.jsonl")]) == 1
    calls = sum(
        len(turn.get("tool_calls", ())) for kind in ("parallel", "simple") for turn in KINDS[kind]()["messages"]
    )
    shown = sum(len(KINDS[kind]()["tools"]) for kind in ("parallel", "simple"))
    assert f"read {calls} calls, {calls} results, {shown} tools" in capsys.readouterr().err


def test_as_it_stands_no_other_format_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path / "in.jsonl", in_format("hermes", KINDS["simple"]()))
    assert main(["fix", str(source), "-o", str(tmp_path / "out.jsonl"), "--format", "canonical"]) == 1
    assert "DF002" in capsys.readouterr().err


def test_the_difference_tells_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path / "in.jsonl", in_format("hermes", KINDS["simple"]()))
    assert main(["fix", str(source), "--diff"]) == 0
    assert "fixed: brought from hermes" in capsys.readouterr().out


@pytest.mark.slow
def test_the_output_does_not_depend_on_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [*FAULTY, *HOPELESS, *(in_format(name, KINDS["parallel"]()) for name in OTHERS), KINDS["simple"]()]
    source = written(tmp_path / "in.jsonl", *records * 6)
    found = []
    for jobs in ("1", "2"):
        out = tmp_path / "out.jsonl"
        assert main(["fix", str(source), str(source), "-o", str(out), "--jobs", jobs]) == 1
        found.append((out.read_bytes(), capsys.readouterr()))
    assert found[0] == found[1]
