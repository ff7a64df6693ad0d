"""Contradictions: flags and choices of which a request says another than the call gives.

A flag is contradicted where every clause that names its matter says the other thing, and one of them asks for it or
refuses it; a choice, where the request names another of the same list, and nothing explains the one that is given.
What a call of the same turn takes is that call's; a word that belongs to another parameter names no choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.jsontext import JsonValue, pointer
from generator.validation.call_view import CallView
from generator.validation.grounding.choices import Choices, choices_at, is_meant, is_named
from generator.validation.grounding.clauses import clauses_of, is_negated
from generator.validation.grounding.flags import Flag, Stance, flag_at, stances
from generator.validation.grounding.leaves import Leaf, leaves_of
from generator.validation.grounding.places import Path, describes_default, schemas_at
from generator.validation.grounding.sources import Source
from generator.validation.grounding.turns import Heard, turns_heard
from generator.validation.grounding.vouched import evidence_of
from generator.validation.grounding.words import find_literal, fold, stem, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.say import brief
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView


def contradictions(record: RecordView) -> Iterator[Finding]:
    """Yield what a request contradicts of the calls that follow it."""
    for turn in turns_heard(record):
        yield from _flags(turn)
        yield from _choices(turn, record)


def may_contradict(record: RecordView) -> bool:
    """Say whether any call is of a tool with flags or choices."""
    return any(call.tool is not None and (_flags_of(call.tool) or _has_choices(call.tool)) for call in record.calls)


@lru_cache(maxsize=4096)
def _flags_of(tool: ToolView) -> tuple[str, ...]:
    """Return the names of a tool's own flags."""
    return tuple(name for name in tool.property_names if _is_flag(tool, (name,)))


def _is_flag(tool: ToolView, path: Path) -> bool:
    types = [schema.get("type") for _, schema in schemas_at(tool, path)]
    return "boolean" in types or ["boolean", "null"] in types


@lru_cache(maxsize=4096)
def _has_choices(tool: ToolView) -> bool:
    return any("enum" in node.schema for node in tool.nodes)


def _flags(turn: Heard) -> Iterator[Finding]:
    for call in turn.calls:
        if call.tool is None or call.arguments is None:
            continue
        for name in _flags_of(call.tool):
            flag, given = flag_at(call.tool, (name,)), _given(turn, call.name, name)
            value = call.arguments.get(name)
            if name not in call.arguments and not given:
                yield from _left_out(call, call.tool, flag, turn)
            elif isinstance(value, bool) and (not value) not in given:
                stance = _against(value, flag, turn)
                if stance is not None:
                    where = f"{call.arguments_pointer}{pointer((name,))}"
                    message = f"is {str(value).lower()}, while the request says {brief(stance.words)}"
                    yield Finding(where, message, "error" if stance.is_clear else "warning")


def _given(turn: Heard, tool: str, parameter: str) -> set[JsonValue]:
    """Return the values that the calls of a turn give a flag."""
    return {
        value
        for call in turn.calls
        if call.name == tool and isinstance(value := (call.arguments or {}).get(parameter), bool)
    }


def _against(value: bool, flag: Flag, turn: Heard) -> Stance | None:
    """Return what a turn's requests say against a flag, the clearest, where nothing speaks for it."""
    for source in turn.requests:
        found = list(stances(flag, source.folded))
        if found:
            wanted = value != flag.is_negative
            told = [each for each in found if not each.is_open]
            if any(each.wants is wanted for each in found) or not told:
                return None
            return max(told, key=lambda each: each.is_clear)
    return None


def _left_out(call: CallView, tool: ToolView, flag: Flag, turn: Heard) -> Iterator[Finding]:
    """Yield a flag that is left out, where its default is not what the request says."""
    default = _default(tool, flag.name)
    stance = _against(default, flag, turn) if default is not None else None
    if stance is not None and stance.is_clear:
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


def _choices(turn: Heard, record: RecordView) -> Iterator[Finding]:
    for call in turn.calls:
        if call.tool is None or not _has_choices(call.tool):
            continue
        for leaf in leaves_of(call):
            choices = choices_at(call.tool, leaf.path)
            if len(choices) > 1 and leaf.value in choices:
                said = _another(leaf, choices, call, turn)
                if said is not None and _is_vouched_for(said, leaf, call, record):
                    where = f"{call.arguments_pointer}{pointer(leaf.path)}"
                    yield Finding(where, f"is {brief(leaf.value)}, while the request says {brief(said)}")


def _is_vouched_for(said: str, leaf: Leaf, call: CallView, record: RecordView) -> bool:
    """Say whether the words that the author of a call names for a choice are the other choice's, or none."""
    words = evidence_of(call, record).get(str(leaf.path[0]))
    return not isinstance(words, str) or find_literal(fold(words), fold(said)) >= 0


def _another(leaf: Leaf, choices: Choices, call: CallView, turn: Heard) -> str | None:
    """Return the other choice that a request names, where it names the one that is given in no way."""
    value = str(leaf.value)
    if any(is_meant(value, choices, source) for source in turn.requests):
        return None
    taken = _taken(leaf, call, turn)
    for source in turn.requests:
        for other in choices:
            if other != value and not _is_taken(other, taken) and _is_asked_for(other, source):
                return other
    return None


def _is_asked_for(choice: str, source: Source) -> bool:
    """Say whether a request names a choice in its own words, and not to refuse it."""
    if not is_named(choice, source):
        return False
    tokens = tokens_of_value(choice)
    return not any(
        is_negated(clause, at) or clause.is_open
        for clause in clauses_of(source.folded)
        for at, token in enumerate(clause.tokens)
        if token == tokens[0]
    )


def _taken(leaf: Leaf, mine: CallView, turn: Heard) -> frozenset[str]:
    """Return the stems of what other parameters are called and given: their words name no choice of this one."""
    found: set[str] = set()
    for call in turn.calls:
        own = () if call.tool is None else call.tool.property_names
        found |= {stem(token) for name in own if name != leaf.path[0] for token in tokens_of_value(name)}
        found |= {stem(token) for token in tokens_of_value(call.name)}
        for each in leaves_of(call):
            if (each.path != leaf.path or call is not mine) and isinstance(each.value, str):
                found |= {stem(token) for token in tokens_of_value(each.value[:200])}
    return frozenset(found)


def _is_taken(choice: str, taken: frozenset[str]) -> bool:
    return any(stem(token) in taken for token in tokens_of_value(choice))
