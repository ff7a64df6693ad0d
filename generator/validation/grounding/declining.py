"""Declining: whether an answer without calls says that it cannot do what a shown tool does.

What is asked for is known by the words of a tool's name. A refusal that gives another reason than that there is no
tool (a limit, a choice, a moment that is still to come) is none that can be judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.clauses import Clause, clauses_of, sentences_of
from generator.validation.grounding.language import entries, phrases
from generator.validation.grounding.talks import Deed, Talk, deed_of, properties_of, talks_of
from generator.validation.grounding.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import RecordView


def refused(record: RecordView) -> Iterator[Finding]:
    """Yield the refusals of what a shown tool does."""
    if not record.tools:
        return
    for talk in talks_of(record):
        said = _refusal(talk)
        if said is None:
            continue
        found = _able(talk, said)
        if found is not None:
            tool, sureness = found
            yield Finding(
                talk.pointer, f"declines, though {brief(tool.name)} is shown: {brief(said.text.strip())}", sureness
            )


def _refusal(talk: Talk) -> Clause | None:
    """Return the clause that says that something cannot be done, where the text gives no other reason."""
    if not talk.language or "?" in talk.folded or "？" in talk.folded:
        return None
    unable = phrases(talk.language, "declining", "unable")
    if not unable.found_in(talk.folded, talk.words) or _OFFERING.search(talk.folded):
        return None
    if phrases(talk.language, "declining", "reasons").found_in(talk.folded, talk.words):
        return None
    return next((each for each in sentences_of(talk.folded) if unable.found_in(each.text)), None)


def _able(talk: Talk, said: Clause) -> tuple[ToolView, Severity] | None:
    """Return the shown tool that does what is declined, the surest first."""
    named = _named(said.text, talk.language) - _names(talk.asked)
    likely: tuple[ToolView, Severity] | None = None
    for tool in talk.record.tools:
        if _is_withheld(tool, talk):
            continue
        if named <= deed_of(tool).described:
            sureness = _sureness(tool, talk, named)
        else:
            sureness = "warning" if _is_deed_declined(tool, said, named, talk) else None
        if sureness == "warning":
            return tool, sureness
        likely = likely or ((tool, sureness) if sureness else None)
    return likely


def _sureness(tool: ToolView, talk: Talk, named: frozenset[str]) -> Severity | None:
    """Return how surely the user asks for what a tool does; None where nothing tells it.

    Who declines without a word of what cannot be done has most likely not looked at what the tools do.
    """
    deed = deed_of(tool)
    if deed.things and _is_wished(deed, talk):
        return "warning"
    if deed.verb in named and deed.verb in talk.asked_stems:
        return "warning"
    if named or talk.language != "en":
        return None
    shared = talk.shared_with(tool)
    things = {thing for thing in deed.things if _is_said(thing, talk.asked_stems)}
    does = _is_said(deed.verb, talk.asked_stems) if deed.verb else _is_wondered(talk)
    if things and (does or len(shared) > 1):
        return "warning"
    return "note" if things or len(shared) > 1 else None


def _is_deed_declined(tool: ToolView, said: Clause, named: frozenset[str], talk: Talk) -> bool:
    """Say whether a refusal in words of its own is one of what a tool does: by its verb, or by what was asked for."""
    deed, asked = deed_of(tool), talk.asked_stems
    if deed.verb and deed.things and deed.verb in asked and deed.things <= asked and named & deed.things:
        return True
    own = {stem(token) for name in (tool.name, *properties_of(tool)) for token in tokens_of_value(name)}
    for match in phrases(talk.language, "declining", "unable").places_in(said.text):
        following = [stem(token) for token in tokens_of(said.text[match.end() :])[:_FIRST]]
        verb = next((token for token in following if token in named), "")
        if verb and verb == deed.verb and (named & deed.described - {verb} or asked & own - {verb}):
            return True
    return False


def _named(text: str, language: str) -> frozenset[str]:
    """Return the stems of what a refusal says that it cannot do; none where it says so of all that was asked."""
    if language != "en":
        return frozenset()
    idle = _idle()
    return frozenset(stem(token) for token in tokens_of(text) if token not in idle and len(token) > 2)


_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z0-9]\w{1,40}")


def _names(asked: str) -> frozenset[str]:
    """Return the stems of the names and numbers that the user said: no deed is known by them."""
    return frozenset(stem(fold(name)) for name in _CAPITAL.findall(asked))


@cache
def _idle() -> frozenset[str]:
    tables = (("declining", "unable"), ("declining", "idle"), ("results", "looking"))
    words = [*(entry for table in tables for entry in entries("en", *table)), *STOPWORDS]
    return frozenset(token for words in words for token in tokens_of(words))


def _is_wished(deed: Deed, talk: Talk) -> bool:
    """Say whether the user asks for what a tool does: by its verb, or by a question where it looks something up."""
    asked = talk.asked_stems
    if not all(_is_said(thing, asked) for thing in deed.things):
        return False
    if deed.verb:
        return _is_said(deed.verb, asked)
    return _is_wondered(talk)


def _is_wondered(talk: Talk) -> bool:
    """Say whether the user wants to know or to see something."""
    wondering = phrases("en", "declining", "wondering")
    return any(
        wondering.found_in(" ".join(tokens_of(each.text)[:_FIRST])) for each in clauses_of(talk.asked_folded, "en")
    )


_FIRST = 4
"""Words of a clause of which one tells that somebody wants to know."""


_OFFERING = re.compile(r"(?<!what )(?<!that )(?<!thing )(?<!\w)(?:i|we) can(?!\w|'t| not)")
_LEAST = 5


def _is_said(word: str, asked: frozenset[str]) -> bool:
    return word in asked or (len(word) >= _LEAST and any(each.startswith(word) for each in asked))


def _is_withheld(tool: ToolView, talk: Talk) -> bool:
    """Say whether a tool is called later on, as one is that was switched off at first, or is spoken of by its name."""
    record = talk.record
    if any(call.name == tool.name for call in record.calls):
        return True
    first = record.messages[0].content if record.messages else None
    return isinstance(first, str) and record.messages[0].role == "system" and tool.name in first
