"""A kind or a tool of which every answer is nonsense stops costing, and the same answers give the same records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.runs.giving_up import MOST_FAILURES_BEFORE_SUCCESS
from generator.validation import validate_record
from tests.faults.completion_processes import run_llm, served

PARALLEL = r"\n1\. (\S+)(?: with [^\n]*)?\n2\. \1(?: with |\n)"
"""What the prompts of the kind `parallel` hold alone: two calls of one tool."""
FORECAST = r"\n\d+\. get_weather_forecast(?: with |\n)"
TRIES = 3


def files(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in ("records.jsonl", "rejections.jsonl")]


def summary(out: Path) -> dict[str, Any]:
    return dict(json.loads((out / "summary.json").read_text()))


def made(out: Path, server_spoils: str, count: int, *options: str) -> tuple[int, str]:
    """Make a run; return how many answers were nonsense, and what was said."""
    with served("--spoils", server_spoils, "--latency", "0.01") as server:
        code, _, err = run_llm(out, server, count, *options)
        assert code == 0, err
        return server.told()["counts"]["spoilt"], err


def test_a_kind_gives_its_share_to_the_others_with_one_note(tmp_path: Path) -> None:
    count, out = 80, tmp_path / "run"
    spoilt, err = made(out, PARALLEL, count)
    told = summary(out)
    assert (told["records"], list(told["given_up"]), list(told["given_up"]["kind"])) == (count, ["kind"], ["parallel"])
    assert told["kinds"]["parallel"]["kept"] == 0
    assert err.count("the kind parallel is given up") == 1
    assert err.count("1 kind: parallel; no usable answers") == 1
    assert f"no usable answer in {MOST_FAILURES_BEFORE_SUCCESS} attempts in a row" in err and "LM003" in err
    assert MOST_FAILURES_BEFORE_SUCCESS * TRIES <= spoilt <= 5 * MOST_FAILURES_BEFORE_SUCCESS * TRIES, (
        "of twelve records that are planned"
    )
    lines = files(out)[0].splitlines()
    assert [found for line in lines for found in validate_record(json.loads(line))] == []


@pytest.mark.parametrize(
    ("spoils", "of", "name"),
    [
        pytest.param(PARALLEL, "kind", "parallel", marks=pytest.mark.slow),
        pytest.param(FORECAST, "tool", "get_weather_forecast", marks=pytest.mark.slow),
    ],
)
def test_the_same_answers_give_the_same_bytes(tmp_path: Path, spoils: str, of: str, name: str) -> None:
    """One at a time, many at a time, and cut short again and again."""
    alone, many, cut = tmp_path / "alone", tmp_path / "many", tmp_path / "cut"
    count, mix = 50, ("--quiet", "--mix", "simple=3,multiple=3,parallel=2,parallel_multiple=2")
    made(alone, spoils, count, "--max-concurrency", "1", *mix)
    spoilt, _ = made(many, spoils, count, "--max-concurrency", "64", *mix)
    print(f"{of} {name}: {spoilt} answers were nonsense")
    assert list(summary(alone)["given_up"][of]) == [name]
    assert files(many) == files(alone)
    assert summary(many)["given_up"] == summary(alone)["given_up"]
    with served("--spoils", spoils) as server:
        codes = [run_llm(cut, server, count, *mix, *limit)[0] for limit in (("--max-requests", "60"),) * 2 + ((),)]
        assert server.told()["answered_twice"] == 0
    assert codes == [4, 4, 0]
    assert files(cut) == files(alone)
    assert summary(cut)["given_up"] == summary(alone)["given_up"]


def test_the_last_kind_is_not_given_up(tmp_path: Path) -> None:
    """Where nothing comes of any kind, the run ends as it does with a model that never serves."""
    with served("--spoils", r"\n1\. ") as server:
        code, _, err = run_llm(tmp_path / "run", server, 40, "--quiet", "--mix", "simple=1,parallel=1")
        assert (code, server.requests) == (3, 50)
    assert "none of the first 50" in err
