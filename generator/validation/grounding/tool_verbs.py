"""Tool verbs: what a tool does by the words of its name: looks something up, makes, takes away, changes or copies."""

from __future__ import annotations

from functools import cache, lru_cache

from generator.validation.grounding.language import entries
from generator.validation.grounding.words import tokens_of_value

LOOKING, MAKING, UNMAKING, CHANGING, COPYING = "looking", "making", "unmaking", "changing", "copying"
SORTS = (UNMAKING, COPYING, MAKING, CHANGING, LOOKING)
_MOST_WORDS = 12


@cache
def _verbs() -> dict[str, str]:
    """Return the sort of each verb."""
    found = {verb: sort for sort in SORTS for verb in entries("en", "tool_verbs", sort)}
    found |= dict.fromkeys(entries("en", "results", LOOKING), LOOKING)
    return found


@lru_cache(maxsize=4096)
def verb_of(name: str) -> tuple[str, str]:
    """Return the verb in a tool's name with its sort; two empty texts where it has none that is known.

    A name begins with its verb, behind the name of its service where there is one: `gmail_send_message`.
    """
    tokens = tokens_of_value(name)[:_MOST_WORDS]
    for token in tokens:
        sort = _verbs().get(token)
        if sort is not None:
            return token, sort
    return "", ""


def is_harmless(name: str) -> bool:
    """Say whether a tool only looks something up or reckons, by its name."""
    return verb_of(name)[1] == LOOKING
