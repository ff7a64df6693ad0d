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
from generator.authors.offline.words import is_plural, is_uncounted, join_and, plural, singular, with_article, word_set
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


def titled(key: str, name: str) -> str:
    """Set a title of several words off from the sentence."""
    quoted = key_words(key)[-1:] in (("title",), ("headline",), ("subject",)) and name.count(" ") > 1
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
    for key, value in content.items():
        words = raw_words(key)
        if words and words[-1] in _STATES and isinstance(value, str) and 0 < len(value) <= 32 and value.count(" ") < 3:
            said = say_value(key, value, content)
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
            (words[-1:] and words[-1] in _ANSWERS) or words[:1] in (("is",), ("has",), ("can",))
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


_MAKERS: dict[tuple[str, ...], str] = {
    ("year",): "from",
    ("amount",): "for",("artist",): "by", ("author",): "by", ("owner",): "by", ("creator",): "by", ("director",): "by",
           ("publisher",): "from", ("sender",): "from", ("composer",): "by"}  # fmt: skip


def with_facts(facts: list[Fact]) -> str:
    """Say facts as they follow a thing: "by Ana, published on March 4, with a price of $20"."""
    phrases = {fact.key: fact_phrase(fact) for fact in facts}
    nouns = [phrase for key, phrase in phrases.items() if not _follows(key, phrase)]
    following = [phrase for key, phrase in phrases.items() if _follows(key, phrase)]
    return ", ".join([*following, *([f"with {join_and(nouns)}"] if nouns else [])])


_HAPPENING = {"expires": "expiring", "starts": "starting", "ends": "ending", "begins": "beginning"}
_HAPPENED = word_set("sent paid made due held sold bought born won lost met taken written built")


def _follows(key: str, phrase: str) -> bool:
    """Say whether a phrase needs no "with" before it: "by Ana", "published on March 4"."""
    words = raw_words(key)
    return (
        (words in _MAKERS and phrase.startswith(_MAKERS[words]))
        or phrase.startswith("rated ")
        or (
            len(words) > 1
            and words[-1] in ("at", "on")
            and (words[0].endswith("ed") or words[0] in _HAPPENED or words[0] in _HAPPENING)
        )
    )


def fact_phrase(fact: Fact) -> str:
    """Say a fact as a noun phrase that may follow "with": "a price of $20", "45% humidity", "no discount"."""
    noun = noun_of(fact.key)
    if isinstance(fact.value, bool):
        return flag_phrase(fact)
    if not noun:
        return fact.said
    words = noun.split()
    if raw_words(fact.key) in _MAKERS and (fact.key != "amount" or not fact.said[0].isdigit()):
        return f"{_MAKERS[raw_words(fact.key)]} {fact.said}"
    if isinstance(fact.value, int) and words == ["number"]:
        return f"#{fact.said}"
    if isinstance(fact.value, int | float) and words == ["rating"]:
        return f"rated {fact.said}"
    if isinstance(fact.value, str) and words[-1] in ("severity", "priority", "quality") and " " not in fact.said:
        return f"{fact.said} {noun}"
    if isinstance(fact.value, int | float) and not is_literal(fact.key) and words[-1] != "year":
        return _number_phrase(fact, noun, words)
    if len(words) > 1 and words[-1] in ("at", "on"):
        return f"{_HAPPENING.get(words[0], ' '.join(words[:-1]))} on {fact.said}"
    return f"{noun} {fact.said}"


def _number_phrase(fact: Fact, noun: str, words: list[str]) -> str:
    if raw_words(fact.key)[-1] in ("percent", "percentage") and is_uncounted(words[-1]):
        return f"{fact.said} {noun}"
    if _counts(fact, words):
        return f"{fact.said} {noun if fact.value != 1 else _one(noun)}"
    if isinstance(fact.value, int) and words[-1] == "count" and len(words) > 1:
        counted = [*words[:-2], plural(words[-2]) if fact.value != 1 else words[-2]]
        return f"{fact.said} {' '.join(counted)}"
    bare = is_plural(words[-1]) or is_uncounted(words[-1]) or words[-1] == "pressure"
    return f"{noun if bare else with_article(noun)} of {fact.said}"


def _counts(fact: Fact, words: list[str]) -> bool:
    """Say whether a fact counts things: `wins`, `games_played`."""
    if not isinstance(fact.value, int) or is_money(fact.key) or unit_of(fact.key):
        return False
    return is_plural(words[-1]) or (len(words) == 2 and is_plural(words[0]))


def _one(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    return f"{head} {singular(last)}".strip()


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
        return _flag_statement(noun, fact.value)
    if not words:
        return f"it is {fact.said}"
    if len(words) > 1 and words[-1] in ("at", "on"):
        happens = words[0] in _HAPPENING
        return f"it {'' if happens else 'was '}{' '.join(words[:-1])} on {fact.said}"
    if isinstance(fact.value, str) and " " in fact.said and fact.said[-1] in ".!?":
        return f'the {noun} reads "{fact.said.rstrip(".")}"'
    if noun in ("name", "title") and isinstance(fact.value, str):
        return f'it is called "{fact.said}"'
    if _counts(fact, words) and words[0] != "total":
        return f"there are {fact.said} {noun}" if fact.value != 1 else f"there is 1 {_one(noun)}"
    return f"the {noun} {'are' if is_plural(words[-1]) else 'is'} {fact.said}"


_VERBS = {"is": ("is", "is not"), "has": ("has", "does not have"), "can": ("can", "cannot"), "was": ("was", "was not")}


def _flag_statement(noun: str, value: bool) -> str:
    lead, _, rest = noun.partition(" ")
    if lead in _VERBS and rest:
        return f"it {_VERBS[lead][not value]} {rest}"
    if noun.endswith("ed"):
        return f"it is {noun}" if value else f"it is not {noun}"
    return f"it comes with {noun}" if value else f"it comes without {noun}"
