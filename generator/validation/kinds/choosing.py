"""What records claim in which the right tool has to be chosen: among near twins, or once it is available."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.clarifying import clarified
from generator.validation.kinds.topics import FILLING, VERBS, concepts, description_of
from generator.validation.kinds.turns import KindCheck, system_text, wishes
from generator.validation.kinds.values_in_text import (
    has_written_domain,
    is_worded_by_domain,
    properties_of,
    required_of,
    unsaid,
    words_of,
)
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView, as_list, is_beyond_words

_ALIKE = 0.3
"""The least share of words that the names, or the descriptions, of near twins have in common."""
_TAKEN_AWAY = re.compile(
    r"\b(?:not (?:been )?(?:available|enabled|granted|accessible|active|activated)|unavailable|disabled|switched off"
    r"|turned off|locked|inactive|no access|not yet|only (?:once|after|when))\b",
    re.IGNORECASE,
)
_LACKING = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|unable|not able|no way|don't have|have no|isn't|not available|unavailable"
    r"|disabled|not enabled|hasn't)\b",
    re.IGNORECASE,
)
_GIVEN_BACK = re.compile(
    r"\b(?:switched (?:it |that )?on|turned (?:it |that )?on|available|enabled|granted|access|activated|unlocked|ready"
    r"|works? now|can use)\b",
    re.IGNORECASE,
)


def similar_tools(record: RecordView) -> Iterator[str]:
    """One call is made; every other shown tool would refuse it, or the request speaks against it; one is near."""
    turns = wishes(record)
    if len(record.calls) != 1 or len(turns) != 1:
        yield "has one turn of the user and one call"
        return
    call = record.calls[0]
    others = [tool for tool in record.tools if tool.name != call.name]
    if call.tool is None or call.arguments is None or not others:
        yield "calls one of several tools that are shown"
        return
    if is_worded_by_domain(record):
        return
    if not (_is_known_to_be_near(record, others) or any(_are_alike(call.tool, other) for other in others)):
        yield f"shows a near twin of {call.name}"
    for other in others:
        if _may_take(other, call.arguments) and not _is_told_apart(turns[0].text, call.tool, other):
            yield f"says what sets {call.name} apart from {other.name}, which would take the same call"


def _is_known_to_be_near(record: RecordView, others: list[ToolView]) -> bool:
    """Say whether one of the other tools is a near twin by the word of the domain file, whoever wrote the texts."""
    return has_written_domain(record) and any(tool.name in as_list(record.claim.get("near")) for tool in others)


def _are_alike(tool: ToolView, other: ToolView) -> bool:
    """Say whether two tools are about the same thing: they share many words, one of them no verb."""
    if not concepts(tool.name) & concepts(other.name) - VERBS:
        return False
    return max(_overlap(tool.name, other.name), _overlap(description_of(tool), description_of(other))) >= _ALIKE


def _overlap(mine: str, theirs: str) -> float:
    first, second = words_of(mine) - FILLING, words_of(theirs) - FILLING
    return len(first & second) / len(first | second) if first and second else 0.0


def _may_take(tool: ToolView, arguments: JsonObject) -> bool:
    """Say whether a tool could take a call's values under any names: as many of each type as it requires and knows."""
    given = Counter(_sort(value) for value in arguments.values())
    properties = properties_of(tool.parameters)
    wanted = Counter(_declared(properties.get(name)) for name in required_of(tool.parameters))
    return not (wanted - given or given - Counter(_declared(schema) for schema in properties.values()))


def _sort(value: JsonValue) -> str:
    for types, name in ((bool, "boolean"), ((int, float), "number"), (list, "array"), (dict, "object")):
        if isinstance(value, types):
            return name
    return "string"


def _declared(schema: JsonValue) -> str:
    declared = schema.get("type") if isinstance(schema, dict) else None
    if declared == "integer":
        return "number"
    return declared if declared in ("boolean", "number", "array", "object") else "string"


def _is_told_apart(text: str, tool: ToolView, other: ToolView) -> bool:
    """Say whether a text has a word of what a tool alone is called, and none of what the other alone is called.

    Words that mean the same, and verbs that say no more than that something is looked up, set nothing apart. Where
    one of the two changes something and the other only looks, the deed that is said, or not said, does.
    """
    mine, theirs, said = concepts(tool.name), concepts(other.name), concepts(text)
    own, foreign = mine - theirs - concepts(description_of(other)), theirs - mine
    if said & foreign:
        return False
    if VERBS & own & said and not VERBS & theirs:
        return True
    return bool(foreign) and (bool(own & said) or bool(VERBS & foreign and not VERBS & mine))


def missing_function(record: RecordView) -> Iterator[str]:
    """The system message takes a tool away, the assistant says so, the user gives it back, then it is called."""
    talk = clarified(record)
    if isinstance(talk, str):
        yield talk
        return
    name, system = talk.tool.name, system_text(record)
    if record.claim.get("function") != name:
        yield f"claims the function that it calls in the end, {name}"
    if name not in system or not _TAKEN_AWAY.search(system):
        yield f"says in its system message that {name} is not available yet"
    if not (is_beyond_words(record) or _LACKING.search(talk.words)):
        yield "has the assistant say what it cannot do"
    if not (is_beyond_words(record) or _GIVEN_BACK.search(talk.second)):
        yield "has the user say that it is available now"
    if _GIVEN_BACK.search(talk.first):
        yield "has nobody say so before"
    for each in unsaid(f"{talk.known}\n{talk.second}", talk.call, record):
        yield f"calls for what the user asked, and not with {each}"


CHECKS: dict[str, KindCheck] = {"similar_tools": similar_tools, "missing_function": missing_function}
