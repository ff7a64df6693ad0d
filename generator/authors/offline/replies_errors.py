"""Failed calls told honestly: what failed, the error's own words, and what can be done about it."""

from __future__ import annotations

import re
from random import Random

from generator.authors.offline.replies_actions import Action
from generator.authors.offline.replies_recounting import Recounted
from generator.authors.offline.words import split_identifier, spoken, upper_first
from generator.jsontext import JsonObject
from generator.records.calls import ToolResult

_IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
_BAD_ARTICLE = re.compile(r"\ba (?=[aeio][a-z])")
_LEADS: tuple[str, ...] = (
    "I couldn't {deed}{subject}. {Message}",
    "I wasn't able to {deed}{subject}. {Message}",
    "Sorry, I couldn't {deed}{subject}. {Message}",
    "Unfortunately that didn't work{subject}. {Message}",
    "That didn't go through{subject}. {Message}",
    "I tried to {deed}{subject}, but it failed. {Message}",
    "I'm afraid I couldn't {deed}{subject}. {Message}",
)
_BRIEF = ("I couldn't {deed}. {Message}", "I wasn't able to {deed}. {Message}", "I failed to {deed}. {Message}")
_BRIEF_LABELED = (
    "For {label} it didn't work. {Message}",
    "I had no luck with {label}. {Message}",
    "I ran into a problem with {label}. {Message}",
    "It failed for {label}. {Message}",
)
_LOOKED_UP = ("get", "search", "check", "analyze", "predict")
_REMEDIES: dict[str, tuple[str, ...]] = {
    "PARAMETER_VALIDATION_FAILED": (
        "Could you check the details and give me a different value?",
        "If you send me a corrected value, I'll try again.",
        "Could you double-check what you gave me? I can try again right away.",
        "With a different value I can give it another go.",
        "Would you like to change that and try again?",
    ),
    "RESOURCE_NOT_FOUND": (
        "Could you check the spelling or give me another one?",
        "Please double-check it, and I'll look again.",
        "Is there a typo somewhere? I'm happy to search again.",
        "Could you confirm the details so that I can look once more?",
        "Do you have another name or number I could try?",
    ),
    "PERMISSION_DENIED": (
        "Someone with the right access would have to allow it first.",
        "You could ask the owner or an administrator for access, and then I'll try again.",
        "Once you have been given access, I can try again.",
        "It may help to sign in with an account that has the rights for it.",
        "An administrator should be able to grant the access you need.",
    ),
    "BUSINESS_RULE_VIOLATION": (
        "Would you like to change the request so that it fits?",
        "If you adjust the details, I can try again.",
        "Should I try it with something different?",
        "We'd have to change something about it first. What would you like to do?",
        "A smaller or different request may go through. Shall I try?",
    ),
    "SERVICE_UNAVAILABLE": (
        "I can try again in a few minutes if you like.",
        "It's usually back soon, so it's worth trying again a little later.",
        "Shall I try again later?",
        "Please ask me again in a while, and I'll give it another try.",
        "Nothing was lost; we can simply try again shortly.",
    ),
    "RATE_LIMIT_EXCEEDED": (
        "I can try again once the limit has been lifted.",
        "Let's wait a little, and then I'll run it again.",
        "Once that time has passed, I'm happy to try again.",
        "If it isn't urgent, ask me again a bit later.",
        "Shall I try once more after a short break?",
    ),
    "INVALID_STATE": (
        "We'd have to wait until that has changed. Shall I check again later?",
        "I can try again once that is sorted out.",
        "Would you like me to look at its current state first?",
        "Once that has been resolved, I can do it.",
        "Let me know when that has changed, and I'll try again.",
    ),
    "CONFIGURATION_ERROR": (
        "Someone with administrator access has to set that up first.",
        "Once the setup has been completed, I can try again.",
        "Please have the settings checked; after that it should work.",
        "An administrator would need to fix the configuration before I can do this.",
        "That needs to be fixed in the settings before I can go on.",
    ),
}
_ANY_REMEDY = ("Shall I try again?", "Let me know if I should try something else.", "I can try again if you like.")


def tell_failure(
    action: Action,
    about: str,
    result: ToolResult,
    arguments: JsonObject,
    stream: Random,
    told: Recounted | None = None,
) -> str:
    """Tell a failed call: what failed, why in the error's own words, and what can be done about it."""
    message = _readable(result.error_message, arguments)
    named = about and told is None and not action.changes and action.operation.family in _LOOKED_UP
    lead = _LEADS[int(stream.random() * len(_LEADS))]
    deed = told.phrase if told is not None else _deed(action)
    text = lead.format(deed=deed, subject=about if named else "", Message=message)
    remedy = remedy_of(result, stream)
    return text if _says_remedy(message, remedy) else f"{text} {remedy}"


def _deed(action: Action) -> str:
    return "do that" if action.thing in ("", "that") else action.phrase


def tell_failure_briefly(
    action: Action,
    label: str,
    result: ToolResult,
    arguments: JsonObject,
    stream: Random,
    told: Recounted | None = None,
) -> str:
    """Tell one failed call among others, without its remedy; `label` tells it from further calls of its tool."""
    message = _readable(result.error_message, arguments)
    leads = _BRIEF_LABELED if label else _BRIEF
    deed = told.phrase if told is not None else _deed(action)
    text = leads[int(stream.random() * len(leads))].format(deed=deed, label=label, Message=message)
    return upper_first(text)


def remedy_of(result: ToolResult, stream: Random) -> str:
    """Return what can be done about an error, by its type."""
    remedies = _REMEDIES.get(result.error_type or "", _ANY_REMEDY)
    return remedies[int(stream.random() * len(remedies))]


def _says_remedy(message: str, remedy: str) -> bool:
    """Say whether the error's message already tells what to do, in about the words of the remedy."""
    told, proposed = message.lower(), remedy.lower()
    return any(hint in told and hint in proposed for hint in ("few minutes", "administrator", "try again later"))


def _readable(message: str, arguments: JsonObject) -> str:
    """Return the error's message as a sentence; names of parameters are written in words."""
    text = " ".join(message.split()) or "The tool gave no reason."
    values = " ".join(value for value in arguments.values() if isinstance(value, str))
    text = _IDENTIFIER.sub(lambda match: match[0] if match[0] in values else spoken(split_identifier(match[0])), text)
    text = _BAD_ARTICLE.sub("an ", text)
    return text if text[-1] in ".!?" else text + "."
