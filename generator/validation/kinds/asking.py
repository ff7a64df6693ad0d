"""Whether the assistant's words ask, and for which parameter."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.values_in_text import properties_of, telling_words, words_of

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
