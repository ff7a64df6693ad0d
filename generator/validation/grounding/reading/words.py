"""Words: texts and values brought to one form: no case, spacing, accents, punctuation or endings tell them apart."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from generator.validation.view import cached_attribute

LONGEST_TEXT = 20_000
"""Characters of one text that are read beyond the letter: more is searched literally alone."""

_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_ASCII_WORD = re.compile(r"[A-Za-z]+|[0-9]+(?:\.[0-9]+)?")
"""The same for a text of ASCII letters alone, which takes half the time."""
_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "µ": "u", "μ": "u",
                          "ı": "i", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-",
                          "−": "-", "\xa0": " ", "\u202f": " ", "½": " 1/2", "¼": " 1/4", "¾": " 3/4",
                          "⅓": " 1/3", "⅔": " 2/3"})  # fmt: skip
_CONTINUOUS = "\u2e80"
"""From here on scripts write words without spaces between them."""

STOPWORDS = frozenset("""
a an and are as at be but by can do for from get had has have he hi i if in into is it its me my of off on or our out
over please so than that the their them then there these they this those to up us was we were what when where which
who will with would you your any all some
""".split())  # fmt: skip

_ENDINGS = ("ization", "isation", "ations", "ation", "ments", "ities", "ingly", "ment", "ions", "ings", "able",
            "ally", "ness", "ical", "ity", "ion", "ing", "ies", "ied", "ers", "ors", "als", "ian", "est",
            "ed", "er", "or", "es", "al", "ly", "ic", "an", "s", "y", "e", "n")  # fmt: skip


def fold(text: str) -> str:
    """Bring a text to one form of letters: no case, no accents, plain quotes and dashes."""
    folded = text.casefold()
    return folded if folded.isascii() else _FOREIGN.sub(_plain_run, folded)


def _plain_run(run: re.Match[str]) -> str:
    letters = run[0]
    return _short_plain(letters) if len(letters) <= _SHORT_RUN else _plain(letters)


def _plain(letters: str) -> str:
    """Bring letters beyond ASCII to their plain form; no ASCII letter beside them ever joins with one of them."""
    letters = letters.translate(_LETTERS)
    if letters.isascii():
        return letters
    decomposed = unicodedata.normalize("NFKD", letters)
    return unicodedata.normalize("NFC", "".join([each for each in decomposed if not unicodedata.combining(each)]))


_FOREIGN = re.compile("[^\\x00-\\x7f]+")
_SHORT_RUN = 4
_short_plain = lru_cache(maxsize=4096)(_plain)
"""Single letters with accents, quotes and dashes: the same few in every text."""


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a folded text."""
    return (_ASCII_WORD if text.isascii() else _WORD).findall(_SEPARATOR.sub("", text) if "," in text else text)


def tokens_of_value(value: str) -> list[str]:
    """Return the words and numbers of a value as it is written, `camelCase` and `snake_case` divided."""
    return tokens_of(fold(_CAMEL.sub(" ", value)))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Cut the endings of an English word that tell plurals and parts of speech apart."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            rest = word[: -len(ending)]
            return rest[:-1] if ending != "s" and len(rest) > 3 and rest[-1] == rest[-2] else rest
    return word


class Words:
    """The words of one text in the forms that values are compared with."""

    def __init__(self, folded: str) -> None:
        self.tokens = tokens_of(folded)

    @cached_attribute
    def tokens_set(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset(self.tokens)

    @cached_attribute
    def spaced(self) -> str:
        """Its words with one space around each."""
        return f" {' '.join(self.tokens)} "

    @cached_attribute
    def squeezed(self) -> str:
        """Its words without anything between them."""
        return "".join(self.tokens)

    @cached_attribute
    def initials(self) -> str:
        """The first letters of its words."""
        return "".join([token[0] for token in self.tokens])

    @cached_attribute
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(map(stem, self.tokens_set))

    @cached_attribute
    def stems_spaced(self) -> str:
        """The stems of its words with one space around each."""
        return f" {' '.join(map(stem, self.tokens))} "


_MOST_PLACES = 64


def find_literal(text: str, wanted: str) -> int:
    """Return where a folded value stands in a folded text as words of its own; -1 where it does not.

    A place inside a longer word is none: "art" is not in "party". What folds to nothing is found at once.
    """
    if not wanted:
        return 0
    at = text.find(wanted)
    size = len(wanted)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return at
        end = at + size
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()) or _stands_alone(text, at, end):
            return at
        at = text.find(wanted, at + 1)
    return -1


def _stands_alone(text: str, start: int, end: int) -> bool:
    return (start == 0 or not _joined(text[start - 1], text[start])) and (
        end >= len(text) or not _joined(text[end - 1], text[end])
    )


def _joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and left < _CONTINUOUS and right < _CONTINUOUS


_PLAIN_BEFORE = frozenset(" \"'(:[$/\n")
_PLAIN_AFTER = frozenset(" \"'):]}/\n%;?!")
"""What stands beside a whole number; beside others it may be part of a longer one."""


def find_number(text: str, digits: str) -> int:
    """Return where a number written as these digits stands whole in a folded text; -1 where it does not."""
    at = text.find(digits)
    size = len(digits)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return at
        end = at + size
        begins = at == 0 or text[at - 1] in _PLAIN_BEFORE or _begins_number(text, at)
        if begins and (text[end : end + 1] in _PLAIN_AFTER or _ends_number(text, end)):
            return at
        at = text.find(digits, at + 1)
    return -1


def _begins_number(text: str, at: int) -> bool:
    if at == 0:
        return True
    before = text[at - 1]
    if before.isdigit() or (before == "." and at > 1 and text[at - 2].isdigit()):
        return False
    if before == "," and at > 1 and text[at - 2].isdigit() and _is_group(text, at):
        return False
    signed = before in "-−" and text[at] not in "-−"
    return not (signed and (at == 1 or text[at - 2] in " (=[:,"))


def _is_group(text: str, at: int) -> bool:
    """Say whether three digits stand here alone, as they do after a separator of thousands."""
    return text[at : at + 3].isdigit() and len(text[at : at + 3]) == 3 and not text[at + 3 : at + 4].isdigit()


def _ends_number(text: str, end: int) -> bool:
    after = text[end : end + 5]
    if not after:
        return True
    if after[0].isdigit() or (after[0] == "." and after[1:2].isdigit()):
        return False
    return not (after[0] == "," and after[1:4].isdigit() and len(after[1:4]) == 3 and not after[4:5].isdigit())


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
