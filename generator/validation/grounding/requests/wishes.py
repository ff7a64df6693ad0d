"""Wishes: what the user said before calls, where it says the values of the calls, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import Grounded, Path
from generator.validation.grounding.arguments.evidence import is_code, named_evidence
from generator.validation.grounding.arguments.grounded import grounded_arguments
from generator.validation.grounding.arguments.sources import SCHEMA, Grounding, forms_of
from generator.validation.grounding.reading.denials import DenialReading, read_denials
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.role_words import WORD, language_by_roles, words_in
from generator.validation.grounding.reading.words import Literal, Span, find_literal, find_number, fold, stem, tokens_of
from generator.validation.view import CallView, MessageView, RecordView, ResultView, cached_attribute


class Mention(NamedTuple):
    """A value of a call with the last place at which the user says it."""

    grounded: Grounded
    message: int
    start: int
    end: int
    is_repeated: bool
    """Whether it is said before that as well."""


class Wish(NamedTuple):
    """What the user said since the last calls, and the calls that follow it."""

    readings: dict[int, DenialReading]
    """By the index of the message, the last one last."""
    calls: list[CallView]
    asked: str
    """What the assistant asked before the last of the messages; "" where it asked nothing."""

    @property
    def latest(self) -> int:
        """The index of the message that the calls follow."""
        return next(reversed(self.readings))

    @property
    def last(self) -> DenialReading:
        """The message that the calls follow."""
        return self.readings[self.latest]


def wishes_of(record: RecordView) -> Iterator[Wish]:
    """Yield what the user said, message by message until something was called, with what was called then."""
    said: list[MessageView] = []
    calls: list[CallView] = []
    asked = answered = ""
    for message in record.messages:
        if message.role != "user":
            calls += message.calls
            answered = message.content if message.speaks and message.role == "assistant" else ""
            continue
        if calls:
            yield Wish(_readings(said), calls, asked)
            said, calls = [], []
        if isinstance(message.content, str):
            said.append(message)
            asked = answered if "?" in answered or "？" in answered else ""
    if calls:
        yield Wish(_readings(said), calls, asked)


def _readings(said: list[MessageView]) -> dict[int, DenialReading]:
    return {each.index: read_denials(each.content) for each in said}


def values_said(call: CallView, record: RecordView, wish: Wish) -> Iterator[Mention]:
    """Yield the values of a call that the user says, each where it is said last."""
    said = {f"/messages/{index}/content": (index, reading) for index, reading in wish.readings.items()}
    for each in grounded_arguments(record):
        grounding = grounding_in_words(each)
        if each.call is not call or each.leaf.is_key or grounding is None:
            continue
        where = said.get(grounding.where)
        value = each.leaf.value
        if where is None or not isinstance(value, str | int | float) or isinstance(value, bool):
            continue
        index, reading = where
        words = fold(grounding.text)
        places = _places(reading.text, words)
        if places:
            yield Mention(each, index, places[-1], places[-1] + len(words), len(places) > 1)


def grounding_in_words(each: Grounded) -> Grounding | None:
    """Return which words a value comes from; None where it comes from its schema or from nowhere."""
    return None if each.grounding is None or each.grounding.level == SCHEMA else each.grounding


def _places(text: str, words: str) -> list[int]:
    """Return where a folded value stands in a folded text as words of its own, or the first of its words."""
    found = _whole_places(text, words)
    if found:
        return found
    tokens = tokens_of(words)
    return _whole_places(text, tokens[0]) if len(tokens) > 1 else []


def _whole_places(text: str, words: str) -> list[int]:
    find = find_number if words.replace(".", "", 1).isdigit() else find_literal
    return [start for start, _ in _all_places(text, words, find)]


def _all_places(text: str, wanted: str, find: Callable[[str, str], int], most: float = inf) -> list[Span]:
    """Return the places of a text one after another; `find` is how texts or numbers are looked for."""
    found: list[Span] = []
    start = 0
    while wanted and len(found) < most and (at := find(text[start:], wanted)) >= 0:
        found.append((start + at, start + at + len(wanted)))
        start += at + len(wanted)
    return found


def results_by_call(record: RecordView) -> dict[str, ResultView]:
    """Return the results of a record by the pointers of the calls that they answer."""
    return {each.call.pointer: each for each in record.results if each.call is not None}


class Uptake:
    """All that became of a request: what was called, what came back, what was answered."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self._squeezed = ""
        self._tokens: frozenset[str] = frozenset()
        self._numbers: frozenset[float] | None = None

    @cached_attribute
    def _folded(self) -> str:
        return fold("\n".join(self._texts))

    def holds(self, literal: Literal) -> bool:
        """Say whether a literal is taken up, as it stands or in another form of it."""
        words = fold(literal.text).strip()
        if find_literal(self._folded, words) >= 0:
            return True
        if literal.sort == "number":
            return self._holds_number(words.replace(",", ""))
        self._squeezed = self._squeezed or "".join(tokens_of(self._folded))
        squeezed = "".join(tokens_of(words))
        least = _ENOUGH.get(literal.sort)
        return squeezed in self._squeezed or (least is not None and self._holds_words(words, least))

    def _holds_words(self, words: str, least: float) -> bool:
        self._tokens = self._tokens or frozenset(tokens_of(self._folded))
        tokens = tokens_of(words)
        return sum(token in self._tokens for token in tokens) >= least * len(tokens)

    def _holds_number(self, digits: str) -> bool:
        if find_number(self._folded, digits) >= 0:
            return True
        if self._numbers is None:
            self._numbers = frozenset(each.value for each in quantities_of(self._folded))
        value = float(digits)
        return (
            any(abs(value * scale - number) <= 1e-6 * abs(number) for number in self._numbers for scale in _SCALES)
            or round(value) in self._numbers
        )


_ENOUGH: dict[str, float] = {"quote": 0.75, "name": 0.5}
"""The share of the words of a quote or a name that stands for all of it."""
_SCALES = (1.0, 100.0, 0.01, 1000.0, 0.001, 1e6, 60.0, 12.0)
"""How a number is written elsewhere: as a share, in thousands, in minutes."""


_MOST_PLACES = 32
"""Places of one value in one text; who says it more often says nothing about its role."""


class Request:
    """What the user said before a call, in one message."""

    def __init__(self, index: int, raw: str) -> None:
        self.index = index
        self.raw = raw

    @property
    def where(self) -> str:
        """JSON pointer of the text."""
        return f"/messages/{self.index}/content"

    @cached_attribute
    def folded(self) -> str:
        """The text folded."""
        return fold(self.raw)

    @cached_attribute
    def language(self) -> str:
        """The language by whose table it is read."""
        return language_by_roles(self.folded)

    @cached_attribute
    def words(self) -> list[tuple[str, Span]]:
        """Its words without their endings, with where they stand."""
        return [(stem(match[0]), match.span()) for match in WORD.finditer(self.folded)]


def requests_before(record: RecordView, turn: int) -> list[Request]:
    """Return what the user said before a turn, the last first."""
    return [
        Request(message.index, message.content)
        for message in reversed(record.messages[:turn])
        if message.role == "user" and isinstance(message.content, str)
    ]


def mentions_of(record: RecordView, call: CallView, path: Path, value: JsonValue, request: Request) -> list[Span]:
    """Return where a text says a value: to the letter, or in the words that it was found to come from."""
    found = literal_mentions(value, request)
    if found:
        return found if len(found) < _MOST_PLACES else []
    words = _other_words(record, call, path, value, request)
    return (literal_mentions(words, request) or _loosely(words, request)) if words else []


def literal_mentions(value: JsonValue, request: Request) -> list[Span]:
    """Return where a text says a value to the letter."""
    if isinstance(value, str):
        return _all_places(request.folded, fold(value).strip(), find_literal, _MOST_PLACES)
    if isinstance(value, int | float):
        forms = dict.fromkeys(forms_of(value))
        found = [span for written in forms for span in _all_places(request.folded, written, find_number, _MOST_PLACES)]
        bare = [span for span in found if not _is_of_another(request.folded, span)] if len(found) > 1 else []
        return bare or found
    return []


def _is_of_another(text: str, span: Span) -> bool:
    """Say whether a number is a share or an exponent: another one, where it stands elsewhere as well."""
    return text[span[1] : span[1] + 1] == "%" or text[max(0, span[0] - 1) : span[0]] == "^"


def _loosely(words: str, request: Request) -> list[Span]:
    """Return where a text has words up to their endings, or else the first of them: names are said in short."""
    wanted = [stem(word) for word in words_in(fold(words)) if word not in ",;"]
    fewest = 1 if words[:1].isdigit() else (len(wanted) + 1) // 2
    for length in range(len(wanted), fewest - 1, -1):
        if found := _sequences(wanted[:length], request.words):
            return found if len(found) < _MOST_PLACES else []
    return []


def _sequences(wanted: list[str], words: list[tuple[str, Span]]) -> list[Span]:
    size = len(wanted)
    return [
        (words[at][1][0], words[at + size - 1][1][1])
        for at in range(len(words) - size + 1)
        if words[at][0] == wanted[0] and [word for word, _ in words[at : at + size]] == wanted
    ]


def _other_words(record: RecordView, call: CallView, path: Path, value: JsonValue, request: Request) -> str:
    """Return the words of this text that stand for a value: by its grounding, by the author of the call, by its row."""
    if not is_code(value):
        for each in grounded_arguments(record):
            found = grounding_in_words(each) if each.call is call and each.leaf.path == path else None
            if found is not None and found.where == request.where:
                return str(found.text)
    named = named_evidence(call, record)
    words = named.get(str(path[0]), named.get(pointer(path))) if named else None
    return words if isinstance(words, str) else _name_of(record, call, value, request)


def _name_of(record: RecordView, call: CallView, value: JsonValue, request: Request) -> str:
    """Return a name that the text says of the thing whose id is the value, by the results before the call."""
    if not is_code(value):
        return ""
    for result in record.results:
        if result.message.index < call.turn:
            for row in _rows_with(result.value, value):
                for other in row.values():
                    if (
                        other != value
                        and isinstance(other, str)
                        and find_literal(request.folded, fold(other).strip()) > 0
                    ):
                        return other
    return ""


def _rows_with(root: JsonValue, value: JsonValue) -> Iterator[JsonObject]:
    """Yield the objects of a result that hold a value."""
    waiting = [root]
    for part in waiting:
        if isinstance(part, dict):
            if value in part.values():
                yield part
            waiting.extend(inner for inner in part.values() if isinstance(inner, dict | list))
        elif isinstance(part, list):
            waiting.extend(inner for inner in part if isinstance(inner, dict | list))
