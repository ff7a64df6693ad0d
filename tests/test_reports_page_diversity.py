"""How varied texts are, by figures that can be worked out by hand, and by a plain reading of what BLEU says."""

from __future__ import annotations

import math
from random import Random

import pytest

from generator.reports.page.diversity import Choice, distinct, grams, measure, near_duplicates, self_bleu, tokens_of


def test_figures_of_small_texts() -> None:
    assert tokens_of("It's 5 km, no?") == ["it", "'", "s", "5", "km", ",", "no", "?"]
    assert distinct([["a", "b", "a"], ["a", "b"]], 1) == 2 / 5
    assert distinct([["a", "b", "a"], ["a", "b"]], 2) == 2 / 3
    assert near_duplicates([list("abcdefgh"), list("abcdefgz"), list("xyz")]) == pytest.approx(2 / 3)
    same = measure(["book a table for two"] * 3)
    assert same.self_bleu_4 == pytest.approx(1) and same.near_duplicates == 1


def plain_bleu(place: int, texts: list[list[str]]) -> float:
    """BLEU-4 of one text with the others as references, word for word as it is defined."""
    others = [other for at, other in enumerate(texts) if at != place]
    logs = 0.0
    for size in range(1, 5):
        mine = grams(texts[place], size)
        matched = sum(min(count, max(grams(other, size)[gram] for other in others)) for gram, count in mine.items())
        smooth = size > 1
        if not matched + smooth or not mine.total() + smooth:
            return 0.0
        logs += math.log((matched + smooth) / (mine.total() + smooth)) / 4
    length = len(texts[place])
    nearest = min(map(len, others), key=lambda other: (abs(other - length), other))
    return math.exp(logs) * min(1.0, math.exp(1 - nearest / max(length, 1)))


@pytest.mark.parametrize("seed", range(5))
def test_the_quick_way_is_the_plain_one(seed: int) -> None:
    draw = Random(seed)
    texts = [[draw.choice("abcde") for _ in range(draw.randint(1, 9))] for _ in range(12)]
    plain = sum(plain_bleu(place, texts) for place in range(len(texts))) / len(texts)
    assert self_bleu(texts) == pytest.approx(plain)


def test_a_choice_depends_on_numbers_alone_and_stays_small() -> None:
    one, other = Choice(most=5), Choice(most=5)
    for number in range(100):
        one.add(number, f"text {number}")
    for number in reversed(range(100)):
        other.add(number, f"text {number}")
    assert one.texts() == other.texts() and len(one.texts()) == 5
    assert one.texts() != [f"text {number}" for number in range(5)]
