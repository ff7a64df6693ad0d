"""Servers of which every answer is bad: how many requests until the run stops, and what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.backends.backend import ON_TRIAL
from tests.bounded import Stopwatch
from tests.faults.completion_processes import run_llm, served, start_llm
from tests.run_processes import finish_measured

WALL = 75.0
"""Seconds: a server that only fails is given twenty to be well again, one that asks to wait as long as it asks."""
MOST_MEMORY = 200_000
"""Kilobytes of the process; the libraries alone take half of it."""

UNUSABLE = ("none of the first", "The commonest reasons: ", "Nothing is lost")
FAILS = ("only fails", "Nothing is lost")
CELLS: dict[str, tuple[str, ...]] = {
    "cut_length": (*UNUSABLE, "length 50 (cut at the token limit: --max-output-tokens gives more)", "one answer: "),
    "cut_stop": (*UNUSABLE, "cut_json 50"),
    "wrong_types": (*UNUSABLE, "wrong_shape 50"),
    "unknown_tool": (*UNUSABLE, "rule_", "no_such_tool"),
    "refusal": (*UNUSABLE, "refusal 50 (the model refused)", "I cannot help with that."),
    "constant": (*UNUSABLE, "rule_", "Hello there."),
    "empty_text": (*UNUSABLE, "empty 50", "no answer held any text"),
    "prose_alone": (*UNUSABLE, "wrong_json 50", "happy to help"),
    "braces": (*UNUSABLE, "too_deep 50", "{{{{"),
    "thoughts": (*UNUSABLE, "empty 50", "no answer held any text"),
    "content_filter": (*UNUSABLE, "content_filter 50"),
    "context_length": (*UNUSABLE, "http_400", "no answer held any text"),
    "429": (*FAILS, "HTTP 429"),
    "429_retry_after": (*FAILS, "HTTP 429"),
    "429_at_once": (*FAILS, "HTTP 429"),
    "429_for_a_year": ("asks to wait 31,536,000 s", "run the command again then"),
    "500": (*FAILS, "HTTP 500"),
    "quota": ("quota is used up", "You exceeded your current quota"),
    "html": (*FAILS, "not JSON"),
    "empty_choices": (*FAILS, "no choice"),
    "reset": (*FAILS, "connection"),
    "endless_body": (*FAILS, "more than 2,097,152 bytes"),
    "slow_loris": (*FAILS, "no answer within 1 s"),
    "gzip_bomb": (*FAILS, "more than 2,097,152 bytes"),
    "gzip_in_gzip": (*FAILS, "packed as 'gzip, gzip'"),
    "large_header": (*FAILS, "connection failed"),
    "nan_usage": (*FAILS, "not JSON"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", CELLS)
def test_a_server_that_never_serves_ends_the_run_soon(tmp_path: Path, fault: str) -> None:
    out, began = tmp_path / "run", Stopwatch()
    with served("--fault", fault, "--share", "1") as server:
        options = ("--max-concurrency", "32", "--timeout", "1", "--quiet", "--mix", "simple=1")
        code, _, err, memory = finish_measured(start_llm(out, server, 300, *options), patience=600)
        requests = server.requests
    wall = began.quiet_seconds
    print(f"{fault:<16} {requests:>3} requests  exit {code}  {wall:>5.1f} s  {memory} kB  {err.strip()}")
    assert code == 3, err
    assert 1 <= requests <= ON_TRIAL
    assert [words for words in CELLS[fault] if words not in err] == []
    assert len(err.splitlines()) == 1
    assert "ore tools" not in err and "Traceback" not in err
    assert wall < WALL
    assert 0 < memory < MOST_MEMORY
    assert (out / "records.jsonl").read_bytes() == b""
    assert json.loads((out / "summary.json").read_text())["records"] == 0


@pytest.mark.slow
def test_refusals_end_the_run_after_fifty_requests_at_any_concurrency(tmp_path: Path) -> None:
    for concurrency in ("1", "64"):
        with served("--fault", "refusal", "--share", "1") as server:
            options = ("--max-concurrency", concurrency, "--quiet", "--mix", "simple=1")
            code, _, err = run_llm(tmp_path / concurrency, server, 60, *options)
            assert (code, server.requests) == (3, ON_TRIAL)
            assert "I cannot help with that." in err and "refusal 50" in err
            again, _, _ = run_llm(tmp_path / concurrency, server, 60, *options)
            assert again == 3
            assert server.requests <= 2 * ON_TRIAL
        with served() as server:
            assert run_llm(tmp_path / concurrency, server, 10, *options)[0] == 0


def test_domains_and_drafts_share_the_trial(tmp_path: Path) -> None:
    """A model that writes neither domains nor drafts is not given fifty requests for each."""
    tools = [
        {
            "name": f"get_{noun}",
            "description": f"Get the {noun} of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        }
        for noun in ("weather", "traffic", "population", "mayor", "news", "taxes", "area", "height", "age", "name")
    ]
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    with served("--fault", "refusal", "--share", "1") as server:
        code, _, err = run_llm(tmp_path / "run", server, 60, str(tmp_path / "tools.json"), "--mix", "simple=1")
        assert code == 3
        assert server.requests <= ON_TRIAL
    assert "refusal" in err


@pytest.mark.slow
def test_a_model_that_turns_bad_half_way_is_left_too(tmp_path: Path) -> None:
    """Records that were made are kept, and good answers of an earlier session are no credit for this one."""
    out = tmp_path / "run"
    with served() as server:
        assert run_llm(out, server, 10, "--quiet", "--mix", "simple=1")[0] == 0
        half = run_llm(out, server, 40, "--quiet", "--mix", "simple=1", "--max-requests", "5", "--max-concurrency", "5")
        assert half[0] == 4
    with served("--fault", "refusal", "--share", "1") as server:
        code, _, err = run_llm(out, server, 40, "--quiet", "--mix", "simple=1")
        assert (code, server.requests) == (3, ON_TRIAL)
    assert len((out / "records.jsonl").read_text().splitlines()) in range(10, 13)
    assert "I cannot help" in err


def test_few_answers_that_cannot_be_used_are_told_as_such(tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text('attempts = 2\ntries = 2\nauthor = "llm"\nmodel = "m"\ncount = 3\nmix = { simple = 1 }\n')
    with served("--fault", "refusal", "--share", "1") as server:
        code, _, err = run_llm(tmp_path / "run", server, 3, "--job", str(job), "--quiet")
    assert code == 1
    assert "12 answers of the model could not be used (refusal 12)" in err
    assert "ore tools" not in err
