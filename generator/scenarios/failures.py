"""Outages that have nothing to do with the world, how a failure is told, and what the failed call was about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from generator.records import SUCCESS, ToolResult
from generator.scenarios.phrases import phrases, upper_first
from generator.scenarios.plan_state import PlanState
from generator.scenarios.scenario import PlannedCall
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Row, Scope
from generator.worlds.speech import Unsayable
from generator.worlds.templates import say
from generator.worlds.ways import WayProgram

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


def draw_outage(compiled: CompiledDomain, tool: str, random: Random, *, alone: bool = False) -> ToolResult | None:
    """Draw an outage of a tool, or one that may strike a call alone of several; None where its domain has none."""
    if compiled.outages is None:
        drawn = random.choice([each for each in phrases()["outages"] if each.get("alone") or not alone])
        return ToolResult(tool, error_type=drawn["type"], error_message=drawn["message"])
    if not compiled.outages:
        return None
    outage, _ = random.choice(compiled.outages)
    return ToolResult(tool, error_type=outage.type, error_message=outage.message)


def tell_outage(compiled: CompiledDomain, result: ToolResult, random: Random, thing: str = "") -> str:
    """Say that an outage struck, what it struck and why; "" where the result is none, or the domain has words for it.

    Args:
        compiled: what is known of the tool, compiled.
        result: what the call brought.
        random: draws the words.
        thing: what it struck; "" where that cannot be named.
    """
    why = _reason(result) if compiled.outages is None else ""
    if not why:
        return ""
    done_to = _deed_to(compiled, result.name, thing) if thing else _deed_wanted(compiled, result.name)
    texts = phrases()["failing"]["able" if done_to else _manner(compiled, result.name)]
    return _said(random.choice(texts), can=done_to or _deed_wanted(compiled, result.name), why=why, thing=thing)


def _deed_to(compiled: CompiledDomain, tool: str, thing: str) -> str:
    """Return a deed with a thing in the place of any such thing: "renew a loan", "your loan of Dune"; "" otherwise."""
    can = deed(compiled, tool)
    found = _OBJECT.search(can)
    return f"{can[: found.start()]}{thing}" if found and found[1].casefold() in thing.casefold() else ""


def _manner(compiled: CompiledDomain, tool: str) -> str:
    """Return the sort of words in which a failure is told with what it struck.

    Where what a tool does can be said in a few words, those name what failed.
    """
    can = deed(compiled, tool)
    if can != _NO_DEED and not _BINDING.search(can):
        return "deed"
    return "named" if changes(compiled, tool) else "sought"


def changes(compiled: CompiledDomain, tool: str) -> bool:
    """Say whether a tool does something, rather than to look something up or to work it out."""
    return tool in compiled.writing


def tell_error(compiled: CompiledDomain, result: ToolResult, random: Random) -> str:
    """Say that a call failed over an error for which its domain has no words."""
    message = str(result.error_message).strip()
    ended = message if message[-1:] in ".!?" else f"{message}."
    return _said(random.choice(phrases()["errors"]["replies"]), can=_deed_wanted(compiled, result.name), message=ended)


def deed(compiled: CompiledDomain, tool: str) -> str:
    """Return what a tool does, after "I can", where that is short enough to stand in a sentence; else "do that".

    What is derived from a tool's name may be no deed: nobody can "geometry area".
    """
    can = compiled.can(tool) if compiled.domain.origin != "derived" else ""
    return can if can and len(can.split()) <= _MOST_WORDS and not _WINDING.search(can) else _NO_DEED


def _deed_wanted(compiled: CompiledDomain, tool: str) -> str:
    """Return what a tool was to do: with the thing that the user wanted, not with any."""
    return _ANY.sub(r"\1 the ", deed(compiled, tool))


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


_LONGEST = 60
_OF_THE_USER = re.compile(r"\b(?:I|me|mine|my)\b")
"""Words in which only the user speaks of a thing."""
_MY = re.compile(r"\bmy\b")
_MARKS = re.compile(r"[;:\n]|,(?! [A-Z]|\d{3})")
"""Marks that part a sentence, as the commas of "Paris, France" and of 1,050 do not."""
_NAMING = re.compile(r"[^\W\d_]|[#$€£%]")
"""What a name has that a bare number lacks."""
_DETERMINED = re.compile(r"\b(?:an?|the|my|your|our|his|her|their)\s[^.!?:;,]*$", re.IGNORECASE)
"""The words before a slot, from the article or the pronoun on."""
_ENDS = re.compile(
    r"\s*(?:$|[^\w\s]|(?:to|on|in|at|by|as|for|from|with|is|are|was|has|have|until|under|about|called|named|saying)\b)"
)
"""What follows a name that has ended: nothing, a mark, or a word that goes on to something else."""
_PREPOSITION = re.compile(r"(?:on|in|at) (?=[A-Z0-9])")
_ADVERB = re.compile(r"(?:on|in|at|by|with|for|to|from|about|of|since|until)\s")

_DEED = re.compile(r"(?!(?:an?|the|my|your|our|his|her|their|one)\s)[a-z]+\s(?:\S+\s)*?(?:an?|the|my|your|our)\s")
"""Words such as "repair the fence", which say what is done: no name begins in small letters and goes on like this."""
_OWN_MARKS = ('"', "#")
"""Marks before a name that are part of it."""

Pieces = tuple[tuple[bool, str], ...]
"""The pieces of a text, each with whether it filled a slot."""


def subject_of(
    state: PlanState,
    way: WayProgram,
    scope: Scope,
    call: PlannedCall,
    each: Sequence[dict[str, Any]] = (),
    place: int = 0,
) -> str:
    """Return what a failed call was about; "" where it succeeded, or where nothing can be named.

    One of several is told from the others by the words in which the request listed it, else by its place. A call
    alone is about the row whose id it was given, where the user called that by name and it is no mere part in
    making another.
    """
    if call.outcome == SUCCESS:
        return ""
    if each:
        return _listed(state, each, place) or _by_place(place)
    return _row_of(state, way, scope, call)


def listed_subject(state: PlanState, each: Sequence[dict[str, Any]], place: int) -> str:
    """Return what one of several wishes is about, in the words in which the request listed it; "" where none tell."""
    return _listed(state, each, place) if each else ""


def _row_of(state: PlanState, way: WayProgram, scope: Scope, call: PlannedCall) -> str:
    compiled, speech = state.compiled, state.speech
    makes = any(deed == "create" for deed, _ in compiled.deeds.get(call.tool.name, ()))
    rows = [identified.row(scope) for identified in way.arguments.ids]
    if makes or len(rows) != 1 or not isinstance(rows[0], Row) or rows[0] not in speech.named:
        return ""
    with suppress(Unsayable), speech.of_assistant():
        thing = say(rows[0], scope, speech)
        return "" if rows[0].entity == compiled.domain.me or _MARKS.search(thing) else _voiced(thing)
    return ""


def _listed(state: PlanState, each: Sequence[dict[str, Any]], place: int) -> str:
    """Return the shortest of the words in which one of several was listed that names it and no other."""
    listed = state.speech.listed
    lists = [list(_openings(listed[id(names)][1])) for names in each if id(names) in listed]
    if len(lists) < len(each):
        return ""
    others = [texts for at, texts in enumerate(lists) if at != place]
    for at, thing in enumerate(lists[place]):
        if _NAMING.search(thing) and not any(texts[at : at + 1] == [thing] for texts in others):
            return _named(thing, each[place])
    return ""


def _openings(pieces: Pieces) -> Iterator[str]:
    """Yield the beginnings of a listed text, from its first name on, each up to where its name ends, at last the whole.

    A name keeps its quotes and its article; what else comes before it is left out.
    """
    first = next((at for at, (is_slot, _) in enumerate(pieces) if is_slot), len(pieces))
    texts = [*(text for _, text in pieces), "", ""]
    opening = _begun("".join(texts[:first]))
    for at in range(first, len(pieces)):
        is_slot, text = pieces[at]
        following, behind = texts[at + 1 : at + 3]
        opening += text
        goes_on = following == " " and behind[:1].isupper()  # a first name and a last name
        if is_slot and _ENDS.match(following) and not goes_on:
            yield f'{opening}"'.strip() if opening[:1] == '"' == following[:1] else opening.strip()
    yield opening.strip(" .")


def _begun(before: str) -> str:
    """Return how a name begins in what stands before its first slot: with an article, or with a mark of its own."""
    determined = _DETERMINED.search(before)
    if determined is not None:
        return determined[0]
    return before[-1:] if before[-1:] in _OWN_MARKS else ""


def _named(thing: str, names: dict[str, Any]) -> str:
    """Return a thing so that it can stand behind "for"; "" where it cannot: "by train", "on foot"."""
    plain = _PREPOSITION.sub("", thing, count=1) if _PREPOSITION.match(thing) else thing
    titled = _titled(plain, names)
    return "" if _MARKS.search(plain) or _ADVERB.match(plain) or _DEED.match(titled) else _voiced(titled)


def _titled(thing: str, names: dict[str, Any]) -> str:
    """Return a thing as it is titled, in quotes, where its title stood in small letters within a sentence."""
    if " " not in thing:
        return thing
    rows = [value for value in names.values() if isinstance(value, Row)]
    titles = [str(value) for row in rows for value in row.kept.values() if isinstance(value, str)]
    return next((f'"{title}"' for title in titles if title != thing and title.casefold() == thing.casefold()), thing)


def _voiced(thing: str) -> str:
    """Return a thing as the assistant speaks of it; "" where only the user can, or where it takes too many words."""
    answered = _MY.sub("your", thing)
    return "" if len(answered) > _LONGEST or _OF_THE_USER.search(answered) else answered


def _by_place(place: int) -> str:
    which = phrases()["failing"]["which"]
    return str(which[min(place, len(which) - 1)])
