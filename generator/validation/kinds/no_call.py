"""What records without a call claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.kinds.topics import domains_of, why_it_may_fit
from generator.validation.kinds.turns import KindCheck, user_turns
from generator.validation.kinds.values_in_text import is_worded_by_domain, words_of
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView, is_beyond_words

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


CHECKS: dict[str, KindCheck] = {"irrelevance": irrelevance, "no_tools": no_tools, "chitchat": chitchat}
