"""Requests that are not heeded: classes that were set aside while the rules were written."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.parts import (
    WRITING,
    calls_of,
    distinguishes,
    language,
    like,
    numbers,
    request_before,
    says,
    schema_at,
    spans,
    strings,
    texts,
    word,
)

Json = Any  # parsed JSON

CITIES = ["Lisbon", "Oslo", "Valencia", "Kyoto", "Leeds", "Gdansk", "Tallinn", "Lima"]
PEOPLE = ["Priya Raman", "Henrik Solberg", "Marta Iglesias", "Owen Tate", "Fatou Diallo"]


def append_to(record, request, told):
    stop = "." if request["content"][-1:].isalnum() and language(record) != "zh" else ""
    request["content"] += stop + ("" if language(record) == "zh" else " ") + told


MEANT = {
    "en": (
        "Sorry, I meant {new}, not {old}.",
        "No wait, make that {new} instead of {old}.",
        "Correction: {new}, not {old}.",
    ),
    "de": ("Ach nein, {new} statt {old}.", "Entschuldigung, ich meinte {new}, nicht {old}."),
    "es": ("Perdón, quería decir {new}, no {old}.", "No, mejor {new} en vez de {old}."),
    "fr": ("Pardon, je voulais dire {new}, pas {old}.",),
    "zh": ("不对，是{new}，不是{old}。", "说错了，改成{new}，不要{old}。"),
}


def another_like(call, path, value, rng):
    """Another value of the same sort, or None."""
    options = [v for v in schema_at(call, path).get("enum", ()) if isinstance(v, str) and v != value]
    key = str(path[0]).lower()
    if options:
        return rng.choice(options)
    if re.search(r"city|origin|destination", key):
        return rng.choice([c for c in CITIES if c != value])
    if re.search(r"(?:^|full_|guest_|recipient_|assignee_|sender_?)name$|recipient|attendee|assignee", key):
        return rng.choice([p for p in PEOPLE if p != value])
    if re.fullmatch(r"[A-Z]{1,4}-?\d{3,}", value):
        return re.sub(r"\d", lambda m: str((int(m[0]) + 3) % 10), value)
    return None


def correction_ignored(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        request = request_before(record, call.turn)
        if request is None:
            continue
        for path, value in strings(call.arguments):
            if len(word(value).findall(request["content"])) == 1 and len(value) > 2:
                other = another_like(call, path, value, rng)
                if other and not says(texts(record), other):
                    found.append((request, value, other))
        for _, value in numbers(call.arguments):
            if len(spans(request["content"], value)) == 1 and value == int(value) and 1 < value < 100000:
                other = int(value) + rng.choice([1, 2, 3, 5])
                if not spans(texts(record), other):
                    found.append(
                        (
                            request,
                            spans(request["content"], value)[0][0],
                            like(spans(request["content"], value)[0][0], other),
                        )
                    )
    if not found:
        return None
    request, old, new = rng.choice(found)
    append_to(record, request, rng.choice(MEANT[language(record)]).format(new=new, old=old))
    return record


FORGET = {
    "en": (
        "Actually, forget it, I don't need that anymore.",
        "Oh wait, never mind. Don't do it after all.",
        "Scratch that, please don't do anything.",
    ),
    "de": ("Ach nein, vergiss es, ich brauche das doch nicht mehr.", "Lass es doch lieber sein, mach bitte nichts."),
    "es": ("Bueno, olvídalo, ya no lo necesito.", "Mejor no, déjalo estar."),
    "fr": ("En fait, laisse tomber, je n'en ai plus besoin.",),
    "zh": ("算了，不用了，什么都别做。", "还是算了吧，我不需要了。"),
}


def withdrawal_ignored(record: Json, rng: Random) -> Json | None:
    turns = [call.turn for call in calls_of(record) if record["messages"][call.turn - 1]["role"] == "user"]
    if not turns:
        return None
    request = record["messages"][rng.choice(turns) - 1]
    append_to(record, request, rng.choice(FORGET[language(record)]))
    return record


ALSO = {
    "en": ("And do the same for {}, please.", "Oh, and {} as well.", "I also need that for {}."),
    "de": ("Und dasselbe bitte auch für {}.", "Und {} bitte auch."),
    "es": ("Y lo mismo para {}, por favor.", "Y también {}."),
    "fr": ("Et la même chose pour {}, s'il te plaît.",),
    "zh": ("{}也要一样。", "还有{}。"),
}


def wish_added(record: Json, rng: Random) -> Json | None:
    found = []
    made = calls_of(record)
    for call in made:
        request = request_before(record, call.turn)
        if request is None or record["messages"][call.turn - 1]["role"] != "user":
            continue
        others = [c for c in made if c is not call and c.turn == call.turn]
        for path, value in strings(call.arguments):
            if (
                not says(request["content"], value)
                or not re.search(r"city|room$|name|_id$|number|account|title|project", str(path[0]))
                or re.search(r"assignee|guest|attendee|sender", str(path[0]))
            ):
                continue
            other = another_like(call, path, value, rng)
            if other and not says(texts(record), other) and (distinguishes(call, path, others) or not others):
                found.append((request, other))
    if not found:
        return None
    request, other = rng.choice(found)
    append_to(record, request, rng.choice(ALSO[language(record)]).format(other))
    return record


ASK_FIRST = {
    "en": (
        "But don't do anything before I've confirmed the details.",
        "Tell me first what exactly you're going to do and wait for my yes.",
        "Ask me before you do it.",
    ),
    "de": ("Frag mich aber bitte, bevor du etwas machst.", "Mach aber nichts, bevor ich ja gesagt habe."),
    "es": ("Pero no hagas nada hasta que te lo confirme.", "Pregúntame antes de hacerlo."),
    "fr": ("Mais demande-moi avant de faire quoi que ce soit.",),
    "zh": ("不过先跟我确认，我同意了再做。", "动手之前先问我。"),
}


def consent_ignored(record: Json, rng: Random) -> Json | None:
    turns = [
        call.turn
        for call in calls_of(record)
        if call.verb in WRITING and record["messages"][call.turn - 1]["role"] == "user"
    ]
    firsts = [turn for turn in turns if len([m for m in record["messages"][:turn] if m["role"] == "user"]) == 1]
    if not firsts:
        return None
    append_to(record, record["messages"][firsts[0] - 1], rng.choice(ASK_FIRST[language(record)]))
    return record


CLASSES = (
    Corruption(
        "correction_ignored", "requests", "the user corrects a value, and the old one is called", correction_ignored
    ),
    Corruption(
        "withdrawal_ignored", "requests", "the user takes the request back, and it is carried out", withdrawal_ignored
    ),
    Corruption("wish_added", "requests", "the user asks for one thing more, which nothing serves", wish_added),
    Corruption("consent_ignored", "requests", "the user wants to be asked first, and is not", consent_ignored),
)
