"""Proof: what words that are named for a value say themselves, and whether that can be the value.

Whoever names the words that a value comes from may be asked: words that hold a number are words for that number, and
a person's or a place's name is the name of that person or place.
"""

from __future__ import annotations

import re

from generator.jsontext import JsonValue
from generator.validation.grounding.choices import Choices, is_meant, is_named
from generator.validation.grounding.computing import is_computed
from generator.validation.grounding.reading.names import find_name, other_names
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of
from generator.validation.grounding.sources import Said, Source, keys_of, speaks_english

_MOST_NAMES = 6
"""Words of a name at most."""
_DIGITS = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_ASCII_DIGITS = frozenset("0123456789")


def disproves(words: str, value: JsonValue, said: Said, choices: Choices) -> bool:
    """Say whether the words that are named for a value, one of these choices where there are any, name another one."""
    if isinstance(value, bool):
        return False
    if isinstance(value, str) and value in choices:
        own = Source(0, words)
        return not is_meant(value, choices, own) and any(is_named(each, own) for each in choices if each != value)
    if isinstance(value, int | float):
        return not _ASCII_DIGITS.isdisjoint(words) and not _tells(words, float(value))
    return isinstance(value, str) and _names_another(words, value, said)


def _tells(words: str, number: float) -> bool:
    """Say whether words with digits tell a number: as it is, in another unit, or computed from several of theirs."""
    return any(_holds(Source(0, written), number) for written in dict.fromkeys((words, *_written_abroad(words))))


def _written_abroad(words: str) -> tuple[str, ...]:
    """Return words with numbers as other countries write them: 9,7 and 5.000."""
    return (words.replace(",", "."), words.replace(".", "").replace(",", "."), words.replace("'", ""))


def _holds(own: Source, number: float) -> bool:
    if {number, -number} & own.numbers.keys() or any(key in own.conversions for key in keys_of(number)):
        return True
    if any(number in (minutes // 60, minutes % 60, minutes) for minutes in own.clocks):
        return True
    stated = [float(digits) for digits in _DIGITS.findall(own.folded)]
    return len(stated) > 1 and is_computed(number, stated)


def _names_another(words: str, value: str, said: Said) -> bool:
    """Say whether the words are a name, the value is one, and the two have nothing to do with each other."""
    if _is_nearly(words, value, said):
        return True
    named, given = _name_of(words), _name_of(value)
    if not named or not given or named & given:
        return False
    if any(find_name(name, words, fold(words)) for name in other_names(value)):
        return False
    if speaks_english(said):
        return True
    alike = any(one[:2] == other[:2] for one in named for other in given)
    return not alike and len(named) > 1 and not other_names(value)


def _is_nearly(words: str, value: str, said: Said) -> bool:
    """Say whether a value has some of a name's words in it, and one that nobody said in the place of another."""
    own, given = _words_of(words), _words_of(value)
    common = own & given
    if not common or own <= given or len(own) > _MOST_NAMES:
        return False
    if not any(fold(word).startswith(token) for token in own - given for word in words.split() if word[0].isupper()):
        return False
    new = [token for token in given - own if token not in said.tokens and stem(token) not in said.stems]
    share = 0 if speaks_english(said) else len(given) / 2
    return bool(new) and len(common) > share and not any(map(other_names, new))


def _words_of(text: str) -> set[str]:
    return {token for token in tokens_of(fold(text)) if token.isalpha() and token not in STOPWORDS}


def _name_of(text: str) -> frozenset[str]:
    """Return the words of a name, folded; none where the text is none: every word of one begins with a capital."""
    words = text.split()
    long = [word for word in words if len(word) > 3]
    if not long or len(words) > _MOST_NAMES or not all(word[0].isupper() and word.isascii() for word in long):
        return frozenset()
    return frozenset(token for token in tokens_of(fold(text)) if token.isalpha() and len(token) > 1)
