"""SplitMix: random streams that cost nothing to begin."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.random_streams import SplitMix


def at(place: int) -> SplitMix:
    generator = SplitMix()
    generator.at = place
    return generator


def test_the_stream_is_splitmix64() -> None:
    """The first numbers of the published algorithm from 0 on."""
    generator = at(0)
    assert [generator.getrandbits(64) for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert at(0).random() == (0xE220A8397B1DCDAF >> 11) / 2**53


def test_a_stream_depends_on_where_it_begins_alone() -> None:
    assert [at(7).random() for _ in range(3)] == [at(7).random()] * 3
    assert len({at(place).random() for place in range(2_000)}) == 2_000


@pytest.mark.parametrize("bits", [1, 7, 53, 64, 65, 200])
def test_bits_are_as_many_as_asked_for(bits: int) -> None:
    drawn = [at(place).getrandbits(bits) for place in range(500)]
    assert all(0 <= each < 1 << bits for each in drawn)
    assert max(drawn).bit_length() == bits


def test_neighbouring_places_are_unrelated() -> None:
    tens = Counter(int(at(place).random() * 10) for place in range(10_000))
    assert all(850 < many < 1_150 for many in tens.values())
    pairs = Counter((at(place).random() < 0.5, at(place + 1).random() < 0.5) for place in range(10_000))
    assert all(2_300 < many < 2_700 for many in pairs.values())


def test_what_random_makes_of_it_works() -> None:
    generator = at(3)
    assert sorted(generator.sample(range(9), 9)) == list(range(9))
    assert {generator.randint(1, 3) for _ in range(60)} == {1, 2, 3}
    assert {generator.choice("ab") for _ in range(40)} == {"a", "b"}
    assert set(generator.choices("ab", [0, 1], k=20)) == {"b"}
