"""Names and addresses of an answer that nothing said before it holds, and names that it misspells.

Wherever it stands, a word that nobody has said and that differs by one letter from a name that the results have, and
that the answer has nowhere, is that name misspelt. Endings that languages put to names make no other name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import entries, little_words
from generator.validation.grounding.reading.names import NOT_NAMES, find_name, other_names, says_another_of_its_sort
from generator.validation.grounding.reading.words import fold, is_a_letter, stem, tokens_of
from generator.validation.view import ResultView

_CAPITALISED = re.compile(r" (?<=[^\s.!?:\"“”‘’'*•–—|\\-] )([^\W\d_a-z]\w*(?:['’&-]\w+)*)")
"""A capitalised word within a sentence: not at its beginning, nor at that of a quotation or of an item.

It begins with the space before it, for which a text is searched much faster than for what stands before that.
"""


def ungrounded_names(answer: Answer) -> Iterator[str]:
    """Yield the capitalised words within sentences that neither the record nor the tools' definitions hold."""
    words = _CAPITALISED.findall(answer.text)
    for found in dict.fromkeys(words) if words else ():
        if found.isascii() and found.isalpha():  # a plain word is known at a glance, or not
            plain = found.lower()
            if plain in NOT_NAMES or plain in CALENDAR_WORDS or found in answer.heard:
                continue
        written = _cased(found)
        name = fold(written)
        if not name or any(each.isdigit() for each in name):  # an id, which is looked for among the numbers
            continue
        if name in NOT_NAMES or name in CALENDAR_WORDS or name in answer.evidence:
            continue
        if not (_is_known(written, name, answer) or _is_of_currency(written, answer) or _is_in_name(written, answer)):
            yield written


def _cased(written: str) -> str:
    """Return a name up to the first letter of a script without capitals; "" for a word that begins with no capital."""
    if not written[0].isupper():
        return ""
    for place, letter in enumerate(written):
        if letter.isalpha() and letter.lower() == letter.upper():
            return written[:place]
    return written


def _is_known(written: str, name: str, answer: Answer) -> bool:
    plain = name.removesuffix("'s")
    if {plain, plain.removesuffix("s")} & CALENDAR_WORDS:
        return True
    if plain in answer.evidence or plain in answer.tools_text or plain in NOT_NAMES:
        return True
    words, source = answer.said.sources[0].words, answer.said.sources[0]
    tokens = [token for token in tokens_of(plain) if token not in NOT_NAMES]
    if all(token in words.tokens_set or stem(token) in words.stems for token in tokens):
        return True
    return any(find_name(each, source.raw, source.folded) for each in other_names(written))


def _is_in_name(written: str, answer: Answer) -> bool:
    """Say whether a word is part of another name of what was said: "United States" for US."""
    at = answer.text.find(written)
    for match in _NAME_OF_WORDS.finditer(answer.text, max(0, at - _LONGEST_NAME), at + len(written) + _LONGEST_NAME):
        if match.start() <= at < match.end():
            source = answer.said.sources[0]
            return any(find_name(each, source.raw, source.folded) for each in other_names(match[0]))
    return False


_NAME_OF_WORDS = re.compile(r"[^\W\d_a-z]\w{0,24}(?: (?:of |and |the ){0,2}[^\W\d_a-z]\w{0,24}){1,4}")
_LONGEST_NAME = 60


def is_known_thing(written: str, answer: Answer) -> bool:
    """Say whether a name is that of a country, a state or a language, where no other one of its sort was said."""
    return bool(other_names(written)) and not says_another_of_its_sort(written, answer.said.sources)


def _is_of_currency(written: str, answer: Answer) -> bool:
    """Say whether a name and the word after it name a currency whose code a field has: `price_cad`."""
    following = _NEXT_WORD.match(answer.text, answer.text.find(written) + len(written))
    if following is None:
        return False
    codes = [each for each in other_names(f"{written} {following[1]}") if each.is_code]
    return any(each.folded in answer.said.sources[0].words.tokens_set for each in codes)


_NEXT_WORD = re.compile(r" ([a-z]{3,12})")


_ADDRESS = re.compile(
    r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|(?:https?://|www\.)[^\s<>()\"'”»\u2e80-\uffff]{3,400}", re.ASCII
)


def has_addresses(text: str) -> bool:
    """Say whether any e-mail address or link may be in a text."""
    return "@" in text or "://" in text or "www." in text


def ungrounded_addresses(answer: Answer) -> Iterator[str]:
    """Yield the e-mail addresses and links that nothing said before holds."""
    for match in _ADDRESS.finditer(answer.text) if has_addresses(answer.text) else ():
        written = match[0].rstrip(".,;:!?)*`")
        if fold(written) not in answer.evidence and fold(written) not in answer.tools_text:
            yield written


_NAME = re.compile(r"(?<![\w@./'’-])[^\W\d_a-z][^\W\d_A-Z]{3,30}(?![\w@/])")
_SHORTEST = 4
_MOST = 40_000
_LONGEST = 8000


def misspelt_names(answer: Answer, unknown: list[str]) -> Iterator[tuple[str, str]]:
    """Yield words of an answer with the names that they misspell."""
    told = frozenset(_NAME.findall(answer.text))
    names = [name for name in dict.fromkeys(_NAME.findall(_brought(answer)[:_MOST])) if name not in told]
    for word in unknown:
        name = next((each for each in names if _is_misspelt(fold(word), fold(each))), None)
        if name is not None and word in told and fold(word) not in answer.evidence:
            yield word, name


def unknown_words(answer: Answer) -> list[str]:
    """Return the words with a capital that no result has and that are no common words."""
    if not answer.results or len(answer.text) > _LONGEST:
        return []
    brought, common = _brought(answer), _common()
    words = dict.fromkeys(_CAPITAL.findall(answer.text))
    return [word for word in words if word not in brought and fold(word) not in common]


_CAPITAL = re.compile(r"[A-Z\u00c0-\u00de][^\W\d_A-Z]{3,30}")


def _brought(answer: Answer) -> str:
    return "\n".join([str(result.message.content) for result in answer.results])


@cache
def _common() -> frozenset[str]:
    """Return words that name nothing: little ones of every language, those of the calendar, and idle ones."""
    idle = (token for entry in entries("en", "statements", "idle") for token in entry.split())
    return frozenset((*little_words(), *NOT_NAMES, *CALENDAR_WORDS, *idle))


def _is_misspelt(word: str, name: str) -> bool:
    """Say whether a word is a name but for a letter, which is no ending."""
    if abs(len(word) - len(name)) > 1 or word == name or (word[0] != name[0] and word[1:] != name[1:]):
        return False
    if len(name) < _SHORTEST or (word.startswith(name) or name.startswith(word)):
        return False
    if len(word) == len(name) and word[:-1] == name[:-1]:
        return False  # "Montag" beside "Montage": a last letter may be an ending
    return is_a_letter(word, name)


_SUBJECT = re.compile(
    r"(?:^|\n|[.!?]\s)([^\W\d_a-z][^\W\d_A-Z]{3,30}(?: [^\W\d_a-z][^\W\d_A-Z]{2,30})?) (?:is|was|has) "
)


def unknown_subjects(answer: Answer, unknown: list[str]) -> Iterator[str]:
    """Yield the names that nobody has said, of which a sentence tells something, where what it is of is not named."""
    if answer.language != "en":
        return
    for match in _SUBJECT.finditer(answer.text):
        name = fold(match[1])
        if match[1].split()[0] not in unknown or any(each in _known(answer) for each in (name, stem(name))):
            continue
        if all(_is_unnamed(result, answer) for result in answer.results):
            yield match[1]


def _known(answer: Answer) -> str:
    return f"{answer.evidence}\n{answer.tools_text}"


def _is_unnamed(result: ResultView, answer: Answer) -> bool:
    """Say whether a result repeats a name of its call, and the answer tells none of them."""
    given = result.call.arguments if result.call is not None else None
    brought = result.value if isinstance(result.value, dict) else {}
    names = [value for key, value in (given or {}).items() if isinstance(value, str) and value[:1].isupper()
             and brought.get(key) == value]  # fmt: skip
    return bool(names) and not any(fold(name) in answer.folded for name in names)
