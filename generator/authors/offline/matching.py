"""Matching: which parameter a noun phrase of a description speaks of."""

from __future__ import annotations

from collections.abc import Mapping

from generator.authors.offline.fields import Field
from generator.authors.offline.words import singular, word_set

GENERIC = word_set(
    """specific specified given particular certain provided desired requested target input user-specified user-
    defined user-provided chosen selected supplied relevant designated predefined various appropriate respective
    defined"""
)
"""Adjectives that mark a noun phrase as a placeholder."""
DETERMINERS = word_set("a an the one any some this that its their your my his her each every all")
_LABELS = word_set("name id identifier number code value title")
_PLACES = word_set("location place city area region town address venue destination")
_SYNONYMS = (
    _PLACES,
    word_set("company stock firm business corporation ticker symbol"),
    word_set("user customer person individual member"),
    word_set("period timeframe duration time span days years months"),
    word_set("topic subject keyword query term text string phrase"),
    word_set("song track title"),
    word_set("expression equation formula function"),
    word_set("item product"),
    word_set("file path document filename"),
    word_set("page url website webpage link"),
    word_set("number integer value amount"),
    word_set("movie film"),
    word_set("date day"),
)
_GROUPS: dict[str, frozenset[int]] = {
    word: frozenset(index for index, group in enumerate(_SYNONYMS) if word in group)
    for word in frozenset().union(*_SYNONYMS)
}
_UNNAMED = word_set("flag object limit page offset")
_SURE = 2.0


def content_words(words: tuple[str, ...]) -> list[str]:
    """Return the lower-case words that carry meaning, in singular."""
    return [
        singular(low[:-2] if low.endswith("'s") else low.rstrip("'"))
        for low in " ".join(words).lower().replace("-", " ").split()
        if low not in DETERMINERS and low not in GENERIC and low not in (",", "and", "or")
    ]


def is_generic(words: tuple[str, ...]) -> bool:
    """Say whether a noun phrase calls itself a placeholder: "a specific city"."""
    return any(word.lower() in GENERIC for word in words)


def match_score(candidate: Field, words: list[str], *, generic: bool) -> float:
    """Say how well a noun phrase speaks of a field: 0 for not at all, 2 and more for surely."""
    if not words:
        return 0.0
    head = words[-1]
    names = words[:-1] if head in _LABELS and len(words) > 1 else words
    subject = [singular(word) for word in candidate.subject]
    if subject and names[-1] == subject[-1]:
        score = 3.0
    elif head in candidate.heads:
        score = 2.5
    elif (subject and _GROUPS.get(head, frozenset()) & _GROUPS.get(subject[-1], frozenset())) or (
        generic and candidate.kind == "place" and head in _PLACES
    ):
        score = 2.0
    else:
        return 0.0
    if candidate.name.startswith(("new", "updated", "desired")):
        score += 0.4
    elif candidate.name.startswith(("current", "old", "previous")):
        score -= 0.6
    others = {word[:4] for word in words[:-1]}
    score += sum(0.6 for word in subject[:-1] if word[:4] in others)
    return score + 0.7 if generic else score - 0.5 * max(0, len(words) - 1 - len(subject))


def best_field(words: tuple[str, ...], fields: Mapping[str, Field], used: set[str]) -> Field | None:
    """Return the unused field that a noun phrase speaks of most clearly, or None where it speaks of none for sure."""
    content = content_words(words)
    generic = is_generic(words)
    best, best_score = None, 0.0
    for entry in fields.values():
        if entry.name in used or entry.kind in _UNNAMED:
            continue
        score = match_score(entry, content, generic=generic)
        if score > best_score:
            best, best_score = entry, score
    return best if best_score >= _SURE else None
