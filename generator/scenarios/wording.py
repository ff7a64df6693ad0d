"""Phrases that belong to no domain, several texts joined as people write them, and whether a text says a value."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from generator.assets import asset_file
from generator.jsontext import JsonValue
from generator.worlds.rows import Worded
from generator.worlds.speech import FORMATS, Speech, Unsayable
from generator.worlds.templates import Template


@lru_cache(maxsize=1)
def phrases() -> dict[str, Any]:
    """Return the phrases that ship with toolgen, read once."""
    return tomllib.loads(asset_file("phrases.toml").read_text("utf-8"))


def upper_first(text: str) -> str:
    """Raise the first letter, unless the first word is a web address or an e-mail address."""
    first = text.split(" ", 1)[0]
    return text if "/" in first or "@" in first else text[:1].upper() + text[1:]


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


_NAME = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_SLOT = re.compile(r"\{\s*\$?([A-Za-z_][A-Za-z0-9_]*)")
_ENDING = re.compile(r"(?<=\w{2})ies$|(?<=(?:ss|sh|ch|\wx|\wz))es$|(?<=\w{2}[^su])s$")
"""Endings of a plural; "bus" and "dress" have none."""
_NOT_DRAWN = frozenset({"me", "today", "now", "args", "it"})
_LOSSY = frozenset({"plural", "yes", "cut", "first", "count", "brief", "weekday_name"})
"""Formats that say a part of a value, or a word in its place."""


def is_told(value: JsonValue, text: str) -> bool:
    """Say whether a text holds a value as it stands or in one of the formats; of an object, all that it holds."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, dict | list):
        return all(is_told(each, text) for each in (value.values() if isinstance(value, dict) else value))
    plain = _plain(text)
    if _stands(str(value), plain) or any(_stands(form, plain) for form in _forms(value)):
        return True
    return isinstance(value, str) and _singular(value) in _singulars(plain)


@lru_cache(maxsize=4096)
def _forms(value: str | float) -> list[str]:
    speech = Speech()
    found = [str(value)]
    for name, (write, _) in FORMATS.items():
        if name in _LOSSY:
            continue
        try:
            found.append(write(value, "", speech))
        except (Unsayable, ValueError, TypeError, IndexError, OverflowError):
            continue
    return [form for form in found if form]


def _stands(form: str, text: str) -> bool:
    plain = _plain(form)
    return plain in text and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text) is not None


def _singular(text: str) -> str:
    """Write a text with its words in one number, so that one storm and storms are the same, with a space around."""
    words = _WORD.findall(_plain(text))
    return f" {' '.join(_ENDING.sub(_without_ending, word) for word in words)} "


@lru_cache(maxsize=256)
def _singulars(plain: str) -> str:
    return _singular(plain)


def _without_ending(ending: re.Match[str]) -> str:
    return "y" if ending[0] == "ies" else ""


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def says(template: Template, spec: JsonValue, given: Any, value: JsonValue, text: str) -> bool:
    """Say whether what a template wrote says an argument.

    Args:
        template: the template.
        spec: how the domain file writes the argument.
        given: what it stands for before it is brought to JSON: a worded value has words of its own.
        value: the argument.
        text: what the template wrote, and what was said and told before it.
    """
    if isinstance(given, Worded):
        return any(words.casefold() in text.casefold() for words in given.say) or is_told(value, text)
    if isinstance(spec, str) and re.search(r"\{\s*\$?" + re.escape(spec[1:]) + r"\s*[|}]", template.source):
        return True
    roots = set(_roots(spec)) - _NOT_DRAWN
    if not isinstance(spec, str) and roots:
        return roots <= template.names or is_told(value, text)
    return is_told(value, text) and not (isinstance(value, bool) and not roots <= template.names)


def _roots(spec: JsonValue, key: str = "") -> Iterator[str]:
    """Yield the names that a value begins with, in texts and formulas among them; operators are none."""
    if isinstance(spec, dict):
        for name, inner in spec.items():
            yield from _roots(inner, name)
    elif isinstance(spec, list):
        for inner in spec:
            yield from _roots(inner, key)
    elif isinstance(spec, str):
        yield from _SLOT.findall(spec) if key == "$text" else _NAME.findall(spec)
