"""Slips: words mistyped by a letter, which who takes a text over may put right."""

from __future__ import annotations

from functools import cache

from generator.validation.grounding.language import entries
from generator.validation.grounding.languages import languages


def mends_a_slip(given: tuple[str, ...], quoted: tuple[str, ...]) -> bool:
    """Say whether a text differs by one word, a little word of a language where the quotation has none by a letter."""
    if len(given) != len(quoted):
        return False
    changed = [(own, other) for own, other in zip(given, quoted, strict=True) if own != other]
    return (
        len(changed) == 1 and _is_little(changed[0][0]) and not _is_little(changed[0][1]) and is_a_letter(*changed[0])
    )


@cache
def little_words() -> frozenset[str]:
    """Return the little words of all languages."""
    return frozenset(
        word for code in languages() for entry in entries(code, "words", "function") for word in entry.split()
    )


def _is_little(word: str) -> bool:
    return word in little_words()


def is_a_letter(one: str, other: str) -> bool:
    """Say whether a letter is left out, added, changed or changes places with the next one."""
    if len(one) > len(other):
        one, other = other, one
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    if len(one) < len(other):
        return one[same:] == other[same + 1 :]
    swapped = one[same + 1 : same + 2] + one[same : same + 1]
    rest = other[same : same + 2]
    return one[same + 1 :] == other[same + 1 :] or (swapped == rest and one[same + 2 :] == other[same + 2 :])
