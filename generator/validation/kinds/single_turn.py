"""What single turns claim: one request, and one call, several at once, the right one among twins, or none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.clarifying import clarified
from generator.validation.kinds.topics import FILLING, VERBS, concepts, description_of, domains_of, why_it_may_fit
from generator.validation.kinds.turns import KindCheck, request_of, system_text, user_turns, wishes
from generator.validation.kinds.values_in_text import (
    has_written_domain,
    is_worded_by_domain,
    properties_of,
    required_of,
    unsaid,
    words_of,
)
from generator.validation.tool_view import ToolView
from generator.validation.view import MessageView, RecordView, as_list, is_beyond_words


def simple(record: RecordView) -> Iterator[str]:
    """One tool is shown, one call made."""
    if len(record.tools) != 1:
        yield f"shows exactly one tool, not {len(record.tools)}"
    yield from _one_call(record)


def multiple(record: RecordView) -> Iterator[str]:
    """Several tools are shown, one call made."""
    if len(record.tools) < 2:
        yield f"shows several tools, not {len(record.tools)}"
    yield from _one_call(record)


_FEWEST_TOOLS, _MOST_TOOLS = 20, 60


def many_tools(record: RecordView) -> Iterator[str]:
    """Twenty to sixty tools are shown, one call made."""
    if not _FEWEST_TOOLS <= len(record.tools) <= _MOST_TOOLS:
        yield f"shows {_FEWEST_TOOLS} to {_MOST_TOOLS} tools, not {len(record.tools)}"
    if len(record.calls) != 1:
        yield f"makes exactly one call, not {len(record.calls)}"


def parallel(record: RecordView) -> Iterator[str]:
    """One tool is called several times in one turn."""
    turn = _only_turn(record)
    if turn is None or len(turn.calls) < 2:
        yield "makes several calls, all in one turn"
    elif len({call.name for call in turn.calls}) != 1:
        yield "calls one tool several times, not several tools"


def parallel_multiple(record: RecordView) -> Iterator[str]:
    """Several tools are called in one turn."""
    turn = _only_turn(record)
    if turn is None or len({call.name for call in turn.calls}) < 2:
        yield "calls several tools, all in one turn"


def _one_call(record: RecordView) -> Iterator[str]:
    if len(record.calls) != 1:
        yield f"makes exactly one call, not {len(record.calls)}"


def _only_turn(record: RecordView) -> MessageView | None:
    turns = record.turns_of_calls
    return turns[0] if len(turns) == 1 else None


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
    if not is_worded_by_domain(record):
        yield from _is_set_apart(record, call.tool, call.arguments, others)


def _is_set_apart(record: RecordView, tool: ToolView, arguments: JsonObject, others: list[ToolView]) -> Iterator[str]:
    """Complain where no other tool is near, or the request does not speak against one that would take the call."""
    if not (_is_known_to_be_near(record, others) or any(_are_alike(tool, other) for other in others)):
        yield f"shows a near twin of {tool.name}"
    for other in others:
        if _may_take(other, arguments) and not _is_told_apart(request_of(record), tool, other):
            yield f"says what sets {tool.name} apart from {other.name}, which would take the same call"


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
    if not is_beyond_words(record):
        if not _LACKING.search(talk.words):
            yield "has the assistant say what it cannot do"
        if not _GIVEN_BACK.search(talk.second):
            yield "has the user say that it is available now"
    if _GIVEN_BACK.search(talk.first):
        yield "has nobody say so before"
    for each in unsaid(f"{talk.known}\n{talk.second}", talk.call, record):
        yield f"calls for what the user asked, and not with {each}"


_SOCIAL = re.compile(
    r"\b(?:hi|hiya|hello|hey|howdy|greetings|(?:good )?(?:morning|evening|afternoon|night)|thanks?|thank you|bye"
    r"|goodbye|see you|so long|take care|sleep well|nice to meet|pleased to|how are|how's it going|how do you do"
    r"|who are you|what can you|(?:can|could) you (?:help|do)|you're|do you know|your name|call you|are you|were you"
    r"|do you (?:like|ever|have|dream|sleep|get|feel)|you(?:'ve been| were)|jokes?|laugh|cheer|feel|i'm|i am|so am i"
    r"|sorry|well done|great job|nice work|good job|bravo|love you|like how|what a|phew|wow|haha|lol|proud of)\b",
    re.IGNORECASE,
)
_LONGEST_TALK = 60
"""Words that small talk has at most, over all turns."""
_DECLINING = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|unable|not able|no way|no means|no access|don't have|have no|haven't got"
    r"|outside|beyond|not (?:possible|something)|without)\b",
    re.IGNORECASE,
)
_PRETENDING = re.compile(
    r"\b(?:I've|I have|I) (?:just )?(?:booked|sent|ordered|reserved|cancell?ed|scheduled|added|created|deleted|updated"
    r"|transferred|paid|bought|set|turned|called|texted|checked|looked up|found)\b|^(?:done|all set)\b",
    re.IGNORECASE,
)
_LIVE = re.compile(
    r"\b(?:my|our|today|tonight|tomorrow|yesterday|now|right now|this (?:morning|week|weekend)|next|latest|last night"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|at (?:noon|\d)|book|order|reserve"
    r"|send|cancel|transfer)\b",
    re.IGNORECASE,
)
_KNOWLEDGE = frozenset("cooking maths physics biology translation law currency time code health school".split())
"""Domains of which much is known without looking anything up."""


def irrelevance(record: RecordView) -> Iterator[str]:
    """Tools are shown, none of which fits; none is called, the assistant answers in words."""
    yield from _tools_are_shown(record)
    yield from _words_alone(record)
    yield from _no_tool_fits(record, general=True)


def no_tools(record: RecordView) -> Iterator[str]:
    """No tool is shown; a question is answered or declined in words, and nothing is said to have been done."""
    if record.tools or not record.shows_tools:
        yield "shows an empty list of tools"
    yield from _words_alone(record)
    for turn in user_turns(record):
        said = "\n".join(turn.answers)
        if _PRETENDING.search(said):
            yield "says of nothing that it was done, since nothing can be"
        if (needed := _needs_a_tool(turn.text)) and not _DECLINING.search(said):
            yield f"declines what nobody can do without a tool: the wish is about {needed}"


def chitchat(record: RecordView) -> Iterator[str]:
    """Tools are shown, none is needed: the user is sociable and asks for nothing that a shown tool does."""
    yield from _tools_are_shown(record)
    yield from _words_alone(record)
    turns = user_turns(record)
    if not turns or not (is_beyond_words(record) or all(_SOCIAL.search(turn.text) for turn in turns)):
        yield "is sociable: a greeting, thanks, small talk, a question about the assistant"
    if sum(len(turn.text.split()) for turn in turns) > _LONGEST_TALK:
        yield f"is short: small talk has {_LONGEST_TALK} words at most"
    yield from _no_tool_fits(record, general=False)
    if any(_PRETENDING.search(answer) for turn in turns for answer in turn.answers):
        yield "says of nothing that it was done"


def _tools_are_shown(record: RecordView) -> Iterator[str]:
    if not record.tools:
        yield "shows tools"


def _words_alone(record: RecordView) -> Iterator[str]:
    if record.calls or record.results:
        yield "makes no call"
    if not record.messages or not record.messages[-1].speaks:
        yield "ends with words"


def _no_tool_fits(record: RecordView, *, general: bool) -> Iterator[str]:
    """Complain of each shown tool that may serve what the user says."""
    unserved_by = _known_not_to_serve(record)
    for tool in record.tools:
        if tool.name in unserved_by or is_beyond_words(record):
            reasons = (_why_it_is_meant(turn.text, tool) for turn in user_turns(record))
        else:
            reasons = (why_it_may_fit(turn.text, tool, general=general) for turn in user_turns(record))
        if reason := next(filter(None, reasons), ""):
            yield f"shows no tool that fits; {tool.name} may: {reason}"


def _why_it_is_meant(request: str, tool: ToolView) -> str:
    """Return why a request asks for a tool whatever a domain file says of it; "" where it does not."""
    return "the user names it" if words_of(tool.name) <= words_of(request) else ""


def _known_not_to_serve(record: RecordView) -> frozenset[str]:
    """Return the tools that do not serve the wish by the word of their own domain file, which no list knows better."""
    names = record.claim.get("unserved_by")
    if not isinstance(names, list) or not is_worded_by_domain(record):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str))


def _needs_a_tool(text: str) -> str:
    """Return the domain of a wish for a deed or for what is so today; "" where knowing is enough."""
    domains = domains_of(text) - _KNOWLEDGE
    return min(domains) if domains and _LIVE.search(text) else ""


CHECKS: dict[str, KindCheck] = {
    "simple": simple,
    "multiple": multiple,
    "many_tools": many_tools,
    "parallel": parallel,
    "parallel_multiple": parallel_multiple,
    "similar_tools": similar_tools,
    "missing_function": missing_function,
    "irrelevance": irrelevance,
    "no_tools": no_tools,
    "chitchat": chitchat,
}
