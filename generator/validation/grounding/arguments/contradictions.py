"""Contradictions: flags and choices of which a request says another than the call gives.

A flag is contradicted where every clause that names its matter says the other thing, and one of them asks for it or
refuses it; a choice, where the request names another of the same list, and nothing explains the one that is given.
What a call of the same turn takes is that call's; a word that belongs to another parameter names no choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import (
    Choices,
    Leaf,
    Path,
    choices_at,
    describes_default,
    is_meant,
    is_named,
    leaves_of,
    schemas_at,
)
from generator.validation.grounding.arguments.booleans import (
    Flag,
    Stance,
    flag_at,
    flag_clauses_of,
    is_negated,
    opposite_of,
    stances,
)
from generator.validation.grounding.arguments.evidence import named_evidence
from generator.validation.grounding.arguments.sources import CallTurn, Source, call_turns
from generator.validation.grounding.reading.words import find_literal, fold, stem, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView


def contradictions(record: RecordView) -> Iterator[Finding]:
    """Yield what a request contradicts of the calls that follow it."""
    if not any(call.tool is not None and _asks_for_words(call.tool) for call in record.calls):
        return
    for heard in call_turns(record):
        for call in heard.calls:
            if call.tool is not None and call.arguments is not None:
                if _flags_of(call.tool):
                    yield from _flags(call, call.tool, call.arguments, heard)
                if _has_choices(call.tool):
                    yield from _choices(call, call.tool, heard, record)


class _Speaking(NamedTuple):
    """A flag, and the beginnings of the words without which no text speaks of it."""

    flag: Flag
    beginnings: tuple[str, ...]
    opposite: str

    def may_be_in(self, folded: str) -> bool:
        """Say at first glance whether a text may speak of the flag."""
        return all(each in folded for each in self.beginnings) or (bool(self.opposite) and self.opposite in folded)


@lru_cache(maxsize=4096)
def _asks_for_words(tool: ToolView) -> bool:
    """Say whether a tool has flags or choices."""
    return bool(_flags_of(tool)) or _has_choices(tool)


@lru_cache(maxsize=4096)
def _flags_of(tool: ToolView) -> tuple[_Speaking, ...]:
    """Return a tool's own flags that a text may speak of."""
    flags = [flag_at(tool, (name,)) for name in tool.property_names if _is_flag(tool, (name,))]
    return tuple(_Speaking(each, each.stems, opposite_of(each)) for each in flags if each.stems)


def _is_flag(tool: ToolView, path: Path) -> bool:
    types = [schema.get("type") for _, schema in schemas_at(tool, path)]
    return "boolean" in types or ["boolean", "null"] in types


@lru_cache(maxsize=4096)
def _has_choices(tool: ToolView) -> bool:
    return any("enum" in node.schema for node in tool.nodes)


def _flags(call: CallView, tool: ToolView, arguments: JsonObject, heard: CallTurn) -> Iterator[Finding]:
    for speaking in _flags_of(tool):
        if not speaking.may_be_in(heard.folded):
            continue
        flag = speaking.flag
        value, given = arguments.get(flag.name), _given(heard, call.name, flag.name)
        if flag.name not in arguments and not given:
            yield from _left_out(call, tool, flag, heard)
        elif isinstance(value, bool) and (not value) not in given:
            stance = _against(value, flag, heard)
            if stance is not None:
                where = f"{call.arguments_pointer}{pointer((flag.name,))}"
                message = f"is {str(value).lower()}, while the request says {brief(stance.words)}"
                yield Finding(where, message, "error" if stance.is_clear else "warning")


def _given(heard: CallTurn, tool: str, parameter: str) -> set[JsonValue]:
    """Return the values that the calls of a turn give a flag."""
    return {
        value
        for call in heard.calls
        if call.name == tool and isinstance(value := (call.arguments or {}).get(parameter), bool)
    }


def _against(value: bool, flag: Flag, heard: CallTurn) -> Stance | None:
    """Return what a turn's requests say against a flag, the clearest, where nothing speaks for it.

    Who but mentions what a flag leaves out, as in "upper or lower case", says nothing against it.
    """
    for source in heard.requests:
        found = list(stances(flag, source.folded))
        if found:
            wanted = value != flag.is_negative
            told = [each for each in found if not each.is_open and (each.is_clear or not flag.is_negative)]
            if any(each.wants is wanted for each in found) or not told:
                return None
            return max(told, key=lambda each: each.is_clear)
    return None


def _left_out(call: CallView, tool: ToolView, flag: Flag, heard: CallTurn) -> Iterator[Finding]:
    """Yield a flag that is left out, where its default is not what the request says."""
    stance = next((found for each in (True, False) if (found := _against(each, flag, heard)) is not None), None)
    default = _default(tool, flag.name) if stance is not None and stance.is_clear else None
    if stance is not None and default is not None and stance.wants is (default is flag.is_negative):
        what = f"{brief(flag.name)} is left out, {str(default).lower()} then"
        message = f"{what}, while the request says {brief(stance.words)}"
        yield Finding(call.arguments_pointer, message, at_most="warning")


def _default(tool: ToolView, name: str) -> bool | None:
    """Return what a flag is where it is left out, as far as its schema says it."""
    for _, schema in schemas_at(tool, (name,)):
        if isinstance(default := schema.get("default"), bool):
            return default
        for value in (True, False):
            if describes_default(schema.get("description"), str(value)):
                return value
    return None


def _choices(call: CallView, tool: ToolView, heard: CallTurn, record: RecordView) -> Iterator[Finding]:
    folded = heard.folded
    for leaf, choices in _chosen(call, tool, folded):
        if any(map(folded.__contains__, _beginnings(choices))):
            said = _another(leaf, choices, call, heard)
            if said is not None and _is_vouched_for(said, leaf, call, record):
                where = f"{call.arguments_pointer}{pointer(leaf.path)}"
                yield Finding(where, f"is {brief(leaf.value)}, while the request says {brief(said)}")


def _chosen(call: CallView, tool: ToolView, folded: str) -> list[tuple[Leaf, Choices]]:
    """Return the values of a call that its tool lists with others, and that a request does not name to the letter."""
    found: list[tuple[Leaf, Choices]] = []
    for name, value in (call.arguments or {}).items():
        if type(value) is str:
            choices = choices_at(tool, (name,))
            if value in choices and value.casefold() not in folded:
                found.append((Leaf((name,), value), choices))
        elif type(value) is dict or type(value) is list:
            for leaf in leaves_of(call):
                if leaf.path[0] == name and leaf.value in (choices := choices_at(tool, leaf.path)):
                    found += [] if str(leaf.value).casefold() in folded else [(leaf, choices)]
    return found


@lru_cache(maxsize=4096)
def _beginnings(choices: Choices) -> tuple[str, ...]:
    """Return the first word of each choice, which any text that names it has."""
    return tuple(next(iter(tokens_of_value(choice)), "\0") for choice in choices)


def _is_vouched_for(said: str, leaf: Leaf, call: CallView, record: RecordView) -> bool:
    """Say whether the words that the author of a call names for a choice are the other choice's, or none."""
    words = named_evidence(call, record).get(str(leaf.path[0]))
    return not isinstance(words, str) or find_literal(fold(words), fold(said)) >= 0


def _another(leaf: Leaf, choices: Choices, call: CallView, heard: CallTurn) -> str | None:
    """Return the other choice that a request names, where it names the one that is given in no way."""
    value = str(leaf.value)
    if any(is_meant(value, choices, source) for source in heard.requests):
        return None
    named = [
        (each, source) for source in heard.requests for each in choices if each != value and is_named(each, source)
    ]
    taken = _taken(leaf, call, heard) if named else frozenset()
    asked = (each for each, source in named if not _is_taken(each, taken) and _is_asked_for(each, source))
    return next(asked, None)


def _is_asked_for(choice: str, source: Source) -> bool:
    """Say whether a request that names a choice never refuses it."""
    tokens = tokens_of_value(choice)
    return not any(
        is_negated(clause, at) or clause.is_open
        for clause in flag_clauses_of(source.folded)
        for at, token in enumerate(clause.tokens)
        if token == tokens[0]
    )


def _taken(leaf: Leaf, mine: CallView, heard: CallTurn) -> frozenset[str]:
    """Return the stems of what other parameters are called and given: their words name no choice of this one."""
    found: set[str] = set()
    for call in heard.calls:
        own = () if call.tool is None else call.tool.property_names
        found |= {stem(token) for name in own if name != leaf.path[0] for token in tokens_of_value(name)}
        found |= {stem(token) for token in tokens_of_value(call.name)}
        for each in leaves_of(call):
            if (each.path != leaf.path or call is not mine) and isinstance(each.value, str):
                found |= {stem(token) for token in tokens_of_value(each.value[:200])}
    return frozenset(found)


def _is_taken(choice: str, taken: frozenset[str]) -> bool:
    return any(stem(token) in taken for token in tokens_of_value(choice))
