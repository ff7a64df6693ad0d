"""Asked deeds: calls that take away or copy what nobody asked to be taken away or copied.

A tool that deletes is called for who asks for that, in one of many words. Where none of them was said, and a tool of
another sort is shown for the same thing ("get_loans" beside "delete_loans"), the wrong one was called.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.validation.grounding.clauses import sentences_of
from generator.validation.grounding.denial_words import cues_of
from generator.validation.grounding.language import entries, language_of, phrases
from generator.validation.grounding.tool_verbs import CHANGING, COPYING, MAKING, UNMAKING, verb_of
from generator.validation.grounding.words import LONGEST_TEXT, fold, stem, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.view import CallView, MessageView, RecordView

_RISKY = frozenset({UNMAKING, COPYING})


def unasked_deeds(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that take away or copy, where nobody has asked for that."""
    for call in record.calls:
        verb, sort = verb_of(call.name)
        if sort not in _RISKY:
            continue
        twin = _contrary_call(call, record)
        others = [twin] if twin else [tool.name for tool in _other_tools(call, sort, record)]
        if others and not _names_it(verb, call, record) and (twin or not _is_asked(sort, call, record)):
            does = "called" if twin else "shown"
            message = f"nobody asks to {verb} anything, and {others[0]} is {does} for the same thing"
            yield Finding(call.pointer, message, "warning" if twin or _takes(others, call, record) else "note")


def _contrary_call(call: CallView, record: RecordView) -> str:
    """Return the tool of a call that makes or changes what this one takes away; "" where there is none."""
    own = thing_of(call.name)
    same = [each for each in record.calls if each.arguments == call.arguments and each.name != call.name]
    for other in same if call.arguments else ():
        if thing_of(other.name) == own and verb_of(other.name)[1] in (MAKING, CHANGING):
            return other.name
    return ""


def _takes(names: list[str], call: CallView, record: RecordView) -> bool:
    """Say whether any of some tools takes the arguments of a call as well."""
    return bool(call.arguments) and any(record.tools_by_name[name].takes(call.arguments or {}) for name in names)


def _other_tools(call: CallView, sort: str, record: RecordView) -> Iterator[ToolView]:
    """Yield the tools of another sort that are shown for the same thing."""
    own = thing_of(call.name)
    for name, tool in record.tools_by_name.items():
        other = verb_of(name)[1]
        if other and other != sort and own and own == thing_of(name):
            yield tool


@lru_cache(maxsize=4096)
def thing_of(name: str) -> frozenset[str]:
    """Return the stems of the words of a tool's name beside its verb: what it does something to."""
    verb = verb_of(name)[0]
    return frozenset(stem(token) for token in tokens_of_value(name) if token != verb)


def _names_it(verb: str, call: CallView, record: RecordView) -> bool:
    """Say whether anybody names the tool's own verb before a call."""
    said = (each.content for each in record.messages[: call.turn] if each.role == "user")
    if any(verb in text for text in said if isinstance(text, str)):
        return True  # a first look
    root = stem(verb)
    return any(root in map(stem, tokens_of(folded)) for _, folded in _said_before(call, record))


def _is_asked(sort: str, call: CallView, record: RecordView) -> bool:
    """Say whether anything that was said before a call may ask for a deed of its sort."""
    return any(_may_ask(folded, sort) for role, folded in _said_before(call, record) if role != "system")


def _said_before(call: CallView, record: RecordView) -> Iterator[tuple[str, str]]:
    """Yield what the user and the system message say before a call, and what the assistant asks."""
    for message in record.messages[: call.turn]:
        text = message.content
        if isinstance(text, str) and text and (message.role in ("user", "system") or _is_question(message)):
            yield message.role, fold(text[:LONGEST_TEXT])


def _is_question(message: MessageView) -> bool:
    return message.role == "assistant" and ("?" in message.content or "？" in message.content)


def _may_ask(folded: str, sort: str) -> bool:
    told = language_of(folded)
    for language in (told,) if entries(told, "asking", sort) else _ALL:
        if phrases(language, "asking", sort).found_in(folded):
            return True
        if sort == UNMAKING and any(_denies(each.text, language) for each in sentences_of(folded) if not each.asks):
            return True
    return False


def _denies(sentence: str, language: str) -> bool:
    """Say whether a sentence denies something, and not in a case that may not be: what is not needed may be deleted."""
    if not phrases(language, "asking", "negating").found_in(sentence):
        return False
    return cues_of(language).conditions.search(sentence) is None


_ALL = ("en", "de", "es", "fr", "zh")
