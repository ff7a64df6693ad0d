"""Text replies: what the assistant says in turns without calls, and whether it declines or asks without need.

What is declined is known by the words of a tool's name. A refusal that gives another reason than that there is no tool
(a limit, a choice, a moment that is still to come) is none that can be judged here. What is asked for is known by the
name of a parameter of a shown tool. That it was said is known by its form: one of the parameter's choices, a number
with its unit, the only date, address or code, or as many names as there are parameters that take one. A question that
repeats what was said, or says that it will not do, asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.denials import Clause, clauses_of, sentences_of
from generator.validation.grounding.reading.languages import (
    english,
    english_words,
    entries,
    language_among,
    pairs,
    phrases,
    words_for,
    words_of,
)
from generator.validation.grounding.reading.quantities import units_in_name
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    STOPWORDS,
    find_literal,
    fold,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import MessageView, RecordView, cached_attribute


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
    def has_question(self) -> bool:
        """Whether it has a question mark."""
        return "?" in self.folded or "？" in self.folded

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return f"{self.message.pointer}/content"


def text_replies(record: RecordView) -> Iterator[TextReply]:
    """Yield what the assistant says right after a user in turns without calls."""
    asked: str | None = None
    has_called = False
    before: list[str] = []
    for message in record.messages:
        text = message.content
        if message.calls:
            has_called = True
            before = []
        elif asked is not None and message.role == "assistant":
            if isinstance(text, str) and text and max(len(text), len(asked)) <= LONGEST_TEXT:
                yield TextReply(message, asked, record, has_called, tuple(before[-_MOST_BEFORE:]))
            before.append(asked[:LONGEST_TEXT])
        asked = text if message.role == "user" and isinstance(text, str) else None


_MOST_TOOLS, _MOST_BEFORE = 128, 4


@cache
def _hollow() -> frozenset[str]:
    return frozenset(map(stem, english_words("declining", "hollow")))


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
    looking = english("results", "looking")
    looks = bool(tokens) and (tokens[0] in looking or tokens[-1] in looking)
    rest = [token for token in tokens if token not in looking]
    verb = "" if looks or len(rest) < _FEWEST else stem(rest.pop(0))
    return ToolPurpose(verb, frozenset(map(stem, rest)), _described(tool))


_FEWEST = 2
_LONGEST = 1000


def _described(tool: ToolView) -> frozenset[str]:
    texts = [tool.name, _beginning(tool.function.get("description"))]
    for name, schema in _properties_of(tool).items():
        texts.append(name)
        if isinstance(schema, dict):
            texts.append(_beginning(schema.get("description")))
            choices = schema.get("enum")
            texts += map(str, choices[:40]) if isinstance(choices, list) else ()
    return frozenset(stem(token) for text in texts for token in tokens_of_value(text) if token not in STOPWORDS)


def _beginning(description: JsonValue) -> str:
    return description[:_LONGEST] if isinstance(description, str) else ""


def _properties_of(tool: ToolView) -> JsonObject:
    """Return the parameters of a tool by name."""
    parameters = tool.parameters if isinstance(tool.parameters, dict) else {}
    properties = parameters.get("properties")
    return properties if isinstance(properties, dict) else {}


def needless_refusals(record: RecordView) -> Iterator[Finding]:
    """Yield the refusals of what a shown tool does."""
    if not record.tools:
        return
    for reply in text_replies(record):
        said = _refusal(reply)
        if said is None:
            continue
        found = _able(reply, said)
        if found is not None:
            tool, sureness = found
            yield Finding(
                reply.pointer, f"declines, though {brief(tool.name)} is shown: {brief(said.text.strip())}", sureness
            )


def _refusal(reply: TextReply) -> Clause | None:
    """Return the clause that says that something cannot be done, where the text gives no other reason."""
    if not reply.language or reply.has_question:
        return None
    unable = phrases(reply.language, "declining", "unable")
    if not unable.found_in(reply.folded, reply.words) or _OFFERING.search(reply.folded):
        return None
    if phrases(reply.language, "declining", "reasons").found_in(reply.folded, reply.words):
        return None
    return next((each for each in sentences_of(reply.folded) if unable.found_in(each.text)), None)


def _able(reply: TextReply, said: Clause) -> tuple[ToolView, Severity] | None:
    """Return the shown tool that does what is declined, the surest first."""
    named = _named(said.text, reply.language) - _names(reply.asked)
    likely: tuple[ToolView, Severity] | None = None
    for tool in reply.record.tools:
        if _is_withheld(tool, reply):
            continue
        if named <= purpose_of(tool).described:
            sureness = _sureness(tool, reply, named)
        else:
            sureness = "warning" if _is_deed_declined(tool, said, named, reply) else None
        if sureness == "warning":
            return tool, sureness
        likely = likely or ((tool, sureness) if sureness else None)
    return likely


def _sureness(tool: ToolView, reply: TextReply, named: frozenset[str]) -> Severity | None:
    """Return how surely the user asks for what a tool does; None where nothing tells it.

    Who declines without a word of what cannot be done has most likely not looked at what the tools do.
    """
    deed = purpose_of(tool)
    if deed.things and _is_wished(deed, reply):
        return "warning"
    if deed.verb in named and deed.verb in reply.asked_stems:
        return "warning"
    return None if named or reply.language != "en" else _sureness_by_words(tool, deed, reply)


def _sureness_by_words(tool: ToolView, deed: ToolPurpose, reply: TextReply) -> Severity | None:
    """Return how surely the user asks for what a tool does by single words of its name and its description."""
    is_described = len(reply.shared_with(tool)) > 1
    is_named = any(_is_said(thing, reply.asked_stems) for thing in deed.things)
    if is_named and (is_described or _is_deed_asked(deed, reply)):
        return "warning"
    return "note" if is_named or is_described else None


def _is_deed_declined(tool: ToolView, said: Clause, named: frozenset[str], reply: TextReply) -> bool:
    """Say whether a refusal in words of its own is one of what a tool does: by its verb, or by what was asked for."""
    deed, asked = purpose_of(tool), reply.asked_stems
    verb = deed.verb
    if verb in asked and deed.things <= asked and named & deed.things:
        return True
    if verb not in _verbs_declined(said, named, reply):
        return False
    own = {stem(token) for name in (tool.name, *_properties_of(tool)) for token in tokens_of_value(name)}
    return bool(named & deed.described - {verb} or asked & own - {verb})


def _verbs_declined(said: Clause, named: frozenset[str], reply: TextReply) -> Iterator[str]:
    """Yield the stems of the verbs of what a refusal says that cannot be done."""
    for match in phrases(reply.language, "declining", "unable").places_in(said.text):
        following = [stem(token) for token in tokens_of(said.text[match.end() :])[:_FIRST]]
        yield from [token for token in following if token in named][:1]


def _named(text: str, language: str) -> frozenset[str]:
    """Return the stems of what a refusal says that it cannot do; none where it says so of all that was asked."""
    if language != "en":
        return frozenset()
    idle = _idle()
    return frozenset(stem(token) for token in tokens_of(text) if token not in idle and len(token) > 2)


_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z0-9]\w{1,40}")


def _names(asked: str) -> frozenset[str]:
    """Return the stems of the names and numbers that the user said: no deed is known by them."""
    return frozenset(stem(fold(name)) for name in _CAPITAL.findall(asked))


@cache
def _idle() -> frozenset[str]:
    tables = (("declining", "unable"), ("declining", "idle"), ("results", "looking"))
    words = [*(entry for table in tables for entry in entries("en", *table)), *STOPWORDS]
    return frozenset(token for words in words for token in tokens_of(words))


def _is_wished(deed: ToolPurpose, reply: TextReply) -> bool:
    """Say whether the user asks for what a tool does to all that it does it to."""
    return all(_is_said(thing, reply.asked_stems) for thing in deed.things) and _is_deed_asked(deed, reply)


def _is_deed_asked(deed: ToolPurpose, reply: TextReply) -> bool:
    """Say whether the user says what a tool does: its verb, or a question where it looks something up."""
    return _is_said(deed.verb, reply.asked_stems) if deed.verb else _is_wondered(reply)


def _is_wondered(reply: TextReply) -> bool:
    """Say whether the user wants to know or to see something."""
    wondering = phrases("en", "declining", "wondering")
    return any(
        wondering.found_in(" ".join(tokens_of(each.text)[:_FIRST])) for each in clauses_of(reply.asked_folded, "en")
    )


_FIRST = 4
"""Words of a clause of which one tells that somebody wants to know."""


_OFFERING = re.compile(r"(?<!what )(?<!that )(?<!thing )(?<!\w)(?:i|we) can(?!\w|'t| not)")
_LEAST = 5


def _is_said(word: str, asked: frozenset[str]) -> bool:
    return word in asked or (len(word) >= _LEAST and any(each.startswith(word) for each in asked))


def _is_withheld(tool: ToolView, reply: TextReply) -> bool:
    """Say whether a tool is called later on, as one is that was switched off at first, or is spoken of by its name."""
    record = reply.record
    if any(call.name == tool.name for call in record.calls):
        return True
    first = record.messages[0].content if record.messages else None
    return isinstance(first, str) and record.messages[0].role == "system" and tool.name in first


class _Asked(NamedTuple):
    """A parameter that may be asked for."""

    name: str
    sort: str
    """What its values look like: choice, number, date, time, email, ip, code or name."""
    words: frozenset[str]
    """The words of its name."""
    head: str
    """The last of them, where it says what is asked for."""
    choices: tuple[str, ...]
    units: frozenset[str]
    """Stems of words of its name that may be the unit of its number."""


def needless_questions(record: RecordView) -> Iterator[Finding]:
    """Yield the questions for what the user has said."""
    if not record.tools:
        return
    for reply in text_replies(record):
        if not reply.language or not _asks(reply):
            continue
        found = _stated(reply)
        if found is not None:
            each, value, sureness = found
            yield Finding(
                reply.pointer, f"asks for {brief(each.name)}, which the user has said: {brief(value)}", sureness
            )


def _asks(reply: TextReply) -> bool:
    return reply.has_question or phrases(reply.language, "asking", "telling").found_in(reply.folded, reply.words)


def _stated(reply: TextReply) -> tuple[_Asked, str, Severity] | None:
    """Return the parameter that is asked for and what the user has said of it; sure where all tools have it so."""
    spoken = _words_of_questions(reply)
    values = list(_values_said(spoken, reply)) if spoken else []
    found = [(each, value) for each, value in values if value]
    if not found or any(_is_repeated(value, reply) for _, value in found):
        return None  # nothing was said of it, or it is repeated, and so something else is asked
    each, value = found[0]
    all_said = len(found) == len(values)
    is_sure = all_said and (each.sort != "name" or _is_place(each))  # any name may be that of something else
    return each, value, "warning" if is_sure else "note"


def _words_of_questions(reply: TextReply) -> list[str]:
    """Return the words of what a reply asks; none where they name no parameter, or where it tells of a failure."""
    failure = phrases(reply.language, "outcomes", "failure")
    if len(reply.folded) > _LONGEST_QUESTION or failure.found_in(reply.folded, reply.words):
        return []
    spoken = tokens_of(_POSSESSIVE.sub(" ", _questions(reply)))
    words = frozenset(spoken)
    return spoken if any(_may_be_asked_for(tool, words) for tool in reply.record.tools) else []


def _values_said(spoken: list[str], reply: TextReply) -> Iterator[tuple[_Asked, str]]:
    """Yield the parameters that a question may name, each with what the user has said of it; "" for nothing."""
    for tool in reply.nearest_tools:
        asked = _asked_for(tool, spoken)
        for each in asked[:_MOST_ASKED]:
            yield each, _SAID[each.sort](each, tool, reply) if len(asked) == 1 or each.sort in _PLAIN else ""


def _is_repeated(value: str, reply: TextReply) -> bool:
    """Say whether a question begins to say a value that the user has said."""
    return find_literal(reply.folded, fold(value).partition(" ")[0].partition("-")[0]) >= 0


def _questions(reply: TextReply) -> str:
    """Return the sentences of a reply that ask, or that bid the user tell something."""
    telling = phrases(reply.language, "asking", "telling")
    return " ".join(each.text for each in sentences_of(reply.folded) if each.asks or telling.found_in(each.text))


_LONGEST_QUESTION = 400
_MOST_ASKED = 4
_PLAIN = frozenset({"choice", "number", "email", "ip"})
"""Sorts by whose form alone it is plain what was said, also where more is asked for."""


_POSSESSIVE = re.compile(r"[^\W\d_]{2,30}'s\s[^\W\d_]{2,30}")
"""The company's shares: what is asked for is the company."""


def _in_one_form(tokens: list[str]) -> frozenset[str]:
    """Return words without the ending of their plural."""
    return frozenset(token[:-1] if len(token) > 3 and token.endswith("s") else token for token in tokens)


def _may_be_asked_for(tool: ToolView, spoken: frozenset[str]) -> bool:
    """Say quickly whether a question may name a parameter of a tool."""
    return not spoken.isdisjoint(_telling(tool))


@lru_cache(maxsize=4096)
def _telling(tool: ToolView) -> frozenset[str]:
    return frozenset(form for each in _parameters(tool) for word in each.words for form in (word, f"{word}s"))


def _asked_for(tool: ToolView, spoken: list[str]) -> list[_Asked]:
    """Return the parameters of a tool that a question may name: one where it is plain which."""
    own = _parameters(tool)
    words = _in_one_form(spoken)
    return [each for each in own if each.words <= words] or [
        each for each in own if each.head in words and _stands_bare(each, spoken)
    ]


def _stands_bare(each: _Asked, spoken: list[str]) -> bool:
    """Say whether nothing stands before the last word of a name that makes it another: the return date."""
    before = {one for one, other in pairwise(["", *spoken]) if other.startswith(each.head)}
    return before <= each.words | words_for("asked_parameters", "before")


@lru_cache(maxsize=4096)
def _parameters(tool: ToolView) -> tuple[_Asked, ...]:
    return tuple(
        each
        for name, schema in _properties_of(tool).items()
        if isinstance(schema, dict) and (each := _parameter(name, schema)) is not None
    )


def _parameter(name: str, schema: JsonObject) -> _Asked | None:
    words = tokens_of_value(name)
    if not words:
        return None
    listed = schema.get("enum")
    choices = tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
    sort = "choice" if choices else _sort_of_type(words, schema)
    if not sort:
        return None
    units = frozenset(stem(word) for word in units_in_name(words)) if sort == "number" else frozenset[str]()
    head = "" if words[-1] in words_for("asked_parameters", "hollow") else words[-1]
    return _Asked(name, sort, _in_one_form(words), min(_in_one_form([head])), choices, units)


def _sort_of_type(words: list[str], schema: JsonObject) -> str:
    """Return what the values of a type look like; "" for a type of which nobody is asked in a word."""
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return "number"
    return _sort_of_text(words, schema.get("format")) if kind == "string" else ""


def _sort_of_text(words: list[str], form: object) -> str:
    if form == "email" or "email" in words:
        return "email"
    if form == "ipv4" or "ip" in words:
        return "ip"
    if form in ("date", "date-time") or not words_for("asked_parameters", "dates").isdisjoint(words):
        return "date"
    if form == "time" or not words_for("asked_parameters", "times").isdisjoint(words):
        return "time"
    return "code" if words[-1] in words_for("asked_parameters", "codes") else "name"


def _of_choice(each: _Asked, tool: ToolView, reply: TextReply) -> str:
    """Return the one choice that the user says."""
    said = [
        choice
        for choice in each.choices
        if len(choice) > 2 and find_literal(reply.said_folded, " ".join(tokens_of_value(choice))) >= 0
    ]
    return " ".join(tokens_of_value(said[0])) if len(said) == 1 else ""


_NUMBER = r"(?<![\w.,:/$€£-])(\d{1,9}(?:[.,]\d{1,3})?"
_WITH_UNIT = re.compile(_NUMBER + r"|[^\W\d_]{3,9})(?:\s|-)([^\W\d_]{1,12})")


def _of_number(each: _Asked, tool: ToolView, reply: TextReply) -> str:
    """Return the number that stands before the parameter's unit."""
    numerals = pairs(reply.language, "counts", "numerals")
    alike = [other for other in _parameters(tool) if other.sort == "number" and other.units & each.units]
    if len(alike) != 1:
        return ""
    said = [
        match[0]
        for match in _WITH_UNIT.finditer(reply.said_folded)
        if (match[1][0].isdigit() or match[1] in numerals) and stem(match[2]) in each.units
    ]
    return said[0] if len(said) == 1 else ""


_DAY_WORDS = "|".join(sorted({"today", "tomorrow", *(word for word in CALENDAR_WORDS if len(word) > 4)}))
_DATE = re.compile(rf"(?<!\w)(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|(?:{_DAY_WORDS})(?!\w))")
_TIME = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d|(?<![\d.:])\d{1,2} ?[ap]\.?m(?!\w)")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}")
_IP = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_CODE = re.compile(
    r"(?<![\w/@.-])(?=[\w-]{0,20}\d)[A-Z]{1,6}-?[A-Z0-9]{0,4}-?\d[\dA-Z-]{1,14}(?!\w)|(?<![\w.,$€£-])\d{5,16}(?!\w)"
)


def _one_of(pattern: re.Pattern[str], sort: str) -> Callable[[_Asked, ToolView, TextReply], str]:
    def find(each: _Asked, tool: ToolView, reply: TextReply) -> str:
        """Return the only text of this form, where the tool has one parameter that takes it."""
        alike = [other for other in _parameters(tool) if other.sort == sort]
        said = [match[0] for match in pattern.finditer(reply.said if sort == "code" else reply.said_folded)]
        return said[0] if len(said) == 1 == len(alike) else ""

    return find


_QUOTE = re.compile(r"[\"“„«`]([^\"”“»`\n]{2,80})[\"”“»`]")
_NAME = re.compile(r"(?<=[^\W\d_] )(?<![.!?:] )([^\W\d_a-z][^\W\d_]{2,30}(?:[ -][^\W\d_a-z][^\W\d_]{1,30}){0,4})")
_PLACE_BEFORE = "in|en|à|nach|near|around"
_PLACE = re.compile(
    rf"(?<!\w)(?:{_PLACE_BEFORE}) ([^\W\d_a-z][^\W\d_]{{2,30}}(?:[ -][^\W\d_a-z][^\W\d_]{{1,30}}){{0,3}})"
)


def _of_name(each: _Asked, tool: ToolView, reply: TextReply) -> str:
    """Return what stands where a place does, or the first name where there are names for all that may take one."""
    if place := _only_place(each, reply):
        return place
    alike = [other for other in _parameters(tool) if other.sort == "name"]
    taken = {fold(choice) for other in _parameters(tool) for choice in other.choices}
    said = [name for name in _names_in(reply.said) if fold(name) not in taken]
    return said[0] if said and len(said) >= len(alike) else ""


def _only_place(each: _Asked, reply: TextReply) -> str:
    """Return the one place that the user says, where no tool takes two; "" for none."""
    if not each.words & words_for("asked_parameters", "places"):
        return ""
    if any(sum(map(_is_place, _parameters(tool))) > 1 for tool in reply.record.tools):
        return ""
    places = [match[1] for match in _PLACE.finditer(reply.said) if _is_name(match[1])]
    return places[0] if len(places) == 1 else ""


def _names_in(said: str) -> list[str]:
    """Return what is quoted, and then the names outside of quotes."""
    unquoted = _QUOTE.sub(" ", said)
    return [match[1] for match in (*_QUOTE.finditer(said), *_NAME.finditer(unquoted)) if _is_name(match[1])]


def _is_place(each: _Asked) -> bool:
    return each.sort in ("name", "code") and not words_for("asked_parameters", "places").isdisjoint(each.words)


def _is_name(said: str) -> bool:
    return fold(said).split()[0] not in CALENDAR_WORDS and said not in words_for("asked_parameters", "no_names")


_SAID: dict[str, Callable[[_Asked, ToolView, TextReply], str]] = {
    "choice": _of_choice,
    "number": _of_number,
    "date": _one_of(_DATE, "date"),
    "time": _one_of(_TIME, "time"),
    "email": _one_of(_EMAIL, "email"),
    "ip": _one_of(_IP, "ip"),
    "code": _one_of(_CODE, "code"),
    "name": _of_name,
}
