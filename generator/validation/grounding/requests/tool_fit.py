"""Tool fit: calls of the wrong tool, and parts of a request that name what another tool does than those called.

The words of a tool's name that no called tool has in its name, its description or its parameters tell what it alone
does. A clause with such words, of which no call, no result and no answer takes up anything, asks for what was left
undone; a call of a tool none of whose own words was said, beside one whose own words were, is the wrong one. So is one
that deletes or copies, where nobody asked for that in any of its words and a tool of another sort is shown for the same
thing ("get_loans" beside "delete_loans").
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.validation.call_view import CallView
from generator.validation.grounding.arguments.sources import CallTurn, call_turns
from generator.validation.grounding.reading.clauses import Clause, clauses_of, denies, sentences_of
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.denial_words import cues_of
from generator.validation.grounding.reading.languages import LANGUAGES, entries, language_of, phrases
from generator.validation.grounding.reading.names import (
    CHANGING,
    COPYING,
    LOOKING,
    MAKING,
    UNMAKING,
    is_harmless,
    verb_of,
)
from generator.validation.grounding.reading.words import LONGEST_TEXT, STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.results.words import leaves
from generator.validation.rule import Finding
from generator.validation.say import brief
from generator.validation.tool_view import ToolView
from generator.validation.view import MessageView, RecordView

_MOST_TOOLS, _MOST_LEAVES = 64, 200
_SHORTEST = 4
_FEWEST = 3
"""Words of the shortest clause that asks for something."""
_Words = frozenset[str]


def left_undone(record: RecordView) -> Iterator[Finding]:
    """Yield the clauses of requests that name what a shown tool does, where it is not called nor told of."""
    for heard in _turns(record):
        idle = _idle_words(heard, record)
        if idle.keys().isdisjoint(_stems(heard.folded)):
            continue
        taken = _taken_up(heard, record)
        latest = heard.requests[0]
        language = language_of(latest.folded) or "en"
        for clause in clauses_of(latest.folded, language):
            words = _stems(clause.text)
            naming = sorted(words & idle.keys())
            if naming and len(words) >= _FEWEST and not words & taken and not _is_no_wish(clause, language):
                message = f"asks for what {idle[naming[0]]} does: {brief(clause.text.strip())}, and nobody takes it up"
                yield Finding(f"/messages/{latest.index}/content", message, "warning")


def wrong_tools(record: RecordView) -> Iterator[Finding]:
    """Yield the calls of tools of which nothing was said, where another one that was not called was spoken of."""
    for heard in _turns(record):
        idle = _idle_words(heard, record)
        said = _stems(heard.folded)
        if len(heard.requests) > 1 or idle.keys().isdisjoint(said):
            continue
        for call in heard.calls:
            better = _tool_spoken_of(call, idle, said, heard, record)
            if better:
                yield Finding(call.pointer, f"is called, while the request speaks of what {better} does", "warning")


def _tool_spoken_of(call: CallView, idle: dict[str, str], said: _Words, heard: CallTurn, record: RecordView) -> str:
    """Return the tool that the request speaks of in place of the one that is called; "" where there is none."""
    if call.tool is None or not call.arguments or _is_denied(heard.folded, language_of(heard.folded) or "en"):
        return ""
    for word in sorted(idle.keys() & said - _stems(fold(call.text))):
        tool = record.tools_by_name[idle[word]]
        if said & (_own_words(call.tool) - _own_words(tool)):
            continue
        if is_harmless(call.name) == is_harmless(tool.name) and (call.arguments or {}).keys() <= {*tool.property_names}:
            return tool.name
    return ""


def _is_denied(folded: str, language: str) -> bool:
    """Say whether a text has any words that deny or drop a wish."""
    cues = cues_of(language)
    return any(pattern.search(folded) for pattern in (cues.contrasts, cues.deeds, cues.dropping, cues.nothing))


def _turns(record: RecordView) -> Iterator[CallTurn]:
    """Yield the first turn of calls after each thing a user says, where there are tools that nobody calls."""
    if not record.calls or not 1 < len(record.tools_by_name) <= _MOST_TOOLS:
        return
    if len({call.name for call in record.calls}) == len(record.tools_by_name):
        return
    last = ""
    for heard in call_turns(record):
        if heard.asked != last and len(heard.asked) <= LONGEST_TEXT:
            last = heard.asked
            yield heard


def _idle_words(heard: CallTurn, record: RecordView) -> dict[str, str]:
    """Return the words of tools' names that tell what they alone do, of tools that nobody calls, with their names."""
    called = {call.name for call in record.calls}
    known = frozenset().union(*(_own_words(tool) for name, tool in record.tools_by_name.items() if name in called))
    return {
        word: name
        for name, tool in record.tools_by_name.items()
        if name not in called
        for word in _name_words(name) - known
    }


@lru_cache(maxsize=4096)
def _name_words(name: str) -> _Words:
    tokens = [token for token in tokens_of_value(name) if len(token) >= _SHORTEST and token not in STOPWORDS]
    return frozenset(stem(token) for token in tokens if verb_of(token)[1] != LOOKING)


@lru_cache(maxsize=4096)
def _own_words(tool: ToolView) -> _Words:
    """Return the words of a tool's name, of its description and of its parameters' names."""
    description = tool.function.get("description")
    texts = [tool.name, description[:1000] if isinstance(description, str) else "", *tool.property_names[:60]]
    tokens = [token for text in texts for token in tokens_of_value(text)]
    return frozenset(stem(token) for token in tokens if token not in STOPWORDS)


@lru_cache(maxsize=1024)
def _stems(folded: str) -> _Words:
    return frozenset(stem(token) for token in tokens_of(folded) if token not in STOPWORDS)


def _taken_up(heard: CallTurn, record: RecordView) -> _Words:
    """Return the words of all that was called, brought and answered from this turn on, and of the tools called."""
    turn = heard.calls[0].turn
    found: set[str] = set()
    for call in record.calls:
        if call.turn >= turn:
            found |= _own_words(call.tool) if call.tool is not None else set()
            for leaf in leaves(call.arguments, _MOST_LEAVES):
                found |= _stems(fold(str(leaf)))
    for message in record.messages[turn:]:
        if message.role in ("assistant", "tool") and isinstance(message.content, str):
            found |= _stems(fold(message.content[:LONGEST_TEXT]))
    return frozenset(found)


def _is_no_wish(clause: Clause, language: str) -> bool:
    """Say whether a clause denies, supposes, tells what was done, or when: days are written otherwise than said."""
    if phrases(language, "claims", "perfect").begins(clause.text.strip()):
        return True
    if not CALENDAR_WORDS.isdisjoint(tokens_of(clause.text)):
        return True
    if denies(clause.text, language):  # "cancel nothing"
        return True
    return _is_denied(clause.text, language) or cues_of(language).conditions.search(clause.text) is not None


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
    spoken = language_of(folded)
    for language in (spoken,) if entries(spoken, "asking", sort) else LANGUAGES:
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
