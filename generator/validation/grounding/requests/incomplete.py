"""Incomplete values: texts that are empty or cut, and lists that miss a thing which the request lists with theirs.

An empty text says that there is none; it comes from somewhere where the schema lists or gives it, where its description
or the request speaks of what is empty, or where a result holds an empty text itself. Who dictates a title or a message
wants all of it; a part of it may be searched for, and what is left may stand in another argument. "Anna, Ben and Carla"
is a list of three, and so is what a call is given for it: a name beside a name is one of them, a plain word is one
where an answer or a result speaks of it as well, and numbers stand in a row of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.jsontext import JsonValue, pointer
from generator.validation.grounding.arguments.argument import (
    Leaf,
    Path,
    choices_at,
    ground_in_schema,
    leaves_of,
    schemas_at,
)
from generator.validation.grounding.reading import days
from generator.validation.grounding.reading.denial_words import cues_of
from generator.validation.grounding.reading.denials import DenialReading, read_denials
from generator.validation.grounding.reading.languages import is_harmless, languages, phrases
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    STOPWORDS,
    find_literal,
    fold,
    literals_of,
    tokens_of,
)
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView

_HOLDERS = frozenset({dict, list})
_MOST = 2000
"""Values of one call that are looked at."""


def blanks(record: RecordView) -> Iterator[Finding]:
    """Yield the texts without a letter that a call gives and nothing explains."""
    for call in record.calls:
        for path, value in _blank_values(call):
            tool = call.tool
            if tool is not None and not _is_explained(value, tool, path) and not _is_spoken_of(call, record):
                where = call.arguments_pointer + pointer(path)
                required = _is_required(tool, path)
                yield Finding(where, "nothing explains an empty text here", "error" if required else "note")


def _blank_values(call: CallView) -> Iterator[tuple[Path, str]]:
    """Yield the texts of a call's arguments that are empty or hold spaces alone."""
    arguments = call.arguments or {}
    for name, value in arguments.items():
        if type(value) is str:
            if not value.strip():
                yield (name,), value
        elif type(value) in _HOLDERS:
            yield from _blanks_inside((name,), value)


def _blanks_inside(path: Path, root: object) -> Iterator[tuple[Path, str]]:
    waiting: list[tuple[Path, object]] = [(path, root)]
    for at, value in waiting:
        if type(value) is str:
            if not value.strip():
                yield at, value
        elif len(waiting) < _MOST and isinstance(value, dict):
            waiting += [((*at, key), inner) for key, inner in value.items()]
        elif len(waiting) < _MOST and isinstance(value, list):
            waiting += [((*at, place), inner) for place, inner in enumerate(value)]


def _is_explained(value: str, tool: ToolView, path: Path) -> bool:
    """Say whether the schema lists, gives or speaks of an empty text, or does not know the parameter at all."""
    schemas = schemas_at(tool, path)
    if not schemas or value in choices_at(tool, path) or ground_in_schema(value, tool, path, 0) is not None:
        return True
    descriptions = [schema.get("description") for _, schema in schemas]
    return any(isinstance(text, str) and speaks_of_nothing(text) for text in descriptions)


def speaks_of_nothing(text: str) -> bool:
    """Say whether a text speaks of what is empty, in any language, or quotes an empty text."""
    folded = fold(text[:LONGEST_TEXT])
    return '""' in folded or "''" in folded or any(
        phrases(language, "blank", "words").found_in(folded) for language in languages()
    )  # fmt: skip


def _is_spoken_of(call: CallView, record: RecordView) -> bool:
    """Say whether a request before the call speaks of what is empty, or a result before it holds an empty text."""
    for message in record.messages[: call.turn]:
        content = message.content
        if not isinstance(content, str) or message.role == "assistant":
            continue
        if '""' in content or (message.role != "tool" and speaks_of_nothing(content)):
            return True
    return False


def _is_required(tool: ToolView, path: Path) -> bool:
    """Say whether the schema asks for what stands at a place."""
    required = (schema.get("required") for _, schema in schemas_at(tool, path[:-1]))
    return any(isinstance(names, list) and path[-1] in names for names in required)


_SIGNS = ("“", "„", "«", "「", "‘", "”")
_QUOTED = re.compile(
    "\"[^\"]{1,4000}\"|[“„][^“”„]{1,4000}[“”]|«[^«»]{1,4000}»|「[^「」]{1,4000}」|(?<!\\w)['‘][^'‘’]{1,4000}['’](?!\\w)"
)
_FEWEST_WORDS = 3
_FEWEST_SAID, _FEWEST_OF_END = 2, 3
"""Words of a part that show whence it is: fewer may be said by chance."""


class _Quote(NamedTuple):
    """A text that a user dictates."""

    text: str
    spaced: str
    """Its words, each with a space before and after it."""
    size: int


def cut_texts(record: RecordView) -> Iterator[Finding]:
    """Yield the arguments that are but a part of what the user dictates."""
    if not _may_be_cut(record):
        return
    for turn in record.turns_of_calls:
        quotes = _quotes_before(record, turn.index)
        left = [quote for quote in quotes if not _is_taken(quote, record)]
        for call in turn.calls if left else ():
            if not is_harmless(call.name):
                yield from _cut(call, left, quotes, turn.calls)


def _may_quote(text: str) -> bool:
    """Say, after a first look, whether a text has quotation marks."""
    if '"' in text or " '" in text or text.startswith("'"):
        return True
    return not text.isascii() and any(map(text.__contains__, _SIGNS))


def _may_be_cut(record: RecordView) -> bool:
    """Say, after a first look, whether any call is not given all that stands in quotation marks."""
    given = ""
    for message in record.messages:
        text = message.content
        if message.role == "user" and isinstance(text, str) and _may_quote(text):
            given = given or "\n".join([call.text for call in record.calls])
            for match in _QUOTED.finditer(text):
                if " " in match[0] and match[0][1:-1].rstrip(" .,!?") not in given:
                    return True
    return False


def _cut(call: CallView, left: list[_Quote], quotes: list[_Quote], calls: tuple[CallView, ...]) -> Iterator[Finding]:
    for leaf in leaves_of(call):
        quote = next((each for each in left if _is_part(leaf, each)), None)
        if quote is not None and not _goes_on_elsewhere(leaf, quote, quotes, calls):
            message = f"is but a part of what the user dictates: {brief(quote.text)}"
            yield Finding(call.arguments_pointer + pointer(leaf.path), message, "warning")


def _quotes_before(record: RecordView, turn: int) -> list[_Quote]:
    """Return what users dictate before a turn, in their last two messages."""
    said = [each.content for each in record.messages[:turn] if each.role == "user"]
    found = []
    for at, text in enumerate(said[-_LATEST:], max(0, len(said) - _LATEST)):
        if isinstance(text, str) and len(text) < LONGEST_TEXT and _may_quote(text):
            for quote in _dictated(text, answers=at > 0):
                words = tokens_of(fold(quote))
                if len(words) >= _FEWEST_WORDS:
                    found.append(_Quote(quote, f" {' '.join(words)} ", len(words)))
    return found


def _dictated(text: str, *, answers: bool) -> list[str]:
    """Return what a message dictates: its quotations, or all of one that may answer a question by a text alone."""
    whole = _QUOTED.fullmatch(text.strip()) if answers else None
    return [whole[0][1:-1]] if whole else [each.text for each in literals_of(text) if each.sort == "quote"]


_LATEST = 2


def _is_taken(quote: _Quote, record: RecordView) -> bool:
    """Say whether any call is given all of a text."""
    return any(
        quote.spaced in _spaced(leaf.value)
        for call in record.calls
        for leaf in leaves_of(call)
        if isinstance(leaf.value, str) and len(leaf.value) >= quote.size
    )


def _spaced(text: str) -> str:
    return f" {' '.join(tokens_of(fold(text)))} "


def _is_part(leaf: Leaf, quote: _Quote) -> bool:
    """Say whether a value is the beginning or the end of a text, and not all of it."""
    if not isinstance(leaf.value, str) or leaf.is_key:
        return False
    own = _spaced(leaf.value)
    size = own.count(" ") - 1
    if size >= quote.size:
        return False
    begins = size >= _FEWEST_SAID and quote.spaced.startswith(own)
    return begins or (size >= _FEWEST_OF_END and quote.spaced.endswith(own))


def _goes_on_elsewhere(leaf: Leaf, quote: _Quote, quotes: list[_Quote], calls: tuple[CallView, ...]) -> bool:
    """Say whether another argument of the turn holds the rest of a text, and is no other text."""
    own = _spaced(str(leaf.value))
    rest = quote.spaced.removeprefix(own) if quote.spaced.startswith(own) else quote.spaced.removesuffix(own)
    others = frozenset(each.spaced for each in quotes)
    held = (
        _spaced(each.value)
        for call in calls
        for each in leaves_of(call)
        if each.path != leaf.path and isinstance(each.value, str)
    )
    return any(rest.strip() in each for each in held if each not in others)


_MOST_THINGS = 50
_NAME = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{1,40}(?:\s[^\W\d_a-zß-öø-ÿ][\w'’-]{1,40}){0,3}"
_WORDS = r"[^\W\d_][\w'’-]{0,40}(?:\s[^\W\d_][\w'’-]{0,40}){0,2}"
_FIRST = {True: re.compile(_NAME), False: re.compile(_WORDS)}
_LAST = {True: re.compile(_NAME + "$"), False: re.compile(_WORDS + "$")}
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?")
_NEAR = 90


class _Missed(NamedTuple):
    """What a list misses, and how sure that is."""

    text: str
    at_most: Severity


def shortened_lists(record: RecordView) -> Iterator[Finding]:
    """Yield the lists of calls that miss something which the request lists with what they hold."""
    for call in record.calls:
        for name, value in (call.arguments or {}).items():
            if type(value) is list and 0 < len(value) < _MOST_THINGS:
                missed = _missed(name, value, call, record)
                if missed is not None:
                    where = call.arguments_pointer + pointer((name,))
                    why = f"misses {brief(missed.text)}, which the request lists with what it holds"
                    yield Finding(where, why, missed.at_most)


def _is_told_elsewhere(word: str, record: RecordView) -> bool:
    """Say whether a result, an answer or another call speaks of a word."""
    texts = [each.content for each in record.messages if each.role in ("tool", "assistant")]
    held = fold("\n".join([*(text for text in texts if isinstance(text, str)), *(call.text for call in record.calls)]))
    return find_literal(held, fold(word)) >= 0


def _telling(text: str) -> list[str]:
    """Return the words of a text that are no small ones."""
    return [word for word in tokens_of(fold(text)) if len(word) > 1 and word not in STOPWORDS]


def _missed(name: str, value: list[JsonValue], call: CallView, record: RecordView) -> _Missed | None:
    """Return what a list misses."""
    said = _request_with(value, call, record)
    if not said or len(said) > LONGEST_TEXT:
        return None
    if all(type(each) in (int, float) for each in value):
        number = _missed_number(value, said, record)
        return _Missed(number, "warning") if number else None
    things = [each for each in value if isinstance(each, str) and each]
    return _missed_thing(name, things, said, call, record) if len(things) == len(value) else None


def _request_with(value: list[JsonValue], call: CallView, record: RecordView) -> str:
    """Return the last request before a call that names any thing of a list; an empty text where none does."""
    asked = [each.content for each in record.messages[: call.turn] if each.role == "user"]
    return next((text for text in reversed(asked) if isinstance(text, str) and _says_any(value, text)), "")


def _missed_thing(name: str, things: list[str], said: str, call: CallView, record: RecordView) -> _Missed | None:
    """Return the first thing that a request lists beside those of a list and that no call is given."""
    reading = read_denials(said)
    if not reading.raw or not reading.language or not reading.is_plain:
        return None
    given = _given(name, things, call, record)
    for text, word in _besides(things, reading):
        if given.isdisjoint(_telling(text)) and _may_be_one(text, word, reading):
            is_spoken_of = _is_told_elsewhere(word, record)
            if is_spoken_of or word[0].isupper():
                return _Missed(text, "warning" if is_spoken_of else "note")
    return None


def _given(name: str, things: list[str], call: CallView, record: RecordView) -> frozenset[str]:
    """Return the words of what calls are given, those of longer lists of the same things left out."""
    held: list[str] = []
    for other in record.calls:
        for key, value in (other.arguments or {}).items():
            is_longer = (
                key == name and other is not call and isinstance(value, list) and all(e in value for e in things)
            )
            held += [] if is_longer else [str(value)]
    return frozenset(tokens_of(fold("\n".join(held).replace("_", " "))))


def _may_be_one(text: str, word: str, reading: DenialReading) -> bool:
    """Say whether words may be a thing of a list, by that which is next to the list: no day, small word or unit."""
    telling = _telling(text)
    is_long = len(word) >= _SHORTEST and word.casefold() not in STOPWORDS
    return (
        is_long
        and bool(telling)
        and days.CALENDAR_WORDS.isdisjoint(telling)
        and not _stands_behind_number(text, reading)
    )


_SHORTEST = 3


def _stands_behind_number(text: str, reading: DenialReading) -> bool:
    """Say whether a number stands before words, of which they are the unit: "30 minutes"."""
    before = reading.raw[: max(0, reading.raw.find(text))].rstrip(" -")
    return before[-1:].isdigit()


def _says_any(value: list[JsonValue], text: str) -> bool:
    folded = fold(text[:LONGEST_TEXT])
    return any(find_literal(folded, fold(str(each))) >= 0 for each in value)


def _missed_number(value: list[JsonValue], said: str, record: RecordView) -> str:
    """Return the one number that a request lists beside those of a list; "" where there is none, or it is given."""
    own = Counter(map(float, value))
    reading = read_denials(said)
    for match in _joint(reading.language).numbers.finditer(said) if reading.language else ():
        listed = Counter(map(float, _NUMBER.findall(match[0])))
        rest = listed - own
        if len(value) > 1 and own <= listed and rest.total() == 1:
            number = f"{next(iter(rest)):g}"
            return "" if _is_given(number, record) else number
    return ""


def _is_given(number: str, record: RecordView) -> bool:
    """Say whether a call is given a number that stands in no list."""
    values = (value for call in record.calls for value in (call.arguments or {}).values())
    return any(str(value) == number for value in values if not isinstance(value, list))


def _besides(things: list[str], reading: DenialReading) -> Iterator[tuple[str, str]]:
    """Yield what a request joins with any of the things of a list, and its word that is next to it."""
    joint = _joint(reading.language)
    for thing in things:
        at = find_literal(reading.text, fold(thing))
        end = at + len(fold(thing))
        if len(thing) < _SHORTEST or not _PLAIN.fullmatch(thing) or at < 0 or "\x00" in reading.masked[at:end]:
            continue
        is_name = reading.raw[at].isupper()
        after, before = reading.raw[end : end + _NEAR], reading.raw[max(0, at - _NEAR) : at]
        found = joint.after(after, is_name=is_name)
        if found is not None:
            yield found[0], found[0].split()[0]
        found = joint.before(before, is_name=is_name, goes_on=joint.goes_on.match(after) is not None)
        if found is not None:
            yield found[0], found[0].split()[-1]


_PLAIN = re.compile(r"[\w\s'’-]{1,80}")


class _Joint(NamedTuple):
    """How a language joins the things of a list."""

    first: re.Pattern[str]
    last: re.Pattern[str]
    goes_on: re.Pattern[str]
    """Finds further things up to the word before the last."""
    numbers: re.Pattern[str]
    """Finds three numbers or more."""

    def after(self, text: str, *, is_name: bool) -> re.Match[str] | None:
        """Find what a text joins at its beginning; what a mere comma joins only where more is joined with it."""
        joint = self.first.match(text)
        if joint is None or (joint[0] == ", " and self.goes_on.match(text[2:]) is None):
            return None
        return _FIRST[is_name].match(text, joint.end())

    def before(self, text: str, *, is_name: bool, goes_on: bool) -> re.Match[str] | None:
        """Find what a text joins at its end; what a mere comma joins only where the list goes on behind it."""
        joint = self.last.search(text)
        if joint is None or (joint[0] == ", " and not goes_on):
            return None
        return _LAST[is_name].search(text[: joint.start()])


@cache
def _joint(language: str) -> _Joint:
    words = "|".join(sorted((re.escape(word) for word in cues_of(language).joining), key=len, reverse=True))
    last = rf"(?:,?\s(?:{words})\s|\s&\s)"
    either = rf"(?:{last}|,\s)"
    numbers = rf"{_NUMBER.pattern}(?:(?:{last}|,\s?){_NUMBER.pattern}){{2,200}}"
    goes_on = rf"[^.;:!?\n]{{0,60}}?{last}"
    return _Joint(re.compile(either), re.compile(rf"{either}$"), re.compile(goes_on), re.compile(numbers))
