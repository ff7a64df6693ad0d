"""A session spends no more than it may."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.budget import Budget, Limits, Price, Usage, read_price
from generator.errors import UsageError

TOKENS = st.builds(Usage, st.integers(0, 5000), st.integers(0, 5000))


class Clock:
    """Time as the test wants it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


TWENTY = Usage(10, 10)


def ended(budget: Budget, most: Usage = TWENTY, wait: float = 0) -> str:
    return str(budget.exceeded_by(most, wait) or "")


def test_without_limits_nothing_ends() -> None:
    budget = Budget()
    for _ in range(1000):
        budget.set_aside(Usage(10**6, 10**6))
    assert ended(budget) == ""
    assert budget.seconds_left() == float("inf")


def test_requests_are_counted_when_they_are_sent() -> None:
    budget = Budget(Limits(requests=2))
    for _ in range(2):
        assert ended(budget) == ""
        budget.set_aside(Usage())
    assert "--max-requests 2 is reached" in ended(budget)
    assert "sent 2 requests" in ended(budget)


def test_what_is_under_way_counts_as_if_it_took_the_most() -> None:
    budget = Budget(Limits(tokens=100))
    budget.set_aside(Usage(30, 30))
    assert "--max-tokens 100" in ended(budget, Usage(30, 30))
    budget.settle(Usage(30, 30), Usage(5, 5))
    assert ended(budget, Usage(30, 30)) == ""
    assert "may take 95" in ended(budget, Usage(45, 50))


@given(st.integers(1, 20_000), st.lists(st.tuples(TOKENS, st.floats(0, 1)), max_size=60))
def test_no_more_tokens_are_spent_than_allowed(limit: int, requests: list[tuple[Usage, float]]) -> None:
    """Whatever is asked, and whatever part of what it might take it does take."""
    budget = Budget(Limits(tokens=limit))
    under_way = []
    for most, share in requests:
        if budget.exceeded_by(most) is None:
            budget.set_aside(most)
            under_way.append((most, Usage(int(most.prompt * share), int(most.completion * share))))
        if len(under_way) > 3:
            budget.settle(*under_way.pop(0))
    for most, taken in under_way:
        budget.settle(most, taken)
    assert budget.spent.total <= limit


def test_money_is_counted_by_both_prices() -> None:
    price = Price(prompt=2.0, completion=10.0)
    assert price.of(Usage(1_000_000, 100_000)) == 3.0
    budget = Budget(Limits(cost=1.0, price=price))
    budget.set_aside(Usage(100_000, 50_000))
    budget.settle(Usage(100_000, 50_000), Usage(100_000, 50_000))
    assert ended(budget, Usage(100_000, 10_000)) == ""
    assert "--max-cost 1 is reached" in ended(budget, Usage(100_000, 20_000))
    assert "a cost of 0.7000" in budget.in_words()


def test_time_runs_out_and_so_it_does_where_the_server_asks_for_more() -> None:
    clock = Clock()
    budget = Budget(Limits(minutes=2), clock)
    assert ended(budget, wait=60) == ""
    assert "asks to wait 121 s" in ended(budget, wait=121)
    clock.now += 120
    assert "--max-minutes 2 is reached;" in ended(budget)


@pytest.mark.parametrize("limits", [Limits(tokens=1), Limits(cost=0.1, price=Price(1, 1))])
def test_what_a_request_may_take_is_asked_for_where_it_matters(limits: Limits) -> None:
    assert limits.count_tokens
    assert not Limits(requests=1, minutes=1).count_tokens


TOML = '# mine\n[small]\nin = 0.15\nout = 0.6\n\n["org/large-1.5"]\nin = 3\nout = 15\n'


@pytest.mark.parametrize(
    ("text", "model", "price"),
    [
        (TOML, "small", Price(0.15, 0.6)),
        (TOML, "org/large-1.5", Price(3, 15)),
        ('\ufeff {"m": {"in": 0, "out": 1e1}}', "m", Price(0, 10)),
    ],
)
def test_the_prices_of_a_model_are_found(tmp_path: Path, text: str, model: str, price: Price) -> None:
    (tmp_path / "prices").write_text(text)
    assert read_price(tmp_path / "prices", model) == price


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (TOML.encode(), "no prices of the model 'smal'; did you mean small"),
        (b"", "it has none"),
        (b"[smal]\nin = 1\n", "#/smal/out: Field required"),
        (b'[smal]\nin = "1"\nout = 1\n', "#/smal/in: "),
        (b"[smal]\nin = -1\nout = 1\n", "#/smal/in: "),
        (b"[smal]\nin = nan\nout = 1\n", "#/smal/in: "),
        (b"[smal]\nin = 1\nout = 1\nper = 2\n", "#/smal/per: "),
        (b"smal = 3\n", "#/smal: "),
        (b"[smal\n", "broken TOML"),
        (b"{\n\n 'smal'", ":3:2: broken JSON"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"{" + b'"a":[' * 100_000, "prices"),
        (b" " * (1 << 20) + b"  ", "larger than 1,000,000 bytes, this is no file of prices"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError) as told:
        read_price(path, "smal")
    assert str(path) in str(told.value) and words in str(told.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_price(tmp_path / "none.toml", "m")
