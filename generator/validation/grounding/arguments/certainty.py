"""Certainty: how sure it is that a value which nothing said explains is wrong, rather than inferred.

Ids, addresses of mail and people's places are known or are not: nobody infers them. What a request or a result tells in
part (a phone number with the code of its country, a path with a said number in it) is inferred; so are colours, years
and addresses of pages, which anybody may know.
"""

from __future__ import annotations

import re

from generator.validation.grounding.arguments.counter_evidence import has_counter_evidence, is_name
from generator.validation.grounding.arguments.evidence import ground, is_moment
from generator.validation.grounding.arguments.leaves import (
    Leaf,
    given_texts,
    is_in_series,
    leaves_of,
    numbers_in_results,
    other_numbers,
)
from generator.validation.grounding.arguments.moments import is_other_moment
from generator.validation.grounding.arguments.numbers import ground_bound, is_computed
from generator.validation.grounding.arguments.schemas import choices_at, examples_at
from generator.validation.grounding.arguments.sources import Said, Source, keys_of, source_of, speaks_english
from generator.validation.grounding.caching import cached_on_record
from generator.validation.grounding.reading.languages import language_of, little_words
from generator.validation.grounding.reading.names import MAKING, other_names, says_another_of_its_sort, verb_of
from generator.validation.grounding.reading.role_words import sort_of
from generator.validation.grounding.reading.words import LONGEST_TEXT, STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity
from generator.validation.view import RecordView

_NUMBERS = re.compile(r"(?<![\w.:^])\d{1,18}(?:,\d{3})*(?:\.\d{1,18})?(?!\w*\d)(?!\))")
_DIGITS = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_FURTHER = re.compile(r"[-/.:T]|\s*[ap]\.?m", re.ASCII | re.IGNORECASE)
"""What follows the first number of a day or a time."""
_MOMENTS = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)|(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])", re.ASCII)
_AMOUNT = re.compile(r"-?\d{1,15}(?:[.,]\d{1,15})?", re.ASCII)


def severity_of(leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> Severity:
    """Say how bad it is that nothing explains a value of a record that is read."""
    value = leaf.path[-1] if leaf.is_key else leaf.value
    if isinstance(value, bool) or value is None:
        return "note"
    if isinstance(value, str):
        is_unlikely = _is_text_unlikely(value, leaf, tool, said, record)
    else:
        is_unlikely = _is_number_unlikely(float(value), leaf, said, record) or _is_unknown_number(float(value), leaf)
    return "warning" if is_unlikely and not _is_named_before(value, leaf, tool, said, record) else "note"


def _is_named_before(
    value: str | int | float, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView
) -> bool:
    """Say whether the assistant named a value in what it said before the last word of others."""
    latest = max((source.index for source in said.sources), default=0)
    spoken = [
        source_of(record, message)
        for message in record.messages[:latest]
        if message.role == "assistant" and isinstance(message.content, str) and message.content
    ]
    return bool(spoken) and ground(value, tool, leaf.path, 0, Said(tuple(reversed(spoken)))) is not None


def _requests(said: Said) -> list[Source]:
    return [source for source in said.sources if source.role == "user"]


def _is_text_unlikely(value: str, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> bool:
    if tool is not None and (value in choices_at(tool, leaf.path) or fold(value) in examples_at(tool, leaf.path)):
        return False
    if is_moment(value):
        amount = _AMOUNT.match(value)
        if amount is not None and not _FURTHER.match(value, amount.end()):
            return _is_number_unlikely(float(amount[0].replace(",", ".")), leaf, said, record)
        return is_other_moment(value, leaf, said, record)
    if _is_own_language(value, said):
        return False
    english = speaks_english(said)
    if other_names(value):
        return english and len(value) > 1 and says_another_of_its_sort(value, _requests(said), given_texts(record))
    if _is_unknowable(value, leaf, tool, said):
        return True
    return has_counter_evidence(value, leaf, tool, said, record, english=english)


def _is_own_language(value: str, said: Said) -> bool:
    """Say whether a value is the code of the language that a request is written in."""
    return _LANGUAGE.fullmatch(value) is not None and any(
        value[:2] == language_of(each.start) for each in _requests(said)
    )


_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Z]{2})?", re.ASCII)


def _is_number_unlikely(value: float, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether a request says a number for which this one may stand: no call takes that up, or one in its place."""
    requests = _requests(said)
    left = _unused_numbers(record, tuple(requests), in_words=value not in _NEUTRAL)
    if any(_may_stand_for(value, each, leaf, said, record) for each in left):
        return True
    beside = other_numbers(record, leaf)
    if not beside or is_in_series(value, beside):
        return False
    stated = {each for source in requests for each in _numbers_in(source.start)} & beside
    return any(abs(each) >= _FEWEST_MISREAD and _resembles(value, each) for each in stated)


_FEWEST_MISREAD = 10
_NEUTRAL = (0, 1, -1)
_NEARLY_TENFOLD = 10.5
_POWERS = (10.0, 100.0)


def _may_stand_for(value: float, left: float, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether one number may be written by mistake for another: of its size and form, or ten times as large."""
    if value == 0:
        return abs(left) < 1 and left != 0
    if left == 0 or value / left <= 0 or _is_reckoned(value, left, leaf, said, record):
        return False
    ratio = max(value / left, left / value)
    if any(abs(ratio - power) <= 1e-6 * power for power in _POWERS):
        return True
    is_finer = value != int(value) and left == int(left)
    return not is_finer and ratio < _NEARLY_TENFOLD


def _is_reckoned(value: float, left: float, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether a number is one that is said and what a result tells of it, together, or is in another unit."""
    latest = max((source.index for source in said.sources), default=0)
    if any(abs(each) == abs(value - left) or each - left == value for each in numbers_in_results(record, leaf, latest)):
        return True
    return any(
        round(converted.value, digits) == value
        for source in _requests(said)
        for pairs in source.conversions.values()
        for converted, text in pairs
        for digits in (0, 1, 2)
        if text.startswith(f"{left:g}") and not converted.family
    )


@cached_on_record
def _unused_numbers(record: RecordView, requests: tuple[Source, ...], *, in_words: bool) -> tuple[float, ...]:
    """Return the numbers of requests, also those in words, that no call of the record takes up."""
    given = [leaf.value for call in record.calls for leaf in leaves_of(call)]
    numbers = {float(each) for each in given if isinstance(each, int | float) and not isinstance(each, bool)}
    texts = " ".join(str(each) for each in given if isinstance(each, str))
    taken = numbers | {float(each) for each in _DIGITS.findall(texts)}
    counted = numbers | {float(each) for each in _DIGITS.findall(_MOMENTS.sub(" ", texts))}
    left: list[float] = []
    for source in requests:
        said = _numbers_in(source.start)
        open_numbers = _numbers_in(_without_moments(source))
        if in_words:
            open_numbers += [each.value for each in source.quantities if each.value > 1 and each.text.isalpha()]
        said += open_numbers
        open_numbers = [each for each in open_numbers if each not in taken]
        if len(open_numbers) * len(taken) <= _MOST_COMPARED:
            open_numbers = [each for each in open_numbers if not _is_accounted_for(each, source, said, counted)]
        left += open_numbers
    return tuple(left)


def _numbers_in(text: str) -> list[float]:
    return [float(match[0].replace(",", "")) for match in _NUMBERS.finditer(text)]


def _without_moments(source: Source) -> str:
    """Return a text without the words that state days and times of day, which are no numbers of anything."""
    text = source.start
    spans = [(each.start, each.end) for each in source.phrases if each.is_date]
    for start, end in (*spans, *((each.start, each.end) for each in source.clock_phrases.phrases)):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


_MOST_COMPARED = 2000
"""Pairs of numbers, said and given, that are compared by arithmetic; more are compared as they are."""


def _is_accounted_for(number: float, source: Source, said: list[float], taken: set[float]) -> bool:
    if _is_converted(number, source, taken):
        return True
    return any(_is_made_of(other, number, said) for other in taken)


def _is_made_of(given: float, left: float, said: list[float]) -> bool:
    """Say whether a given number that is not said is computed with one that is left, rather than written for it."""
    return given not in said and not _resembles(given, left) and any(
        is_computed(given, [left, other]) for other in said[:_MOST_OPERANDS] if other != left
    )  # fmt: skip


_MOST_OPERANDS = 12


def _resembles(one: float, other: float) -> bool:
    """Say whether one number may be written for another by mistake: as many digits, most of them in their place."""
    first, second = f"{one:g}", f"{other:g}"
    alike = sum(mine == theirs for mine, theirs in zip(first, second, strict=False))
    return len(first) == len(second) and (
        len(first) == 1 or alike >= max(len(first) - 2, 1) or sorted(first) == sorted(second)
    )


def _is_converted(number: float, source: Source, taken: set[float]) -> bool:
    """Say whether a call gives the number in another unit, or the one beside it that a bound means."""
    beside = [each for each in (number - 1, number + 1) if each in taken]
    if any(ground_bound(each, Said((source,))) is not None for each in beside):
        return True
    keys = {keys_of(each)[0] for each in taken}
    texts = {text for key in keys for _, text in source.conversions.get(key, ())}
    return any(number == quantity.value and f"{quantity.text} {quantity.unit}".strip() in texts
               for quantity in source.quantities)  # fmt: skip


_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_OPAQUE = re.compile(r"[+#]?[A-Za-z\d]{1,60}(?:[-_:#.][A-Za-z\d]{1,60}){0,8}", re.ASCII)
_COLOUR = re.compile(r"#[\dA-Fa-f]{3,8}", re.ASCII)
_FILE = re.compile(r".{1,200}\.[A-Za-z][A-Za-z\d]{1,4}", re.DOTALL)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_SIGNS = re.compile(r"[^A-Za-z\d]+")
_NO_DIGIT = re.compile(r"\D+")
_SHORTEST_CODE = 6
_FEWEST_DIGITS = 3
_OWN_DIGITS = 7
"""The last digits of a phone number, which are the same with any code before them."""
_MOST_TO_INFER_FROM = 1
_NUMBERED = frozenset("id ids number no nr".split())


def _is_unknowable(value: str, leaf: Leaf, tool: ToolView | None, said: Said) -> bool:
    """Say whether nobody can know a text of which nothing was said."""
    if "@" in value and any(not _is_told(match[0], said) for match in _MAIL.finditer(value[:LONGEST_TEXT])):
        return True
    return _is_opaque(value, said) or (tool is not None and _is_invented(value, leaf, tool, said))


def _is_unknown_number(value: float, leaf: Leaf) -> bool:
    """Say whether a number is an id of which nothing was said."""
    words = tokens_of_value(str(leaf.path[-1])) if leaf.path else []
    return bool(words) and words[-1] in _NUMBERED and value == int(value) and abs(value) >= 10 ** (_SHORTEST_CODE - 1)


def _is_opaque(value: str, said: Said) -> bool:
    """Say whether a text is a code with digits of which nothing tells."""
    if len(value) < _SHORTEST_CODE or _OPAQUE.fullmatch(value) is None:
        return False
    if _COLOUR.fullmatch(value) or _FILE.fullmatch(value) or _is_same_phone(value, said):
        return False
    return any(
        sum(map(str.isdigit, piece)) >= _FEWEST_DIGITS and not _YEAR.fullmatch(piece) and not _is_told(piece, said)
        for piece in _SIGNS.split(value)
    )


def _is_told(text: str, said: Said) -> bool:
    folded = fold(text)
    return any(folded in source.folded for source in said.sources)


def _is_same_phone(value: str, said: Said) -> bool:
    """Say whether the last digits of a number are said, with whatever signs between them."""
    digits = _NO_DIGIT.sub("", value)[-_OWN_DIGITS:]
    return len(digits) == _OWN_DIGITS and any(
        digits in re.sub(r"(?<=\d)[\s()./-]{1,3}(?=\d)", "", source.start) for source in said.sources
    )


def _is_invented(value: str, leaf: Leaf, tool: ToolView, said: Said) -> bool:
    """Say whether a text is the name of a place or a person where the user says nothing that tells of which."""
    if not leaf.path or not is_name(value) or sort_of(str(leaf.path[-1])) != "words":
        return False
    if not speaks_english(said) or any(source.role == "tool" for source in said.sources):
        return False
    if verb_of(str(tool.function.get("name")))[1] == MAKING:
        return False
    known = {stem(token) for key in ("name", "description") for token in tokens_of_value(str(tool.function.get(key)))}
    words = {word for source in said.sources if source.role == "user" for word in tokens_of(source.start)}
    telling = [word for word in words - STOPWORDS - little_words() if len(word) > 1 and stem(word) not in known]
    return len(telling) <= _MOST_TO_INFER_FROM
