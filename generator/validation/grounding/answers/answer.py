"""An answer: a text of the assistant after results, its language, and what its words are compared with."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue
from generator.kinds import KINDS, Kind
from generator.validation.grounding.answers.stated_numbers import (
    StatedNumber,
    mentioned_currencies,
    stated_numbers,
    surely_mentions,
)
from generator.validation.grounding.arguments.sources import Said, Source
from generator.validation.grounding.reading import days
from generator.validation.grounding.reading.languages import (
    UNKNOWN,
    entries,
    is_read,
    language_among,
    language_of,
    table,
    words_of,
)
from generator.validation.grounding.reading.words import LONGEST_TEXT, fold, stem, tokens_of
from generator.validation.grounding.result_numbers import (
    Contents,
    Fact,
    HeldNumber,
    ResultList,
    contents_of,
    facts_of,
    size_of,
    things_of,
)
from generator.validation.grounding.result_status import CallStatus, status_of
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.view import MessageView, RecordView, ResultView, cached_attribute


class Answer:
    """A text with which the assistant ends a user's turn, and what happened before it.

    Args:
        message: the message that holds the text.
        before: every earlier message of the record.
        results: the results of its own turn, in order.
        tools: the tools shown.
        day: the reference day as the metadata write it.
    """

    def __init__(
        self,
        message: MessageView,
        before: list[MessageView],
        results: list[ResultView],
        tools: list[ToolView],
        day: JsonValue,
    ) -> None:
        self.text: str = message.content
        self.pointer = f"/messages/{message.index}/content"
        self.before = before
        self.results = results
        self.tools = tools
        self.day = day
        self.folded = fold(self.text)
        self.has_verbatim_figures: bool | None = None
        """Whether a short look found all that it tells in figures; None until somebody asks."""

    @cached_attribute
    def language(self) -> str:
        """The language it is in; where it is too short to tell, that of users before it; "" for one not read here."""
        if language := language_of(self.folded):
            return language if is_read(language) else UNKNOWN
        spoken = (each.content for each in self.before if each.role == "user" and isinstance(each.content, str))
        return language_among(fold("\n".join(spoken)))

    @cached_attribute
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(map(stem, self.tokens))

    @cached_attribute
    def statuses(self) -> list[CallStatus | None]:
        """What each result of its turn says became of its call."""
        return [status_of(result) for result in self.results]

    @cached_attribute
    def contents(self) -> Contents:
        """What the results of its turn hold."""
        return contents_of(self.results)

    @property
    def lists(self) -> list[ResultList]:
        """The lists in the results of its turn."""
        return self.contents.lists

    @cached_attribute
    def facts(self) -> list[Fact]:
        """The numbers of the results of its turn."""
        return facts_of(self.contents.numbers)

    @cached_attribute
    def numbers_by_size(self) -> dict[float, list[HeldNumber]]:
        """The numbers of the results of its turn by their values, without their signs, as they stand there."""
        found: dict[float, list[HeldNumber]] = {}
        for held in self.contents.numbers:
            found.setdefault(size_of(held.value), []).append(held)
        return found

    @cached_attribute
    def numbers_by_name(self) -> dict[str, list[HeldNumber]]:
        """The numbers of the results of its turn by the names of their fields."""
        found: dict[str, list[HeldNumber]] = {}
        for held in self.contents.numbers:
            found.setdefault(held.name, []).append(held)
        return found

    @cached_attribute
    def turn(self) -> str:
        """What the user said last and what the results say, folded."""
        results = [result.message.content for result in self.results]
        return "\n".join([fold(self.asked), *[fold(each) if isinstance(each, str) else "" for each in results]])

    @cached_attribute
    def things(self) -> list[list[JsonObject]]:
        """What its results tell of one sort: the entries of a list, the results of one tool."""
        return things_of(self.results, self.lists)

    @cached_attribute
    def words(self) -> frozenset[str]:
        """Its words, with what stands behind their apostrophes."""
        return words_of(self.folded)

    @cached_attribute
    def beginnings(self) -> frozenset[str]:
        """The first four letters of each of its words."""
        return frozenset([token[:4] for token in self.tokens])

    @cached_attribute
    def tokens(self) -> list[str]:
        """Its words and numbers, folded."""
        return tokens_of(self.folded)

    @cached_attribute
    def currencies(self) -> frozenset[str]:
        """The currencies that are spoken of before it, in texts, results and the definitions of tools."""
        return mentioned_currencies(self.evidence) | self.currencies_of_tools

    @cached_attribute
    def currencies_of_tools(self) -> frozenset[str]:
        """The currencies that are spoken of in the definitions of tools."""
        return frozenset().union(*map(_tool_currencies, self.tools[:64]))

    def speaks_of(self, currencies: tuple[str, ...]) -> bool:
        """Say quickly whether definitions of tools, or what was said before, surely speak of one of some currencies."""
        found = self._spoken.get(currencies)
        if found is None:
            by_tools = not self.currencies_of_tools.isdisjoint(currencies)
            found = self._spoken[currencies] = by_tools or surely_mentions(currencies, self.evidence)
        return found

    @cached_attribute
    def _spoken(self) -> dict[tuple[str, ...], bool]:
        return {}

    @cached_attribute
    def stated_numbers(self) -> list[StatedNumber]:
        """The numbers that it tells, with their units and currencies; dates and times left out."""
        return stated_numbers(self.folded, self.language)

    @cached_attribute
    def without_moments(self) -> str:
        """The answer folded, its dates and times blotted out, whose numbers count nothing."""
        return _blotted(self.text, self.days, self.clocks)

    @cached_attribute
    def asked(self) -> str:
        """What the user said last."""
        for message in reversed(self.before):
            if message.role == "user" and isinstance(message.content, str):
                return message.content
        return ""

    @cached_attribute
    def heard(self) -> str:
        """All that users, system and results said before, in its own case."""
        return "\n".join(
            [each.content for each in self.before if each.role != "assistant" and isinstance(each.content, str)]
        )

    @cached_attribute
    def evidence(self) -> str:
        """All that users, system and results said before, and what was called with which arguments; folded."""
        return fold(self.evidence_as_said)

    @cached_attribute
    def evidence_as_said(self) -> str:
        """The evidence in its own case."""
        return "\n".join(
            [
                message.content if isinstance(message.content, str) and message.role != "assistant" else
                "\n".join([call.text for call in message.calls])
                for message in self.before
            ]
        )  # fmt: skip

    @cached_attribute
    def said(self) -> Said:
        """The evidence as one source, read beyond the letter."""
        system = [Source(0, each.content, "system") for each in self.before[:1] if isinstance(each.content, str)]
        said = Source(0, self.evidence_as_said)
        return Said((said, *(system if self.before and self.before[0].role == "system" else ())), self.day)

    @cached_attribute
    def days(self) -> list[re.Match[str]]:
        """The dates it tells."""
        return _days_in(self.text, self.folded)

    @cached_attribute
    def clocks(self) -> list[re.Match[str]]:
        """The times of day it tells."""
        return _clocks_in(self.text, self.folded)

    def tells_day(self, month: int, day: int) -> bool:
        """Say whether it tells the day of a month by the name of the month."""
        return next(self.places_of_day(month, day), None) is not None

    def places_of_day(self, month: int, day: int) -> Iterator[int]:
        """Yield where it tells the day of a month by the name of the month."""
        for each in self.days:
            if not each["iso"] and _day_of(each) == (month, day):
                yield each.start()

    def tells_clock(self, hour: int, minute: int) -> bool:
        """Say whether it tells a time of day, in either half of the day."""
        return next(self.places_of_clock(hour, minute), None) is not None

    def places_of_clock(self, hour: int, minute: int) -> Iterator[int]:
        """Yield where it tells a time of day, in either half of the day."""
        for each in self.clocks:
            if (int(each[1] or each[4]) % 12, int(each[2] or 0)) == (hour % 12, minute):
                yield each.start()

    @cached_attribute
    def lengths(self) -> list[re.Match[str]]:
        """The lengths of time it tells in hours and minutes that the evidence holds in minutes."""
        found: list[re.Match[str]] = []
        at = 0
        while match := _LENGTH.search(self.text, at):
            is_held = 60.0 * int(match[1]) + int(match[2]) in self.numbers
            found += [match] * is_held
            at = match.end() if is_held else match.end(1)  # "1 stop, 12 hours 5 minutes"
        return found

    @cached_attribute
    def chunks(self) -> list[str]:
        """What else it tells with digits in it: numbers, ids, ratings."""
        text = self.text
        for match in sorted((*self.days, *self.clocks, *self.lengths), key=lambda each: each.start(), reverse=True):
            text = f"{text[: match.start()]} {text[match.end() :]}"
        if "\n" in text or text[:1].isdigit():
            text = _ITEM.sub(" ", text)
        return [chunk for chunk in _BETWEEN.split(_SCALE.sub(" ", text)) if _DIGIT.search(chunk)]

    @property
    def figures(self) -> list[str]:
        """The numbers it writes in digits."""
        return _FIGURE.findall(self.folded.replace(",", ""))

    @cached_attribute
    def numbers(self) -> frozenset[float]:
        """The numbers that the evidence writes in digits, without their signs."""
        pattern = _ASCII_FIGURE if self.evidence.isascii() else _FIGURE
        return frozenset(map(float, pattern.findall(self.evidence)[:2000]))

    @cached_attribute
    def evidence_digits(self) -> str:
        """The digits of the evidence, those of each number together however it is grouped."""
        return _IN_GROUPS.sub("", self.evidence)

    @cached_attribute
    def tools_text(self) -> str:
        """What the definitions of the shown tools say, folded."""
        return " ".join([_tool_text(tool) for tool in self.tools[:64]])


def without_moments(text: str) -> str:
    """Return a line of a text folded, its dates and times blotted out."""
    folded = fold(text)
    return _blotted(text, _days_in(text, folded), list(_CLOCK.finditer(text)))


def _blotted(text: str, days: list[re.Match[str]], clocks: list[re.Match[str]]) -> str:
    for match in (*days, *clocks):
        text = f"{text[: match.start()]}{' ' * len(match[0])}{text[match.end() :]}"
    return fold(text)


def _days_in(text: str, folded: str) -> list[re.Match[str]]:
    return list(_DAY.finditer(text)) if _DAY_HINT.search(folded) else []


def _day_of(told: re.Match[str]) -> tuple[int, int]:
    """Return the month and the day that a date with the name of its month tells."""
    return days.month_number(told["m1"] or told["m2"]), int(told["d1"] or told["d2"])


def _clocks_in(text: str, folded: str) -> list[re.Match[str]]:
    return list(_CLOCK.finditer(text)) if ":" in folded or _HALF_DAY.search(folded) else []


@lru_cache(maxsize=4096)
def _tool_text(tool: ToolView) -> str:
    return fold(str(tool.function)[:4000])


@lru_cache(maxsize=4096)
def _tool_currencies(tool: ToolView) -> frozenset[str]:
    return mentioned_currencies(_tool_text(tool))


def answers(record: RecordView) -> list[Answer]:
    """Return the answers of a record, read once."""
    if record.answers is None:
        record.answers = list(_answers_of(record))
    return record.answers


def _answers_of(record: RecordView) -> Iterator[Answer]:
    """Yield the texts that end a turn with results, the last message of a record, and what is asked before the calls.

    A question of ours is read as an answer is: who asks "shall I cancel the $30 to Anna?" must have it from somewhere.
    """
    results_at = {result.message.index: result for result in record.results}
    results: list[ResultView] = []
    last = len(record.messages) - 1
    for message in record.messages:
        if message.role == "user":
            results = []
        elif message.index in results_at:
            results.append(results_at[message.index])
        elif _is_answer(message):
            if results or (_must_be_grounded(record) and (message.index == last or not _names_readings(record))):
                before = record.messages[: message.index]
                yield Answer(message, before, results, record.tools, record.metadata.get("reference_date"))
            results = []


def _is_answer(message: MessageView) -> bool:
    """Say whether a message is a text of the assistant that calls nothing."""
    return message.role == "assistant" and not message.calls and isinstance(message.content, str)


def _must_be_grounded(record: RecordView) -> bool:
    kind = _kind_of(record)
    return record.generated and not (kind is not None and kind.common_knowledge)


def _names_readings(record: RecordView) -> bool:
    """Say whether a question names what its words could mean, as everybody knows it: Portland in Oregon or Maine."""
    kind = _kind_of(record)
    return kind is not None and kind.names_readings


def _kind_of(record: RecordView) -> Kind | None:
    name = record.metadata.get("kind")
    return KINDS.get(name) if isinstance(name, str) else None


_MONTH = "|".join((*days.MONTHS, *days.MONTH_LETTERS))
_YEAR = r"(?:,? (?P<{}>\d{{4}}))?"
_DAY = re.compile(
    rf"\b(?:(?:(?P<m1>{_MONTH})\.? (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?![\d.:]\d|\d){_YEAR.format('y1')})"
    rf"|(?:(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m2>{_MONTH})\b\.?{_YEAR.format('y2')})"
    r"|(?P<iso>\d{4}-\d\d-\d\d))",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?(?:\s?([ap])\.?m\b\.?)?|\b(\d{1,2})\s?([ap])\.?m\b\.?", re.IGNORECASE)
_LENGTH = re.compile(r"(?<![\d.,:])(\d{1,2})\s?[^\W\d_]{1,8}\.?,?\s?(?:[^\W\d_]{1,4}\s)?([0-5]?\d)(?![\d.,:]*\d)")
"""Two numbers with a word for what each counts, in whatever language: "7 hours and 35 minutes", "7 h 35"."""
_BETWEEN = re.compile(r"[\s\"“”()\[\]{}<>*|]+")
_DIGIT = re.compile(r"\d")
_STARTS = "|".join(days.MONTH_LETTERS)
_DAY_HINT = re.compile(rf"(?:{_STARTS})[a-z]{{0,6}}\.? \d|\d(?:st|nd|rd|th)?(?: of)? (?:{_STARTS})|\d-\d")
"""What each date has in a folded text: a number beside the first letters of a month, or numbers with a dash."""
_HALF_DAY = re.compile(r"\d ?[ap]\.?m")
_SCALE = re.compile(r"(?<=\d) (?:out of|/) (?:5|10|100)\b(?!\.\d)")
"""The scale of a rating, which is its unit."""
_ITEM = re.compile(r"(?m)^\s*\d{1,3}[.)]\s")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_IN_GROUPS = re.compile(r"(?<=\d)[ ()./-]{1,2}(?=\d)")
"""What stands between the groups of a number's digits."""
_ASCII_FIGURE = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def is_readable(answer: Answer) -> bool:
    """Say whether an answer is short enough to be read whole."""
    return len(answer.text) <= LONGEST_TEXT


_QUOTED = re.compile(r"[\"“„«「][^\"”“»」]{1,2000}[\"”“»」]")
_FEWEST = 6
"""Words by which a language can be told."""


def wrong_languages(record: RecordView) -> Iterator[Finding]:
    """Yield the answers in another language than all that the user says."""
    spoken: set[str] | None = None
    for message in filter(_is_answer, record.messages):
        told = _language(message.text) if len(message.text) <= LONGEST_TEXT else UNKNOWN
        if told == UNKNOWN:
            continue
        spoken = {_language(each) for each in record.requests} - {UNKNOWN} if spoken is None else spoken
        if len(spoken) != 1 or told in spoken:
            continue
        if not _speaks_of_languages(record):
            other = next(iter(spoken))
            yield Finding(f"{message.pointer}/content", f"answers in {_name(told)} what was asked in {_name(other)}")


def _language(text: str) -> str:
    plain = fold(_QUOTED.sub(" ", text))
    enough = plain.count(" ") + 1 >= _FEWEST or not plain.isascii()
    return language_of(plain) if enough else UNKNOWN


def _name(language: str) -> str:
    return next(iter(entries(language, "words", "name")), language).capitalize()


def _speaks_of_languages(record: RecordView) -> bool:
    texts = [each.content for each in record.messages if each.role != "assistant" and isinstance(each.content, str)]
    said, tools = fold("\n".join(texts)), fold("\n".join([str(tool.function) for tool in record.tools]))
    speaks = any(name in said for name in entries("en", "tongues", "names"))
    return speaks or any(name in tools for name in entries("en", "tongues", "tools"))


_FEWEST_LETTERS = 24
"""Letters of a text that is long enough to tell its language."""


def unread_languages(record: RecordView) -> Iterator[tuple[str, str]]:
    """Yield the first answer in a language that is not read here, by its pointer, with the language's name."""
    for message in filter(_is_answer, record.messages):
        folded = fold(message.text)
        if _is_read_or_short(folded) or _is_read_or_short(_own_words(folded, record)):
            continue
        name = table(language_of(folded), "words").get("name", "") or _script_of(folded)
        if name:
            yield f"{message.pointer}/content", name
            return


def _is_read_or_short(folded: str) -> bool:
    """Say whether a text is in a language that is read here, or too short to tell its language."""
    return is_read(language_of(folded)) or sum(map(str.isalpha, folded[:400])) < _FEWEST_LETTERS


def _own_words(folded: str, record: RecordView) -> str:
    """Return the words of an answer that no result holds: names are of any language."""
    results = [each.message.content for each in record.results if isinstance(each.message.content, str)]
    held = frozenset(tokens_of(fold("\n".join(results)[:LONGEST_TEXT])))
    return " ".join([word for word in folded.split() if not held.issuperset(tokens_of(word)) or word.isnumeric()])


def _script_of(folded: str) -> str:
    """Return the name of the script that most letters are of, where it is not Latin; "" for Latin letters.

    What is in Latin letters and in no language that is known may as well be a list of names.
    """
    letters = [letter for letter in folded[:400] if letter.isalpha()]
    foreign = [letter for letter in letters if not letter.isascii() and "LATIN" not in unicodedata.name(letter, "")]
    if 2 * len(foreign) < len(letters):
        return ""
    return f"{unicodedata.name(foreign[0], 'unknown').partition(' ')[0].capitalize()} script"
