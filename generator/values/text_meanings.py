"""What a text field means: by its name, else by what its description and its tool speak of."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.values.draw import TextMaker
from generator.values.hints import Hint
from generator.values.pools import all_pools
from generator.values.slots import pool_maker
from generator.values.special_texts import specials
from generator.values.times import date_text
from generator.values.words import singular

_GENERIC = frozenset(
    "name names title type string str value val text input field param parameter used data info information details detail "
    "label option object entity item element key one two thing list main primary full display new old current "
    "other first second third target source a b c in out of the requested given specific word term set".split()
)
_WEAK = frozenset(
    "name type title value text key data list item code number string time date id label level mode method format unit "
    "source target content result status state system model class group field set order point base action function "
    "description summary message body note query input output option start end from to for in on size start range day "
    "information detail list year month place user use using given specific get find search check value parameter "
    "language color country url file path color image table context city location address current new default "
    "position subject product event service application program record report object element form line part "
    "property resource request response display rank stage step scale frame version store search answer question "
    "account card game player person company team stock film movie book song show restaurant store region area "
    "industry category topic temperature".split()
)
"""Words too common in descriptions to tell what a field is, unless they stand right before `name`."""
_NAME_OF = re.compile(
    r"\b(?:name|names|title|type|kind|symbol|id)s? (?:of|for) (?:the |a |an |each |all )?((?:[\w-]+ ){0,2}[\w-]+)", re.I
)
_NOUN_NAME = re.compile(r"\b((?:[\w-]+ ){0,1}[\w-]+)(?:'s)? (?:name|title)s?\b", re.I)
_WORD = re.compile(r"[A-Za-z]+")
_DATE_HINT = re.compile(r"\bYYYY\b|\bMM/DD\b|\bISO ?8601\b|\bRFC ?3339\b", re.I)
_FIRST_CLAUSE = re.compile(r"[.(;\n]|\be\.g|\bsuch as|\blike\b|\bdefault", re.I)
_SHARE_OF_EXAMPLES = 0.15


@lru_cache(maxsize=1)
def _pool_by_name() -> dict[str, str]:
    return {name: pool for pool, held in all_pools().items() for name in held.field_names}


def text_maker(hint: Hint) -> TextMaker:
    """Return a maker of texts for a string field."""
    if hint.declared_examples and all(isinstance(example, str) for example in hint.declared_examples):
        declared = tuple(str(example) for example in hint.declared_examples)
        return lambda draw: draw.pick(declared)
    if len(hint.told_options) > 1:
        return lambda draw: draw.pick(hint.told_options)
    meant = _meant(hint)
    told = tuple(text for text in hint.told_examples if _plausible(text, hint))
    if meant is None and isinstance(hint.default, str):
        told = tuple(dict.fromkeys((*told, hint.default)))
    if meant is None:
        return _from_examples(told) if told else _by_topic(hint)
    if told and len(told) > 1:
        return _mostly(meant, told)
    return meant


def _plausible(text: str, hint: Hint) -> bool:
    return 0 < len(text) <= 60 and "..." not in text and text.lower() not in ("none", "null", "n/a")


def _from_examples(told: tuple[str, ...]) -> TextMaker:
    return lambda draw: draw.pick(told)


def _mostly(meant: TextMaker, told: tuple[str, ...]) -> TextMaker:
    return lambda draw: draw.pick(told) if draw.chance(_SHARE_OF_EXAMPLES) else meant(draw)


def _meant(hint: Hint) -> TextMaker | None:
    """Find the maker by the name, then by the description where the name alone says little."""
    words = tuple(word for word in hint.words if not word.isdecimal())
    if _DATE_HINT.search(hint.description):
        return date_text(hint)
    found = lookup(words, hint)
    if found is not None:
        return found
    trimmed = words
    while len(trimmed) > 1 and singular(trimmed[-1]) in _GENERIC:
        trimmed = trimmed[:-1]
        if (found := lookup(trimmed, hint)) is not None:
            return found
    if hint.parent_words and (found := lookup((*hint.parent_words, *words), hint, least=2)) is not None:
        return found
    return _by_description(hint, words)


def lookup(words: tuple[str, ...], hint: Hint, *, least: int = 1) -> TextMaker | None:
    """Return the maker that the longest tail of the words names."""
    pools, special = _pool_by_name(), specials()
    for start in range(max(0, len(words) - 3), len(words) - least + 1):
        tail = words[start:]
        for key in dict.fromkeys((" ".join(tail), " ".join((*tail[:-1], singular(tail[-1]))))):
            if key in special and (made := special[key](hint)) is not None:
                return made
            if key in pools:
                return pool_maker(pools[key])
    return None


def _by_description(hint: Hint, words: tuple[str, ...]) -> TextMaker | None:
    """Read `name of the X` and `X name` in the description, then any telling noun of its first clause."""
    clause = _FIRST_CLAUSE.split(hint.description, maxsplit=1)[0][:200]
    for pattern in (_NAME_OF, _NOUN_NAME):
        for match in pattern.finditer(clause):
            nouns = tuple(word.lower() for word in _WORD.findall(match[1]))
            if nouns and (found := _noun_lookup(nouns, hint, weak=False)) is not None:
                return found
    nouns = tuple(word.lower() for word in _WORD.findall(clause))
    for size in (2, 1):
        for start in range(len(nouns) - size + 1):
            phrase = nouns[start : start + size]
            if (found := _noun_lookup(phrase, hint, weak=True, whole=True)) is not None:
                return found
    return None


def _noun_lookup(nouns: tuple[str, ...], hint: Hint, *, weak: bool, whole: bool = False) -> TextMaker | None:
    """Look a noun phrase up among the pools; the first nouns say most in `name of the artist of the song`."""
    pools = _pool_by_name()
    sizes = [len(nouns)] if whole else [2, 1]
    for size in sizes:
        for start in range(len(nouns) - size + 1):
            phrase = nouns[start : start + size]
            key = " ".join((*phrase[:-1], singular(phrase[-1])))
            if (weak and key in _WEAK) or (not weak and key in _GENERIC):
                continue
            if key in pools:
                return pool_maker(pools[key])
            if key in specials() and not weak and (made := specials()[key](hint)) is not None:
                return made
    return None


def _by_topic(hint: Hint) -> TextMaker:
    """Where name and description say nothing: what the tool is about, else a short plain phrase."""
    from generator.values.words import split_name

    topic = tuple(word for word in split_name(hint.topic[0]) if len(word) > 2)
    for word in reversed(topic):
        key = singular(word)
        if key not in _WEAK and key in _pool_by_name():
            return pool_maker(_pool_by_name()[key])
    words = hint.words
    long = any(word in words for word in ("text", "content", "message", "body"))
    return pool_maker("remark" if long else "topic")


_ROLE_NOISE = frozenset("full display user home work primary contact name first last the current".split())


def role_of(hint: Hint, meaning: set[str]) -> str:
    """Return whose place or person a field is: the words of its name and its parent's that are not its meaning."""
    own = [word for word in hint.words if word not in meaning and word not in _ROLE_NOISE]
    parent = [] if own else [word for word in hint.parent_words if word not in _ROLE_NOISE and word not in meaning]
    return " ".join(own or parent)
