"""Flags: what a person says to have a boolean on or off."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.authors.offline.fields import Field
from generator.authors.offline.verbs import base_form
from generator.authors.offline.words import split_identifier, spoken

_WHETHER = re.compile(
    r"\b(?:whether(?: or not)?|flag (?:to|for)|indicates? if|determines? if|specify if|if)\s+(?:to\s+)?(.+)",
    re.IGNORECASE,
)
_WHEN_TRUE = re.compile(r"^(?:(?:if|when|set(?: to)?) (?:set to )?)?true,?\s+(?:to\s+)?(.+)", re.IGNORECASE)
_ADJECTIVAL = ("ed", "ive", "ble", "ent", "ly", "ous", "less", "ful")
_TO_DO = re.compile(r"\bwhether (?:or not )?to\b", re.IGNORECASE)
_END = re.compile(r"[.,;:(]|\s(?:if|when|or not|default|instead|so that|because|which|that|\(|-)\b")
_STATE = re.compile(
    r"^(?:the|a|an) ([\w' -]+?) (is|are|has|have|was|were|should be|can be|must be|[a-z]{2,}s) (.+)$", re.IGNORECASE
)
_NEGATED = {
    "is": "is not", "are": "are not", "has": "doesn't have", "have": "don't have", "was": "was not", "were": "were not",
    "should be": "should not be", "can be": "cannot be", "must be": "need not be",
}  # fmt: skip
_FIRST_PERSON = {"is": ("am", "am not"), "has": ("have", "don't have"), "was": ("was", "was not")}


@dataclass(frozen=True, slots=True)
class FlagPhrases:
    """Sentences for a flag that is on and for one that is off, and how stilted they are."""

    when_true: tuple[str, ...]
    when_false: tuple[str, ...]
    cost: float


def flag_phrases(field: Field) -> FlagPhrases:
    """Word a flag from its description, else from its name."""
    action = _described_action(field.description)
    if action:
        state = _STATE.match(action)
        said = _statement(state) if state and len(action.split()) <= 10 else None
        if said is not None:
            return said
        verb, _, rest = action.partition(" ")
        base = base_form(verb) or (verb if _TO_DO.search(field.description[:80]) else "")
        if base and rest and 1 <= len(rest.split()) <= 8:
            return _request(base, rest)
    words = list(split_identifier(field.name))
    if words and base_form(words[0]) == words[0] and len(words) > 1:
        return _request(words[0], "the " + spoken(words[1:]) if words[0] == "include" else spoken(words[1:]))
    if words[:1] in (["is"], ["has"]):
        words = words[1:]
    noun = spoken(words)
    if noun in ("all", "any", "only", "both"):
        return FlagPhrases((f"Include {noun} of it.",), ("Not all of it, please.",), 2.6)
    if words and words[-1] in ("detail", "details", "detailed", "verbose", "full"):
        return _request("include", "all the details")
    if len(words) == 1 and words[0].endswith(("ize", "ise", "ify")):
        return FlagPhrases((f"{noun.capitalize()} it, please.", f"Please {noun} it."), (f"Don't {noun} it.",), 0.5)
    if not noun.endswith(_ADJECTIVAL):
        phrases = _request("include", "the " + noun if " " in noun or not noun.endswith("s") else noun)
        return FlagPhrases(phrases.when_true, phrases.when_false, 1.4)
    return FlagPhrases((f"It should be {noun}.", f"Make it {noun}, please."), (f"It should not be {noun}.",), 0.9)


def _described_action(description: str) -> str:
    match = _WHEN_TRUE.match(description) or _WHETHER.search(description[:120])
    text = match[1] if match else description
    if not match and not base_form(text.split(" ", 1)[0] if text else ""):
        return ""
    end = _END.search(text)
    text = (text[: end.start()] if end else text).strip().rstrip(".")
    return text[:1].lower() + text[1:]


def _statement(state: re.Match[str]) -> FlagPhrases | None:
    """Word "whether the sort is stable" as a statement; what is said of the user is said in the first person."""
    subject, verb, rest = state[1], state[2].lower(), state[3]
    base = base_form(verb)
    if verb not in _NEGATED and (not base or base == verb):
        return None
    if subject in ("user", "customer", "person"):
        true, false = _FIRST_PERSON.get(verb, (base, f"don't {base}"))
        return FlagPhrases((f"I {true} {rest}.",), (f"I {false} {rest}.",), 0.3)
    negated = _NEGATED.get(verb, f"doesn't {base}")
    return FlagPhrases((f"The {subject} {verb} {rest}.",), (f"The {subject} {negated} {rest}.",), 0.4)


def _request(verb: str, rest: str) -> FlagPhrases:
    if verb in ("include", "return", "get", "show"):
        return FlagPhrases(
            (f"Please include {rest}.", f"Include {rest} too.", f"Also include {rest}.", f"I'd like {rest} included."),
            (f"Leave out {rest}.", f"Don't include {rest}.", f"No need to include {rest}."),
            0.2,
        )
    return FlagPhrases(
        (f"Please {verb} {rest}.", f"{verb.capitalize()} {rest}, please.", f"Also {verb} {rest}."),
        (f"Don't {verb} {rest}.", f"Please don't {verb} {rest}.", f"No need to {verb} {rest}."),
        0.3,
    )
