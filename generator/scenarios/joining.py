"""Joining: several wishes in one message, and the answers to them, as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from generator.scenarios.phrases import phrases
from generator.scenarios.talk.texts import upper_first

_OPENING = re.compile(r"[\w'’]+(?:(?=[.,:;!])|\s+[\w'’]+)?")
"""One word before a mark ("Done."), else two."""
_ENDS = ".?!\"'…)"


def joined_wishes(texts: Sequence[str], random: Random) -> str:
    """Say several wishes in one message: one after the other with words between them, or more than two as a list."""
    if len(texts) == 1:
        return sentence(texts[0])
    told = [upper_first(sentence(text)) for text in texts]
    if len(told) > 2 and random.random() < _SHARE_OF_LISTS:
        intro = random.choice(phrases()["wishes"]["several"]).format(many=_COUNTS.get(len(told), "Several"))
        return "\n".join([intro, *(f"{number}. {text}" for number, text in enumerate(told, 1))])
    first, *between, last = told
    final = "last" if between else "next"
    further = [*(_continued(text, "next", random) for text in between), _continued(last, final, random)]
    return ("\n\n" if any("\n" in text for text in told) else " ").join([first, *further])


_COUNTS = {2: "Two", 3: "Three", 4: "Four"}
_SHARE_OF_LISTS = 0.6


def _continued(text: str, place: str, random: Random) -> str:
    """Say a further wish with a word that joins it to the one before.

    Only a sentence that begins with a common word goes on in small letters; any other stands after a colon, but that
    of somebody who says "I".
    """
    texts = phrases()["wishes"][place]
    word, _, rest = text.partition(" ")
    if rest and word.partition("'")[0] == "I":
        return str(random.choice(texts["within"])).format(further=text)
    if rest and word.rstrip(",").lower() in phrases()["wishes"]["lowered"]:
        return str(random.choice(texts["within"])).format(further=f"{word.lower()} {rest}")
    return str(random.choice(texts["apart"])).format(further=text)


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


def opening(text: str) -> str:
    """Return the words with which a text begins, as far as readers notice that another one begins alike."""
    found = _OPENING.match(text.casefold())
    return found[0] if found else ""
