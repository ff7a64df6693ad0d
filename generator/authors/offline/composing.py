"""Composing: a plan and its arguments become sentences."""

from __future__ import annotations

import re
from random import Random

from generator.authors.offline.clause import LAST, Clause
from generator.authors.offline.pieces import Pieces, fill
from generator.authors.offline.plans import Plan
from generator.authors.offline.saying import Voice
from generator.authors.offline.words import join_and, lower_first, upper_first
from generator.jsontext import JsonObject

_POLITE = (
    "Can you {}?",
    "Could you {}?",
    "Please {}.",
    "I need you to {}.",
    "Could you please {}?",
    "Can you please {}?",
    "I'd like you to {}.",
)
_MAX_ITEMS = 3
_COUNTED_PEOPLE = re.compile(r"for (\d+ [a-z]+(?: [a-z]+)?)")


def compose(plan: Plan, arguments: JsonObject, voice: Voice, register: str) -> str:
    """Write one request in one of the plan's shapes, drawn from the voice's stream."""
    stream = voice.stream
    core = fill(plan.core, arguments, voice).strip()
    tails, facts, extras = _spread(plan.clauses, arguments, voice)
    sentence = _tidy(" ".join([core, *_merge_counts(tails)]))
    opening = _open(plan, sentence, stream, register)
    closing = []
    if facts:
        told = join_and(facts, oxford=voice.oxford)
        closing.append((f"Take {told}" if told[1:4] == " = " else upper_first(told)) + ".")
    text = " ".join([opening, *closing, *[upper_first(extra) for extra in extras]])
    return text.replace('.".', '."').replace('?".', '?"').replace('!".', '!"')


def _spread(clauses: tuple[Clause, ...], arguments: JsonObject, voice: Voice) -> tuple[list[str], list[str], list[str]]:
    """Divide the clauses into phrases of the sentence, facts of a second one, and sentences of their own."""
    stream = voice.stream
    items = [clause for clause in clauses if clause.item and not clause.inline]
    as_facts = len(items) > _MAX_ITEMS or (
        bool(items) and stream.random() < 0.3 and all(clause.fact for clause in items)
    )
    tails: list[str] = []
    facts: list[str] = []
    extras: list[str] = []
    with_items: list[str] = []
    for clause in clauses:
        if clause.inline and clause.extra and stream.random() < 0.4:
            extras.append(_extra(clause, arguments, voice))
        elif clause.inline:
            text = fill(_pick(clause.inline, stream), arguments, voice)
            if text.startswith("with "):
                with_items.append(text[5:])
            else:
                tails.append(text)
        elif clause.item and not as_facts:
            with_items.append(fill(clause.item, arguments, voice))
        elif clause.extra or clause.extra_false:
            extras.append(_extra(clause, arguments, voice))
        else:
            facts.append(fill(clause.fact, arguments, voice))
    if with_items:
        position = next(
            (index for index, clause in enumerate([c for c in clauses if c.inline]) if clause.order == LAST), len(tails)
        )
        tails.insert(position, "with " + join_and(with_items, oxford=voice.oxford))
    return tails, facts, extras


def repeat_phrases(clauses: list[Clause], arguments: JsonObject, voice: Voice) -> str:
    """Return the clauses as phrases that can stand alone, or the empty string where one needs a sentence."""
    if any(not clause.inline and not clause.item for clause in clauses):
        return ""
    phrases = [fill(clause.inline[0], arguments, voice) for clause in clauses if clause.inline]
    items = [fill(clause.item, arguments, voice) for clause in clauses if not clause.inline]
    if items:
        phrases.append("with " + join_and(items, oxford=voice.oxford))
    return _tidy(" ".join(phrases))


def _merge_counts(tails: list[str]) -> list[str]:
    """Say "for 2 adults and 1 child", not "for 2 adults for 1 child"."""
    merged: list[str] = []
    for tail in tails:
        if merged and _COUNTED_PEOPLE.fullmatch(tail) and _COUNTED_PEOPLE.match(merged[-1]):
            merged[-1] = f"{merged[-1]} and {tail[4:]}"
        else:
            merged.append(tail)
    return merged


def _extra(clause: Clause, arguments: JsonObject, voice: Voice) -> str:
    value = arguments[clause.names[0]]
    options = clause.extra_false if value is False and clause.extra_false else clause.extra
    return fill(_pick(options, voice.stream), arguments, voice)


def _pick(options: tuple[Pieces, ...], stream: Random) -> Pieces:
    return options[int(stream.random() * len(options))]


def _open(plan: Plan, sentence: str, stream: Random, register: str) -> str:
    """Begin the request as a question, an imperative or a wish."""
    draw = stream.random()
    if plan.asks and draw < 0.45:
        verb = "'s" if plan.asks == "is" and register != "formal" else f" {plan.asks}"
        return f"What{verb} {sentence if plan.bare else _determined(sentence)}?"
    verb = plan.verbs[int(stream.random() * len(plan.verbs))]
    text = f"{_spoken_verb(verb, sentence)} {sentence}".strip()
    if draw < 0.75 or register == "terse":
        return upper_first(text) + "."
    form = _POLITE[int(stream.random() * len(_POLITE))]
    if verb.endswith(" me") and form.startswith(("I need", "I'd")):
        form = "Please {}."
    return form.format(lower_first(text))


def _spoken_verb(verb: str, sentence: str) -> str:
    if verb == "search" and sentence.startswith(("for ", "the ", "my ", "through ")):
        return verb
    return {
        "lookup": "look up",
        "login": "log in",
        "logout": "log out",
        "search": "search for",
        "backup": "back up",
    }.get(verb, verb)


def _determined(sentence: str) -> str:
    first = sentence.split(" ", 1)[0].lower()
    return sentence if first in ("the", "all", "my") or first.endswith("'s") else f"the {sentence}"


def _tidy(text: str) -> str:
    return " ".join(text.split()).replace(" ,", ",").replace(",,", ",").replace("..", ".").replace("all all ", "all ")
