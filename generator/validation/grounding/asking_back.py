"""Asking back: whether the assistant asks for what the user has said already.

What is asked for is known by the name of a parameter of a shown tool. That it was said is known by its form: one of the
parameter's choices, a number with its unit, the only date, address or code, or as many names as there are parameters
that take one. A question that repeats what was said, or says that it will not do, asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from generator.jsontext import JsonObject
from generator.validation.grounding.clauses import sentences_of
from generator.validation.grounding.days import CALENDAR_WORDS
from generator.validation.grounding.glances import units_of
from generator.validation.grounding.language import pairs, phrases
from generator.validation.grounding.languages import words_for
from generator.validation.grounding.talks import Talk, properties_of, talks_of
from generator.validation.grounding.words import find_literal, fold, stem, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import RecordView


class _Asked(NamedTuple):
    """A parameter that may be asked for."""

    name: str
    sort: str
    """What its values look like: choice, number, date, time, email, ip, code or name."""
    words: frozenset[str]
    """The words of its name."""
    head: str
    """The last of them, where it says what is asked for."""
    choices: tuple[str, ...]
    units: frozenset[str]
    """Stems of words of its name that may be the unit of its number."""


def asked_again(record: RecordView) -> Iterator[Finding]:
    """Yield the questions for what the user has said."""
    if not record.tools:
        return
    for talk in talks_of(record):
        if not talk.language or not _asks(talk):
            continue
        found = _stated(talk)
        if found is not None:
            each, value, sureness = found
            yield Finding(
                talk.pointer, f"asks for {brief(each.name)}, which the user has said: {brief(value)}", sureness
            )


def _asks(talk: Talk) -> bool:
    if "?" in talk.folded or "？" in talk.folded:
        return True
    return phrases(talk.language, "asking", "telling").found_in(talk.folded, talk.words)


def _stated(talk: Talk) -> tuple[_Asked, str, Severity] | None:
    """Return the parameter that is asked for and what the user has said of it; sure where all tools have it so."""
    if phrases(talk.language, "outcomes", "failure").found_in(talk.folded, talk.words) or len(talk.folded) > _LONGEST:
        return None
    questions = " ".join(
        each.text
        for each in sentences_of(talk.folded)
        if each.asks or phrases(talk.language, "asking", "telling").found_in(each.text)
    )
    spoken = tokens_of(_POSSESSIVE.sub(" ", questions))
    words = frozenset(spoken)
    if not any(_may_be_asked_for(tool, words) for tool in talk.record.tools):
        return None
    found: list[tuple[_Asked, str]] = []
    open_ones = 0
    for tool in talk.nearest_tools:
        asked = _asked_for(tool, spoken)
        for each in asked[:_MOST_ASKED]:
            value = _SAID[each.sort](each, tool, talk) if len(asked) == 1 or each.sort in _PLAIN else ""
            if value and find_literal(talk.folded, fold(value).partition(" ")[0].partition("-")[0]) >= 0:
                return None  # it is repeated, and so something else is asked
            found += [(each, value)] if value else []
            open_ones += not value
    if not found:
        return None
    each, value = found[0]
    is_sure = not open_ones and (each.sort != "name" or _is_place(each))  # any name may be that of something else
    return each, value, "warning" if is_sure else "note"


_LONGEST = 400
_MOST_ASKED = 4
_PLAIN = frozenset({"choice", "number", "email", "ip"})
"""Sorts by whose form alone it is plain what was said, also where more is asked for."""


_POSSESSIVE = re.compile(r"[^\W\d_]{2,30}'s\s[^\W\d_]{2,30}")
"""The company's shares: what is asked for is the company."""


def _in_one_form(tokens: list[str]) -> frozenset[str]:
    """Return words without the ending of their plural."""
    return frozenset(token[:-1] if len(token) > 3 and token.endswith("s") else token for token in tokens)


def _may_be_asked_for(tool: ToolView, spoken: frozenset[str]) -> bool:
    """Say quickly whether a question may name a parameter of a tool."""
    return not spoken.isdisjoint(_telling(tool))


@lru_cache(maxsize=4096)
def _telling(tool: ToolView) -> frozenset[str]:
    return frozenset(form for each in _parameters(tool) for word in each.words for form in (word, f"{word}s"))


def _asked_for(tool: ToolView, spoken: list[str]) -> list[_Asked]:
    """Return the parameters of a tool that a question may name: one where it is plain which."""
    own = _parameters(tool)
    words = _in_one_form(spoken)
    return [each for each in own if each.words <= words] or [
        each for each in own if each.head in words and _stands_bare(each, spoken)
    ]


def _stands_bare(each: _Asked, spoken: list[str]) -> bool:
    """Say whether nothing stands before the last word of a name that makes it another: the return date."""
    before = {one for one, other in pairwise(["", *spoken]) if other.startswith(each.head)}
    return before <= each.words | words_for("asked_parameters", "before")


@lru_cache(maxsize=4096)
def _parameters(tool: ToolView) -> tuple[_Asked, ...]:
    return tuple(
        each
        for name, schema in properties_of(tool).items()
        if isinstance(schema, dict) and (each := _parameter(name, schema)) is not None
    )


def _parameter(name: str, schema: JsonObject) -> _Asked | None:
    words = tokens_of_value(name)
    listed = schema.get("enum")
    choices = tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
    kind = schema.get("type")
    sort = ""
    if not words:
        return None
    if choices:
        sort = "choice"
    elif kind in ("integer", "number"):
        sort = "number"
    elif kind == "string":
        sort = _sort_of_text(words, schema.get("format"))
    if not sort:
        return None
    units = frozenset(stem(word) for word in units_of(words)) if sort == "number" else frozenset[str]()
    head = "" if words[-1] in words_for("asked_parameters", "hollow") else words[-1]
    return _Asked(name, sort, _in_one_form(words), min(_in_one_form([head])), choices, units)


def _sort_of_text(words: list[str], form: object) -> str:
    if form == "email" or "email" in words:
        return "email"
    if form == "ipv4" or "ip" in words:
        return "ip"
    if form in ("date", "date-time") or not words_for("asked_parameters", "dates").isdisjoint(words):
        return "date"
    if form == "time" or not words_for("asked_parameters", "times").isdisjoint(words):
        return "time"
    return "code" if words[-1] in words_for("asked_parameters", "codes") else "name"


def _of_choice(each: _Asked, tool: ToolView, talk: Talk) -> str:
    """Return the one choice that the user says."""
    said = [
        choice
        for choice in each.choices
        if len(choice) > 2 and find_literal(talk.said_folded, " ".join(tokens_of_value(choice))) >= 0
    ]
    return " ".join(tokens_of_value(said[0])) if len(said) == 1 else ""


_NUMBER = r"(?<![\w.,:/$€£-])(\d{1,9}(?:[.,]\d{1,3})?"
_WITH_UNIT = re.compile(_NUMBER + r"|[^\W\d_]{3,9})(?:\s|-)([^\W\d_]{1,12})")


def _of_number(each: _Asked, tool: ToolView, talk: Talk) -> str:
    """Return the number that stands before the parameter's unit."""
    numerals = pairs(talk.language, "counts", "numerals")
    alike = [other for other in _parameters(tool) if other.sort == "number" and other.units & each.units]
    if len(alike) != 1:
        return ""
    said = [
        match[0]
        for match in _WITH_UNIT.finditer(talk.said_folded)
        if (match[1][0].isdigit() or match[1] in numerals) and stem(match[2]) in each.units
    ]
    return said[0] if len(said) == 1 else ""


_DAY_WORDS = "|".join(sorted({"today", "tomorrow", *(word for word in CALENDAR_WORDS if len(word) > 4)}))
_DATE = re.compile(rf"(?<!\w)(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|(?:{_DAY_WORDS})(?!\w))")
_TIME = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d|(?<![\d.:])\d{1,2} ?[ap]\.?m(?!\w)")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}")
_IP = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_CODE = re.compile(
    r"(?<![\w/@.-])(?=[\w-]{0,20}\d)[A-Z]{1,6}-?[A-Z0-9]{0,4}-?\d[\dA-Z-]{1,14}(?!\w)|(?<![\w.,$€£-])\d{5,16}(?!\w)"
)


def _one_of(pattern: re.Pattern[str], sort: str) -> Callable[[_Asked, ToolView, Talk], str]:
    def find(each: _Asked, tool: ToolView, talk: Talk) -> str:
        """Return the only text of this form, where the tool has one parameter that takes it."""
        alike = [other for other in _parameters(tool) if other.sort == sort]
        said = [match[0] for match in pattern.finditer(talk.said if sort == "code" else talk.said_folded)]
        return said[0] if len(said) == 1 == len(alike) else ""

    return find


_QUOTE = re.compile(r"[\"“„«`]([^\"”“»`\n]{2,80})[\"”“»`]")
_NAME = re.compile(r"(?<=[^\W\d_] )(?<![.!?:] )([^\W\d_a-z][^\W\d_]{2,30}(?:[ -][^\W\d_a-z][^\W\d_]{1,30}){0,4})")
_PLACE_BEFORE = "in|en|à|nach|near|around"
_PLACE = re.compile(
    rf"(?<!\w)(?:{_PLACE_BEFORE}) ([^\W\d_a-z][^\W\d_]{{2,30}}(?:[ -][^\W\d_a-z][^\W\d_]{{1,30}}){{0,3}})"
)


def _of_name(each: _Asked, tool: ToolView, talk: Talk) -> str:
    """Return what stands where a place does, or the first name where there are names for all that may take one."""
    alike = [other for other in _parameters(tool) if other.sort == "name"]
    if each.words & words_for("asked_parameters", "places") and all(
        sum(map(_is_place, _parameters(other))) < 2 for other in talk.record.tools
    ):
        places = [match[1] for match in _PLACE.finditer(talk.said) if _is_name(match[1])]
        if len(places) == 1:
            return places[0]
    rest = _QUOTE.sub(" ", talk.said)
    said = [match[1] for match in (*_QUOTE.finditer(talk.said), *_NAME.finditer(rest)) if _is_name(match[1])]
    taken = {fold(choice) for other in _parameters(tool) for choice in other.choices}
    said = [name for name in said if fold(name) not in taken]
    return said[0] if said and len(said) >= len(alike) else ""


def _is_place(each: _Asked) -> bool:
    return each.sort in ("name", "code") and not words_for("asked_parameters", "places").isdisjoint(each.words)


def _is_name(said: str) -> bool:
    return fold(said).split()[0] not in CALENDAR_WORDS and said not in words_for("asked_parameters", "no_names")


_SAID: dict[str, Callable[[_Asked, ToolView, Talk], str]] = {
    "choice": _of_choice,
    "number": _of_number,
    "date": _one_of(_DATE, "date"),
    "time": _one_of(_TIME, "time"),
    "email": _one_of(_EMAIL, "email"),
    "ip": _one_of(_IP, "ip"),
    "code": _one_of(_CODE, "code"),
    "name": _of_name,
}
