"""Omissions: parameters that a request speaks of and a call leaves out, and numbers said in another unit than taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import Path, schemas_at
from generator.validation.grounding.arguments.sources import Source
from generator.validation.grounding.reading.clocks import clocks_in
from generator.validation.grounding.reading.days import phrases_of
from generator.validation.grounding.reading.denials import DenialReading
from generator.validation.grounding.reading.languages import LANGUAGES, english, entries, languages_of, table, words_for
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.quantities import (
    COUNTING,
    Unit,
    figures_of,
    has_signs_in_figures,
    unit_after,
    unit_named,
    unit_of_word,
    units_in_name,
    words_of_others,
)
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    Literal,
    find_literal,
    find_number,
    fold,
    literals_of,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.grounding.requests.wishes import Mention, Uptake, Wish
from generator.validation.grounding.result_numbers import currencies, unit_of_key
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView, ResultView

_MOST_PLACES = 200
_LONGEST_DESCRIPTION = 400


class TakenUnit(NamedTuple):
    """A place of a tool's arguments with the unit of the numbers that it takes."""

    path: Path
    """Names alone: what stands in lists is not looked at."""
    unit: Unit | None
    """None where another parameter of the same object gives it."""
    given_by: str = ""
    """That parameter."""
    default: JsonValue = None


@lru_cache(maxsize=4096)
def taken_units(tool: ToolView) -> tuple[TakenUnit, ...]:
    """Return the places of a tool's arguments that take numbers in a known unit."""
    properties = tool.parameters.get("properties") if isinstance(tool.parameters, dict) else None
    return tuple(_in_object(tool, (), properties))


def _in_object(tool: ToolView, path: Path, properties: JsonValue, left: int = 3) -> Iterator[TakenUnit]:
    if not isinstance(properties, dict):
        return
    givers = [name for name in properties if not _UNIT_WORDS.isdisjoint(tokens_of_value(name))]
    for name in list(properties)[:_MOST_PLACES]:
        for _, schema in schemas_at(tool, (*path, name)):
            if _takes_numbers(schema):
                yield from _taken_unit((*path, name), schema, _giver(name, givers))
                break
            if left and "properties" in schema:
                yield from _in_object(tool, (*path, name), schema["properties"], left - 1)
                break


def _taken_unit(path: Path, schema: JsonObject, giver: str) -> Iterator[TakenUnit]:
    """Yield the unit of the numbers that a place takes, where one is known or another parameter gives it."""
    unit = None if giver else _unit(str(path[-1]), schema)
    if giver or unit is not None:
        yield TakenUnit(path, unit, giver, schema.get("default"))


_UNIT_WORDS = frozenset({"unit", "units", "uom"})


def _takes_numbers(schema: JsonObject) -> bool:
    """Say whether a schema takes numbers, or numbers and nothing."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return set(map(str, kind)) <= {"integer", "number", "null"}
    return kind in _NUMBERS


_NUMBERS = ("integer", "number")


def _giver(name: str, givers: list[str]) -> str:
    """Return the parameter that gives the unit of another: `weight_unit` of `weight`, `unit` of whatever has none."""
    own = frozenset(tokens_of_value(name))
    for giver in givers:
        about = frozenset(tokens_of_value(giver)) - _UNIT_WORDS
        if giver != name and about <= own | _FROM:
            return giver
    return ""


_FROM = frozenset({"from", "source", "input"})


def _unit(name: str, schema: JsonObject) -> Unit | None:
    description = schema.get("description")
    described = _described(fold(description[:_LONGEST_DESCRIPTION])) if isinstance(description, str) else []
    named = _named(name)
    if named is None:
        return described[0] if len(described) == 1 else None
    agrees = not described or any(each.is_as_much_as(named) for each in described)
    return named if agrees else None


def _named(name: str) -> Unit | None:
    """Return the unit that a parameter's name ends with, or begins with where it counts: `weight_kg`, `days_ahead`."""
    tokens = tokens_of_value(name)
    if "per" in tokens or not tokens:
        return None
    ends = [*tokens[-1:], *(tokens[:1] if len(tokens) > 1 else ())]
    for at, token in enumerate(ends):
        unit = _unit_of_token(token)
        counts = at == 0 or tokens[-1] in COUNTING or token.endswith("s")
        if unit is not None and counts and _is_amount(unit, token):
            return unit
    return None


def _unit_of_token(token: str) -> Unit | None:
    key = unit_of_key(token)
    unit = unit_named(key) if key else None
    return unit or (unit_of_word(token) if token in _AMPLE else None)


def _is_amount(unit: Unit, word: str) -> bool:
    """Say whether a word is an amount in a unit: a single one of time, such as "hour", may be a moment."""
    return unit.family != "time" or word.endswith("s") or word in _SHORT


_SHORT = frozenset("hr min sec ms".split())
_AMPLE = frozenset("seconds ms kb mb gb tb millimeters centimeters milliseconds ounces".split())
"""Words that are units wherever a name ends with them."""

_DESCRIBED = re.compile(
    r"(?:\bin|\(|\bnumber of|\bmany|\bunit:?|\bunits:?|^|\bof)\s{0,2}"
    r"(?:\(|(?:the|whole|full|total|upcoming|next|future|past) )?"
    r"([a-z%°]{1,12}(?:/[a-z]{1,2})?(?: (?:celsius|fahrenheit))?)(?![a-z])"
)
_CHOOSING = re.compile(r"\bor\b|\beither\b|\bdepending\b|\bunits?\b(?! of)|/")


def _described(text: str) -> list[Unit]:
    """Return the units in which a description says that a number is; none where it leaves them open."""
    found: list[Unit] = []
    for match in _DESCRIBED.finditer(text):
        word = match[1].removeprefix("degrees ")
        unit = unit_of_word(word) or unit_of_word(word.split()[-1])
        is_word = len(word) > 2 or word in _SURE
        if unit is not None and is_word and _is_amount(unit, word) and unit not in found:
            found.append(unit)
    return [] if _leaves_a_choice(text, found) else found


def _leaves_a_choice(text: str, found: list[Unit]) -> bool:
    """Say whether a description names other units of the same kinds, and that one of them is to be chosen."""
    if not _CHOOSING.search(text):
        return False
    families = [unit.family for unit in found]
    known = (unit_of_word(token) for token in tokens_of(text) if len(token) > 2)
    return any(each is not None and each.family in families and each not in found for each in known)


_SURE = frozenset("kg km cm mm mi lb lbs oz ml mg ft mb gb kb tb ms %".split())


def in_other_units(record: RecordView) -> Iterator[Finding]:
    """Yield the numbers of calls that the user says in another unit."""
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        for path, value, unit in _measured(call, call.arguments):
            said = _said_otherwise(value, unit, call, record)
            if said:
                taken = f"the user says {brief(said)}, and this is given in {unit.name}"
                yield Finding(call.arguments_pointer + pointer(path), taken, "warning")


def _measured(call: CallView, arguments: JsonObject) -> Iterator[tuple[Path, float, Unit]]:
    """Yield the numbers that a call is given in a known unit."""
    for taken in taken_units(call.tool) if call.tool is not None else ():
        holder = _holder(arguments, taken.path)
        value = holder.get(taken.path[-1]) if isinstance(holder, dict) else None
        if type(value) in (int, float) and value and value != taken.default:
            unit = taken.unit or _given(taken, holder)
            if unit is not None:
                yield taken.path, float(value), unit
    yield from _measured_texts(arguments)


def _measured_texts(arguments: JsonObject) -> Iterator[tuple[Path, float, Unit]]:
    """Yield the texts that are a number with its unit: "45 minutes"."""
    for name, value in arguments.items():
        if type(value) is str and value[:1].isdigit() and len(value) < _LONGEST_MEASURE:
            match = _MEASURE.fullmatch(value)
            unit = unit_of_word(fold(match[2])) if match is not None else None
            if match is not None and unit is not None:
                yield (name,), float(match[1]), unit


def _holder(arguments: JsonObject, path: Path) -> JsonValue:
    holder: JsonValue = arguments
    for step in path[:-1]:
        holder = holder.get(step) if isinstance(holder, dict) else None
    return holder


_LONGEST_MEASURE = 24
_MEASURE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s?([^\W\d_]{1,12})")


def _given(taken: TakenUnit, holder: JsonValue) -> Unit | None:
    word = holder.get(taken.given_by) if isinstance(holder, dict) else None
    return unit_of_word(fold(word)) if isinstance(word, str) and len(word) < _LONGEST_MEASURE else None


class _Mention(NamedTuple):
    """A place where a text says a number."""

    unit: Unit | None
    words: str


def _said_otherwise(value: float, unit: Unit, call: CallView, record: RecordView) -> str:
    """Return how the user says a number in another unit of the same kind; "" where it is said otherwise as well."""
    others = words_of_others(unit)
    texts = [fold(each.text[:LONGEST_TEXT]) for each in record.messages[: call.turn] if each.role == "user"]
    wrong = ""
    for text in texts if any(map(others.search, texts)) else ():
        for mention in _mentions(value, text):
            if mention.unit is None or mention.unit.is_as_much_as(unit):
                return ""
            if mention.unit.family == unit.family:
                wrong = mention.words
    return wrong


_NUMBER = re.compile(r"(?<![\d.,:/])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d:])|(?<![\d.:/])\d{1,15}(?:\.\d{1,9})?(?![\d:/])")
_CURRENCIES = frozenset("$€£¥₹")
_NEAR = 12


def _mentions(value: float, folded: str) -> Iterator[_Mention]:
    """Yield where a text says a number, but for times of day, days of months and sums of money."""
    languages = languages_of(folded)
    figures = figures_of(folded, languages) if has_signs_in_figures(folded) else folded
    yield from _in_figures(value, figures, folded, languages)
    if value != 1:  # "an hour" may be any hour
        yield from _in_words(value, figures, languages)


def _in_figures(value: float, figures: str, folded: str, languages: tuple[str, ...]) -> Iterator[_Mention]:
    for match in _NUMBER.finditer(figures):
        if (
            float(match[0].replace(",", "")) == value
            and figures[max(0, match.start() - 1) : match.start()] not in _CURRENCIES
        ):
            unit = _unit_after(figures, match.end(), languages)
            if unit is not None or not _is_of_moment(match.start(), folded, languages):
                yield _Mention(unit, figures[match.start() : match.end() + _NEAR].strip())


def _in_words(value: float, figures: str, languages: tuple[str, ...]) -> Iterator[_Mention]:
    for language in languages:
        for each in number_words(language).read(figures):
            if each.value == value and not each.ordinal and not figures[each.start].isdigit():
                unit = _unit_after(figures, each.end, languages)
                yield _Mention(unit, figures[each.start : each.end + _NEAR].strip())


def _is_of_moment(at: int, folded: str, languages: tuple[str, ...]) -> bool:
    """Say whether what stands at a place belongs to a date or a time of day."""
    days = [(each.start, each.end) for each in phrases_of(folded, languages)]
    clocks = [(each.start, each.end) for each in clocks_in(folded, languages).phrases]
    return any(start <= at < end for start, end in (*days, *clocks))


def _unit_after(text: str, at: int, languages: tuple[str, ...]) -> Unit | None:
    return next((unit for language in languages if (unit := unit_after(text, at, language)) is not None), None)


_MOST_OPTIONS = 60
_SHORTEST_CHOICE = 4
_BESIDE = 24


class _Said(NamedTuple):
    """A value that a request states for a parameter."""

    text: str
    start: int
    end: int
    is_sure: bool = True
    """Whether the parameter is spoken of as well."""
    number: float | None = None
    is_day: bool = False
    stands_out: bool = False
    """Whether its form shows that it is meant: a name, a compound, a word after "in"."""


def omitted(
    wish: Wish, index: int, own: list[Mention], results: dict[str, ResultView], brought_back: Uptake, texts: str
) -> Iterator[Finding]:
    """Yield the calls that leave out what a message states for one of their parameters.

    Args:
        wish: what the user said, and the calls.
        index: the message that is looked at.
        own: where it says the values of the calls.
        results: the results by the pointers of their calls.
        brought_back: all that came back.
        texts: the arguments of the calls, folded.
    """
    reading = wish.readings[index]
    reported: set[int] = set()
    for call in wish.calls:
        near = _stretch(call, own, wish, reading)
        for name in _left_out(call):
            for said in _stated(call, name, reading, near):
                if said.start in reported or _is_used(said, own, texts) or reading.disposes_of(said.start):
                    continue
                reported.add(said.start)
                at_most = _sureness(name, said, results.get(call.pointer), brought_back)
                yield Finding(
                    call.arguments_pointer, f"leaves out {name}, of which the user says {brief(said.text)}", at_most
                )
                break


def _sureness(name: str, said: _Said, result: ResultView | None, brought_back: Uptake) -> Severity:
    """Return how sure it is that what is said is meant for a parameter: less so where it came back unasked."""
    if _is_echoed(name, said, result):
        return "warning"
    is_noted = not said.stands_out and brought_back.holds(Literal("choice", said.text, said.start, said.end))
    return "warning" if said.is_sure and not is_noted else "note"


def _is_echoed(name: str, said: _Said, result: ResultView | None) -> bool:
    """Say whether the result of a call repeats what it was not given, under the parameter's own name."""
    value = result.value.get(name) if result is not None and isinstance(result.value, dict) else None
    if isinstance(value, bool) or value is None:
        return False
    return value == said.number if isinstance(value, int | float) else value == said.text or said.is_day


def _left_out(call: CallView) -> Iterator[str]:
    """Yield the parameters of a call's tool that it is not given."""
    if call.tool is not None and call.arguments is not None:
        yield from (name for name in call.tool.property_names if name not in call.arguments)


def _stretch(call: CallView, own: list[Mention], wish: Wish, reading: DenialReading) -> tuple[int, int]:
    """Return the part of a message that speaks of a call: all of it for a single one, else its sentences."""
    if len(wish.calls) == 1:
        return 0, len(reading.text)
    places = [each for each in own if each.grounded.call is call]
    if not places:
        return 0, 0
    return reading.sentence(min(each.start for each in places))[0], reading.sentence(
        max(each.start for each in places)
    )[1]


def _stated(call: CallView, name: str, reading: DenialReading, near: tuple[int, int]) -> Iterator[_Said]:
    """Yield what a stretch of a message states for a parameter."""
    start, end = near
    if start >= end or call.tool is None:
        return
    for _, schema in schemas_at(call.tool, (name,)):
        yield from _chosen(name, schema, reading, start, end)
        if takes_days(name, schema):
            yield from _days(reading, start, end)
        elif schema.get("type") in _NUMBERS:
            yield from _counted(name, reading, start, end)
        elif takes_addresses(name, schema):
            yield from _addresses(reading, start, end)


def _addresses(reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    for each in literals_of(reading.raw):
        if each.sort == "address" and "@" in each.text and start <= each.start < end:
            yield _Said(each.text, each.start, each.end)


def _chosen(name: str, schema: JsonObject, reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    options: JsonValue = schema.get("enum")
    for option in options[:_MOST_OPTIONS] if isinstance(options, list) else ():
        if isinstance(option, str) and len(option) >= _SHORTEST_CHOICE and option != schema.get("default"):
            words = fold(option.replace("_", " "))
            at = find_literal(reading.masked[start:end], words)
            if at >= 0:
                beside = reading.masked[max(start, start + at - _BESIDE) : start + at + len(words) + _BESIDE]
                named = set(map(stem, tokens_of(beside))) & set(map(stem, tokens_of_value(name)))
                stands_out = _stands_out(reading, start + at, start + at + len(words))
                said = _Said(option, start + at, start + at + len(words), bool(named) or stands_out)
                yield said._replace(stands_out=stands_out)


def _stands_out(reading: DenialReading, start: int, end: int) -> bool:
    """Say whether a choice can hardly mean anything else: "low-carb", "a Japanese place", "in celsius"."""
    text = reading.text[start:end]
    if "-" in text or " " in text:
        return True
    before = tokens_of(reading.masked[max(0, start - _BESIDE) : start])
    is_name = reading.raw[start : start + 1].isupper() and reading.language != "de" and bool(before)
    following = reading.raw[end : end + 2].strip()
    if is_name and not following[:1].isupper() and not reading.masked[:start].rstrip().endswith((".", "!", "?", ":")):
        return True
    return before[-1:] == ["in"] and not following[:1].isalpha()


def takes_days(name: str, schema: JsonObject) -> bool:
    """Say whether a parameter takes days, by its schema or its name."""
    return schema.get("format") in ("date", "date-time") or (
        schema.get("type") == "string" and "date" in tokens_of_value(name)
    )


def takes_addresses(name: str, schema: JsonObject) -> bool:
    """Say whether a parameter takes addresses of mail, by its schema or its name."""
    return schema.get("format") == "email" or "email" in tokens_of_value(name)


def _days(reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    source = Source(0, reading.masked[start:end])
    for text in dict.fromkeys(each.text for each in source.days if not each.text.isdigit()):  # that may be any number
        at = source.folded.find(text)
        if at >= 0:
            yield _Said(text, start + at, start + at + len(text), is_day=True)


def _counted(name: str, reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    """Yield the numbers whose unit the parameter is named by: "6 nights" for `nights`."""
    own = set(map(stem, units_in_name(tokens_of_value(name))))
    source = Source(0, reading.masked[start:end])
    if own.isdisjoint(_unit_stems()) and not any(root in source.folded for root in own):
        return  # a stem is how its word begins, so that no unit that the text has is one of these
    for each in source.quantities:
        if each.unit and stem(each.unit) in own:
            at = source.folded.find(each.text)
            if at >= 0:
                yield _Said(f"{each.value:g} {each.unit}", start + at, start + at + len(each.text), True, each.value)


@lru_cache(maxsize=1)
def _unit_stems() -> frozenset[str]:
    """Return the stems of the units that words of any language are read as."""
    return frozenset(stem(unit) for language in LANGUAGES for unit in table(language, "numbers").get("units", {}))


def _is_used(said: _Said, own: list[Mention], texts: str) -> bool:
    """Say whether a call is given what is said, for this parameter or another."""
    if any(each.start < said.end and said.start < each.end for each in own):
        return True
    if said.number is not None and f" {said.number:g} " in texts:
        return True
    words = " ".join(tokens_of(fold(said.text.replace("_", " "))))
    return f" {words} " in texts


_SEARCHING = frozenset({"search", "find"})


class _Limit(NamedTuple):
    """A parameter that takes the most or the least of something."""

    name: str
    is_upper: bool
    matter: frozenset[str]
    """The stems of the rest of its name."""
    unit: Unit | None
    is_money: bool


def left_open(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that leave out what they are to look for, or a limit that the user states."""
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        if not call.arguments and _looks_for_text(call.tool) and not _asks_for_everything(call, record):
            yield Finding(call.arguments_pointer, "a search is given nothing to look for", "warning")
        for limit in _limits_of(call.tool):
            said = _limit_said(limit, call, record) if limit.name not in call.arguments else ""
            if said:
                why = f"leaves out {limit.name}, of which the user says {brief(said)}"
                yield Finding(call.arguments_pointer, why, "warning")


@lru_cache(maxsize=4096)
def _looks_for_text(tool: ToolView) -> bool:
    """Say whether a tool searches, by its name, and takes a text to look for."""
    names = frozenset(token for name in tool.property_names for token in tokens_of_value(name))
    is_search = not _SEARCHING.isdisjoint(tokens_of_value(tool.name)[:3])
    return is_search and not words_for("bounds", "query_names").isdisjoint(names)


def _asks_for_everything(call: CallView, record: RecordView) -> bool:
    text = _latest_request(call, record)
    return not text or not words_for("bounds", "everything").isdisjoint(tokens_of(fold(text[:LONGEST_TEXT])))


@lru_cache(maxsize=4096)
def _limits_of(tool: ToolView) -> tuple[_Limit, ...]:
    units = {each.path: each.unit for each in taken_units(tool)}
    found = []
    for name in tool.property_names:
        tokens = frozenset(tokens_of_value(name))
        upper, lower = tokens & words_for("bounds", "upper_names"), tokens & words_for("bounds", "lower_names")
        is_number = any(schema.get("type") in _NUMBERS for _, schema in schemas_at(tool, (name,)))
        if is_number and bool(upper) is not bool(lower):
            is_money = not english("results", "money").isdisjoint(tokens)
            matter = frozenset(map(stem, tokens - upper - lower))
            found.append(_Limit(name, bool(upper), matter, units.get((name,)), is_money))
    return tuple(found)


def _latest_request(call: CallView, record: RecordView) -> str:
    return next((each.text for each in reversed(record.messages[: call.turn]) if each.role == "user"), "")


def _limit_said(limit: _Limit, call: CallView, record: RecordView) -> str:
    """Return the limit that the user's last message states and no call is given; "" for none."""
    text = _latest_request(call, record)
    folded = fold(text[:LONGEST_TEXT])
    for match in _bound(limit.is_upper).finditer(folded):
        if _is_of(limit, match, folded) and not _is_given(match["number"], record):
            return match[0]
    return ""


def _is_of(limit: _Limit, match: re.Match[str], folded: str) -> bool:
    """Say whether a bound is one of what a limit is of: money, a measure, or what its name says."""
    languages = languages_of(folded)
    units = [unit for each in languages if (unit := unit_after(folded, match.end(), each)) is not None]
    if limit.is_money:
        return _is_money(match, folded)
    if limit.unit is not None:
        return any(unit.is_as_much_as(limit.unit) for unit in units)
    near = frozenset(
        map(stem, tokens_of(folded[max(0, match.start() - _OMISSIONS_NEAR) : match.end() + _OMISSIONS_NEAR]))
    )
    return not units and not limit.matter.isdisjoint(near) and not _is_money(match, folded)


def _is_money(match: re.Match[str], folded: str) -> bool:
    """Say whether a bound is a sum of money, by the sign before it or the word behind it."""
    following = tokens_of(folded[match.end() : match.end() + _OMISSIONS_NEAR])[:1]
    return bool(match["sign"]) or any(each in currencies() or each in _coins() for each in following)


_OMISSIONS_NEAR = 20


@cache
def _coins() -> frozenset[str]:
    """Return the words for currencies in every language: those beside units that are no units of measure."""
    forms = [entry.rpartition(" ") for language in LANGUAGES for entry in entries(language, "measures", "units")]
    return frozenset(word for word, _, name in forms if unit_named(name) is None and name != "%")


def _is_given(number: str, record: RecordView) -> bool:
    plain = number.replace(",", "")
    return any(find_number(call.text, plain) >= 0 for call in record.calls)


@cache
def _bound(is_upper: bool) -> re.Pattern[str]:
    """Return what finds a number that is said as the most or the least."""
    tables = ("at_most", "under") if is_upper else ("at_least", "over")
    words = sorted((word for name in tables for word in words_for("bounds", name)), key=lambda word: (-len(word), word))
    forms = "|".join(map(re.escape, words))
    number = r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,3})?)"
    return re.compile(rf"(?<!\w)(?:{forms})\s(?P<sign>[$€£¥₹]?){number}")
