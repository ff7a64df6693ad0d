"""Answers that say another thing than the results."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import combinations
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.dates import clock_pattern, day_of, day_pattern
from tests.benchmarks.corruptions.numerals import WORDS
from tests.benchmarks.corruptions.parts import (
    WRITING,
    Call,
    answer_after,
    calls_at_once,
    calls_of,
    language,
    numbers,
    own_words,
    says,
    spans,
    strings,
    texts,
    without_mention,
)

Json = Any  # parsed JSON
NOTHING = {
    "en": ("I'm afraid I couldn't find anything.", "There are no entries for that.", "Sorry, nothing came up."),
    "de": ("Dazu habe ich leider nichts gefunden.", "Es gibt leider keine Einträge."),
    "es": ("No he encontrado nada, lo siento.", "No hay ningún resultado."),
    "fr": ("Je n'ai malheureusement rien trouvé.", "Il n'y a aucun résultat."),
    "zh": ("很抱歉，什么都没有找到。", "没有任何结果。"),
}
DONE = {
    "en": ("Done, everything went through.", "All set! It worked.", "That's taken care of."),
    "de": ("Erledigt, alles hat geklappt.", "Das ist erledigt."),
    "es": ("Listo, todo ha salido bien.", "Hecho, ya está."),
    "fr": ("C'est fait, tout a fonctionné.", "Voilà, c'est réglé."),
    "zh": ("已经办好了，一切顺利。", "好的，已完成。"),
}
REVERSED = {
    "booked": "canceled", "reserved": "canceled", "canceled": "booked", "cancelled": "booked", "added": "removed",
    "removed": "added", "deleted": "created", "sent": "deleted", "saved": "deleted", "created": "deleted",
    "scheduled": "canceled", "ordered": "canceled", "opened": "closed", "filed": "deleted", "moved": "deleted",
    "turned on": "turned off", "turned off": "turned on", "renewed": "returned", "logged": "deleted",
    "gebucht": "storniert", "reserviert": "storniert", "storniert": "gebucht", "gelöscht": "angelegt",
    "hinzugefügt": "entfernt", "angelegt": "gelöscht", "gesendet": "gelöscht", "gespeichert": "gelöscht",
    "reservada": "cancelada", "reservado": "cancelado", "cancelada": "reservada", "cancelado": "reservado",
    "creado": "eliminado", "creada": "eliminada", "eliminado": "creado", "eliminada": "creada", "enviado": "borrado",
    "guardado": "borrado", "añadido": "eliminado", "réservé": "annulé", "annulé": "réservé", "supprimé": "créé",
    "预订": "取消", "预定": "取消", "取消": "预订", "删除": "创建", "创建": "删除", "添加": "删除",
}  # fmt: skip
COUNTED = {"en": r"(?= (?!of\b|to\b|and\b|in\b|at\b)[a-z-]{3,})"}
MEASURES = (
    (r"price|cost|total|fee|amount|fare", "{} is cheaper than {}.", False),
    (r"temperature", "It's warmer in {} than in {}.", True),
    (r"duration|minutes|travel time", "{} takes less time than {}.", False),
    (r"distance", "{} is closer than {}.", False),
    (r"rating|stars|score", "{} is rated higher than {}.", True),
    (r"copies|quantity|stock|count", "There are more for {} than for {}.", True),
    (r"balance|saved|payment|interest", "{} comes to more than {}.", True),
    (r"percent|humidity|level|rate", "{} is higher than {} there.", True),
)
"""What a measure's name has, what is said of two things, and whether the first has the larger number then."""


def answered(record: Json) -> list[tuple[Json, list[Call]]]:
    """Return each answer with the calls it is about."""
    turns: dict[int, tuple[Json, list[Call]]] = {}
    for call in calls_of(record):
        answer = answer_after(record, call.turn)
        if answer is not None and call.returned is not None:
            turns.setdefault(id(answer), (answer, []))[1].append(call)
    return list(turns.values())


def before_answer(record: Json, answer: Json) -> str:
    """Return everything that was said or returned before an answer."""
    at = next(at for at, message in enumerate(record["messages"]) if message is answer)
    return texts(record, at)


def answer_number(record: Json, rng: Random) -> Json | None:
    found = [
        (answer, match)
        for answer, calls in answered(record)
        for call in calls
        for _, value in numbers(call.returned)
        for match in spans(answer["content"], value)
    ]
    rng.shuffle(found)
    for answer, match in found:
        digits = [at for at in range(match.start(), match.end()) if answer["content"][at].isdigit()]
        at = rng.choice(digits)
        digit = rng.choice([each for each in "123456789" if each != answer["content"][at]])
        changed = answer["content"][:at] + digit + answer["content"][at + 1 :]
        number = float(changed[match.start() : match.end()].replace(",", ""))
        if not spans(before_answer(record, answer), number) and abs(number - float(match[0].replace(",", ""))) >= 1:
            answer["content"] = changed
            return record
    return None


def answer_date(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        days = {day for call in calls for _, leaf in strings(call.returned) if (day := day_of(leaf))}
        for day in sorted(days):
            match = day_pattern(day).search(answer["content"])
            other = day + timedelta(days=rng.choice([1, 2, 3, -1, -2, 7]))
            if match is None or other.month != day.month or (len(match[0]) == 10 and match[0][4] == "-"):
                continue
            if day_pattern(other).search(before_answer(record, answer) + answer["content"]) or _is_span(answer, match):
                continue
            told = re.sub(r"(?<!\d)0?\d{1,2}(?=(?:st|nd|rd|th|er)?\b|\D|$)(?!月)", str(other.day), match[0], count=1)
            told = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", _ordinal(other), told)
            answer["content"] = answer["content"][: match.start()] + told + answer["content"][match.end() :]
            return record
    return None


def _is_span(answer: Json, match: re.Match[str]) -> bool:
    """Say whether a day is one end of a span, whose other end may carry the month."""
    return re.match(r" ?(?:-|–|to|until|bis|al|au) ?\d", answer["content"][match.end() :]) is not None


def _ordinal(day: date) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day // 10 != 1 else 0, "th")


def answer_time(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        clocks = {
            leaf for call in calls for _, leaf in strings(call.returned) if re.fullmatch(r"[0-2]\d:[0-5]\d", leaf)
        }
        for clock in sorted(clocks):
            hour, minute = map(int, clock.split(":"))
            match = clock_pattern(hour, minute).search(answer["content"])
            other = (hour + rng.choice([1, 2, 3])) % 12 + 12 * (hour >= 12)
            known = before_answer(record, answer) + answer["content"]
            if match is None or clock_pattern(other, minute).search(known) or f"{other:02}:{minute:02}" in known:
                continue
            twelve = str((other - 1) % 12 + 1) if re.search("[ap]", match[0], re.I) else f"{other:02}"
            told = re.sub(r"^\d{1,2}", twelve, match[0])
            answer["content"] = answer["content"][: match.start()] + told + answer["content"][match.end() :]
            return record
    return None


def nothing_found(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        rows = [
            value
            for call in calls
            if isinstance(call.returned, dict) and call.verb not in WRITING
            for value in call.returned.values()
            if isinstance(value, list) and value and isinstance(value[0], dict)
        ]
        told = {leaf for value in rows for _, leaf in strings(value) if says(answer["content"], leaf)}
        if told and len(rows) == len(calls):
            answer["content"] = rng.choice(NOTHING[language(record)])
            return record
    return None


def deed_reversed(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        if any(call.verb not in WRITING or call.failed for call in calls):
            continue
        for deed, other in REVERSED.items():
            end = r"(?!\w)" if deed.isascii() or "é" in deed else ""
            found = re.search(rf"(?<![\w\"“]){deed}{end}" if deed[0] < "一" else deed, answer["content"], re.I)
            if found and not any(says(leaf, deed) for call in calls for _, leaf in strings(call.arguments)):
                answer["content"] = answer["content"][: found.start()] + other + answer["content"][found.end() :]
                return record
    return None


def currency(record: Json, rng: Random) -> Json | None:
    for answer, _ in answered(record):
        known = before_answer(record, answer)
        if re.search(r"\$|\bUSD\b", answer["content"]) and re.search(r"\$|\bUSD\b|dollar", known, re.I):
            sign, code = rng.choice([("€", "EUR"), ("£", "GBP"), ("¥", "JPY")])
            if not re.search(rf"{sign}|{code}", known):
                answer["content"] = re.sub(r"\bUSD\b", code, answer["content"].replace("$", sign))
                return record
    return None


def count_wrong(record: Json, rng: Random) -> Json | None:
    words = WORDS["en"]
    for answer, calls in answered(record):
        lengths = [len(leaf) for call in calls for leaf in _lists(call.returned) if 1 < len(leaf) < 12]
        others = {value for call in calls for _, value in numbers([call.arguments, call.returned])}
        for length in lengths:
            found = re.search(rf"(?<![\w.,:$-])(?:{length}|{words[length]}){COUNTED['en']}", answer["content"], re.I)
            wrong = length + rng.choice([1, 2, -1] if length > 2 else [1, 2])
            counts = {
                value
                for call in calls
                for path, value in numbers(call.returned)
                if path[-1:] in (("total",), ("count",))
            }
            if language(record) != "en" or found is None or wrong in lengths or {length, wrong} & (others - counts):
                continue
            told = str(wrong) if found[0].isdigit() else words[wrong]
            told = told.capitalize() if found[0][0].isupper() else told
            answer["content"] = answer["content"][: found.start()] + told + answer["content"][found.end() :]
            return record
    return None


def _lists(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [found for part in value.values() for found in _lists(part)]
    return [value, *(found for part in value for found in _lists(part))] if isinstance(value, list) else []


def success_where_failed(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        if calls and all(call.failed for call in calls):
            answer["content"] = rng.choice(DONE[language(record)])
            return record
    return None


def result_omitted(record: Json, rng: Random) -> Json | None:
    for calls in calls_at_once(record):
        answer = answer_after(record, calls[0].turn)
        for call in rng.sample(calls, len(calls)):
            others = [each for each in calls if each is not call]
            if answer is None or not own_words(call, others) or call.returned is None:
                continue
            left = without_mention(answer["content"], call, others)
            if left:
                answer["content"] = left
                return record
    return None


def comparison(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record) if language(record) == "en" else ():
        pairs = [
            (first.returned, second.returned, said_names(first, second, answer["content"]))
            for first, second in combinations(calls, 2)
            if first.name == second.name
        ]
        pairs += [
            (first, second, said_rows(first, second, answer["content"]))
            for call in calls
            for first, second in combinations(rows_of(call), 2)
        ]
        said = [found for first, second, names in pairs if names and (found := _false_comparison(first, second, names))]
        if said:
            answer["content"] += ("\n" if "\n" in answer["content"] else " ") + rng.choice(said)
            return record
    return None


def _false_comparison(first: Json, second: Json, names: tuple[str, str]) -> str | None:
    """Return a comparison of two things that is wrong."""
    mine, theirs = dict(numbers(first)), dict(numbers(second))
    for path in (each for each in mine if each in theirs):
        for stem, template, larger in MEASURES:
            if not isinstance(path[-1], str) or len(path) > 1 or not re.search(stem, path[-1]):
                continue
            if mine[path] != theirs[path] and (mine[path] != int(mine[path]) or abs(mine[path] - theirs[path]) >= 1):
                right = (mine[path] > theirs[path]) == larger
                return template.format(*(reversed(names) if right else names))
    return None


def rows_of(call: Call) -> list[dict[str, Json]]:
    returned = call.returned if isinstance(call.returned, dict) else {}
    return [row for value in returned.values() if isinstance(value, list) for row in value if isinstance(row, dict)]


def said_names(first: Call, second: Call, answer: str) -> tuple[str, str] | None:
    """Return the names that an answer gives to two calls, where each has one."""
    mine, theirs = ({leaf for _, leaf in strings(call.arguments)} for call in (first, second))
    named = [
        sorted(leaf for leaf in own if says(answer, leaf) and not day_of(leaf))
        for own in (mine - theirs, theirs - mine)
    ]
    return (named[0][0], named[1][0]) if all(named) else None


def said_rows(first: Json, second: Json, answer: str) -> tuple[str, str] | None:
    """Return the names that an answer gives to two rows of a list, where each has one."""
    keys = [key for key in first if re.search(r"(?:^|_)(?:name|title|number|artist|city)$", key) and key in second]
    pairs = [(first[key], second[key]) for key in keys if first[key] != second[key]]
    told = [pair for pair in pairs if all(isinstance(name, str) and says(answer, name) for name in pair)]
    return told[0] if told else None


CLASSES = (
    Corruption("answer_number", "answers", "the answer tells a number that differs from the result's", answer_number),
    Corruption("answer_date", "answers", "the answer tells another day than the result", answer_date),
    Corruption("answer_time", "answers", "the answer tells another time than the result", answer_time),
    Corruption("nothing_found", "answers", "the answer says that nothing was found where something was", nothing_found),
    Corruption("deed_reversed", "answers", "the answer claims the contrary of what was done", deed_reversed),
    Corruption("currency", "answers", "the answer tells amounts in another currency", currency),
    Corruption("count_wrong", "answers", "the answer counts more or fewer things than the result holds", count_wrong),
    Corruption(
        "success_where_failed", "answers", "the answer claims success where all calls failed", success_where_failed
    ),
    Corruption("result_omitted", "answers", "the answer leaves out one of several results", result_omitted),
    Corruption("comparison", "answers", "the answer compares two results the wrong way round", comparison),
)
