"""Text replies: what the assistant says in turns without calls, beside what the user said and what shown tools do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject
from generator.validation.grounding.caching import cached_attribute
from generator.validation.grounding.reading.languages import entries, language_among, words_of
from generator.validation.grounding.reading.words import LONGEST_TEXT, STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.tool_view import ToolView
from generator.validation.view import MessageView, RecordView


class TextReply:
    """A text of the assistant right after a user's, in a turn without calls."""

    def __init__(
        self, message: MessageView, asked: str, record: RecordView, has_called: bool, before: tuple[str, ...]
    ) -> None:
        self.message = message
        self.asked = asked
        """What the user said last, in its own case."""
        self.before = before
        """What the user said earlier, where nothing was called for it."""
        self.record = record
        self.has_called = has_called
        """Whether any earlier turn has calls."""

    @cached_attribute
    def folded(self) -> str:
        """What the assistant says."""
        return fold(self.message.content)

    @cached_attribute
    def words(self) -> frozenset[str]:
        """The words of the assistant."""
        return words_of(self.folded)

    @cached_attribute
    def asked_folded(self) -> str:
        """What the user said last, folded."""
        return fold(self.asked)

    @cached_attribute
    def said(self) -> str:
        """All that the user said for which nothing was called, in its own case."""
        return "\n".join((*self.before, self.asked))

    @cached_attribute
    def said_folded(self) -> str:
        """All that the user said for which nothing was called, folded."""
        return fold(self.said) if self.before else self.asked_folded

    @cached_attribute
    def language(self) -> str:
        """The language of the reply; "" for one that is not read here."""
        return language_among(self.folded, self.asked_folded)

    @cached_attribute
    def asked_stems(self) -> frozenset[str]:
        """The stems of the user's words."""
        return frozenset(map(stem, tokens_of(self.asked_folded)))

    @cached_attribute
    def nearest_tools(self) -> list[ToolView]:
        """The shown tools that have most of the user's words in their names and descriptions."""
        tools = self.record.tools[:_MOST_TOOLS]
        if len(tools) == 1:
            return tools
        shared = [len(self.shared_with(tool)) for tool in tools]
        return [tool for tool, count in zip(tools, shared, strict=True) if count == max(shared)]

    def shared_with(self, tool: ToolView) -> frozenset[str]:
        """Return the stems of the user's words that a tool's name and description have, and that tell a thing."""
        return (self.asked_stems & purpose_of(tool).described) - _hollow()

    def names(self, tool: ToolView) -> bool:
        """Say whether the user says a word of a tool's name."""
        deed = purpose_of(tool)
        return not self.asked_stems.isdisjoint(deed.things - _hollow()) or deed.verb in self.asked_stems

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return f"{self.message.pointer}/content"


def text_replies(record: RecordView) -> Iterator[TextReply]:
    """Yield what the assistant says right after a user in turns without calls."""
    last: MessageView | None = None
    has_called = False
    before: list[str] = []
    for message in record.messages:
        if message.calls:
            has_called = True
            before = []
        elif last is not None and last.role == "user" and message.role == "assistant" and isinstance(last.content, str):
            text = message.content
            if isinstance(text, str) and text and len(text) <= LONGEST_TEXT and len(last.content) <= LONGEST_TEXT:
                yield TextReply(message, last.content, record, has_called, tuple(before[-_MOST_BEFORE:]))
            before.append(last.content[:LONGEST_TEXT])
        last = message


def user_texts(record: RecordView) -> list[str]:
    """Return what the user says."""
    return [each.content for each in record.messages if each.role == "user" and isinstance(each.content, str)]


_MOST_TOOLS, _MOST_BEFORE = 128, 4


@cache
def _hollow() -> frozenset[str]:
    return frozenset(stem(token) for entry in entries("en", "declining", "hollow") for token in entry.split())


class ToolPurpose(NamedTuple):
    """What a tool does by its name: its verb, and what it does it to."""

    verb: str
    """The stem of its verb; "" where it only looks something up."""
    things: frozenset[str]
    """The stems of the other words of its name."""
    described: frozenset[str]
    """The stems of the words of its name, its description and its parameters."""


@lru_cache(maxsize=4096)
def purpose_of(tool: ToolView) -> ToolPurpose:
    """Read what a tool does by its name and its description."""
    tokens = [token for token in tokens_of_value(tool.name)[:8] if len(token) > 1 and token not in STOPWORDS]
    looking = frozenset(entries("en", "results", "looking"))
    looks = bool(tokens) and (tokens[0] in looking or tokens[-1] in looking)
    rest = [token for token in tokens if token not in looking]
    verb = "" if looks or len(rest) < _FEWEST else stem(rest.pop(0))
    return ToolPurpose(verb, frozenset(map(stem, rest)), _described(tool))


_FEWEST = 2
_LONGEST = 1000


def _described(tool: ToolView) -> frozenset[str]:
    told = tool.function.get("description")
    texts = [tool.name, told[:_LONGEST] if isinstance(told, str) else ""]
    for name, schema in properties_of(tool).items():
        texts.append(name)
        inner = schema.get("description") if isinstance(schema, dict) else None
        texts.append(inner[:_LONGEST] if isinstance(inner, str) else "")
        choices = schema.get("enum") if isinstance(schema, dict) else None
        texts += [str(each) for each in choices[:40]] if isinstance(choices, list) else []
    return frozenset(stem(token) for text in texts for token in tokens_of_value(text) if token not in STOPWORDS)


def properties_of(tool: ToolView) -> JsonObject:
    """Return the parameters of a tool by name."""
    parameters = tool.parameters if isinstance(tool.parameters, dict) else {}
    properties = parameters.get("properties")
    return properties if isinstance(properties, dict) else {}
