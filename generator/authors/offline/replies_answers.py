"""Answers to a question: yes or no, one number, what something was converted to, in the words that asked for it."""

from __future__ import annotations

import re

from generator.authors.offline.replies_actions import Call
from generator.authors.offline.replies_facts import facts_of
from generator.authors.offline.replies_phrases import statement
from generator.authors.offline.replies_values import key_words, raw_words, say_text, say_value
from generator.authors.offline.words import spoken, upper_first, word_set
from generator.jsontext import JsonObject

_BEFORE_PREPOSITION = re.compile(r" (?:of|between|for|in|from|at|on) ")
_PLAIN_RESULTS = word_set("result value answer output total")


def only_number(content: JsonObject, arguments: JsonObject) -> str:
    """Return the key of the only number of a result that is news; the empty string where there are more or none."""
    news = [key for key, value in content.items() if arguments.get(key) != value and raw_words(key)[-1:] != ("unit",)]
    if len(news) != 1 or isinstance(content[news[0]], bool) or not isinstance(content[news[0]], int | float):
        return ""
    return news[0]


def tell_converted(call: Call, content: JsonObject) -> str:
    """Tell what something was converted to; the empty string where nothing was."""
    only = only_number(content, call.arguments)
    if not only or call.told is None or call.told.verb != "convert":
        return ""
    return upper_first(f"converting {call.told.rest} gives {say_value(only, content[only], content)}.")


def asked_words(key: str, call: Call) -> tuple[str, ...]:
    """Return the words that the question must contain: none where the only number of a computation answers it."""
    return () if call.told is not None and call.told.sort == "compute" else key_words(key)


def with_unit(key: str, content: JsonObject) -> str:
    """Say the only number of a result with the unit that stands beside it."""
    said, unit = say_value(key, content[key], content), content.get("unit")
    return (
        f"{said} {say_text(unit)}" if isinstance(unit, str) and say_text(unit) not in said and len(unit) < 14 else said
    )


def asked_subject(call: Call, words: tuple[str, ...]) -> tuple[str, str] | None:
    """Return what was asked for, as a subject with its verb: "the distance between Rome and Oslo", "is".

    `words` are those of the result's key: the subject must speak of them, unless they say no more than "result".
    """
    told = call.told
    if told is None or told.asks != "is" or " and " in _BEFORE_PREPOSITION.split(told.core, maxsplit=1)[0]:
        return None
    if words and words[-1] not in _PLAIN_RESULTS and words[-1] not in told.core.lower():
        return None
    return told.subject, told.asks


_VERB_OF_CLAUSE = (" is ", " are ", " can ", " has ", " have ")
_NOT = {" is ": " is not ", " are ": " are not ", " can ": " cannot ", " has ": " does not have ",
        " have ": " do not have "}  # fmt: skip


def affirmed(call: Call, value: bool) -> str:
    """Answer "check if the phone is online" in its own words; the empty string where the call asked no such thing."""
    told = call.told
    clause = told.core if told is not None else ""
    lead, _, rest = clause.partition(" ")
    if lead not in ("if", "whether"):
        return ""
    places = [(rest.find(verb), verb) for verb in _VERB_OF_CLAUSE if verb in rest]
    if not places or " or " in rest:
        return ""
    _, verb = min(places)
    return f"Yes, {rest}." if value else f"No, {rest.replace(verb, _NOT[verb], 1)}."


_CHECKS = word_set("verify validate check confirm")
_NEGATIVE = re.compile(
    r"\b(?:not|no|cannot|missing|fail\w*|invalid|expired|exceed\w*|without|un\w+|too)\b", re.IGNORECASE
)


def tell_answer(call: Call, content: JsonObject, answer: tuple[str, bool]) -> str:
    """Tell a yes or a no with its reasons."""
    key, value = answer
    facts = [fact for fact in facts_of(content, {key}, call.arguments) if fact.worth >= 2][:2]
    reasons = [fact.said for fact in facts if isinstance(fact.value, str) and fact.said[-1] in ".!?"]
    reasons = [reason for reason in reasons if value is not bool(_NEGATIVE.search(reason))]
    if text := affirmed(call, value):
        return " ".join([text, *reasons])
    words = [word for word in key_words(key) if word not in ("is", "has", "can")]
    if words[-1:] in (["status"], ["verified"], ["valid"], ["correct"]) and call.told and call.told.verb in _CHECKS:
        return "Yes, that checks out." if value else "No, that doesn't check out."
    if len(words) == 1 and words[0].endswith("ed") and not call.label:
        return " ".join([f"Yes, it's {words[0]}." if value else f"No, it's not {words[0]}.", *reasons])
    text = "Yes" if value else "No"
    if words != ["result"] and call.label and words:
        verb = "has" if raw_words(key)[0] == "has" else "can" if raw_words(key)[0] == "can" else "is"
        negated = {"has": "does not have", "can": "cannot", "is": "is not"}[verb]
        text += f", {call.label} {verb if value else negated} {spoken(words)}"
    plain = [fact for fact in facts if not fact.said.endswith((".", "!", "?"))]
    told = [upper_first(f"{statement(fact)}.") for fact in plain]
    return " ".join([text + ".", *told, *reasons])
