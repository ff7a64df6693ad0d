"""Runs: where a text goes along with another word for word, and the one place where it says another thing."""

from __future__ import annotations

from typing import NamedTuple

from generator.validation.grounding.words import STOPWORDS, stem

_FEWEST = 3
"""Words in common from which on a text goes along with another."""
_SHARE = 0.6
_MOST_CHANGED = 3
_MOST_PLACES = 16


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
    if not given or len(given) > _MOST_CHANGED or before + after < max(_FEWEST, _SHARE * len(tokens)):
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
