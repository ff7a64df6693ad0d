"""Joining: several wishes in one message, and the answers to them, as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from generator.scenarios.phrases import phrases
from generator.scenarios.talk.texts import upper_first

_ENDS = ".?!\"'…)"


def joined_wishes(texts: Sequence[str], random: Random) -> str:
    """Say several wishes in one message: two as sentences with a connector that fits, more as a list or as lines."""
    if len(texts) == 1:
        return sentence(texts[0])
    told = [upper_first(sentence(text)) for text in texts]
    if len(told) == 2 and not any("\n" in text for text in told):
        return _two(told[0], told[1], random)
    intro = random.choice(phrases()["wishes"]["several"]).format(many=_COUNTS.get(len(told), "Several"))
    if not intro:
        return "\n".join(told)
    return "\n".join([intro, *(f"{number}. {text}" for number, text in enumerate(told, 1))])


_COUNTS = {2: "Two", 3: "Three", 4: "Four"}


def _two(first: str, second: str, random: Random) -> str:
    """Join two sentences; only one that begins with a common word goes on in the middle of another."""
    texts = phrases()["wishes"]
    word, _, rest = second.partition(" ")
    connectors = texts["connectors"] if word.lower() in texts["lowered"] and rest else ["{second}"]
    within = f"{word.lower()} {rest}"
    return f"{first} {random.choice(connectors).format(second=second, within=within)}"


def joined_answers(texts: Sequence[str], *, alike: bool) -> str:
    """Say what became of several wishes, in their order: paragraphs, or lines where they are of one sort."""
    if len(texts) < 2:
        return "".join(texts)
    if alike and not any("\n" in text for text in texts):
        return "\n".join(f"- {text}" for text in texts)
    return "\n\n".join(texts)


def sentence(text: str) -> str:
    """Return a text with an end."""
    plain = text.rstrip()
    return plain if plain[-1:] in _ENDS else f"{plain}."
