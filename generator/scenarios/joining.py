"""Joining: several wishes in one message, and the answers to them, as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from generator.scenarios.phrases import phrases
from generator.scenarios.talk.texts import upper_first

_OPENING = re.compile(r"[\w'’]+(?:(?=[.,:;!])|\s+[\w'’]+)?")
"""One word before a mark ("Done."), else two."""
_ALL_DONE = re.compile(
    r"\A(?:all )?(?:done|ok|okay|all right|all set|sure|great)[,.!:] +(?=\S+(?: +\S+){2})", re.IGNORECASE
)
"""The word that says that all is done, before three words that say more."""
_ADDING = re.compile(r"([^.?!\n]*\b(?:too|as well)[.!]) +([^\n]+)$", re.IGNORECASE)
"""A sentence that adds something, before those that say to what."""
_COMMON_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?,? ")
_WORD = re.compile(r"\w+")
_SMALL_WORDS = frozenset("a an and at by for from in my of on our the to with your".split())
_ENDS = ".?!\"'…)"


def joined_wishes(texts: Sequence[str], random: Random) -> str:
    """Say several wishes in one message: one after the other with words between them, or more than two as a list."""
    if len(texts) == 1:
        return sentence(texts[0])
    told = [upper_first(sentence(_whole_first(text))) for text in texts]
    if len(told) > 2 and random.random() < _SHARE_OF_LISTS:
        intro = random.choice(phrases()["wishes"]["several"]).format(many=_COUNTS.get(len(told), "Several"))
        return "\n".join([intro, *(f"{number}. {text}" for number, text in enumerate(told, 1))])
    first, *between, last = told
    final = "last" if between else "next"
    further = [*(_continued(text, "next", random) for text in between), _continued(last, final, random)]
    return ("\n\n" if any("\n" in text for text in told) else " ").join([first, *further])


def _whole_first(text: str) -> str:
    """Put the sentence with which a wish begins behind the next, where it adds to that: "I need X, too"."""
    found = _ADDING.match(text)
    return f"{sentence(found[2])} {found[1]}" if found else text


_COUNTS = {2: "Two", 3: "Three", 4: "Four"}
_SHARE_OF_LISTS = 0.6


def _continued(text: str, place: str, random: Random) -> str:
    """Say a further wish with a word that joins it to the one before.

    Only a sentence that begins with a common word goes on in small letters; any other stands apart, but that
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
    """Say what became of several wishes, in their order: paragraphs, or lines where they are of one sort.

    "Done" is said at the start of an answer, not of each of its parts.
    """
    if len(texts) < 2:
        return "".join(texts)
    if alike and not any("\n" in text for text in texts):
        return "\n".join(f"- {part_of_several(text)}" for text in texts)
    first, *further = texts
    return "\n\n".join([_begun(first), *map(part_of_several, further)])


def part_of_several(text: str) -> str:
    """Return an answer as it stands among others: without the word that says that all is done."""
    return _begun(_ALL_DONE.sub("", text))


def _begun(text: str) -> str:
    """Begin an answer with a capital, unless it begins with a name that is written small."""
    return upper_first(text) if _COMMON_WORD.match(text) else text


def about(text: str, thing: str) -> str:
    """Say what one of several answers is about, unless its words do."""
    words = {word for word in _WORD.findall(thing.casefold()) if word not in _SMALL_WORDS}
    if not words or words.intersection(_WORD.findall(text.casefold())):
        return text
    return f"{upper_first(thing)}: {part_of_several(text)}"


def sentence(text: str) -> str:
    """Return a text with an end."""
    plain = text.rstrip()
    return plain if plain[-1:] in _ENDS else f"{plain}."


def opening(text: str) -> str:
    """Return the words with which a text begins, as far as readers notice that another one begins alike."""
    found = _OPENING.match(text.casefold())
    return found[0] if found else ""
