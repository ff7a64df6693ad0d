"""The file of prices: read in two forms, and every mistake in it told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.backends.limits import Price
from generator.backends.prices import read_price
from generator.errors import UsageError

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
