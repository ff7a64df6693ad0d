"""Requests that say something which the calls do not heed."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.parts import (
    Call,
    answer_after,
    calls_at_once,
    distinguishes,
    language,
    own_words,
    request_before,
    says,
    strings,
    without_calls,
    without_mention,
    word,
)

Json = Any  # parsed JSON
NOT_THIS = {
    "en": (
        "But leave {} alone.",
        "Actually, not {}.",
        "No need to do anything about {}, though.",
        "Please don't touch {}.",
    ),
    "de": ("Aber {} lass bitte aus.", "{} muss doch nicht sein.", "Nein, {} bitte nicht."),
    "es": ("Pero lo de {} no hace falta.", "Bueno, {} no, déjalo.", "Pero deja {} como está."),
    "fr": ("Mais pas {}, finalement.", "Laisse {} de côté, en fait.", "Pas besoin de {}, en fin de compte."),
    "zh": ("不过{}就不用了。", "{}不要动。", "算了，{}不需要。"),
}
AND = {"en": "and", "de": "und", "es": "y|e", "fr": "et", "zh": "和|以及|还有"}
BETWEEN = (
    "the|my|our|a|an|for|in|at|to|of|on|from|with|der|die|das|den|dem|ein|eine|für|im"
    "|el|la|los|las|en|de|para|le|les|à|pour"
)
BOTH = r"\b(?:between|both|each|zwischen|beide|entre|ambos|tant)\b"
BUT_NOT = {"en": "but not", "de": "aber nicht", "es": "pero no", "fr": "mais pas", "zh": "但不要"}


def _named(record: Json) -> list[tuple[Json, Call, list[Call], list[str]]]:
    """Return each call of several with its request, the other calls, and the words of the request that are its own."""
    found = []
    for calls in calls_at_once(record):
        request = request_before(record, calls[0].turn)
        for call in calls:
            others = [each for each in calls if each is not call]
            foreign = [leaf for other in others for _, leaf in strings(other.arguments)]
            named_by = [(path, leaf) for path, leaf in strings(call.arguments) if len(leaf) > 2]
            arguments = {leaf for path, leaf in named_by if distinguishes(call, path, others)}
            named = [
                leaf
                for leaf in sorted(arguments, key=lambda leaf: (-len(leaf), leaf))
                if request
                and len(word(leaf).findall(request["content"])) == 1
                and not any(says(f, leaf) for f in foreign)
            ]
            if named:
                found.append((request, call, others, named))
    return found


def negation_appended(record: Json, rng: Random) -> Json | None:
    found = [each for each in _named(record) if each[0] is not None]
    if not found:
        return None
    request, _, _, named = rng.choice(found)
    said = word(named[0]).search(request["content"])
    assert said is not None
    request["content"] += " " * (language(record) != "zh") + rng.choice(NOT_THIS[language(record)]).format(said[0])
    return record


def negation_within(record: Json, rng: Random) -> Json | None:
    spoken = language(record)
    between = rf" (?:(?:{BETWEEN}) ){{0,3}}[\"“']?" if spoken != "zh" else ""
    found = [
        (request, matched)
        for request, _, _, named in _named(record)
        for name in named
        if (
            matched := re.search(
                rf",? ?(?<!\w)(?:{AND[spoken]})(?={between}{re.escape(name)})", request["content"], re.I
            )
        )
        and matched.start() > 0
        and not re.search(BOTH, request["content"][: matched.start()], re.I)
    ]
    if not found:
        return None
    request, matched = rng.choice(found)
    space = " " if spoken != "zh" else ""
    before, after = request["content"][: matched.start()], request["content"][matched.end() :]
    request["content"] = f"{before},{space}{BUT_NOT[spoken]}{after}"
    return record


def wish_dropped(record: Json, rng: Random) -> Json | None:
    found = _named(record)
    rng.shuffle(found)
    for _, call, others, _ in found:
        answer = answer_after(record, call.turn)
        if answer is None:
            dropped = without_calls(record, {call.identity}) if call.result is None else None
        else:
            left = without_mention(answer["content"], call, others) if own_words(call, others) else None
            dropped = without_calls(record, {call.identity}) if left else None
            answer["content"] = left or answer["content"]
        if dropped is not None:
            return dropped
    return None


CLASSES = (
    Corruption("negation_appended", "requests", "the user takes one thing back, and it is called", negation_appended),
    Corruption("negation_within", "requests", "the user excepts one thing, and it is called", negation_within),
    Corruption("wish_dropped", "requests", "one of several wishes is neither called nor answered", wish_dropped),
)
