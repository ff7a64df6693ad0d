"""Answers: whether each number, date and name that an answer tells occurs in the results or the request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from generator.jsontext import JsonValue
from generator.validation.grounding import clocks, days
from generator.validation.grounding.lazily import lazily
from generator.validation.grounding.moments import ground_clock, ground_day
from generator.validation.grounding.names import find_name, other_names
from generator.validation.grounding.not_names import NOT_NAMES
from generator.validation.grounding.numbers import ground_number
from generator.validation.grounding.sources import Said, Source
from generator.validation.grounding.words import LONGEST_TEXT, find_literal, find_number, fold, stem, tokens_of
from generator.validation.tool_view import ToolView
from generator.validation.view import MessageView, RecordView, ResultView

_FREE_KINDS = frozenset({"chitchat", "no_tools"})
"""Kinds whose answers come from what everybody knows, with no result to come from."""


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

    @lazily
    def evidence(self) -> str:
        """All that users, system and results said before, and what was called with which arguments; folded."""
        return fold(self.evidence_as_said)

    @lazily
    def evidence_as_said(self) -> str:
        """The evidence in its own case."""
        return "\n".join(
            [
                message.content if isinstance(message.content, str) and message.role != "assistant" else
                "\n".join([call.text for call in message.calls])
                for message in self.before
            ]
        )  # fmt: skip

    @lazily
    def said(self) -> Said:
        """The evidence as one source, read beyond the letter."""
        system = [Source(0, each.content, "system") for each in self.before[:1] if isinstance(each.content, str)]
        said = Source(0, self.evidence_as_said)
        return Said((said, *(system if self.before and self.before[0].role == "system" else ())), self.day)

    @lazily
    def days(self) -> list[re.Match[str]]:
        """The dates it tells."""
        folded = self.folded
        if not _ISO_HINT.search(folded) and not any(letters in folded for letters in days.MONTH_LETTERS):
            return []
        return list(_DAY.finditer(self.text))

    @lazily
    def clocks(self) -> list[re.Match[str]]:
        """The times of day it tells."""
        folded = self.folded
        return list(_CLOCK.finditer(self.text)) if ":" in folded or _HALF_DAY.search(folded) else []

    @lazily
    def lengths(self) -> list[re.Match[str]]:
        """The lengths of time it tells in hours and minutes that the evidence holds in minutes."""
        found: list[re.Match[str]] = []
        at = 0
        while match := _LENGTH.search(self.text, at):
            is_held = 60.0 * int(match[1]) + int(match[2]) in self.numbers
            found += [match] * is_held
            at = match.end() if is_held else match.end(1)  # "1 stop, 12 hours 5 minutes"
        return found

    @lazily
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

    @lazily
    def numbers(self) -> frozenset[float]:
        """The numbers that the evidence writes in digits, without their signs."""
        return frozenset(map(float, _FIGURE.findall(self.evidence)[:2000]))

    @lazily
    def tools_text(self) -> str:
        """What the definitions of the shown tools say, folded."""
        return " ".join([_tool_text(tool) for tool in self.tools[:64]])


@lru_cache(maxsize=4096)
def _tool_text(tool: ToolView) -> str:
    return fold(str(tool.function)[:4000])


def answers_of(record: RecordView) -> Iterator[Answer]:
    """Yield the texts that end a turn with results, the last message of a record, and what is asked before the calls.

    A question of ours is read as an answer is: who asks "shall I cancel the $30 to Anna?" must have it from somewhere.
    """
    results_at = {result.message.index: result for result in record.results}
    results: list[ResultView] = []
    last = len(record.messages) - 1
    for message in record.messages:
        if message.role == "user":
            results = []
        elif message.role == "tool" and message.index in results_at:
            results.append(results_at[message.index])
        elif message.role == "assistant" and not message.calls and isinstance(message.content, str):
            if results or (_must_be_grounded(record) and (message.index == last or not _names_readings(record))):
                before = record.messages[: message.index]
                yield Answer(message, before, results, record.tools, record.metadata.get("reference_date"))
            results = []


def _must_be_grounded(record: RecordView) -> bool:
    kind = record.metadata.get("kind")
    return record.generated and not (isinstance(kind, str) and kind in _FREE_KINDS)


def _names_readings(record: RecordView) -> bool:
    """Say whether a question names what its words could mean, as everybody knows it: Portland in Oregon or Maine."""
    return record.metadata.get("kind") == "ambiguous"


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
_RANGE = re.compile(r"\s*(?:to|and|until|till|or|[-–—])\s*\d{1,2}(?::\d\d)?\s*[ap]\.?m\b", re.IGNORECASE)
"""What follows a time whose half of the day is that of the time after it."""
_DIGIT = re.compile(r"\d")
_ISO_HINT = re.compile(r"\d-\d")
_HALF_DAY = re.compile(r"\d ?[ap]\.?m")
_SCALE = re.compile(r"(?<=\d) (?:out of|/) (?:5|10|100)\b(?!\.\d)")
"""The scale of a rating, which is its unit."""
_ITEM = re.compile(r"(?m)^\s*\d{1,3}[.)]\s")
_PLAIN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SHORTEST_OF_ID = 7
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2}|\d{4,})(?![\d,])")
_LARGE = re.compile(r"(?<![\d,.])\d{1,3}(?:\.\d{3}){2,}(?![\d,])")
_POINTS_GROUP = re.compile(r"\d{1,3}(?:\.\d{3})+")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?|-?\.\d+")


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
        values = list(days.read_day(match["iso"]))
        return any(ground_day(value, answer.said) for value in values)
    month = days.month_number(match["m1"] or match["m2"])
    day, year = int(match["d1"] or match["d2"]), match["y1"] or match["y2"]
    if (f"{year}-{month:02}-{day:02}" if year else f"-{month:02}-{day:02}") in answer.evidence:
        return True
    if year:
        return any(ground_day(value, answer.said) for value in days.read_day(f"{year}-{month:02}-{day:02}"))
    said = answer.said
    return any((each.month, each.day) == (month, day) for each in said.sources[0].days) or any(
        (each.month, each.day) == (month, day) for each in said.relative_days
    )


def _holds_clock(match: re.Match[str], answer: Answer) -> bool:
    hour, minute = int(match[1] or match[4]), int(match[2] or 0)
    half = (match[3] or match[5] or "").lower()
    if fold(match[0]) in answer.evidence or hour > 24 or minute > 59:
        return True
    if half:
        readings = [clocks.of_half(hour, half)]
    else:  # "from 2:30 to 3:30 PM": the half of the day stands behind both
        readings = [hour, (hour + 12) % 24] if _RANGE.match(match.string, match.end()) else [hour]
    return any(_holds_time(of_day, minute, answer) for of_day in readings)


def _holds_time(of_day: int, minute: int, answer: Answer) -> bool:
    if f"{of_day:02}:{minute:02}" in answer.evidence or f"t{of_day:02}{minute:02}" in answer.evidence:
        return True
    return ground_clock((of_day * 60 + minute) % clocks.DAY, answer.said) is not None


def ungrounded_numbers(answer: Answer) -> Iterator[str]:
    """Yield the numbers and ids of an answer that neither the results nor the request hold."""
    if not _DIGIT.search(answer.text):
        return
    for written in answer.chunks:
        chunk = fold(written).strip(".,;:!?'`$€£¥₹~#%/_-")
        if _PLAIN.fullmatch(chunk) or not (find_literal(answer.evidence, chunk) >= 0 or _begins_id(chunk, answer)):
            chunk = _LARGE.sub(lambda match: match[0].replace(".", ""), _DECIMAL_COMMA.sub(_with_point, chunk))
            yield from (number for number in _NUMBER.findall(chunk) if not _holds_number(number.lstrip("-"), answer))


def _begins_id(chunk: str, answer: Answer) -> bool:
    """Say whether a text is the beginning of a long id, as people quote commits: seven characters or more."""
    return len(chunk) >= _SHORTEST_OF_ID and chunk.isalnum() and f'"{chunk}' in answer.evidence


def _with_point(match: re.Match[str]) -> str:
    """Write "1.234,5", as half the world does, as 1234.5."""
    return f"{match[1].replace('.', '')}.{match[2]}"


def _holds_number(written: str, answer: Answer) -> bool:
    plain = written.replace(",", "")
    if find_number(answer.evidence, plain) >= 0 or find_number(answer.evidence, written) >= 0:
        return True
    if _POINTS_GROUP.fullmatch(plain) and find_number(answer.evidence, plain.replace(".", "")) >= 0:
        return True  # "4.440", as half the world groups 4440
    value = float(plain)
    near = 0.5000001 * 10 ** -len(plain.partition(".")[2])
    if any(abs(number - value) <= near or abs(100 * number - value) <= near for number in answer.numbers):
        return True
    if value in answer_counts(answer) or (not answer.results and find_number(answer.tools_text, plain) >= 0):
        return True
    whole = int(value) if value.is_integer() and abs(value) < 1e15 else value
    return ground_number(whole, answer.said) is not None or ground_number(-whole, answer.said) is not None


def answer_counts(answer: Answer) -> frozenset[float]:
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


_CAPITALISED = re.compile(r"(?<=[^\s.!?:\"“”‘'*•–—|\\-] )[^\W\d_a-z]\w*(?:['’&-]\w+)*")
"""A capitalised word within a sentence: not at its beginning, nor at that of a quotation or of an item."""


def ungrounded_names(answer: Answer) -> Iterator[str]:
    """Yield the capitalised words within sentences that neither the record nor the tools' definitions hold."""
    for match in _CAPITALISED.finditer(answer.text):
        written = _cased(match[0])
        name = fold(written)
        if not name or any(each.isdigit() for each in name):  # an id, which is looked for among the numbers
            continue
        if name in NOT_NAMES or name in answer.evidence or _is_known(written, name, answer):
            continue
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
    if {plain, plain.removesuffix("s")} & days.CALENDAR_WORDS:
        return True
    if plain in answer.evidence or plain in answer.tools_text or plain in NOT_NAMES:
        return True
    words, source = answer.said.sources[0].words, answer.said.sources[0]
    tokens = [token for token in tokens_of(plain) if token not in NOT_NAMES]
    if all(token in words.tokens_set or stem(token) in words.stems for token in tokens):
        return True
    return any(find_name(each, source.raw, source.folded) for each in other_names(written))


def readable(answer: Answer) -> bool:
    """Say whether an answer is short enough to be read whole."""
    return len(answer.text) <= LONGEST_TEXT
