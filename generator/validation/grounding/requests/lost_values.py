"""Lost values: what a request states and nobody takes up, whether in a call, a result or an answer.

Who states an id, an address, a path or a quote wants something done with it. Where it occurs nowhere but in the
request, it was lost, unless a denial or a correction disposes of it. Of several things of one list, as "Rome, Oslo and
Lima", each is called for or told of, and so is each sentence with names and numbers of its own that asks for something.
Numbers may be said in passing, and are noted at the most. A first look finds out which records may lose anything: most
repeat each name, each number and each quote of the request elsewhere, and say no word of a parameter that is not given.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from generator.jsontext import JsonObject
from generator.validation.grounding.arguments.argument import choices_at, schemas_at
from generator.validation.grounding.reading import days
from generator.validation.grounding.reading.days import MONTH_LETTERS
from generator.validation.grounding.reading.denial_words import Cues, cues_of
from generator.validation.grounding.reading.denials import DenialReading
from generator.validation.grounding.reading.languages import is_harmless, other_names, phrases
from generator.validation.grounding.reading.quantities import units_in_name
from generator.validation.grounding.reading.words import (
    STOPWORDS,
    Literal,
    find_literal,
    fold,
    literals_of,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.grounding.requests.asked_calls import left_undone
from generator.validation.grounding.requests.omissions import omitted, takes_addresses, takes_days
from generator.validation.grounding.requests.wishes import (
    Mention,
    Uptake,
    Wish,
    results_by_call,
    values_said,
    wishes_of,
)
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView

_MOST_OPTIONS = 60
_SHORTEST_NAME = 3
_CAPITAL = re.compile(r"\s[^\W\d_a-zß-öø-ÿ]")
_BEGINNINGS = (".", "!", "?", ":", "…", "\n", ";")
_LEAD = 16
"""Characters before a name that tell whether a sentence begins with it."""


class _Mark(NamedTuple):
    """Something in a request that stands out: a name, a literal, or a choice that a tool offers."""

    text: str
    start: int
    end: int
    literal: Literal
    is_used: bool
    """Whether a call is given it."""
    is_taken: bool
    """Whether a call is given it or anything else takes it up."""


def lost(record: RecordView) -> Iterator[Finding]:
    """Yield what the user states and nobody takes up; what is noted at the most, in what was not written here alone."""
    doubts = doubts_of(record) if record.calls else None
    if doubts is not None and (doubts.loses or doubts.omits):
        is_open = not record.generated and _asks_before_deeds(record)
        for each in _lost(record, doubts):
            if each.at_most != "note" or not record.generated:
                yield each._replace(at_most="note") if is_open else each
    yield from left_undone(record)


def _asks_before_deeds(record: RecordView) -> bool:
    """Say whether a record ends with a question before anything was done: what was stated waits for the answer."""
    last = record.messages[-1] if record.messages else None
    asks = last is not None and last.role == "assistant" and last.text.rstrip().endswith(("?", "？"))
    return asks and all(is_harmless(call.name) for call in record.calls)


def _lost(record: RecordView, doubts: Doubts) -> Iterator[Finding]:
    taken = Uptake([*texts_beside_requests(record), *_system_message_of_arguments(record)])
    brought_back = Uptake([each.message.text for each in record.results])
    results = results_by_call(record)
    for wish in wishes_of(record):
        mentions = [each for call in wish.calls for each in values_said(call, record, wish)]
        for index in _not_corrected_later(wish):
            own = [each for each in mentions if each.message == index]
            if doubts.loses:
                yield from _lost_in(record, wish, index, own, taken)
            if doubts.omits:
                yield from omitted(wish, index, own, results, brought_back, _arguments(wish))


def _not_corrected_later(wish: Wish) -> Iterator[int]:
    """Yield the messages of a wish, the last first, up to one that denies, corrects or takes back anything."""
    for index, reading in reversed(wish.readings.items()):
        if reading.language and reading.raw:
            yield index
        if not reading.is_plain:
            return


def _system_message_of_arguments(record: RecordView) -> Iterator[str]:
    """Yield the parts of the system message that tell of what a call is given: "W-31 with the blender"."""
    system = next((each.text for each in record.messages[:1] if each.role == "system"), "")
    if not system:
        return
    given = _texts_given(record)
    for part in _PART.split(system):
        if any(find_literal(part, value) >= 0 for value in given):
            yield part


def _texts_given(record: RecordView) -> set[str]:
    """Return the texts that calls are given, as far as they are long enough to name a thing."""
    values = (value for call in record.calls for value in (call.arguments or {}).values())
    return {value for value in values if isinstance(value, str) and len(value) >= _SHORTEST_NAME}


_PART = re.compile(r"[;\n]|\.\s")


def _arguments(wish: Wish) -> str:
    """Return the words of the arguments of all calls."""
    return f" {' '.join(tokens_of(fold(' '.join(call.text for call in wish.calls).replace('_', ' '))))} "


def _lost_in(record: RecordView, wish: Wish, index: int, own: list[Mention], taken: Uptake) -> Iterator[Finding]:
    reading = wish.readings[index]
    pointer = f"/messages/{index}/content"
    marks = _marks(reading, wish, own, taken)
    reported: set[int] = set()
    for mark, at_most in (*_lost_entries(reading, marks), *_lost_sentences(record, reading, marks, own)):
        if mark.start not in reported:
            reported.add(mark.start)
            yield Finding(
                pointer, f"names {brief(mark.text)} beside what is called for, and nobody takes it up", at_most
            )
    for start, text in _lost_between(reading, own, taken):
        if start not in reported:
            reported.add(start)
            yield Finding(pointer, f"names {brief(text)} between what is called for, and nobody takes it up", "warning")
    for mark in marks:
        if mark.start not in reported and not mark.is_taken and mark.literal.is_stated:
            unsure: Severity = "warning" if _is_sure(mark.literal) else "note"
            yield Finding(pointer, f"states {brief(mark.text)}, which nobody takes up", unsure)


def _is_sure(literal: Literal) -> bool:
    """Say whether a literal is one of a kind; a single word in quotation marks may be meant otherwise."""
    if not literal.is_stated or not literal.identifies:
        return False
    return literal.sort != "quote" or " " in literal.text.strip()


_NAME = re.compile(
    r"[^\W\d_a-zß-öø-ÿ][^\W_]+(?:['’.-][^\W_]+)*(?:\s(?:(?:de|da|di|del|la|le|of|the|van|von|el)\s){0,2}"
    r"[^\W\d_a-zß-öø-ÿ][^\W_]+(?:['’.-][^\W_]+)*){0,4}"
)


def _marks(reading: DenialReading, wish: Wish, own: list[Mention], taken: Uptake) -> list[_Mark]:
    """Return what stands out in a message and is not disposed of, in its order."""
    literals = literals_of(reading.raw)
    found = [*literals, *_outside(_names(reading), literals)]
    found += _outside(_choices(reading, wish), found)
    marks = []
    for each in sorted(found, key=lambda literal: literal.start):
        used = any(mention.start < each.end and each.start < mention.end for mention in own)
        if each.sort == "number" and _is_of_phone(each, reading, wish):
            continue
        if used or not (reading.disposes_of(each.start) or _is_compared(each, reading)):
            marks.append(_Mark(each.text, each.start, each.end, each, used, used or taken.holds(each)))
    return marks


def _is_of_phone(literal: Literal, reading: DenialReading, wish: Wish) -> bool:
    """Say whether a number is part of a longer one told in groups, which a call is given: one of a telephone."""
    for run in _GROUPS.finditer(reading.raw):
        if run.start() <= literal.start < run.end():
            digits = _NOT_DIGIT.sub("", run[0]).lstrip("0")
            held = _NOT_DIGIT.sub("", _BETWEEN_DIGITS.sub("", " ".join(call.text for call in wish.calls)))
            return len(digits) >= _SHORTEST_PHONE and digits in held
    return False


_GROUPS = re.compile(r"\d(?<!\d\d)\d{0,14}(?:[ ()./-]{1,3}\d{1,15}){1,8}")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[ ()./-]{1,3}(?=\d)")
_NOT_DIGIT = re.compile(r"\D")
_SHORTEST_PHONE = 7


def _is_compared(literal: Literal, reading: DenialReading) -> bool:
    """Say whether a number is that of a condition, which is compared and not taken up: "if it is over 500"."""
    return literal.sort == "number" and reading.is_conditional(literal.start, cues_of(reading.language))


def _outside(more: Iterator[Literal], found: list[Literal]) -> list[Literal]:
    """Return those that lie in none of the others."""
    return [each for each in more if not any(each.start < other.end and other.start < each.end for other in found)]


def _names(reading: DenialReading) -> Iterator[Literal]:
    """Yield what begins with a capital, other than a sentence or, in German, any noun."""
    if reading.language in ("de", "zh"):
        return
    for match in _NAME.finditer(reading.raw):
        before = reading.raw[max(0, match.start() - _LEAD) : match.start()].rstrip(" \n\"'“*•-1234567890)(¿¡")
        start = match.start()
        if not before or before.endswith(_BEGINNINGS):
            capital = _CAPITAL.search(match[0])
            start = match.start() + (capital.start() + 1 if capital else len(match[0]))
        name = reading.raw[start : match.end()]
        if len(name) >= _SHORTEST_NAME and not _is_small_name(fold(name), cues_of(reading.language)):
            yield Literal("name", name, start, match.end())


def _is_small_name(name: str, cues: Cues) -> bool:
    """Say whether a name is that of a day, or a small word in capitals."""
    return (
        name in cues.further
        or name in cues.leads
        or name in cues.fillers
        or name in days.CALENDAR_WORDS
        or name in cues.bare  # "do NOT touch it"
        or name in STOPWORDS
    )


def _choices(reading: DenialReading, wish: Wish) -> Iterator[Literal]:
    """Yield the words that are choices of a parameter which calls are given."""
    seen: set[str] = set()
    for call in wish.calls:
        for option in _options(call):
            if option not in seen and len(option) > 2:
                seen.add(option)
                words = fold(option.replace("_", " "))
                at = find_literal(reading.masked, words)
                if at >= 0:
                    yield Literal("choice", option, at, at + len(words))


def _options(call: CallView) -> Iterator[str]:
    """Yield the choices of each parameter for which a call gives a text."""
    if call.tool is not None:
        for name, value in (call.arguments or {}).items():
            if isinstance(value, str):
                yield from choices_at(call.tool, (name,))[:_MOST_OPTIONS]


def _lost_entries(reading: DenialReading, marks: list[_Mark]) -> Iterator[tuple[_Mark, Severity]]:
    """Yield what stands in one list with what calls are given, and is taken up by nobody."""
    cues = cues_of(reading.language)
    for entries in _lists(reading, marks, cues):
        used = sum(each.is_used for each in entries)
        for at, each in enumerate(entries):
            if used and not each.is_taken and not _goes_with(each, at, entries, reading):
                yield each, "error" if used > 1 else "warning"


def _lost_between(reading: DenialReading, own: list[Mention], taken: Uptake) -> Iterator[tuple[int, str]]:
    """Yield what stands in a list between two values of one parameter, and is taken up by nobody."""
    cues = cues_of(reading.language)
    for one, other in pairwise(sorted(own, key=lambda mention: mention.start)):
        between = _BETWEEN.fullmatch(reading.masked[one.end : other.start])
        if between is None or not _is_like(one, other) or reading.is_conditional(one.end, cues):
            continue
        words = _words_of_entry(between, cues)
        start = one.end + between.start(1)
        text = between[1].strip()
        if words and not other_names(text):
            entry = Literal("quote", " ".join(words), start, start + len(text))
            if not taken.holds(entry):
                yield start, text


def _words_of_entry(between: re.Match[str], cues: Cues) -> list[str]:
    """Return the words of what stands between two entries of a list; none where it is no entry itself."""
    words = [word for word in tokens_of(between[1]) if word not in cues.between]
    idle = (cues.fillers, cues.leads, cues.limits, cues.trailing, cues.further)
    if len(words) > _LONGEST_ENTRY or not all(part.isdisjoint(words) for part in idle):
        return []
    joining = re.findall(r"[^\W_]+", between[2])
    return words if all(word in cues.joining or word in cues.between for word in joining) else []


_BETWEEN = re.compile(r",\s([^,.;:!?()\n]{2,60}?)(,\s[^,.;:!?()\n]{0,24}|\s(?:and|und|y|e|et)\s[^,.;:!?()\n]{0,12})")
_LONGEST_ENTRY = 4


def _is_like(one: Mention, other: Mention) -> bool:
    """Say whether two values are given to one parameter of one tool, or to one list."""
    mine, theirs = one.grounded, other.grounded
    return (
        mine.call.name == theirs.call.name
        and mine.leaf.path[0] == theirs.leaf.path[0]
        and isinstance(mine.leaf.value, str)
        and isinstance(theirs.leaf.value, str)
    )


def _goes_with(mark: _Mark, at: int, entries: list[_Mark], reading: DenialReading) -> bool:
    """Say whether an entry tells more of the one before it, as a state after a town, or an author after a book."""
    if at and "," in reading.raw[entries[at - 1].end : mark.start] and other_names(mark.text):
        return True
    words = tokens_of(reading.text[max(0, mark.start - 12) : mark.start])
    return mark.literal.sort == "name" and at == 0 and words[-1:] == ["by"]


def _lists(reading: DenialReading, marks: list[_Mark], cues: Cues) -> Iterator[list[_Mark]]:
    """Yield the marks that are listed with one another."""
    entries: list[_Mark] = []
    for mark in marks:
        if entries and not (_alike(entries[-1], mark) and _joins(reading.text[entries[-1].end : mark.start], cues)):
            yield from [entries] if len(entries) > 1 else []
            entries = []
        entries.append(mark)
    yield from [entries] if len(entries) > 1 else []


def _alike(one: _Mark, other: _Mark) -> bool:
    """Say whether two marks may be entries of one list: words with words, numbers with numbers."""
    words = ("name", "quote", "choice")
    mine, theirs = one.literal.sort, other.literal.sort
    return mine == theirs or (mine in words and theirs in words)


def _joins(gap: str, cues: Cues) -> bool:
    """Say whether what stands between two things makes a list of them."""
    words = re.findall(r"[^\W_]+|[&、，]", gap)
    joined = "," in gap or any(word in cues.joining or word in "&、，" for word in words)
    return joined and len(gap) < 24 and not re.search(r"[.;:!?()]", gap) and all(
        word in cues.joining or word in cues.between or word in "&、，" for word in words
    )  # fmt: skip


def _lost_sentences(
    record: RecordView, reading: DenialReading, marks: list[_Mark], own: list[Mention]
) -> Iterator[tuple[_Mark, Severity]]:
    """Yield the first mark of each sentence that asks for something of which nothing is taken up."""
    is_used = any(mark.is_used for mark in marks)
    for start, end, inside in _sentences_left(reading, marks, own):
        is_alike = start > 0 and wants_the_same(reading.masked[start:end], reading.language)
        if is_used or is_alike:
            first = _most_telling(inside)
            text = reading.text[start : end + 1]
            is_sure = is_alike or _is_sure(first.literal) or _asks_for_more(text, len(inside), reading, record)
            yield first, "warning" if is_sure else "note"


def _most_telling(marks: list[_Mark]) -> _Mark:
    """Return the first mark that is more than a name or a choice, or else the first of all."""
    return next((mark for mark in marks if mark.literal.is_stated), marks[0])


def _sentences_left(
    reading: DenialReading, marks: list[_Mark], own: list[Mention]
) -> Iterator[tuple[int, int, list[_Mark]]]:
    """Yield the sentences with marks of which nobody takes up any, and those marks."""
    for start, end in reading.sentences:
        inside = [mark for mark in marks if start <= mark.start < end]
        if inside and not any(mark.is_taken for mark in inside) and not _corrects(start, end, reading, own):
            yield start, end, inside


_LONGEST_OF_SAME = 12


def wants_the_same(sentence: str, language: str) -> bool:
    """Say whether a short sentence asks for what was wished before of another thing: "Oh, and Lima as well."."""
    words = tokens_of(sentence)
    if len(words) > _LONGEST_OF_SAME or not phrases(language, "repeating", "alike").found_in(sentence):
        return False
    return not phrases(language, "repeating", "narrating").found_in(sentence)


def _corrects(start: int, end: int, reading: DenialReading, own: list[Mention]) -> bool:
    """Say whether a sentence corrects by a value that is called with, so that the rest of it gives the reason."""
    corrections = [each for each in reading.corrections if start <= each.start < end]
    return bool(corrections) and any(start <= each.start < end and not each.is_repeated for each in own)


def _asks_for_more(text: str, marks: int, reading: DenialReading, record: RecordView) -> bool:
    """Say whether a sentence with so many marks asks for something besides, by its form or by the words of a tool."""
    begins_further = not cues_of(reading.language).further.isdisjoint(tokens_of(text)[:1])
    signs = [text.rstrip().endswith(("?", "？")), marks > 1, begins_further]
    return sum(signs) > 1 or _speaks_of_a_tool(text, record)


def _speaks_of_a_tool(text: str, record: RecordView) -> bool:
    """Say whether a sentence has two words of a tool's name: it asks for what that tool does."""
    words = set(map(stem, tokens_of(text)))
    return any(len(words & set(map(stem, tokens_of_value(name)))) > 1 for name in record.tools_by_name)


_TELLING = re.compile(r"\d.*\d.*\d|\d\.\d|[@\"“„«「/\\$€£¥_]|(?<!\w)'|'(?!\w)|\d[A-Za-z]|[A-Za-z]-?\d")
_AROUND = ".,;:!?\"'“”„«»()[]$€£¥¿¡*%"
_STOPS = frozenset(".,?!:;")
_ENDS = frozenset('.!?:"”*•-–—…')
_DAYS = frozenset(
    name for names in (calendar.month_name, calendar.month_abbr, calendar.day_name, calendar.day_abbr) for name in names
)
_SMALL = frozenset({"I", "I'm", "I'd", "I've", "I'll", "I’m", "I’d", "I’ve", "I’ll", "AM", "PM", "OK"})
_CLOCK = re.compile(r"\d{1,2}:\d\d(?:[ap]m)?")
_LONGEST_GAP = 100
_OFTEN = 60
"""Places of a word in a text, of which not all are looked at."""


class Doubts(NamedTuple):
    """What may be wrong with what the requests of a record state."""

    loses: bool
    """Whether anything may be taken up by nobody."""
    omits: bool
    """Whether a call may leave a parameter out that is spoken of."""


def doubts_of(record: RecordView) -> Doubts:
    """Say what may be wrong with what the requests of a record state."""
    requests = record.requests
    rest = "\n".join(texts_beside_requests(record))
    folded = [fold(text) for text in requests]
    omits = _may_omit(record, folded)
    loses = any(_stands_alone(text, rest) for text in requests) or _may_skip(record, requests)
    return Doubts(loses or (omits and _may_choose(record, folded)), omits)


def texts_beside_requests(record: RecordView) -> list[str]:
    """Return all that was not said by the user or the system, and what the tools are called."""
    texts = [
        message.content
        for message in record.messages
        if isinstance(message.content, str) and message.role not in ("user", "system")
    ]
    return [*texts, *[call.text for call in record.calls], *record.tools_by_name]


def _stands_alone(text: str, rest: str) -> bool:
    """Say whether a word of a request that stands out occurs nowhere else: a name, a number, a code, a quote."""
    last = "."
    for word in text.split():
        is_plain = word.isalpha() and not word[0].isupper()
        if not is_plain and _stands_out(word, last) and _is_nowhere(word, rest):
            return True
        last = word
    return False


def _stands_out(word: str, last: str) -> bool:
    """Say whether a word that has more than small letters stands out, and not as one that begins or ends a sentence."""
    if word[0].isupper():
        return last[-1] not in _ENDS and not _is_small_word(word)
    if word[-1] in _STOPS and word[:-1].isalpha():
        return False
    return _TELLING.search(word) is not None and _CLOCK.fullmatch(word.strip(_AROUND)) is None


def _is_nowhere(word: str, text: str) -> bool:
    """Say whether a text has a word neither as it stands nor, where it is a number, without commas."""
    core = word.strip(_AROUND).removesuffix("'s")
    return core not in text and core.replace(",", "") not in text


def _is_small_word(word: str) -> bool:
    core = word.strip(_AROUND)
    return core in _DAYS or core in _SMALL


class _Speaking(NamedTuple):
    """What speaks of a parameter in a request."""

    name: str
    choices: tuple[str, ...]
    """Folded words that it may be given."""
    takes_days: bool
    units: tuple[str, ...]
    """Letters with which its unit begins, where it counts."""
    takes_addresses: bool

    def may_be_in(self, folded: str) -> bool:
        """Say whether a folded text has anything that may be a value of it, its choices aside."""
        if self.takes_days and _has_any(folded, MONTH_LETTERS):
            return True
        return (self.takes_addresses and "@" in folded) or _has_any(folded, self.units)


def _may_choose(record: RecordView, folded: list[str]) -> bool:
    """Say whether a request has any choice that a call may be given, or a call a list of things."""
    for call in record.calls:
        if call.tool is None:
            continue
        for name, value in (call.arguments or {}).items():
            if isinstance(value, list):
                return True
            choices = _choices_at(call.tool, name) if isinstance(value, str) else ()
            if any(_says(text, choice) for text in folded for choice in choices):
                return True
    return False


@lru_cache(maxsize=4096)
def _choices_at(tool: ToolView, name: str) -> tuple[str, ...]:
    """Return the choices of a parameter, folded, whatever its default is."""
    return tuple(fold(each.replace("_", " ")) for each in choices_at(tool, (name,)))


def _says(folded: str, choice: str) -> bool:
    """Say whether a folded text has a choice as words of its own, or too often to tell."""
    return choice in folded and (find_literal(folded, choice) >= 0 or folded.count(choice) > _OFTEN)


def _may_omit(record: RecordView, requests: list[str]) -> bool:
    """Say whether a request has words of a parameter that a call is not given, or of another choice than is given."""
    folded = "\n".join(requests)
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        for each in _speaking(call.tool):
            if each.name not in call.arguments and each.may_be_in(folded):
                return True
            if each.choices and _has_any(folded, each.choices) and _offers_another(each, folded, record, requests):
                return True
    return False


def _has_any(text: str, parts: tuple[str, ...]) -> bool:
    return any(map(text.__contains__, parts))


def _offers_another(each: _Speaking, folded: str, record: RecordView, requests: list[str]) -> bool:
    given = {fold(str(call.arguments.get(each.name))) for call in record.calls if call.arguments}
    others = [
        choice
        for choice in each.choices
        if choice in folded and choice.replace(" ", "_") not in given and choice not in given
    ]
    return any(_says(text, choice) for choice in others for text in requests)


@lru_cache(maxsize=4096)
def _speaking(tool: ToolView) -> tuple[_Speaking, ...]:
    """Return what speaks of each parameter of a tool, where anything does."""
    found = []
    for name in tool.property_names:
        for _, schema in schemas_at(tool, (name,)):
            counts = schema.get("type") in ("integer", "number")
            units = tuple(f" {word[:5]}" for word in units_in_name(tokens_of_value(name))) if counts else ()
            each = _Speaking(name, _choices_in(schema), takes_days(name, schema), units, takes_addresses(name, schema))
            if each.choices or each.takes_days or each.units or each.takes_addresses:
                found.append(each)
    return tuple(found)


def _choices_in(schema: JsonObject) -> tuple[str, ...]:
    """Return the choices of a schema but its default, folded, as far as they are long enough to be looked for."""
    options = schema.get("enum")
    return tuple(
        fold(each.replace("_", " "))
        for each in (options if isinstance(options, list) else ())
        if isinstance(each, str) and len(each) > 2 and each != schema.get("default")
    )


def _may_skip(record: RecordView, requests: list[str]) -> bool:
    """Say whether a thing may stand in a list between the values of two calls."""
    if not record.parallel_calls:
        return False
    text = requests[-1] if requests else ""
    for one, other in zip(record.calls, record.calls[1:], strict=False):
        if (
            one.name == other.name
            and text.count(",")
            and any(_lie_apart(value, other, name, text) for name, value in (one.arguments or {}).items())
        ):
            return True
    return False


def _lie_apart(value: object, other: CallView, name: str, text: str) -> bool:
    theirs = (other.arguments or {}).get(name)
    if not (isinstance(value, str) and isinstance(theirs, str)) or value == theirs:
        return False
    folded = text.casefold()
    start, end = sorted((folded.find(value.casefold()), folded.find(theirs.casefold())))
    gap = folded[start:end]
    return start >= 0 and len(gap) < _LONGEST_GAP + len(value) and gap.count(",") + gap.count(" and ") > 1
