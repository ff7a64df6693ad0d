"""What an answer tells that nothing said before it holds: numbers, dates, times, names, addresses and statements.

An answer tells what results brought, offers, hopes and excuses itself. A plain statement about things, none of whose
words stand in a request, a call, a result or a tool, brings what nobody knows: a warranty, a prize, a view of the sea.
A word that nobody has said and that differs by one letter from a name that the results have, and that the answer has
nowhere, is that name misspelt. Endings that languages put to names make no other name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.jsontext import JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.answers.stated_numbers import StatedNumber
from generator.validation.grounding.arguments.datetimes import ground_clock, ground_day
from generator.validation.grounding.arguments.sources import ground_number
from generator.validation.grounding.reading import clocks, days
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.denials import denies
from generator.validation.grounding.reading.languages import (
    NOT_NAMES,
    english_words,
    find_name,
    little_words,
    other_names,
    pairs,
    phrases,
    says_another_of_its_sort,
)
from generator.validation.grounding.reading.quantities import Quantity, converted
from generator.validation.grounding.reading.words import (
    STOPWORDS,
    find_literal,
    find_number,
    fold,
    is_a_letter,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.grounding.result_numbers import (
    Fact,
    is_calculated,
    is_difference,
    is_rate,
    is_time_between,
    is_total,
    is_total_of_products,
    unit_of_word,
)
from generator.validation.view import ResultView

_RANGE = re.compile(r"\s*(?:to|and|until|till|or|[-–—])\s*\d{1,2}(?::\d\d)?\s*[ap]\.?m\b", re.IGNORECASE)
"""What follows a time whose half of the day is that of the time after it."""
_PLAIN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SHORTEST_OF_ID = 7
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2}|\d{4,})(?![\d,])")
_LARGE = re.compile(r"(?<![\d,.])\d{1,3}(?:\.\d{3}){2,}(?![\d,])")
_POINTS_GROUP = re.compile(r"\d{1,3}(?:\.\d{3})+")
_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?|-?\.\d+")
_DIGIT = re.compile(r"\d")


def ungrounded_days(answer: Answer) -> Iterator[str]:
    """Yield the dates and times of an answer that neither the results nor the request hold."""
    for match in answer.days:
        if not _holds_day(match, answer):
            yield match[0]
    for match in answer.clocks:
        if not _holds_clock(match, answer):
            yield match[0]


def _holds_day(match: re.Match[str], answer: Answer) -> bool:
    if fold(match[0]) in answer.evidence:
        return True
    if match["iso"]:
        return _is_grounded_day(match["iso"], answer)
    month = days.month_number(match["m1"] or match["m2"])
    day, year = int(match["d1"] or match["d2"]), match["y1"] or match["y2"] or ""
    written = f"{year}-{month:02}-{day:02}"
    if written in answer.evidence:
        return True
    return _is_grounded_day(written, answer) if year else _is_said_day(month, day, answer)


def _is_grounded_day(written: str, answer: Answer) -> bool:
    """Say whether what was said holds a day that is written as YYYY-MM-DD."""
    values = list(days.read_day(written))
    return any(ground_day(value, answer.said) for value in values)


def _is_said_day(month: int, day: int, answer: Answer) -> bool:
    """Say whether what was said holds a day of any year, by its date or as "next Friday"."""
    said = answer.said
    return any((each.month, each.day) == (month, day) for each in said.sources[0].days) or any(
        (each.month, each.day) == (month, day) for each in said.relative_days
    )


def _holds_clock(match: re.Match[str], answer: Answer) -> bool:
    hour, minute = int(match[1] or match[4]), int(match[2] or 0)
    if fold(match[0]) in answer.evidence or hour > 24 or minute > 59:
        return True
    return any(holds_time(of_day, minute, answer) for of_day in _hours_of_day(match, hour))


def _hours_of_day(match: re.Match[str], hour: int) -> list[int]:
    """Return which hours of the day a told one may be."""
    if half := match[3] or match[5]:
        return [clocks.of_half(hour, half.lower())]
    # "from 2:30 to 3:30 PM": the half of the day stands behind both
    return [hour, (hour + 12) % 24] if _RANGE.match(match.string, match.end()) else [hour]


def holds_time(of_day: int, minute: int, answer: Answer) -> bool:
    """Say whether what was said holds a time of day."""
    if f"{of_day:02}:{minute:02}" in answer.evidence or f"t{of_day:02}{minute:02}" in answer.evidence:
        return True
    told = (of_day * 60 + minute) % clocks.DAY
    return ground_clock(told, answer.said) is not None or _is_end(told, answer)


def _is_end(minutes: int, answer: Answer) -> bool:
    """Say whether a time is the end of something, by its start and by the minutes that a field says it takes."""
    taken = {int(fact.value) for fact in answer.facts if 0 < fact.value < clocks.DAY and _is_in_minutes(fact, answer)}
    starts = {60 * hour + minute for hour, minute in _clocks_of(answer)} if taken else set()
    return any((minutes - each) % clocks.DAY in starts for each in taken)


def _is_in_minutes(fact: Fact, answer: Answer) -> bool:
    if fact.unit:
        return fact.unit == "min"
    tokens = tokens_of_value(fact.key)
    return any(token in _LENGTHS or unit_of_word(token, answer.language or "en") == "min" for token in tokens)


_LENGTHS = frozenset("duration length dauer duree duracion 时长".split())
"""Words of fields that say how long something takes, which is in minutes where they do not say in what."""


def ungrounded_numbers(answer: Answer) -> Iterator[str]:
    """Yield the numbers and ids of an answer that neither the results nor the request hold."""
    yield from (number for number, _ in ungrounded_numbers_with_words(answer))


def ungrounded_numbers_with_words(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the numbers that neither the results nor the request hold, each with the word that it is in."""
    if not _DIGIT.search(answer.text):
        return
    for written in answer.chunks:
        word = chunk = fold(written).strip(".,;:!?'`$€£¥₹~#%/_-")
        if _PLAIN.fullmatch(chunk) or not (find_literal(answer.evidence, chunk) >= 0 or _begins_id(chunk, answer)):
            chunk = _LARGE.sub(lambda match: match[0].replace(".", ""), _DECIMAL_COMMA.sub(_with_point, chunk))
            found = (each for each in _NUMBER.findall(chunk) if not _holds_number(each.lstrip("-"), answer))
            yield from ((number, word) for number in found)


def _begins_id(chunk: str, answer: Answer) -> bool:
    """Say whether a text is the beginning of a long id, as people quote commits: seven characters or more."""
    return len(chunk) >= _SHORTEST_OF_ID and chunk.isalnum() and f'"{chunk}' in answer.evidence


def _with_point(match: re.Match[str]) -> str:
    """Write "1.234,5", as half the world does, as 1234.5."""
    return f"{match[1].replace('.', '')}.{match[2]}"


def _holds_number(written: str, answer: Answer) -> bool:
    plain = written.replace(",", "")
    if _is_written(written, plain, answer.evidence) or is_near(plain, answer):
        return True
    value = float(plain)
    if value in _answer_counts(answer):
        return True
    if answer.results:
        follows = _is_reckoned(value, _nearness(plain), answer)
    else:
        follows = find_number(answer.tools_text, plain) >= 0
    if follows:
        return True
    whole = int(value) if value.is_integer() and abs(value) < 1e15 else value
    return ground_number(whole, answer.said) is not None or ground_number(-whole, answer.said) is not None


def _is_written(written: str, plain: str, evidence: str) -> bool:
    """Say whether a text writes a number, without separators, with its own, or as "4.440", as half the world groups."""
    if find_number(evidence, plain) >= 0 or find_number(evidence, written) >= 0:
        return True
    return _POINTS_GROUP.fullmatch(plain) is not None and find_number(evidence, plain.replace(".", "")) >= 0


def is_near(plain: str, answer: Answer) -> bool:
    """Say whether the evidence writes a number, or the share that it is as a percentage, rounded as it is told."""
    value, near = float(plain), _nearness(plain)
    return any(abs(number - value) <= near or abs(100 * number - value) <= near for number in answer.numbers)


def _nearness(plain: str) -> float:
    return 0.5000001 * 10.0 ** -len(plain.partition(".")[2])


def _is_reckoned(value: float, near: float, answer: Answer) -> bool:
    digits = frozenset(each.value for each in answer.stated_numbers)
    if _comes_of_facts(value, near, digits, answer) or tells_converted(value, near, answer):
        return True
    unit = next((each.unit for each in answer.stated_numbers if each.value == value), "")
    if unit in _MINUTES and is_time_between(value * _MINUTES[unit], _clocks_of(answer)):
        return True
    if not phrases(answer.language, "reckoning", "cues").found_in(answer.folded):
        return False
    return is_calculated(value, near, answer.facts, digits | _in_words(answer), is_share=unit == "%")


def _comes_of_facts(value: float, near: float, digits: frozenset[float], answer: Answer) -> bool:
    """Say whether a number is a total of the results, or a rate or difference of numbers that are told."""
    if is_total(value, near, answer.facts) or is_rate(value, near, answer.facts, digits):
        return True
    return is_total_of_products(value, near, answer.things) or is_difference(value, near, answer.facts, digits)


def _in_words(answer: Answer) -> set[float]:
    """Return the numbers that an answer tells in words."""
    numerals = pairs(answer.language, "counts", "numerals")
    return {float(numerals[token]) for token in answer.tokens if token in numerals}


def tells_converted(value: float, near: float, answer: Answer) -> bool:
    """Say whether a number is told in a unit in which one of the results' numbers is it, rounded as it is told."""
    units = frozenset(unit for each in answer.stated_numbers if each.value == value for unit in _units_of(each, answer))
    if not units:
        return False
    near = max(near, min(_rounded_by(value), _MOST_ROUNDED * value), _EXACT * value)
    return any(
        abs(abs(each.value) - value) <= near and not units.isdisjoint(each.units or _DEGREES)
        for fact in answer.facts
        for unit in tokens_of_value(fact.key)[-1:]
        for each in converted(Quantity(fact.value, unit, ""))
    )


def _rounded_by(value: float) -> float:
    """Return by how much a number may be rounded that ends in zeros: 600 is anything from 550 to 650."""
    digits = f"{value:.0f}" if value.is_integer() else ""
    return 0.5 * 10.0 ** (len(digits) - len(digits.rstrip("0")))


def _units_of(told: StatedNumber, answer: Answer) -> tuple[str, ...]:
    """Return the unit of a told number, by its own short name and by the word that is told."""
    match = _UNIT_WORD.match(answer.folded, told.start)
    return (*filter(None, (told.unit.rstrip("?"),)), *((match[1],) if match else ()))


_UNIT_WORD = re.compile(r"[\d.,]{1,24}\s?-?(°|[^\W\d_]{1,24})")
_DEGREES = frozenset("° c f deg degree degrees grad grados degres".split())
_EXACT = 0.005
_MOST_ROUNDED = 0.05
_MINUTES = {"min": 1, "h": 60}
_TIME_OF_DAY = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)")


def _clocks_of(answer: Answer) -> list[tuple[int, int]]:
    """Return the times of day in the results."""
    texts = [result.message.content for result in answer.results if isinstance(result.message.content, str)]
    texts += [result.call.text for result in answer.results if result.call is not None]
    return [(int(hour), int(minute)) for text in texts for hour, minute in _TIME_OF_DAY.findall(text)]


def _answer_counts(answer: Answer) -> frozenset[float]:
    """Return what an answer may count: the calls, the entries of lists in the results, and those it leaves out."""
    found = {float(len(answer.results))}
    held = [length for result in answer.results[:32] for length in lengths(result.value)]
    found.update(map(float, held))
    found.update(float(length - shown) for length in held for shown in range(1, min(length, 20)))
    return frozenset(found)


def lengths(root: JsonValue) -> Iterator[int]:
    """Yield how many entries the lists in a result have."""
    waiting, left = [root], 2000
    while waiting and left:
        left -= 1
        value = waiting.pop()
        if isinstance(value, list):
            yield len(value)
            waiting += [each for each in value[:200] if isinstance(each, dict | list)]
        elif isinstance(value, dict):
            waiting += [each for each in value.values() if isinstance(each, dict | list)]


_LONGEST = 4000


def unsupported_statements(answer: Answer) -> Iterator[Claim]:
    """Yield the statements that are made of words that nobody has said."""
    if not answer.results or answer.language != "en" or len(answer.text) > _LONGEST:
        return
    near = ""
    for statement in _statements(answer.folded):
        words = _telling(statement)
        if len(words) < _FEWEST or not _states(statement):
            continue
        near = near or _brought(answer).lower()
        unsaid = _unsaid(words, near, answer)
        if unsaid:
            is_sure = len(unsaid) == len(words) >= _SURE
            yield Claim(statement.strip()[:80], "warning" if is_sure else "note")
            return


def _unsaid(words: list[str], near: str, answer: Answer) -> list[str]:
    """Return the words of a statement that nobody has said, where these are all, or all but the first; else none."""
    if sum(stem(word) in near for word in words) > _MOST_KNOWN:
        return []
    unsaid = [word for word in words if not (stem(word) in near or _is_known(word, answer))]
    return unsaid if len(unsaid) >= _FEWEST and unsaid in (words, words[1:]) else []


def _statements(folded: str) -> Iterator[str]:
    """Yield the sentences and coordinate clauses that begin as a statement about things does."""
    subjects = english_words("statements", "subjects")
    for part in folded.replace("! ", ". ").replace("\n", ". ").replace(", and ", ". ").replace("; ", ". ").split(". "):
        first = part.partition(" ")[0].partition("'")[0]
        if first in subjects and not part.rstrip().endswith(("?", ":")):
            yield part


_FEWEST, _SURE = 2, 3
_MOST_KNOWN = 1
"""Words of a statement that may be known: the first, which is what it is said of."""


def _telling(text: str) -> list[str]:
    """Return the words of a statement that tell something; none where it tells a number or a day."""
    if _DIGIT.search(text) or '"' in text:
        return []
    idle = english_words("statements", "idle")
    tokens = tokens_of(text.replace("'s ", " "))
    if not CALENDAR_WORDS.isdisjoint(tokens):
        return []
    return [token for token in tokens if token not in idle and token not in STOPWORDS and len(token) > 2]


def _states(text: str) -> bool:
    """Say whether a statement denies, supposes and hopes nothing."""
    return not denies(text, "en") and not phrases("en", "statements", "open").found_in(text)


def _is_known(word: str, answer: Answer) -> bool:
    stemmed = stem(word)
    return stemmed in answer.evidence or stemmed in answer.tools_text


_CAPITALISED = re.compile(r" (?<=[^\s.!?:\"“”‘’'*•–—|\\-] )([^\W\d_a-z]\w*(?:['’&-]\w+)*)")
"""A capitalised word within a sentence: not at its beginning, nor at that of a quotation or of an item.

It begins with the space before it, for which a text is searched much faster than for what stands before that.
"""


def ungrounded_names(answer: Answer) -> Iterator[str]:
    """Yield the capitalised words within sentences that neither the record nor the tools' definitions hold."""
    for found in dict.fromkeys(_CAPITALISED.findall(answer.text)):
        if _is_known_at_a_glance(found, answer):
            continue
        written = _cased(found)
        name = fold(written)
        if not name or any(each.isdigit() for each in name):  # an id, which is looked for among the numbers
            continue
        if not (
            _is_known_name(written, name, answer) or _is_of_currency(written, answer) or _is_in_name(written, answer)
        ):
            yield written


def _is_known_at_a_glance(written: str, answer: Answer) -> bool:
    """Say whether a plain word names nothing, or was said as it stands here."""
    if not (written.isascii() and written.isalpha()):
        return False
    plain = written.lower()
    return plain in NOT_NAMES or plain in CALENDAR_WORDS or written in answer.heard


def _cased(written: str) -> str:
    """Return a name up to the first letter of a script without capitals; "" for a word that begins with no capital."""
    if not written[0].isupper():
        return ""
    for place, letter in enumerate(written):
        if letter.isalpha() and letter.lower() == letter.upper():
            return written[:place]
    return written


def _is_known_name(written: str, name: str, answer: Answer) -> bool:
    plain = name.removesuffix("'s")
    if plain in NOT_NAMES or {plain, plain.removesuffix("s")} & CALENDAR_WORDS:
        return True
    if plain in answer.evidence or plain in answer.tools_text:
        return True
    words = answer.said.sources[0].words
    tokens = [token for token in tokens_of(plain) if token not in NOT_NAMES]
    if all(token in words.tokens_set or stem(token) in words.stems for token in tokens):
        return True
    return _is_said_otherwise(written, answer)


def _is_said_otherwise(written: str, answer: Answer) -> bool:
    """Say whether what was said has another name of the same country, state or language."""
    source = answer.said.sources[0]
    return any(find_name(each, source.raw, source.folded) for each in other_names(written))


def _is_in_name(written: str, answer: Answer) -> bool:
    """Say whether a word is part of another name of what was said: "United States" for US."""
    at = answer.text.find(written)
    for match in _NAME_OF_WORDS.finditer(answer.text, max(0, at - _LONGEST_NAME), at + len(written) + _LONGEST_NAME):
        if match.start() <= at < match.end():
            return _is_said_otherwise(match[0], answer)
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


def _has_addresses(text: str) -> bool:
    """Say whether any e-mail address or link may be in a text."""
    return "@" in text or "://" in text or "www." in text


def ungrounded_addresses(answer: Answer) -> Iterator[str]:
    """Yield the e-mail addresses and links that nothing said before holds."""
    for match in _ADDRESS.finditer(answer.text) if _has_addresses(answer.text) else ():
        written = match[0].rstrip(".,;:!?)*`")
        if fold(written) not in answer.evidence and fold(written) not in answer.tools_text:
            yield written


_NAME = re.compile(r"(?<![\w@./'’-])[^\W\d_a-z][^\W\d_A-Z]{3,30}(?![\w@/])")
_SHORTEST = 4
_MOST = 40_000
_LONGEST_WITH_NAMES = 8000


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
    if not answer.results or len(answer.text) > _LONGEST_WITH_NAMES:
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
    return frozenset((*little_words(), *NOT_NAMES, *CALENDAR_WORDS, *english_words("statements", "idle")))


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
