"""Mentions: where the words of a call's values stand in what the user said."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import Path
from generator.validation.grounding.arguments.evidence import is_code, named_evidence
from generator.validation.grounding.arguments.grounded import grounded_arguments
from generator.validation.grounding.arguments.sources import SCHEMA, forms_of
from generator.validation.grounding.reading.role_words import WORD, language_by_roles, words_in
from generator.validation.grounding.reading.words import Span, find_literal, find_number, fold, stem
from generator.validation.view import CallView, RecordView, cached_attribute

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
        return _all_places(request.folded, fold(value).strip(), find_literal)
    if isinstance(value, int | float):
        forms = dict.fromkeys(forms_of(value))
        found = [span for written in forms for span in _all_places(request.folded, written, find_number)]
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


def _all_places(text: str, wanted: str, find: Callable[[str, str], int]) -> list[Span]:
    """Return the places of a text one after another; `find` is how texts or numbers are looked for."""
    found: list[Span] = []
    start = 0
    while wanted and len(found) < _MOST_PLACES and (at := find(text[start:], wanted)) >= 0:
        found.append((start + at, start + at + len(wanted)))
        start += at + len(wanted)
    return found


def _other_words(record: RecordView, call: CallView, path: Path, value: JsonValue, request: Request) -> str:
    """Return the words of this text that stand for a value: by its grounding, by the author of the call, by its row."""
    if not is_code(value):
        for each in grounded_arguments(record):
            found = each.grounding if each.call is call and each.leaf.path == path else None
            if found is not None and found.level != SCHEMA and found.where == request.where:
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
