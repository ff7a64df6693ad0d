"""Every leaf of every call with where it comes from, as metadata hold it, and flags of which a request says another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import (
    Choices,
    Grounded,
    Leaf,
    Path,
    choices_at,
    describes_default,
    entry_of,
    ground_choice,
    ground_in_schema,
    is_meant,
    is_named,
    leaves_of,
    place_of,
    schemas_at,
    texts_below,
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
from generator.validation.grounding.arguments.certainty import numbers_in, severity_of
from generator.validation.grounding.arguments.evidence import ENOUGH, ground, ground_by_metadata, named_evidence
from generator.validation.grounding.arguments.sources import (
    LITERAL,
    CallTurn,
    Grounding,
    Said,
    Source,
    call_turns,
    source_of,
)
from generator.validation.grounding.reading.denials import read_denials
from generator.validation.grounding.reading.words import LONGEST_TEXT, find_literal, fold, stem, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import NO_OBJECT, CallView, RecordView

MOST_LEAVES = 2000
"""Leaves of one record that are looked at; no record that a person could read has more."""
UNEXPLAINED = 20
"""How many others a leaf counts for that nothing explains: every evidence level was tried for it."""
MOST_SOURCES = 64
"""Earlier messages that a value is looked for in, the latest ones."""


def ground_arguments(record: RecordView, *, enough: float = ENOUGH) -> list[Grounded]:
    """Return every leaf of the arguments of every call with where it comes from, in the record's order.

    `enough` is the share of a string's words that must be said.
    """
    found = list(_each(record, enough))
    wrong = {each.pointer: why for each, why in misplaced(record, found)}
    if not wrong:
        return found
    return [
        each._replace(grounding=None, misplaced=wrong[each.pointer]) if each.pointer in wrong else each
        for each in found
    ]


def grounded_arguments(record: RecordView) -> list[Grounded]:
    """Return every leaf of a record's calls with where it comes from, found once per record."""
    if record.grounded is None:
        as_told = _as_told(record) if record.has_verbatim_arguments and "grounding" in record.metadata else []
        record.grounded = as_told or ground_arguments(record)
    return record.grounded


def _as_told(record: RecordView) -> list[Grounded]:
    """Return what the metadata tell of each leaf, where a short look has found that to be so; [] where one is not told.

    Of calls with one id they cannot tell each by itself.
    """
    told = record.metadata["grounding"]
    found: list[Grounded] = []
    for call in record.calls if len(record.calls_by_id) == len(record.calls) else ():
        entries = told.get(call.id, NO_OBJECT)
        for leaf in leaves_of(call):
            entry = entries.get(place_of(leaf))
            if entry is None:
                return []
            found.append(Grounded(call, leaf, Grounding(entry["level"], entry["where"], entry["text"])))
    return found if len(found) < MOST_LEAVES else []


def _each(record: RecordView, enough: float) -> Iterator[Grounded]:
    indices = _places_of_tools(record)
    left = MOST_LEAVES
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            index = indices.get(id(call.tool), 0)
            for leaf in leaves_of(call):
                grounding = explanation(leaf, call, index, said, record, enough=enough)
                sure: Severity = (
                    "error" if grounding is not None or record.generated else severity_of(leaf, call.tool, said, record)
                )
                found = Grounded(call, leaf, grounding, sure)
                left -= 1 if found.grounding is not None else UNEXPLAINED
                yield found
                if left <= 0:
                    return


def explanation(
    leaf: Leaf,
    call: CallView,
    tool_index: int,
    said: Said,
    record: RecordView,
    *,
    enough: float = ENOUGH,
    literally: bool = True,
) -> Grounding | None:
    """Return where a leaf of a call comes from; None where nothing explains it."""
    value = leaf.path[-1] if leaf.is_key else leaf.value
    tool = None if leaf.is_key else call.tool
    return (
        ground(value, tool, leaf.path, tool_index, said, enough=enough, literally=literally)
        or ground_by_metadata(leaf, call, record, said)
        or _chosen(leaf, call, said)
    )


def _places_of_tools(record: RecordView) -> dict[int, int]:
    """Return where each tool stands among those shown, by its identity."""
    return {id(tool): index for index, tool in reversed(list(enumerate(record.tools)))}


def _chosen(leaf: Leaf, call: CallView, said: Said) -> Grounding | None:
    """Take a choice at one of its words where nobody names the words that it comes from."""
    if call.tool is None or leaf.is_key or not isinstance(leaf.value, str):
        return None
    return ground_choice(leaf.value, call.tool, leaf.path, said)


def said_before_calls(record: RecordView) -> Iterator[tuple[int, Said]]:
    """Yield the index of each turn of calls with all that was said before it: users, results, the system."""
    spoken: list[Source] = []
    results: list[Source] = []
    system: list[Source] = []
    day = record.metadata.get("reference_date")
    for message in record.messages:
        role = message.role
        if message.calls:
            sources = (*spoken[: -MOST_SOURCES - 1 : -1], *results[: -MOST_SOURCES - 1 : -1], *system[:1])
            yield message.index, Said(sources, day)
        elif role == "assistant" or not isinstance(message.content, str):
            continue
        elif role == "user":
            spoken.append(source_of(record, message))
        elif role == "tool":
            results.append(source_of(record, message))
        elif role == "system":
            system.append(source_of(record, message))


def explain(document: JsonValue) -> JsonObject:
    """Return where each argument of a record comes from: `{call id: {JSON pointer into the arguments: ...}}`.

    Each entry has its `level` (literal, normalised, overlap, schema, construction or
    asserted), `where` (a JSON pointer into the
    record) and the `text` that is said there. Values that nothing explains are left out.
    """
    return explain_view(RecordView(document))


def explain_view(record: RecordView) -> JsonObject:
    """Return the groundings of a record that is looked at already; see `explain`."""
    return as_metadata(grounded_arguments(record))


def as_metadata(grounded: list[Grounded]) -> JsonObject:
    """Return groundings as the metadata of a record hold them."""
    found: JsonObject = {}
    for each in grounded:
        if each.grounding is not None and isinstance(each.call.id, str):
            found.setdefault(each.call.id, {})[place_of(each.leaf)] = entry_of(each.grounding)
    return found


_DIGITS = re.compile(r"\d{1,18}(?:\.\d{1,18})?")
_SMALL = range(11)
_AGAIN = re.compile(r"\b(?:twice|thrice|again|another|repeat\w*|times|one more|each|same)\b")


def misplaced(record: RecordView, grounded: list[Grounded]) -> Iterator[tuple[Grounded, str]]:
    """Yield the values that the request explains but that stand in the wrong place, each with why.

    Only records of one request and one turn of calls are looked at: later turns repeat and correct.
    """
    if not record.calls or record.calls[0].turn != record.calls[-1].turn:
        return
    turns = record.turns_of_calls
    requests = [each.content for each in record.messages if each.role == "user"]
    if len(turns) == len(requests) == 1 and isinstance(requests[0], str):
        yield from _numbers(requests[0], grounded)
        if len(turns[0].calls) > 1:
            yield from _repeated(requests[0], grounded, turns[0].calls)


def _repeated(request: str, grounded: list[Grounded], calls: tuple[CallView, ...]) -> Iterator[tuple[Grounded, str]]:
    """Yield the last value of each call that is the same as an earlier one."""
    seen: dict[tuple[str, str], CallView] = {}
    for call in calls:
        first = seen.setdefault((call.name, call.text), call)
        if first is not call and not _AGAIN.search(fold(request[:LONGEST_TEXT])):
            own = [each for each in grounded if each.call is call and each.grounding is not None]
            if own:
                yield own[-1], f"with it the call is that at {first.pointer} again, which nobody asks for"


def _numbers(request: str, grounded: list[Grounded]) -> Iterator[tuple[Grounded, str]]:
    """Yield the numbers that are given more often than said, while others that are said are given nowhere."""
    given = _literal_numbers(grounded)
    if max(given.values(), default=0) < 2 and not any(map(_is_in_words, grounded)):
        return
    said = Counter(numbers_in(request[:LONGEST_TEXT]))
    unused = _unused(request, said, grounded)
    if not unused:
        return
    shared = _shared(grounded)
    for each in reversed(grounded):
        if each.leaf.path not in shared and _stands_in(each, given, said) and not _is_default(each):
            yield each, f"the request says it less often than it is given, and its {unused.pop():g} is given nowhere"
            if not unused:
                return


def _literal_numbers(grounded: list[Grounded]) -> Counter[float]:
    """Count the numbers that are given as they are said, whatever their sign."""
    return Counter([abs(float(each.leaf.value)) for each in grounded if _is_literal_number(each)])


def _unused(request: str, said: Counter[float], grounded: list[Grounded]) -> list[float]:
    """Return the numbers that a request says and no call is given; none that it has corrected since."""
    used = {float(digits) for each in grounded for digits in _digits_of(each)}
    unused = [number for number in said if number not in used]
    corrections = read_denials(request[:LONGEST_TEXT]).corrections if unused else []
    if not corrections:
        return unused
    last = fold(request[:LONGEST_TEXT])[corrections[-1].own :]
    still = numbers_in(last)
    return [number for number in unused if number in still]


def _is_default(each: Grounded) -> bool:
    """Say whether the schema itself gives the value."""
    tool = each.call.tool
    return tool is not None and ground_in_schema(each.leaf.value, tool, each.leaf.path, 0) is not None


_FEWEST_SHARING = 3


def _shared(grounded: list[Grounded]) -> frozenset[Path]:
    """Return the places at which several calls have one value: what a request says once for all of them."""
    values: dict[Path, list[tuple[str, JsonValue]]] = {}
    for each in grounded:
        values.setdefault(each.leaf.path, []).append((each.call.name, each.leaf.value))
    return frozenset(
        path
        for path, held in values.items()
        if len({repr(value) for _, value in held}) == 1
        and (len(held) >= _FEWEST_SHARING or len({name for name, _ in held}) > 1)
    )


def _stands_in(each: Grounded, given: Counter[float], said: Counter[float]) -> bool:
    """Say whether a number is given once more than it is said, or taken from words that count something else."""
    if _is_literal_number(each):
        number = abs(float(each.leaf.value))
        given[number] -= 1
        return given[number] >= said.get(number, 99)
    return _is_in_words(each)


def _is_number(each: Grounded) -> bool:
    return type(each.leaf.value) in (int, float) and each.grounding is not None


def _is_literal_number(each: Grounded) -> bool:
    return _is_number(each) and each.grounding is not None and each.grounding.level == LITERAL


def _is_in_words(each: Grounded) -> bool:
    """Say whether the number is a small one that a text says in words: "two", which may count anything."""
    return (
        _is_number(each) and each.leaf.value in _SMALL and each.grounding is not None and each.grounding.text.isalpha()
    )


def _digits_of(each: Grounded) -> Iterator[str]:
    """Yield the numbers in a value, in the words that ground it and in its name (`year2`): all count as used."""
    yield from _DIGITS.findall(" ".join(step for step in each.leaf.path if isinstance(step, str)))
    yield from _DIGITS.findall(str(each.leaf.value).replace(",", "")[:400])
    if each.grounding is not None:
        yield from _DIGITS.findall(each.grounding.text.replace(",", ""))


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
    for leaf, choices in _contradictions_chosen(call, tool, folded):
        if any(map(folded.__contains__, _beginnings(choices))):
            said = _another(leaf, choices, call, heard)
            if said is not None and _is_vouched_for(said, leaf, call, record):
                where = f"{call.arguments_pointer}{pointer(leaf.path)}"
                yield Finding(where, f"is {brief(leaf.value)}, while the request says {brief(said)}")


def _contradictions_chosen(call: CallView, tool: ToolView, folded: str) -> list[tuple[Leaf, Choices]]:
    """Return the values of a call that its tool lists with others, and that a request does not name to the letter."""
    found: list[tuple[Leaf, Choices]] = []
    for name, value in (call.arguments or {}).items():
        for leaf in texts_below((name,), value):
            choices = choices_at(tool, leaf.path)
            if leaf.value in choices and str(leaf.value).casefold() not in folded:
                found.append((leaf, choices))
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
    named = _named_beside(value, choices, heard)
    taken = _taken(leaf, call, heard) if named else frozenset()
    asked = (each for each, source in named if not _is_taken(each, taken) and _is_asked_for(each, source))
    return next(asked, None)


def _named_beside(value: str, choices: Choices, heard: CallTurn) -> list[tuple[str, Source]]:
    """Return the choices beside the one that is given that requests have in their own words, each with the request."""
    others = [each for each in choices if each != value]
    return [(each, source) for source in heard.requests for each in others if is_named(each, source)]


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
    return frozenset(stem(token) for text in _texts_beside(leaf, mine, heard) for token in tokens_of_value(text))


def _texts_beside(leaf: Leaf, mine: CallView, heard: CallTurn) -> Iterator[str]:
    """Yield what tools and other parameters than that of a leaf are called, and the texts that calls give these."""
    for call in heard.calls:
        yield call.name
        own = () if call.tool is None else call.tool.property_names
        yield from (name for name in own if name != leaf.path[0])
        for each in leaves_of(call):
            if (each.path != leaf.path or call is not mine) and isinstance(each.value, str):
                yield each.value[:200]


def _is_taken(choice: str, taken: frozenset[str]) -> bool:
    return any(stem(token) in taken for token in tokens_of_value(choice))
