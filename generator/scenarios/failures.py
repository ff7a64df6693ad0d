"""Failures: outages that have nothing to do with the world, and how a failure is told."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from generator.records.calls import ToolResult
from generator.scenarios.phrases import phrases
from generator.scenarios.talk.texts import upper_first
from generator.worlds.playbook import Playbook

_MOST_WORDS = 7
_WINDING = re.compile(r",|\b(?:that|which|who|or|and)\b")
_ANY = re.compile(r"(^[\w-]+(?: (?:up|out|off|down|in|on|over))?| (?:of|from|for|off)) an? (?!few\b|lot\b|couple\b)")
"""An article behind the verb, or behind a word that binds a name to the one before: what the user wanted is known."""

_OBJECT = re.compile(r"\b(?:an?|the|your) (?:[\w-]+ )?([\w-]+)$")
"""The thing that a deed is done to, with its noun, at the end of its words."""
_BINDING = re.compile(r"\b(?:of|for)\b")
"""What binds another thing to a deed."""
_NO_DEED = "do that"
_TELLS_FAILURE = re.compile(r"\b(?:couldn't|can't|cannot|didn't work|failed|wasn't able|unable|sorry)\b", re.IGNORECASE)


def draw_outage(book: Playbook, tool: str, random: Random, *, alone: bool = False) -> ToolResult | None:
    """Draw an outage of a tool, or one that may strike a call alone of several; None where its domain has none."""
    if book.outages is None:
        drawn = random.choice([each for each in phrases()["outages"] if each.get("alone") or not alone])
        return ToolResult(tool, error_type=drawn["type"], error_message=drawn["message"])
    if not book.outages:
        return None
    outage, _ = random.choice(book.outages)
    return ToolResult(tool, error_type=outage.type, error_message=outage.message)


def tell_outage(book: Playbook, result: ToolResult, random: Random, thing: str = "") -> str:
    """Say that an outage struck, what it struck and why; "" where the result is none, or the domain has words for it.

    Args:
        book: what is known of the tool.
        result: what the call brought.
        random: draws the words.
        thing: what it struck; "" where that cannot be named.
    """
    why = _reason(result) if book.outages is None else ""
    if not why:
        return ""
    done_to = _deed_to(book, result.name, thing) if thing else _deed_wanted(book, result.name)
    texts = phrases()["failing"]["able" if done_to else _manner(book, result.name)]
    return _said(random.choice(texts), can=done_to or _deed_wanted(book, result.name), why=why, thing=thing)


def _deed_to(book: Playbook, tool: str, thing: str) -> str:
    """Return a deed with a thing in the place of any such thing: "renew a loan", "your loan of Dune"; "" otherwise."""
    can = deed(book, tool)
    found = _OBJECT.search(can)
    return f"{can[: found.start()]}{thing}" if found and found[1].casefold() in thing.casefold() else ""


def _manner(book: Playbook, tool: str) -> str:
    """Return the sort of words in which a failure is told with what it struck.

    Where what a tool does can be said in a few words, those name what failed.
    """
    can = deed(book, tool)
    if can != _NO_DEED and not _BINDING.search(can):
        return "deed"
    return "named" if changes(book, tool) else "sought"


def changes(book: Playbook, tool: str) -> bool:
    """Say whether a tool does something, rather than to look something up or to work it out."""
    return tool in book.writing


def tell_error(book: Playbook, result: ToolResult, random: Random) -> str:
    """Say that a call failed over an error for which its domain has no words."""
    message = str(result.error_message).strip()
    ended = message if message[-1:] in ".!?" else f"{message}."
    return _said(random.choice(phrases()["errors"]["replies"]), can=_deed_wanted(book, result.name), message=ended)


def deed(book: Playbook, tool: str) -> str:
    """Return what a tool does, after "I can", where that is short enough to stand in a sentence; else "do that".

    What is derived from a tool's name may be no deed: nobody can "geometry area".
    """
    can = book.can(tool) if book.domain.origin != "derived" else ""
    return can if can and len(can.split()) <= _MOST_WORDS and not _WINDING.search(can) else _NO_DEED


def _deed_wanted(book: Playbook, tool: str) -> str:
    """Return what a tool was to do: with the thing that the user wanted, not with any."""
    return _ANY.sub(r"\1 the ", deed(book, tool))


def of_one(text: str, thing: str, random: Random, *, sought: bool = False) -> str:
    """Say which of several wishes a failure is about, unless its words do; and that it failed, unless they do.

    What was `sought` was not to be done: that nothing was found needs no more words than its own.
    """
    if not thing or thing.casefold() in text.casefold():
        return text
    before = phrases()["failing"]["heading" if sought or _TELLS_FAILURE.search(text) else "naming"]
    return f"{_said(random.choice(before), thing=thing)} {text}"


def _reason(result: ToolResult) -> str:
    known = (each for each in phrases()["outages"] if each["message"] == result.error_message)
    return next((str(each["why"]) for each in known if each["type"] == result.error_type), "")


def _said(text: Any, **slots: str) -> str:
    return upper_first(str(text).format(**slots))
