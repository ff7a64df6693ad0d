"""Names: other names of one thing, words that name nothing, and what a tool does by its name.

Other names are codes of countries, states, languages and currencies, symbols, units and everyday words, as data in
`assets/names.txt`. By its name a tool looks something up, makes, takes away, changes or copies.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from generator.assets import asset_file
from generator.validation.grounding.reading.languages import entries
from generator.validation.grounding.reading.words import find_literal, fold, tokens_of_value

_SHORTEST_WORD = 3
"""Shorter names in lower case ("in", "no") are found in values alone: in texts they are other words."""


class Name(NamedTuple):
    """One name of a thing."""

    written: str
    folded: str
    is_code: bool
    """Whether it counts in texts only in its own case: `US`, `F`."""
    is_shared: bool = False
    """Whether several things have it, told apart by the word before: dollars."""


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[tuple[Name, ...], ...]]:
    """Return the other names of a thing by each of its names, read once."""
    found: dict[str, list[tuple[Name, ...]]] = {}
    text = asset_file("names.txt").read_text("utf-8")
    for line in text.splitlines():
        if not line or line[0] == "#":
            continue
        value, one_way, words = line.partition(" < ")
        names = tuple(_name(part) for part in (words or value).split(" | "))
        for key in (value,) if one_way else [name.written for name in names]:
            found.setdefault(_key(key), []).append(names)
    return {key: tuple(groups) for key, groups in found.items()}


def _name(text: str) -> Name:
    written = text.removeprefix("~")
    is_code = written.isupper() and written.isascii() and written[0].isalpha()
    return Name(written, fold(written), is_code, text != written)


def _key(text: str) -> str:
    return " ".join(tokens_of_value(text)) or fold(text).strip()


_NO_SORTS = ("# everyday", "# units")
"""Headings of names that stand beside each other and for each other: a length in feet is given in inches as well."""


@lru_cache(maxsize=1)
def _sorts() -> dict[str, tuple[str, ...]]:
    """Return for each name the names of all things of its sort, read once; shared and everyday words left out."""
    by_sort: dict[str, list[str]] = {}
    sort = ""
    for line in asset_file("names.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            sort = line
        elif line and " < " not in line and not sort.startswith(_NO_SORTS):
            by_sort.setdefault(sort, []).extend(part.removeprefix("~") for part in line.split(" | "))
    return {_key(name): tuple(names) for names in by_sort.values() for name in names}


def says_another_of_its_sort(value: str, sources: Iterable[Source], given: Container[str] = ()) -> bool:
    """Say whether any text names another thing of the sort of the thing that a value names, which no call gives."""
    others = _sorts().get(_key(value), ())
    own = {fold(value), *(name.folded for name in other_names(value))}
    return any(
        find_name(_name(each), source.raw, source.folded)
        and not any(name in given for name in (fold(each), *(other.folded for other in other_names(each))))
        for source in sources
        for each in others
        if fold(each) not in own
    )


class Source(Protocol):
    """A text as it is written, and folded."""

    @property
    def raw(self) -> str:
        """As it is written."""
        ...

    @property
    def folded(self) -> str:
        """Folded."""
        ...


@lru_cache(maxsize=8192)
def other_names(value: str) -> tuple[Name, ...]:
    """Return the names of whatever the value may name, itself left out; none where it is not known."""
    key = _key(value)
    groups = _groups().get(key, ())
    return tuple(dict.fromkeys(name for group in groups for name in group if _key(name.written) != key))


def find_name(name: Name, raw: str, folded: str) -> bool:
    """Say whether a text speaks by this name."""
    if name.is_code:
        return find_literal(raw, name.written) >= 0
    if len(name.folded) < _SHORTEST_WORD and name.folded.isalpha() and name.folded.isascii():
        return False
    if not name.folded[0].isalnum():
        return name.folded in folded
    at = find_literal(folded, name.folded)
    return at >= 0 and not (name.is_shared and _belongs_to_another(folded[max(0, at - 24) : at]))


_OWNERS = frozenset("zealand kong".split())


def _belongs_to_another(before: str) -> bool:
    """Say whether the word before a shared name is that of a country, other than of one whose name it is itself."""
    words = before.split()
    return bool(words) and (words[-1] in _OWNERS or words[-1] in _groups()) and words[-1] not in _OWN


_OWN = frozenset("us american british united uk u.s. indian swiss english".split())


NOT_NAMES = frozenset(
    "i i'm i've i'll i'd ok okay am pm id ids url api json usd eur gbp hi hello yes no sorry mr mrs ms dr pdf csv html "
    "http https ai tv us uk eu utc gmt celsius fahrenheit kelvin please thanks thank also the a an and or but if "
    "so".split()
)
"""Words that are written with a capital within a sentence and name nothing."""


LOOKING, MAKING, UNMAKING, CHANGING, COPYING = "looking", "making", "unmaking", "changing", "copying"
VERB_SORTS = (UNMAKING, COPYING, MAKING, CHANGING, LOOKING)
_MOST_WORDS = 12


@cache
def _verbs() -> dict[str, str]:
    """Return the sort of each verb."""
    found = {verb: sort for sort in VERB_SORTS for verb in entries("en", "tool_verbs", sort)}
    found |= dict.fromkeys(entries("en", "results", LOOKING), LOOKING)
    return found


@lru_cache(maxsize=4096)
def verb_of(name: str) -> tuple[str, str]:
    """Return the verb in a tool's name with its sort; two empty texts where it has none that is known.

    A name begins with its verb, behind the name of its service where there is one: `gmail_send_message`.
    """
    tokens = tokens_of_value(name)[:_MOST_WORDS]
    for token in tokens:
        sort = _verbs().get(token)
        if sort is not None:
            return token, sort
    return "", ""


def is_harmless(name: str) -> bool:
    """Say whether a tool only looks something up or reckons, by its name."""
    return verb_of(name)[1] == LOOKING
