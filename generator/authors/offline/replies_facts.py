"""Facts of a result object, worth most first, and what names, states and texts it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.authors.offline.replies_values import (
    is_money,
    key_words,
    raw_words,
    say_value,
    unit_of,
)
from generator.authors.offline.words import word_set
from generator.jsontext import JsonObject, JsonValue

_NAMES = (
    "name",
    "title",
    "subject",
    "headline",
    "full_name",
    "display_name",
    "label",
    "product_name",
    "path",
    "symbol",
    "login",
    "username",
    "merchant",
    "vendor",
    "airline",
)
_NAME_ENDS = (("name",), ("title",))
_ID_ENDS = (("number",), ("id",))
_DAYS = ("date", "day", "datetime", "time")
_LONGEST_NAME = 80
_STATES = word_set("status state condition conditions weather availability")
_MESSAGES = word_set("message summary answer advice explanation recommendation conclusion note")
_BORING = word_set("""
    currency unit units timestamp created updated url link href uri lang locale version sha html image thumbnail
    etag cursor token color hex colour hash
    """)
_LONGEST_FACT = 90
_FIRST_OBJECTS = 12


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a result tells: `worth` orders facts, higher first."""

    key: str
    said: str
    value: JsonValue
    worth: float


def unwrapped(content: JsonValue) -> JsonValue:
    """Open objects that hold nothing but one other object or list under a common key."""
    for _ in range(3):
        if not isinstance(content, dict):
            return content
        if len(content) == 1:
            (inner,) = content.values()
            if isinstance(inner, dict):
                content = inner
                continue
        for key in ("data", "result", "results", "response", "payload"):
            if isinstance(inner := content.get(key), dict) and inner and len(content) <= 3:
                content = inner
                break
        else:
            return content
    return content


def name_of(thing: JsonObject) -> tuple[str, str]:
    """Return the key and text that name an object; empty texts where nothing does."""
    for key in (*[key for key in _NAMES if key in thing], *[key for key in thing if key_words(key)[-1:] in _NAME_ENDS]):
        if isinstance(value := thing[key], str) and 0 < len(value) <= _LONGEST_NAME:
            return key, value.strip()
    first, last = thing.get("first_name"), thing.get("last_name")
    if isinstance(first, str) and isinstance(last, str):
        return "first_name", f"{first} {last}"
    for key in _DAYS:
        if isinstance(value := thing.get(key), str) and value:
            return key, say_value(key, value, thing)
    for key, value in thing.items():
        if key_words(key)[-1:] in _ID_ENDS and isinstance(value, str | int) and not isinstance(value, bool):
            return key, str(value)
    return "", ""


_QUOTED = word_set("text message summary description content body comment question")


def quoted(entry: JsonObject) -> str:
    """Quote the text that a thing without a name consists of; the empty string where it has none."""
    for key, value in entry.items():
        if raw_words(key)[-1:] and raw_words(key)[-1] in _QUOTED and isinstance(value, str) and 0 < len(value) <= 90:
            return f'"{value.rstrip(".")}"'
    return ""


def titled(key: str, name: str) -> str:
    """Set a title of several words off from the sentence."""
    quoted = key_words(key)[-1:] in (("title",), ("headline",), ("subject",))
    return f'"{name}"' if quoted else name


def message_of(content: JsonObject) -> str:
    """Return the sentence with which a result tells itself; the empty string where it has none."""
    for key, value in content.items():
        if isinstance(value, str) and key_words(key)[-1:] and key_words(key)[-1] in _MESSAGES and " " in value.strip():
            text = value.strip()
            if len(text) <= 240:
                return text if text[-1] in ".!?" else text + "."
    return ""


def state_of(content: JsonObject) -> tuple[str, str]:
    """Return the key and the words of the state of a thing: "delayed", "sunny"; empty texts where there is none."""
    found = [
        (key, say_value(key, value, content))
        for key, value in content.items()
        if raw_words(key)[-1:]
        and raw_words(key)[-1] in _STATES
        and isinstance(value, str)
        and 0 < len(value) <= 32
        and value.count(" ") < 3
        and not (len(value) == 2 and value.isupper())
    ]
    for key, said in sorted(found, key=lambda pair: raw_words(pair[0])[-1] != "status"):
        return key, said.lower() if said.isupper() else said
    return "", ""


_ANSWERS = word_set("""
    verified confirmed eligible approved present correct visible
    result enabled valid exists available allowed connected active open found match matches supported
    """)


def answer_of(content: JsonObject) -> tuple[str, bool] | None:
    """Return the flag that answers a yes-or-no question, with its key; None where the result holds none."""
    for key, value in content.items():
        words = raw_words(key)
        if isinstance(value, bool) and (
            words[-1:] == ("status",)
            or (words[-1:] and words[-1] in _ANSWERS)
            or words[:1] in (("is",), ("has",), ("can",))
        ):
            return key, value
    return None


def asked_fact(facts: list[Fact], words: tuple[str, ...]) -> Fact | None:
    """Return the fact that a tool's name asks for: `get_user_id` asks for `user_id`."""
    wanted = set(words)
    found = [
        fact
        for fact in facts
        if (own := set(raw_words(fact.key))) and own <= wanted and not isinstance(fact.value, bool)
    ]
    return max(found, key=lambda fact: len(raw_words(fact.key)), default=None)


def facts_of(content: JsonObject, told: set[str], arguments: JsonObject) -> list[Fact]:
    """Return the plain facts of an object, those of its inner objects included, worth most first.

    Keys in `told` and values that only repeat an argument are left out.
    """
    found: list[Fact] = []
    for key, value in content.items():
        if key in told or (key in arguments and arguments[key] == value):
            continue
        if isinstance(value, dict):
            found.extend(Fact(fact.key, fact.said, fact.value, fact.worth - 1) for fact in _inner_facts(value))
        elif (fact := _fact(key, value, content)) is not None:
            found.append(fact)
    return sorted(found, key=lambda fact: -fact.worth)


def _inner_facts(value: JsonObject) -> Iterator[Fact]:
    for name, entry in list(value.items())[:_FIRST_OBJECTS]:
        if not isinstance(entry, dict | list) and (fact := _fact(name, entry, value)) is not None:
            yield fact


def _fact(key: str, value: JsonValue, beside: JsonObject) -> Fact | None:
    if value is None or isinstance(value, dict) or value == "":
        return None
    if isinstance(value, list) and (len(value) > 5 or any(isinstance(entry, dict | list | bool) for entry in value)):
        return None
    said = say_value(key, value, beside)
    if not said or len(said) > _LONGEST_FACT:
        return None
    return Fact(key, said, value, _worth(key, value))


def _worth(key: str, value: JsonValue) -> float:
    words = raw_words(key)
    if not words or _BORING.intersection(words):
        return 0
    if isinstance(value, bool):
        return 1.5
    if is_money(key) or unit_of(key) or "temperature" in words:
        return 4
    if isinstance(value, int | float):
        return 1 if words[-1] in ("id", "latitude", "longitude", "lat", "lon", "lng") else 3.5
    if isinstance(value, list):
        return 2.5
    if words[-1] in ("id", "key", "slug"):
        return 0.5
    return 3 if words[-1] in ("date", "time", "at", "until", "due") else 2.8
