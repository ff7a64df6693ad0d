"""A bill that ends: the real command stops before it may spend more, and the same run goes on later."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from generator.validation import validate_record
from tests.bounded import Stopwatch
from tests.domain_examples import TOOLS
from tests.faults.completion_processes import Served, run_llm, served, start_llm
from tests.run_processes import finish

QUIET = ("--quiet", "--mix", "simple=1")
LONGEST_ANSWER = 2048
"""The tokens that a job lets an answer have."""
PRICES = ("--price-in", "1000", "--price-out", "10000")
"""Of a million tokens: an answer of the test's server costs 0.1 + 0.5."""


def lines(out: Path) -> list[bytes]:
    return (out / "records.jsonl").read_bytes().splitlines()


def status(out: Path) -> str:
    return str(json.loads((out / "summary.json").read_text())["status"])


def undisturbed(folder: Path, server: Served, count: int) -> list[bytes]:
    assert run_llm(folder, server, count, *QUIET)[0] == 0
    return lines(folder)


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", ["1", "64"])
def test_exactly_so_many_requests_and_then_the_rest(tmp_path: Path, concurrency: str) -> None:
    """Two sessions with a budget and one without: no answer is paid for twice, and the bytes are the same."""
    out, count = tmp_path / "run", 14
    with served("--latency", "0.02") as server:
        for session in range(1, 3):
            code, _, err = run_llm(out, server, count, "--max-requests", "11", "--max-concurrency", concurrency, *QUIET)
            assert (code, len(err.splitlines())) == (4, 1)
            assert "--max-requests 11 is reached" in err and "To go on: toolgen generate " in err
            assert server.requests == 11 * session
            assert status(out) == "limited"
            assert [found for line in lines(out) for found in validate_record(json.loads(line))] == []
        assert run_llm(out, server, count, *QUIET)[0] == 0
        assert server.requests == 2 * count
        assert server.told()["answered_twice"] == 0
        assert status(out) == "complete"
        assert lines(out) == undisturbed(tmp_path / "whole", server, count)


def test_tokens_are_not_overdrawn(tmp_path: Path) -> None:
    """The server counts 150 tokens an answer; what is under way is counted as if it took the most."""
    with served() as server:
        code, _, err = run_llm(tmp_path / "run", server, 60, "--max-tokens", "6000", "--max-concurrency", "32", *QUIET)
        spent = 150 * server.requests
    assert code == 4, err
    assert "--max-tokens 6,000 is reached" in err
    assert 6000 - LONGEST_ANSWER - 2000 < spent <= 6000


def test_money_is_not_overdrawn(tmp_path: Path) -> None:
    with served() as server:
        code, _, err = run_llm(
            tmp_path / "run", server, 200, "--max-cost", "40", *PRICES, "--max-concurrency", "32", *QUIET
        )
        cost = 0.6 * server.requests
    assert code == 4, err
    assert "--max-cost 40 is reached" in err and f"a cost of {cost:.4f}" in err
    assert 15 < cost <= 40


def test_time_is_not_overdrawn(tmp_path: Path) -> None:
    with served("--latency", "0.05") as server:
        began = Stopwatch()
        options = ("--max-minutes", "0.02", "--max-concurrency", "2", *QUIET)
        code, _, err = run_llm(tmp_path / "run", server, 5000, *options)
    assert code == 4, err
    assert "--max-minutes 0.02 is reached" in err
    assert began.seconds > 1.2
    assert began.quiet_seconds < 12
    assert lines(tmp_path / "run")


def test_a_wait_beyond_the_time_that_is_left_is_not_begun(tmp_path: Path) -> None:
    with served("--fault", "429_for_long", "--share", "1") as server:
        began = Stopwatch()
        code, _, err = run_llm(tmp_path / "run", server, 5, "--max-minutes", "0.4", *QUIET)
    assert code == 4
    assert "asks to wait 30 s" in err
    assert began.quiet_seconds < 20


@pytest.mark.slow
@pytest.mark.parametrize(("options", "times"), [((), 1), (("--quiet",), 0)])
def test_a_long_wait_is_told_while_it_lasts(tmp_path: Path, options: tuple[str, ...], times: int) -> None:
    with served("--fault", "429_for_long", "--share", "1") as server:
        process = start_llm(tmp_path / "run", server, 5, "--mix", "simple=1", *options)
        server.wait_for_requests(5)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        code, _, err = finish(process)
    assert code == 130
    assert err.count("asks to wait: all requests wait 30 s more") == times


@pytest.mark.slow
def test_a_budget_that_is_too_small_for_one_request_sends_none(tmp_path: Path) -> None:
    with served() as server:
        code, _, err = run_llm(tmp_path / "run", server, 5, "--max-tokens", "100", *QUIET)
        assert (code, server.requests) == (4, 0)
        assert "the next request may take" in err
        assert run_llm(tmp_path / "run", server, 5, *QUIET)[0] == 0


@pytest.mark.slow
def test_a_limit_ends_the_writing_of_domains_too(tmp_path: Path) -> None:
    tools, out = tmp_path / "tools.json", tmp_path / "run"
    tools.write_text(json.dumps(TOOLS))
    with served() as server:
        code, _, err = run_llm(out, server, 5, str(tools), "--max-requests", "3", *QUIET)
        assert (code, server.requests) == (4, 3), err
        assert (lines(out), status(out)) == ([], "limited")
        code, _, err = run_llm(out, server, 5, str(tools), *QUIET, "--mix", "simple=1")
        assert (code, len(lines(out))) == (0, 5), err
        assert server.told()["answered_twice"] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--max-cost", "5"), "--price-in"),
        (("--max-cost", "0"), "--max-cost"),
        (("--max-cost", "nan", *PRICES), "--max-cost takes a number"),
        (("--max-cost", "5", "--price-in", "inf"), "--price-in takes a number"),
        (("--max-minutes", "inf"), "--max-minutes takes a number"),
        (("--max-requests", "-1"), "--max-requests"),
        (("--author", "offline", "--max-tokens", "10"), "--max-tokens limits what a model is asked"),
        (("--author", "offline", "--max-minutes", "10"), "--max-minutes limits"),
        (("--author", "offline", "--rpm", "10"), "--rpm limits"),
        (("--tpm", "nan"), "--tpm takes a number"),
        (("--rpm", "0"), "--rpm"),
        (("--prices", "pyproject.toml"), "pyproject.toml#/"),
        (("--max-cost", "5", "--prices", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_a_limit_without_sense_is_refused(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    code, _, err = run_llm(tmp_path / "run", Served(9), 5, *options)
    assert code == 2
    assert words in err
    assert not (tmp_path / "run").exists()


def test_the_plan_tells_the_price(tmp_path: Path) -> None:
    code, out, _ = run_llm(tmp_path / "run", Served(9), 50, "--dry-run", "--json", *PRICES)
    plan = json.loads(out)["llm"]
    assert code == 0
    tokens = plan["estimated_prompt_tokens"], plan["estimated_completion_tokens"]
    assert plan["estimated_cost"] == pytest.approx((tokens[0] * 1000 + tokens[1] * 10_000) / 1e6)
