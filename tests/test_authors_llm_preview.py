"""The preview tells what a run then takes, within a fifth; and what it costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.authors.llm.preview import domain_cost
from generator.authors.llm.session import LLMSession, prepare_session
from generator.backends.budget import Budget, Limits, Price
from generator.backends.server import ServerOptions
from generator.job import Job
from tests.domain_examples import domain, tools
from tests.faults.completion_processes import PLAIN, run_llm, served

PRICES = "[m]\nin = 2.5\nout = 10\n"


@pytest.mark.parametrize(
    "mix",
    [
        PLAIN,
        *(
            pytest.param(mix, marks=pytest.mark.slow)
            for mix in ("simple=1", "irrelevance=1", "parallel=2,parallel_multiple=1,multiple=1,irrelevance=1")
        ),
    ],
)
def test_requests_and_tokens_are_those_of_the_run_within_a_fifth(tmp_path: Path, mix: str) -> None:
    count, out = 60, tmp_path / "run"
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    options = ("--mix", mix, "--prices", str(prices))
    with served("--counts-tokens") as server:
        code, plan, err = run_llm(out, server, count, *options, "--dry-run", "--json")
        assert (code, server.requests) == (0, 0), err
        code, _, err = run_llm(out, server, count, *options)
        assert code == 0, err
        requests = server.requests
    told = json.loads(plan)["llm"]
    tokens = json.loads((out / "summary.json").read_text())["tokens"]
    pairs = [
        (told["requests"], requests),
        (told["estimated_prompt_tokens"], tokens["prompt"]),
        (told["estimated_completion_tokens"], tokens["completion"]),
        (told["estimated_cost"], tokens["cost"]),
    ]
    print(mix, *(f"{estimate:,}/{truth:,} = {estimate / truth:.2f}" for estimate, truth in pairs))
    for estimate, truth in pairs:
        assert estimate == pytest.approx(truth, rel=0.2)
    assert tokens["cost"] == pytest.approx((2.5 * tokens["prompt"] + 10 * tokens["completion"]) / 1e6, abs=1e-6)
    assert f"wasted; cost {tokens['cost']:,.4f}" in err


def test_domains_that_lack_are_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([tool.shown for tool in tools()]))
    with served() as server:
        for option, requests in ((), 5), (("--no-domains",), 0):
            code, plan, err = run_llm(tmp_path / "run", server, 10, str(path), *option, "--dry-run", "--json")
            assert code == 0, err
            assert json.loads(plan)["llm"]["requests_for_domains"] == requests


def live(price: Price | None = None) -> LLMSession:
    job = Job(name="domain", author="llm", model="m")
    _, found = prepare_session(job, ServerOptions(base_url="http://127.0.0.1:9/v1"), None, limits=Limits(price=price))
    assert isinstance(found.budget, Budget)
    return found


def test_the_cost_of_a_domain_is_told_of_what_lacks() -> None:
    whole, half = domain_cost(tools(), {}, live()), domain_cost(tools(), {"entities": {"loan": {}}}, live())
    assert whole["requests"] == 5 and half["requests"] == 4
    assert whole["estimated_prompt_tokens"] > 4000
    assert domain_cost(tools(), domain(), live(Price(1, 1))) == {
        "requests": 0, "estimated_prompt_tokens": 0, "estimated_completion_tokens": 0, "estimated_cost": 0
    }  # fmt: skip
