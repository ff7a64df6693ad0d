"""The real command: the model proposes the result schemas of tools that declare none, once, for good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.schemas.validators import validator_for
from generator.validation import validate_record
from tests.faults.completion_processes import run_llm, served
from tests.faults.completion_server import PROPOSED

FAST = ("--concurrency", "8", "--timeout", "5")
TOOLS = [
    {
        "name": f"{verb}_{noun}",
        "description": f"{verb.capitalize()} the {noun} of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Name of the city."}},
            "required": ["city"],
        },
    }
    for verb in ("get", "check")
    for noun in ("weather", "traffic")
]


@pytest.fixture
def tools(tmp_path: Path) -> str:
    (tmp_path / "city.json").write_text(json.dumps(TOOLS))
    return str(tmp_path / "city.json")


def read(path: Path) -> dict[str, object]:
    return dict(json.loads(path.read_text()))


def test_a_run_asks_once_per_tool_and_never_again(tmp_path: Path, tools: str) -> None:
    out, again, other = tmp_path / "run", tmp_path / "again", tmp_path / "other"
    with served() as server:
        code, _, err = run_llm(out, server, 6, tools, *FAST, "--mix", "simple=1")
        assert code == 0, err
        assert "the schemas of 4 tools are the model's" in err
        assert server.requests == 4 + 2 * 6
        assert run_llm(out, server, 8, tools, *FAST, "--mix", "simple=1")[0] == 0
        assert server.requests == 4 + 2 * 8
        told = run_llm(again, server, 8, tools, *FAST, "--mix", "simple=1", "--answers", str(out))
        assert told[0] == 0 and server.requests == 4 + 2 * 8
        whole = run_llm(other, server, 8, "--job", str(out / "job.json"), "--answers", str(out), *FAST)
        assert whole[0] == 0, whole[2]
        assert server.requests == 4 + 2 * 8
    catalog = read(out / "catalog.json")
    assert {tool["result_origin"] for tool in catalog["tools"]} == {"proposed"}  # type: ignore[attr-defined]  # JSON
    summary = read(out / "summary.json")
    assert summary["result_schemas"] == {"proposed": 4, "derived": {}}
    assert summary["tokens"]["kinds"]["result schemas"]["prompt"] == 400  # type: ignore[index]  # JSON
    lines = (out / "records.jsonl").read_bytes()
    assert lines == (again / "records.jsonl").read_bytes() == (other / "records.jsonl").read_bytes()
    records = [json.loads(line) for line in lines.splitlines()]
    for record in records:
        assert validate_record(record) == []
        for message in record["messages"]:
            content = json.loads(message["content"]) if message["role"] == "tool" else {"error": {}}
            assert "error" in content or validator_for(PROPOSED).is_valid(content)


def test_bad_proposals_are_mended_or_left(tmp_path: Path, tools: str) -> None:
    with served("--fault", "missing_keys", "--share", "0.5", "--by-request") as server:
        assert run_llm(tmp_path / "run", server, 6, tools, *FAST, "--attempts", "4", "--quiet")[0] == 0
    told = read(tmp_path / "run" / "summary.json")["result_schemas"]
    assert isinstance(told, dict)
    assert told["proposed"] + len(told["derived"]) == 4
    assert told["proposed"] > 0


def test_a_refusal_ends_the_run_before_a_record_is_made(tmp_path: Path, tools: str) -> None:
    with served("--fault", "401") as server:
        code, _, err = run_llm(tmp_path / "run", server, 6, tools, *FAST, "--quiet")
    assert (code, len(err.splitlines())) == (3, 1)
    assert (tmp_path / "run" / "records.jsonl").read_bytes() == b""
    with served() as server:
        assert run_llm(tmp_path / "run", server, 6, tools, *FAST, "--quiet") == (0, "", "")


def test_they_can_be_left_to_derivation(tmp_path: Path, tools: str) -> None:
    with served() as server:
        assert run_llm(tmp_path / "run", server, 5, tools, *FAST, "--no-proposals", "--mix", "simple=1")[0] == 0
        assert server.requests == 10
        code, out, _ = run_llm(tmp_path / "x", server, 5, tools, *FAST, "--dry-run", "--json")
    assert code == 0
    assert json.loads(out)["llm"]["result_schemas"] == 4
    assert {tool["result_origin"] for tool in read(tmp_path / "run/catalog.json")["tools"]} == {"derived"}  # type: ignore[attr-defined]  # JSON


def test_a_lost_store_costs_no_proposal_and_no_record(tmp_path: Path, tools: str) -> None:
    out = tmp_path / "run"
    with served("--fault", "missing_keys", "--share", "0.5", "--by-request") as server:
        options = (tools, *FAST, "--mix", "simple=1", "--quiet")
        assert run_llm(out, server, 6, *options)[0] == 0
        before, catalog, paid = (
            (out / "records.jsonl").read_bytes(),
            (out / "catalog.json").read_bytes(),
            server.requests,
        )
        for names in (("run.db",), ("run.db", "answers")):
            for name in names:
                for path in out.glob(f"{name}*"):
                    path.unlink()
            code, _, err = run_llm(out, server, 6, *options)
            assert code == 0, err
            assert (out / "records.jsonl").read_bytes() == before
            assert (out / "catalog.json").read_bytes() == catalog
        assert server.requests == paid
