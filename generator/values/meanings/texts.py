"""What a text field means: by its name, else by what its description and its tool speak of."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from generator.values.draw import TextMaker
from generator.values.hints import Hint, mentions, singular, split_name, tells
from generator.values.meanings.pools import all_pools, rows
from generator.values.meanings.specials import like_example, masked_example, pool_maker, specials
from generator.values.meanings.times import date_text

_GENERIC = frozenset(
    "name names title type string str value val text input field param parameter used data info information details "
    "detail label option object entity item element key one two thing list main primary full display new old current "
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
    "industry category topic temperature operation action command filter criteria pattern match measure output reason "
    "feature scope access option quality view size party room period interval duration sequence string word phrase "
    "statement act law number entity relation agent channel environment review goal".split()
)
"""Words too common in descriptions to tell what a field is, unless they stand right before `name`."""
_NAME_OF = re.compile(
    r"\b(?:name|names|title|type|kind|symbol|id)s? (?:of|for) (?:the |a |an |each |all )?((?:[\w-]+ ){0,2}[\w-]+)", re.I
)
_NOUN_NAME = re.compile(r"\b((?:[\w-]+ ){0,1}[\w-]+)(?:'s)? (?:name|title)s?\b", re.I)
_WORD = re.compile(r"[A-Za-z]+")
_DATE_HINT = re.compile(r"\bYYYY\b|\bMM/DD\b|\bISO ?8601\b|\bRFC ?3339\b", re.I)
_DATE_MARKS = ("yyyy", "mm/dd", "iso", "rfc")
_FLAG_IN_WORDS = re.compile(r"(?:if (?:set to )?true\b|whether\b.*\b(?:true|false)\b)", re.I)
_FIRST_CLAUSE = re.compile(r"[.(;\n]|\be\.g|\bsuch as|\blike\b|\bdefault", re.I)
_TOLD_DEFAULT = re.compile(r"\bdefaults?(?: value)?(?: is| to|:)? ['\"`]([\w .-]{2,30})['\"`]", re.I)
_NO_DEFAULT = frozenset("all any both none everything current unknown default".split())
_SHARE_OF_STRANGE_DEFAULT = 0.6
"""How often a default is given that the pool found does not know: it may be of another sense."""
_NO_EXAMPLES = frozenset("none null n/a branch tag string number text name value id url symbol".split())
"""Words in the place of an example that only say its kind: `Git reference (e.g., branch)`."""
_VAGUE = frozenset("name title type kind value text content body element model market label mode result".split())
"""Words that say what a field is only where nothing else does."""
_NO_DATES = frozenset(("format", "timezone", "zone", "unit", "query", "q", "search", "filter", "expression"))
"""Last words of fields that are no date although their description shows how dates are written."""
_NAMELIKE = frozenset(("name", "title"))
"""Last words that leave it to the word before them what a field is: `artist_name`."""
_FREE_TEXT = frozenset("text content body message value label".split())
"""Words whose description speaks of what is done with the text rather than of the text."""


@lru_cache(maxsize=1)
def _pool_by_name() -> dict[str, str]:
    found: dict[str, str] = {}
    for pool, held in all_pools().items():
        for name in held.field_names:
            found.setdefault(name, pool)
    return found


@lru_cache(maxsize=1)
def _senses() -> dict[str, list[tuple[str, str]]]:
    """The senses of ambiguous names: (words that tell it, pool) in order."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, told, pool in rows("senses"):
        found.setdefault(name, []).append((told, pool))
    return found


def text_maker(hint: Hint) -> TextMaker:
    """Return a maker of texts for a string field."""
    return _as_written(hint) or _as_meant(hint)


def _as_written(hint: Hint) -> TextMaker | None:
    """Return a maker of texts as the schema has them written: examples, options, a mask, two sides, a flag."""
    if hint.declared_examples and all(isinstance(example, str) for example in hint.declared_examples):
        declared = tuple(str(example) for example in hint.declared_examples)
        return lambda draw: draw.pick(declared)
    if len(hint.told_options) > 1:
        as_told = hint.words[-1:] != ("id",)
        return lambda draw: (
            draw.pick(hint.told_options) if as_told else like_example(draw.pick(hint.told_options), draw)
        )
    if (masked := masked_example(hint)) is not None:
        return masked
    if "vs" in hint.words[1:-1]:
        at = hint.words.index("vs")
        sides = (" ".join(hint.words[:at]), " ".join(hint.words[at + 1 :]))
        return lambda draw: draw.pick(sides)
    if _FLAG_IN_WORDS.match(hint.description):
        return lambda draw: draw.pick(("true", "false"))
    return None


def _as_meant(hint: Hint) -> TextMaker:
    """Return a maker of texts as the name and the description mean them, examples among them."""
    meant, entries = _meant(hint)
    told = tuple(text for text in hint.told_examples if _plausible(text))
    if told and hint.words[-1:] == ("id",):
        return lambda draw: like_example(draw.pick(told), draw)
    if meant is None:
        return _as_told(told, hint)
    if entries and (default := _default_text(hint)) and default.lower() not in {entry.lower() for entry in entries}:
        return _mostly(meant, (*told, default), _SHARE_OF_STRANGE_DEFAULT)
    return _mostly(meant, told, _share_of_examples(told, entries))


def _as_told(told: tuple[str, ...], hint: Hint) -> TextMaker:
    """Return a maker of the examples and the default; where there is neither, of texts on the topic."""
    if isinstance(hint.default, str):
        told = tuple(dict.fromkeys((*told, hint.default)))
    return _mostly(_by_topic(hint), told, 1.0 if told else 0.0)


def _default_text(hint: Hint) -> str:
    """Return the default that is declared or told, as a text; "" where there is none that says something."""
    default = hint.default if isinstance(hint.default, str) else ""
    told = _TOLD_DEFAULT.search(hint.description) if not default and "default" in hint.folded else None
    text = default or (told[1] if told is not None else "")
    return text if text.lower() not in _NO_DEFAULT and _plausible(text) and len(text) <= 30 else ""


def _share_of_examples(told: tuple[str, ...], entries: tuple[str, ...]) -> float:
    """How often to give an example that is told: the more, the less the pool found resembles it."""
    if not told or not entries:
        return 0.0
    known = {entry.lower() for entry in entries}
    if any(text.lower() in known for text in told):
        return 0.1
    return 0.85 if len(told) > 1 else 0.4


def _plausible(text: str) -> bool:
    low = text.lower()
    placeholder = any(mark in low for mark in ("...", "{", "xxx"))
    return 0 < len(text) <= 60 and not placeholder and low not in _NO_EXAMPLES


def _mostly(meant: TextMaker, told: tuple[str, ...], share: float) -> TextMaker:
    if not share:
        return meant
    return lambda draw: draw.pick(told) if draw.chance(share) else meant(draw)


Meant: TypeAlias = tuple[TextMaker | None, tuple[str, ...]]
"""A maker, and the entries of the pool it draws from, if it does."""
_NOTHING: Meant = (None, ())


def _of_pool(name: str) -> Meant:
    told = pool_maker(name)
    if name in _IN_RESULTS:
        returned = pool_maker(_IN_RESULTS[name])
        return (lambda draw: told(draw) if draw.for_argument else returned(draw)), ()
    return told, all_pools()[name].entries


def _meant(hint: Hint) -> Meant:
    """Find the maker by the name, then by the description where the name alone says little."""
    words = _spoken(hint.words)
    shown = mentions(hint.folded, _DATE_MARKS) and _DATE_HINT.search(hint.description)
    if shown and not (words and words[-1] in _NO_DATES):
        return date_text(hint), ()
    last = singular(words[-1]) if words else ""
    for find in _WAYS:
        found = find(words, last, hint)
        if found[0] is not None:
            return found
    return _NOTHING


@lru_cache(maxsize=8192)
def _spoken(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name without its numbers."""
    return tuple(word for word in words if not word.isdecimal())


def _trimmed_lookup(words: tuple[str, ...], hint: Hint) -> Meant:
    """Look `team_name` up as `team`: the last word says little."""
    while len(words) > 1 and singular(words[-1]) in _GENERIC:
        words = words[:-1]
        if singular(words[-1]) in _VAGUE:
            continue
        for found in (_sense(singular(words[-1]), hint), lookup(words, hint)):
            if found[0] is not None:
                return found
    return _NOTHING


_WAYS: tuple[Callable[[tuple[str, ...], str, Hint], Meant], ...] = (
    lambda words, last, hint: _sense(singular(words[-2]), hint) if len(words) > 1 and last in _NAMELIKE else _NOTHING,
    lambda words, last, hint: lookup(words, hint, least=2),
    lambda words, last, hint: _trimmed_lookup(words, hint),
    lambda words, last, hint: _sense(last, hint),
    lambda words, last, hint: lookup(words, hint) if last not in _VAGUE else _NOTHING,
    lambda words, last, hint: lookup((*hint.parent_words, *words), hint, least=2) if hint.parent_words else _NOTHING,
    lambda words, last, hint: _by_description(hint) if last not in _FREE_TEXT else _NOTHING,
    lambda words, last, hint: lookup(words, hint),
    lambda words, last, hint: lookup(words[: words.index("to")], hint) if "to" in words[1:] else _NOTHING,
)
"""How a meaning is looked for, the surest way first: from the words of a name, the last of them and the hint."""


def _sense(word: str, hint: Hint) -> Meant:
    """Return the pool of the sense that the name, the description or the tool tells."""
    senses = _senses().get(word, ())
    for text in hint.contexts if senses else ():
        for told, pool in senses:
            if tells(told, text):
                return (specials()[pool[1:]](hint), ()) if pool.startswith("=") else _of_pool(pool)
    return _NOTHING


def lookup(words: tuple[str, ...], hint: Hint, *, least: int = 1) -> Meant:
    """Return the maker that the longest tail of the words names."""
    special = specials()
    for key, pool in _known_tails(words, least):
        if key in special and (made := special[key](hint)) is not None:
            return made, ()
        if pool:
            return _of_pool(pool)
    return _NOTHING


@lru_cache(maxsize=8192)
def _known_tails(words: tuple[str, ...], least: int) -> tuple[tuple[str, str], ...]:
    """Return the tails of a name that mean something, the longest first, each with the pool it names or ""."""
    pools, special = _pool_by_name(), specials()
    tails = [words[start:] for start in range(max(0, len(words) - 3), len(words) - least + 1)]
    keys = dict.fromkeys(key for tail in tails for key in (" ".join(tail), " ".join((*tail[:-1], singular(tail[-1])))))
    return tuple((key, pools.get(key, "")) for key in keys if key in special or key in pools)


def _by_description(hint: Hint) -> Meant:
    """Read `name of the X` and `X name` in the description, then any telling noun of its first clause."""
    clause = _FIRST_CLAUSE.split(hint.description, maxsplit=1)[0][:200]
    for pattern in (_NAME_OF, _NOUN_NAME):
        for match in pattern.finditer(clause):
            nouns = tuple(word.lower() for word in _WORD.findall(match[1]))
            if nouns and (found := _noun_lookup(nouns, hint, weak=False))[0] is not None:
                return found
    nouns = tuple(word.lower() for word in _WORD.findall(clause))
    for size in (2, 1):
        for start in range(len(nouns) - size + 1):
            phrase = nouns[start : start + size]
            if (found := _noun_lookup(phrase, hint, weak=True, whole=True))[0] is not None:
                return found
    return _NOTHING


def _noun_lookup(nouns: tuple[str, ...], hint: Hint, *, weak: bool, whole: bool = False) -> Meant:
    """Look a noun phrase up among the pools; the first nouns say most in `name of the artist of the song`."""
    pools, too_vague = _pool_by_name(), _WEAK if weak else _GENERIC
    for size in [len(nouns)] if whole else [2, 1]:
        for start in range(len(nouns) - size + 1):
            phrase = nouns[start : start + size]
            key = " ".join((*phrase[:-1], singular(phrase[-1])))
            if key in too_vague:
                continue
            if key in pools:
                return _of_pool(pools[key])
            if key in specials() and not weak and (made := specials()[key](hint)) is not None:
                return made, ()
    return _NOTHING


def _by_topic(hint: Hint) -> TextMaker:
    """Where name and description say nothing: what the tool is about, else a short plain phrase."""
    topic = tuple(word for word in split_name(hint.topic[0]) if len(word) > 2)
    for word in reversed(topic):
        key = singular(word)
        if key not in _WEAK and key in _pool_by_name():
            return pool_maker(_pool_by_name()[key])
    words = hint.words
    long = any(word in words for word in ("text", "content", "message", "body"))
    return pool_maker("remark" if long else "topic")


_IN_RESULTS = {"message": "status_message", "plain_status": "result_status"}
"""Pools that stand for another one in a result: what a service says is not what a person writes."""
