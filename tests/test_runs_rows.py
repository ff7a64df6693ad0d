"""Packing: texts come out as they went in, small where they share what the first ones say, and never without bound."""

from __future__ import annotations

import sqlite3
import tracemalloc
import zlib
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runs import rows
from generator.runs.rows import DICTIONARY, LONGEST_TEXT, Packing

TEXTS = [b'{"messages":[%d],"tools":["%s"]}\n' % (number, bytes(range(32, 127)) * 3) for number in range(100)]
KNOWING = Packing.learned(TEXTS) or Packing()


@given(text=st.binary(max_size=3000))
@pytest.mark.parametrize("packed_by", [Packing(), KNOWING], ids=["alone", "by dictionary"])
def test_a_text_comes_out_as_it_went_in(packed_by: Packing, text: bytes) -> None:
    assert packed_by.unpack(packed_by.pack(text)) == text


def test_what_the_first_texts_say_takes_little_room() -> None:
    assert len(KNOWING.pack(TEXTS[-1])) < len(Packing().pack(TEXTS[-1])) / 3


def test_few_texts_make_no_dictionary() -> None:
    assert KNOWING.knows
    assert Packing.learned(TEXTS[:10]) is None


def test_what_was_packed_alone_is_read_by_whoever_has_a_dictionary_and_not_the_other_way_round() -> None:
    assert KNOWING.unpack(Packing().pack(b"text")) == b"text"
    assert Packing().unpack(KNOWING.pack(b"text")) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda packed: b"",
        lambda packed: packed[:-1],
        lambda packed: packed + b"\0",
        lambda packed: b"\2" + packed[1:],
        lambda packed: packed[:1] + b"\xff" * 20,
    ],
    ids=["nothing", "cut", "more", "of another way", "no stream"],
)
def test_what_was_not_packed_so_is_none(spoil: Callable[[bytes], bytes]) -> None:
    assert KNOWING.unpack(spoil(KNOWING.pack(TEXTS[0] * 2))) is None


def test_what_grows_a_thousandfold_takes_no_more_memory_than_is_told() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    zeros = bytes(1 << 20)
    bomb = b"\0" + b"".join(packer.compress(zeros) for _ in range(4 * LONGEST_TEXT >> 20)) + packer.flush()
    tracemalloc.start()
    try:
        assert Packing().unpack(bomb) is None
        assert tracemalloc.get_traced_memory()[1] < 3 * LONGEST_TEXT
    finally:
        tracemalloc.stop()


def test_what_would_not_come_out_again_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_TEXT", 100)
    assert Packing().unpack(Packing().pack(b"x" * 100)) == b"x" * 100
    with pytest.raises(ValueError, match="101 bytes are too long"):
        Packing().pack(b"x" * 101)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    held = sqlite3.connect(":memory:")
    held.execute(DICTIONARY)
    yield held
    held.close()


@pytest.mark.parametrize(
    ("damage", "knows"),
    [
        ("SELECT 1", True),
        ("UPDATE dictionary SET words = NULL WHERE copy = 0", True),
        ("UPDATE dictionary SET checksum = X'00' WHERE copy = 0", True),
        ("DELETE FROM dictionary WHERE copy = 0", True),
        ("UPDATE dictionary SET words = CAST(words AS TEXT)", False),
        ("UPDATE dictionary SET words = words || X'00'", False),
        ("DELETE FROM dictionary", False),
        ("DROP TABLE dictionary", False),
    ],
)
def test_a_dictionary_is_kept_twice(connection: sqlite3.Connection, damage: str, knows: bool) -> None:
    KNOWING.write(connection)
    connection.execute(damage)
    found = Packing.read(connection)
    assert found.knows == knows
    assert (found.unpack(KNOWING.pack(TEXTS[7])) == TEXTS[7]) == knows
