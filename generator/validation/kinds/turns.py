"""A record read by turns and by wishes of its user: what was said, asked, called, brought and answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.values_in_text import leaves, properties_of, telling_words, tells, words_of
from generator.validation.view import CallView, RecordView, ResultView


@dataclass(slots=True)
class Turn:
    """What one message of the user led to, up to their next one."""

    text: str
    calls: list[CallView] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """What the assistant said."""
    results: list[str] = field(default_factory=list)

    @property
    def all_text(self) -> str:
        """All that was said, called and answered in this turn."""
        return "\n".join([self.text, *map(str, self.given), *self.results, *self.answers])

    @property
    def given(self) -> list[JsonValue]:
        """The texts and numbers that its calls are given."""
        return [leaf for call in self.calls for leaf in leaves(call.arguments)]

    def argument(self, name: str) -> JsonValue:
        """Return what its first call is given for a parameter; None where that is nothing."""
        arguments = self.calls[0].arguments
        return arguments.get(name) if arguments is not None else None


def user_turns(record: RecordView) -> list[Turn]:
    """Return the turns of a record; what precedes the user's first message belongs to none."""
    if record.user_turns is None:
        record.user_turns = _user_turns(record)
    return record.user_turns


def _user_turns(record: RecordView) -> list[Turn]:
    turns: list[Turn] = []
    for message in record.messages:
        if message.role == "user":
            turns.append(Turn(message.text))
        elif turns and message.role == "tool":
            turns[-1].results.append(message.text)
        elif turns:
            turns[-1].calls += message.calls
            if message.speaks:
                turns[-1].answers.append(message.text)
    return turns


def system_text(record: RecordView) -> str:
    """Return what the system message says."""
    return "\n".join(message.text for message in record.messages if message.role == "system")


def called_name(result: ResultView) -> str:
    """Return the name of the tool that a result comes from, to speak of it."""
    return result.call.name if result.call else "a call"


KindCheck = Callable[[RecordView], Iterator[str]]
"""Yields what a record of the kind should be and is not."""

UnderWay = Callable[[RecordView, frozenset[str]], Iterator[str]]
"""Yields what the record of a kind should be and already is not, when the tools that it is still to call are known."""


YES = re.compile(
    r"\b(?:yes|yep|yeah|sure|ok|okay|confirm(?:ed)?|go ahead|do it|please do|correct|right|exactly|absolutely"
    r"|of course)\b",
    re.I,
)
NO = re.compile(
    r"\b(?:no|don't|do not|not now|stop|cancel|never mind|leave it|forget|rather not|hold o(?:n|ff)"
    r"|changed my mind)\b",
    re.I,
)
_AGREEING = frozenset(
    "yes yep yeah sure ok okay confirm confirmed go ahead do please right that's that is it all correct exactly "
    "absolutely of course fine sounds looks good perfect both them with to thanks thank you i the".split()
)
"""Words of a message that does no more than agree."""
_MOST_WORDS = 30
_TURNING = re.compile(r"\?|\b(?:but|instead|rather|not|only|except|also|another|change|make it)\b", re.I)
"""What turns a yes into another wish."""
_WORDS = re.compile(r"[\w']+")


def wishes(record: RecordView) -> list[Turn]:
    """Return the turns of a record, a turn of consent with the one before it; what was asked there is no answer."""
    if record.wishes is None:
        record.wishes = _wishes(record)
    return record.wishes


def request_of(record: RecordView) -> str:
    """Return all that the user wishes for, as one text."""
    return "\n".join(turn.text for turn in wishes(record))


def _wishes(record: RecordView) -> list[Turn]:
    found: list[Turn] = []
    for turn in user_turns(record):
        if found and turn.calls and found[-1].answers and "?" in found[-1].answers[-1] and _agrees(turn, found[-1]):
            wish = found[-1]
            found[-1] = Turn(
                wish.text, [*wish.calls, *turn.calls], [*wish.answers[:-1], *turn.answers], wish.results + turn.results
            )
        else:
            found.append(turn)
    return found


def _agrees(turn: Turn, wish: Turn) -> bool:
    """Say whether a turn does no more than agree: it says yes, asks nothing, and adds no value to what was wished."""
    words = _WORDS.findall(turn.text.casefold())
    if not YES.search(turn.text) or not words:
        return False
    if set(words) <= _AGREEING:
        return True
    if not YES.match(turn.text.lstrip()) or _TURNING.search(turn.text) or len(words) > _MOST_WORDS:
        return False
    return not any(tells(turn.text, value) and not tells(wish.all_text, value) for value in turn.given)


_SENTENCE = re.compile(r"[^.?!。？！؟\n]+[.?!。？！؟]*")
_REQUESTING = re.compile(
    r"[?？؟]|\b(?:(?:tell|give|let|send) me|i(?:'d| would)? (?:just |still |only |also )*need"
    r"|please (?:tell|give|provide|choose|pick|specify|confirm)|which one)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
_OBJECTING = re.compile(
    r"n't\b|\b(?:not|no|cannot|never|only|just|invalid|unavailable|unsupported|unfortunately|afraid|sorry|too|at most"
    r"|at least|up to|maximum|minimum|limit(?:ed)?|exceeds?|above|below|beyond|outside|must be|has to be|ends on)\b",
    re.IGNORECASE,
)
_PLACES = """city location place address country region area origin start departure destination end venue near landmark
room town state"""
_TIMES = "date day time start end check in out deadline due moment birth departure arrival from to since until"
_PEOPLE = """person name recipient email user customer attendee people contact author assignee owner guest passenger
patient player artist"""
_BY_QUESTION: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"\bwhere\b", re.I), frozenset(_PLACES.split())),
    (re.compile(r"\bwhen\b|\b(?:what|which) day\b", re.I), frozenset(_TIMES.split())),
    (re.compile(r"\bwho(?:m|se)?\b", re.I), frozenset(_PEOPLE.split())),
    (re.compile(r"\bhow (?:many|much|long|far|big|old|often|high|tall|heavy|fast|large)\b", re.I), frozenset()),
)
_HUMP = re.compile(r"[a-z\d][A-Z]")
_LEAST_SHARED = 5
_READ = 160
"""Characters of a description that are read: what it says first is what the parameter is."""
_EXAMPLES = re.compile(r"\b(?:such as|e\.g\.|for example|like|for instance)\b.*|['\"(].*", re.IGNORECASE | re.DOTALL)
_HOLLOW = frozenset(
    "optional required given specified default format string value list number type e.g etc if not will be used use "
    "can may must want wish user example include whether how many much when where who one several what which "
    "for the and with from that this its into than then they them their there your you are has have should tool".split()
)


def asks(text: str) -> bool:
    """Say whether a text puts a question or asks to be told something."""
    return _REQUESTING.search(text) is not None


def objects(text: str) -> bool:
    """Say whether a text says that something is not possible as it was wished for."""
    return _OBJECTING.search(text) is not None


def questions_of(text: str) -> str:
    """Return the sentences of a text that ask."""
    return " ".join(sentence for sentence in _SENTENCE.findall(text) if _REQUESTING.search(sentence))


def asks_which(text: str) -> bool:
    """Say whether a text asks which one, so that it asks for whatever alone is missing."""
    return _WHICH.search(questions_of(text)) is not None


def asks_for(text: str, name: str, function: JsonObject) -> bool:
    """Say whether a text asks for a parameter of a tool.

    It does by a word of the parameter's name, by one that its description has alone, or by where, when, who, how many.
    """
    schema = properties_of(function.get("parameters")).get(name)
    questions = questions_of(text)
    own = telling_words(name) | _own_words(name, function)
    if _share_a_root(own, words_of(questions)):
        return True
    meanings = words_of(name) | _described(schema)
    return any(
        bool(meanings & meant) if meant else _is_number(schema)
        for pattern, meant in _BY_QUESTION
        if pattern.search(questions)
    )


def asks_for_another(text: str, names: list[str], function: JsonObject) -> str:
    """Return another parameter of the tool that a text asks for, with all words of its name; "" where it does not.

    Words that also belong to what is asked for rightly, or to what the tool is about, prove nothing.
    """
    properties = properties_of(function.get("parameters"))
    allowed = _about(function).union(*(words_of(name) | _described(properties.get(name)) for name in names))
    spoken = words_of(questions_of(text))
    for name in properties:
        own = telling_words(name) - allowed
        if name not in names and own and own <= spoken:
            return name
    return ""


def is_code(name: str) -> bool:
    """Say whether a name is one that only programs use: `order_id`, `orderId`."""
    return "_" in name or _HUMP.search(name) is not None


def _own_words(name: str, function: JsonObject) -> frozenset[str]:
    """The words of a parameter's description that belong neither to the tool nor to its other parameters."""
    properties = properties_of(function.get("parameters"))
    others = (telling_words(other) | _described(schema) for other, schema in properties.items() if other != name)
    return _described(properties.get(name)) - _about(function).union(*others)


def _about(function: JsonObject) -> frozenset[str]:
    return words_of(f"{function.get('name')} {function.get('description')}"[:_READ])


def _described(schema: JsonValue) -> frozenset[str]:
    description = schema.get("description") if isinstance(schema, dict) else None
    words = words_of(_EXAMPLES.sub("", description[:_READ])) if isinstance(description, str) else frozenset[str]()
    return frozenset(word for word in words if len(word) > 2) - _HOLLOW


def _share_a_root(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    if mine & theirs:
        return True
    roots = {word[:_LEAST_SHARED] for word in theirs if len(word) >= _LEAST_SHARED}
    return any(word[:_LEAST_SHARED] in roots for word in mine if len(word) >= _LEAST_SHARED)


def _is_number(schema: JsonValue) -> bool:
    return isinstance(schema, dict) and schema.get("type") in ("integer", "number")
