"""Failures: outages that have nothing to do with the world, and how a failure is told."""

from __future__ import annotations

from random import Random
from typing import Any

from generator.records.calls import ToolResult
from generator.scenarios.phrases import phrases
from generator.scenarios.talk.texts import upper_first
from generator.worlds.playbook import Playbook


def draw_outage(book: Playbook, tool: str, random: Random) -> ToolResult | None:
    """Draw an outage of a tool; None where its domain has none."""
    if book.outages is None:
        drawn = random.choice(phrases()["outages"])
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
        thing: which of several wishes it struck; "" where there was one.
    """
    why = _reason(result) if book.outages is None else ""
    if not why:
        return ""
    texts, can = phrases()["failing"], book.can(result.name)
    if thing:
        return _said(random.choice(texts["several"]), thing=thing, why=why)
    return _said(random.choice(texts["able" if can else "plain"]), can=can, why=why)


def tell_error(book: Playbook, result: ToolResult, random: Random) -> str:
    """Say that a call failed over an error for which its domain has no words."""
    texts, can = phrases()["errors"], book.can(result.name)
    message = str(result.error_message).strip()
    ended = message if message[-1:] in ".!?" else f"{message}."
    return _said(random.choice(texts["able" if can else "plain"]), can=can, message=ended)


def of_one(text: str, thing: str, random: Random) -> str:
    """Say which of several wishes a failure is about, unless its words do."""
    if not thing or thing.casefold() in text.casefold():
        return text
    return f"{_said(random.choice(phrases()['failing']['naming']), thing=thing)} {text}"


def _reason(result: ToolResult) -> str:
    known = (each for each in phrases()["outages"] if each["message"] == result.error_message)
    return next((str(each["why"]) for each in known if each["type"] == result.error_type), "")


def _said(text: Any, **slots: str) -> str:
    return upper_first(str(text).format(**slots))
