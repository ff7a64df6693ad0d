"""The real llama.cpp server, its model a few random numbers: whatever is kept is valid."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.errors import LimitError
from generator.validation import validate_record
from tests.run_processes import finish, start

pytest.importorskip("xllamacpp", reason="the extra `interop` brings the server")
pytest.importorskip("gguf", reason="the extra `interop` brings the model's format")

pytestmark = pytest.mark.interop
ASKED = 40
MINUTES = 4
"""A slow machine decides fewer: what is kept by then is examined all the same."""
JOB = """
author = "llm"
model = "tiny"
seed = 5
attempts = 8
tries = 2
temperature = 1.0
max_output_tokens = 2048
mix = { simple = 6, multiple = 3, parallel = 1, irrelevance = 1 }
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    process = start([sys.executable, "-m", "tests.interop.llama_server", str(tmp_path_factory.mktemp("model"))])
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Few tools with little to say, since reading the prompt is what takes time here.

    Two of them take no argument: whatever is asked at random, a call of theirs gives no value that nobody said.
    """
    city = {"city": {"type": "string", "description": "Name of the city."}}
    parameters = {"type": "object", "properties": city, "required": ["city"]}
    listed = [
        {"name": "get_weather", "description": "Get the weather of a city.", "parameters": parameters},
        {"name": "get_time", "description": "Get the time here.", "parameters": {"type": "object"}},
        {"name": "list_museums", "description": "List the museums here.", "parameters": {"type": "object"}},
    ]
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(listed))
    return path


@pytest.mark.slow
def test_an_exam_of_a_random_model_is_failed(server: str, tools: Path, tmp_path: Path) -> None:
    run, out = tmp_path / "held_out", tmp_path / "exam"
    made = [str(tools), "--count", "6", "--seed", "2", "--mix", "simple=1", "--out", str(run), "--quiet"]
    assert finish(start([sys.executable, "-m", "generator", "generate", *made]))[0] == 0
    asked = [str(run), "--model", "tiny", "--base-url", f"{server}/v1", "--out", str(out), "--max-output-tokens", "64"]
    limits = ["--max-concurrency", "2", "--timeout", "60", "--max-minutes", str(MINUTES)]
    command = [sys.executable, "-m", "generator", "evaluate", *asked, *limits]
    code, _, err = finish(start(command, {"OPENAI_API_KEY": ""}), patience=60 * MINUTES + 180)
    assert code in (0, LimitError.exit_code), err
    assert "Traceback" not in err
    (model,) = json.loads((out / "exam.json").read_text())["models"]
    assert model["figures"]["turns"] > 0
    assert model["figures"]["reward"]["mean"] < 0.05


@pytest.mark.slow
def test_whatever_is_kept_is_valid(server: str, tools: Path, tmp_path: Path) -> None:
    job, out = tmp_path / "job.toml", tmp_path / "run"
    job.write_text(JOB)
    options = [
        str(tools),
        "--no-domains",
        "--job",
        str(job),
        "--count",
        str(ASKED),
        "--base-url",
        f"{server}/v1",
        "--out",
        str(out),
    ]
    limits = ["--verbose", "--max-concurrency", "4", "--timeout", "20", "--max-minutes", str(MINUTES)]
    run = [sys.executable, "-m", "generator", "generate", *options, *limits]
    code, _, err = finish(start(run, {"OPENAI_API_KEY": ""}), patience=60 * MINUTES + 180)
    assert code in (0, 1, LimitError.exit_code), err
    assert (out / "records.jsonl").exists(), err
    records = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    assert [violation for record in records for violation in validate_record(record)] == []
    summary = json.loads((out / "summary.json").read_text())
    assert summary["records"] == len(records)
    assert summary["decided"] == ASKED or (code == LimitError.exit_code and summary["decided"] < ASKED)
    assert summary["response_mode"] == "json_schema"
    assert "by json_schema" in err
    assert records, summary["tokens"]["unusable"]  # the server holds the model to the envelope
    assert summary["tokens"]["estimated"] == 0
