"""Facts of a result object, worth most first, and the phrases they are told with: "45% humidity", "rated 4.5"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.authors.offline.replies_values import (
    is_literal,
    is_money,
    key_words,
    noun_of,
    raw_words,
    say_value,
    unit_of,
)
from generator.authors.offline.words import article, is_plural, is_uncounted, word_set
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
)
_STATES = word_set("status state condition conditions weather availability")
_MESSAGES = word_set("message summary answer advice explanation recommendation conclusion note")
_BORING = word_set(
    "currency unit units timestamp created updated url link href uri lang locale version sha html image thumbnail etag cursor token"
)
_TOTALS = word_set("total count totals")
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
    for key in _NAMES:
        if isinstance(value := thing.get(key), str) and 0 < len(value) <= 80:
            return key, value.strip()
    for key, value in thing.items():
        if isinstance(value, str) and 0 < len(value) <= 80 and key_words(key)[-1:] in (("name",), ("title",)):
            return key, value.strip()
    if first := thing.get("first_name"):
        if isinstance(first, str) and isinstance(last := thing.get("last_name"), str):
            return "first_name", f"{first} {last}"
    for key in ("date", "day", "datetime", "time"):
        if isinstance(value := thing.get(key), str) and value:
            return key, say_value(key, value, thing)
    for key, value in thing.items():
        if (
            key_words(key)[-1:] in (("number",), ("id",))
            and isinstance(value, str | int)
            and not isinstance(value, bool)
        ):
            return key, str(value)
    return "", ""


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
    for key, value in content.items():
        words = raw_words(key)
        if words and words[-1] in _STATES and isinstance(value, str) and 0 < len(value) <= 32 and value.count(" ") < 3:
            return key, say_value(key, value, content)
    return "", ""


_ANSWERS = word_set("result enabled valid exists available allowed connected active open found match matches supported")


def answer_of(content: JsonObject) -> tuple[str, bool] | None:
    """Return the flag that answers a yes-or-no question, with its key; None where the result holds none."""
    for key, value in content.items():
        words = raw_words(key)
        if isinstance(value, bool) and (
            words[-1:] and words[-1] in _ANSWERS or words[:1] in (("is",), ("has",), ("can",))
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
        if key in told or key in arguments and arguments[key] == value:
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


def fact_phrase(fact: Fact) -> str:
    """Say a fact as a noun phrase that may follow "with": "a price of $20", "45% humidity", "no discount"."""
    noun = noun_of(fact.key)
    words = noun.split()
    if isinstance(fact.value, bool):
        return flag_phrase(fact)
    if not noun:
        return fact.said
    if raw_words(fact.key)[-1:] in (("percent",), ("percentage",)) and is_uncounted(words[-1]):
        return f"{fact.said} {noun}"
    if words[-1] == "year" and isinstance(fact.value, int):
        return f"{noun} {fact.said}"
    if words[-1] in ("at", "on") and len(words) > 1:
        return f"{noun.removesuffix(' at').removesuffix(' on')} on {fact.said}"
    if (
        isinstance(fact.value, int)
        and (is_plural(words[-1]) or len(words) == 2 and is_plural(words[0]))
        and not is_money(fact.key)
        and not unit_of(fact.key)
    ):
        return f"{fact.said} {noun if fact.value != 1 else _one(noun)}"
    if isinstance(fact.value, int) and words[-1] == "count" and len(words) > 1:
        return f"{fact.said} {' '.join(words[:-1])}{'s' if fact.value != 1 and not is_plural(words[-2]) else ''}"
    if isinstance(fact.value, int | float) and not is_literal(fact.key):
        lead = (
            "" if is_plural(words[-1]) or is_uncounted(words[-1]) or words[-1] in ("pressure",) else f"{article(noun)} "
        )
        return f"{lead}{noun} of {fact.said}"
    return f"{noun} {fact.said}"


def _one(noun: str) -> str:
    return noun[:-1] if noun.endswith("s") else noun


def flag_phrase(fact: Fact) -> str:
    """Say a flag: "free cancellation", "no free cancellation"."""
    noun = noun_of(fact.key)
    for lead in ("is ", "has ", "are "):
        noun = noun.removeprefix(lead)
    return noun if fact.value else f"no {noun}"


def statement(fact: Fact) -> str:
    """Say a fact as a sentence of its own, without its full stop."""
    noun = noun_of(fact.key)
    words = noun.split()
    if isinstance(fact.value, bool):
        return _flag_statement(noun, bool(fact.value))
    if not words:
        return f"it is {fact.said}"
    if (
        isinstance(fact.value, int)
        and words[-1] in _TOTALS
        or words[0] in _TOTALS
        and isinstance(fact.value, int)
        and len(words) > 1
    ):
        return f"the {noun} is {fact.said}"
    if words[-1] in ("at", "on") and len(words) > 1:
        return f"it was {' '.join(words[:-1])} on {fact.said}"
    if isinstance(fact.value, int) and is_plural(words[-1]) and not is_money(fact.key) and not unit_of(fact.key):
        return f"there are {fact.said} {noun}" if fact.value != 1 else f"there is 1 {_one(noun)}"
    return f"the {noun} {'are' if is_plural(words[-1]) and words[-1] not in ('series', 'news') else 'is'} {fact.said}"


def _flag_statement(noun: str, value: bool) -> str:
    lead, _, rest = noun.partition(" ")
    if lead in ("is", "has", "can", "was") and rest:
        negated = {"is": "is not", "has": "does not have", "can": "cannot", "was": "was not"}[lead]
        return f"it {lead if value else negated} {rest}"
    return (
        f"it is {noun}"
        if value and noun.endswith("ed")
        else f"it is not {noun}"
        if noun.endswith("ed")
        else f"{noun}: {'yes' if value else 'no'}"
    )
