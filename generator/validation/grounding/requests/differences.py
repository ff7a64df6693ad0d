"""Differences: where a text differs from what was said, in letter case alone or in one place of a run of words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from generator.validation.grounding.arguments.sources import Source
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem
from generator.validation.verdict import Severity, brief

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_FILE = re.compile(r"\S*[^\W_]\.[a-z]{1,5}|\S*[/\\]\S*|\S*_\S*", re.IGNORECASE)
_MOST_PLACES = 16
_FEWEST_EXACT = 2
"""Words of a quotation from which on only the first may get another capital."""
_LONGEST_ACRONYM = 5


def other_case(value: str, sources: Sequence[Source], quoted: Sequence[str]) -> tuple[str, Severity] | None:
    """Tell that a text is said in another case everywhere, and in one that is not free."""
    written = list(_places(value, sources))
    if not written:
        return _shouted(value, sources)
    in_quotes = any(each in quote for each, _ in written for quote in quoted)
    if any(is_free(value, each, starts) for each, starts in written):
        if in_quotes and _differs_within(value, written):
            return f"has other capitals than the quotation {brief(written[0][0])}", "warning"
        return None
    said = written[0][0]
    severity: Severity = "error" if in_quotes or _is_exact(said) else _degree(value, said)
    return f"is said as {brief(said)}: capitals and small letters are not the same there", severity


def _differs_within(value: str, written: list[tuple[str, bool]]) -> bool:
    """Say whether a text of several words has other capitals, after its first letter, wherever it is said."""
    return len(value.split()) >= _FEWEST_EXACT and all(value[1:] != each[1:] for each, _ in written)


def _places(value: str, sources: Sequence[Source]) -> Iterator[tuple[str, bool]]:
    """Yield how a text is written where it is said, and whether a sentence begins with it."""
    folded = fold(value)
    pattern = None
    for source in sources:
        if source.role == "system" or find_literal(source.folded, folded) < 0:
            continue
        if len(value) > _LONGEST_PATTERN:
            yield from _place_of_a_long_one(value, source)
            continue
        pattern = pattern or re.compile(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", re.IGNORECASE)
        for match in islice(pattern.finditer(source.raw), _MOST_PLACES):
            yield match[0], _begins_sentence(source.raw, match.start())


def _place_of_a_long_one(value: str, source: Source) -> Iterator[tuple[str, bool]]:
    lowered, wanted = source.raw.lower(), value.lower()
    at = lowered.find(wanted) if len(lowered) == len(source.raw) and len(wanted) == len(value) else -1
    if at >= 0:
        yield source.raw[at : at + len(value)], _begins_sentence(source.raw, at)


_LONGEST_PATTERN = 500


def _shouted(value: str, sources: Sequence[Source]) -> tuple[str, Severity] | None:
    """Tell that a text of several words is all in capitals, none of which anybody wrote so."""
    words = [word for word in _WORD.findall(value) if len(word) > _SHORTEST_SHOUT] if value.isupper() else []
    if len(words) < _FEWEST_SHOUTED:
        return None
    if any(word in source.raw for word in words for source in sources):
        return None
    return "is all in capitals, which nobody wrote so", "warning"


_SHORTEST_SHOUT = 3
_FEWEST_SHOUTED = 2


def _begins_sentence(raw: str, at: int) -> bool:
    before = raw[:at].rstrip(" \"'“„«(*")
    return not before or before[-1] in ".!?:\n"


def is_free(value: str, said: str, starts: bool) -> bool:
    """Say whether a text may be written so where it was said otherwise: names get capitals, sentences lose theirs."""
    given, heard = _WORD.findall(value), _WORD.findall(said)
    if len(given) != len(heard) or _is_exact(said):
        return _may_be_code(value, said)
    pairs = list(zip(given, heard, strict=True))
    return all(
        _is_free_word(mine, theirs, first=starts and not at) for at, (mine, theirs) in enumerate(pairs)
    ) or _may_be_code(value, said)


def _is_free_word(given: str, said: str, *, first: bool) -> bool:
    if given == said or given == said[0].upper() + said[1:]:
        return True
    if first and given == said[0].lower() + said[1:]:
        return True
    return len(said) > 1 and said.isupper() and not given.isupper() and len(said) > _LONGEST_ACRONYM


def _may_be_code(value: str, said: str) -> bool:
    """Say whether a code that was typed in small letters is given in capitals: lh430, usd."""
    return said.islower() and value.isupper() and (" " not in value) and (
        len(value) <= _LONGEST_ACRONYM or (_is_code(value) and not _FILE.fullmatch(said)))  # fmt: skip


def _is_exact(said: str) -> bool:
    """Say whether capitals mean something in a text: in codes, paths and names of files."""
    return " " not in said and (_is_code(said) or _FILE.fullmatch(said) is not None)


def _is_code(text: str) -> bool:
    return _DIGIT.search(text) is not None and _LETTER.search(text) is not None


def _degree(value: str, said: str) -> Severity:
    """Say how bad it is: a single word may well be meant in small letters, as a thing and not a name."""
    if len(_WORD.findall(said)) > 1 or (value.isupper() and len(said) > _LONGEST_ACRONYM):
        return "warning"
    return "note"


_FEWEST_COMMON = 3
"""Words in common from which on a text goes along with another."""
_SHARE_IN_COMMON = 0.6
_MOST_CHANGED = 3


class Change(NamedTuple):
    """What a text says in a place, and what the other says there."""

    given: tuple[str, ...]
    said: tuple[str, ...]
    is_inside: bool
    """Whether the two go along again after it."""


def change_in(tokens: tuple[str, ...], spaced: str) -> Change | None:
    """Return the one place in which words differ from a run of words in a text (` word word `); None for none."""
    before = _longest(tokens, spaced, first=True)
    after = _longest(tokens[before:], spaced, first=False)
    given = tokens[before : len(tokens) - after]
    if not given or len(given) > _MOST_CHANGED or before + after < max(_FEWEST_COMMON, _SHARE_IN_COMMON * len(tokens)):
        return None
    beginning, ending = tokens[:before], tokens[len(tokens) - after :]
    if beginning and ending:
        said = _between(" ".join(beginning), " ".join(ending), spaced)
        return None if said is None else Change(given, said, True)
    return Change(given, _beside(beginning, ending, len(given), spaced), False)


def _longest(tokens: tuple[str, ...], spaced: str, *, first: bool) -> int:
    """Return how many of the first, or last, words stand together in a text; found by halving."""
    least, most = 0, len(tokens)
    while least < most:
        middle = (least + most + 1) // 2
        part = tokens[:middle] if first else tokens[len(tokens) - middle :]
        if f" {' '.join(part)} " in spaced:
            least = middle
        else:
            most = middle - 1
    return least


def _between(beginning: str, ending: str, spaced: str) -> tuple[str, ...] | None:
    """Return the few words between two runs; None where they lie apart."""
    at = spaced.find(f" {beginning} ")
    for _ in range(_MOST_PLACES):
        if at < 0:
            return None
        end = at + len(beginning) + 1
        following = spaced.find(f" {ending} ", end)
        if following < 0:
            return None
        said = tuple(spaced[end:following].split())
        if len(said) <= _MOST_CHANGED:
            return said
        at = spaced.find(f" {beginning} ", at + 1)
    return None


def _beside(beginning: tuple[str, ...], ending: tuple[str, ...], count: int, spaced: str) -> tuple[str, ...]:
    """Return the words that follow a run in a text, or that come before it."""
    run = f" {' '.join(beginning or ending)} "
    at = spaced.find(run)
    if beginning:
        return tuple(spaced[at + len(run) : at + len(run) + 40 * count].split()[:count])
    return tuple(spaced[max(0, at - 40 * count) : at].split()[-count:])


def is_other_wording(change: Change) -> bool:
    """Say whether the words of a change may be put so: small words, or the same ones in another form."""
    if all(token in STOPWORDS for token in change.given):
        return True
    if change.said and all(token in STOPWORDS for token in change.said) and change.is_inside:
        return True
    said = {stem(token) for token in change.said}
    return all(token in STOPWORDS or _is_form_of(token, change.said, said) for token in change.given)


_SHORTEST = 3


def _is_form_of(token: str, said: tuple[str, ...], stems: set[str]) -> bool:
    return stem(token) in stems or any(
        len(each) >= _SHORTEST and len(token) >= _SHORTEST and (token.startswith(each) or each.startswith(token))
        for each in said
    )
