"""Wrong values: classes that were set aside while the rules were written."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from random import Random
from typing import Any

from tests.benchmarks.corruptions.answers import rows_of
from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.dates import CLOCK, clock_pattern, day_of, day_pattern
from tests.benchmarks.corruptions.parts import (
    WRITING,
    asked,
    calls_of,
    change_argument,
    language,
    numbers,
    says,
    schema_at,
    spans,
    strings,
    texts,
    word,
)
from tests.benchmarks.corruptions.values import TEXTS, dictated

Json = Any  # parsed JSON


def text_cut(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value)
        for call, path, value in dictated(record)
        if len(value.split()) >= 4 and path[0].rpartition("_")[2].lower() in TEXTS and call.verb in WRITING
    ]
    if not found:
        return None
    call, path, value = rng.choice(found)
    words = value.split()
    cut = " ".join(words[: rng.randint(2, len(words) - 1)])
    return (
        None
        if value.startswith(cut) is False or cut.rstrip(".!?") == value.rstrip(".!?")
        else change_argument(record, call, path, cut, rng)
    )


def flag_flipped(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        said = asked(record, call.turn).lower()
        for key, value in call.arguments.items():
            parts = [
                part
                for part in re.split(r"[_\W]+", key.lower())
                if len(part) >= 4 and part not in ("include", "included", "includes", "only")
            ]
            stems = [part[:5] for part in parts if part[:5] not in call.name.lower()]
            if isinstance(value, bool) and any(re.search(rf"\b{re.escape(stem)}", said) for stem in stems):
                found.append((call, key, value))
    if not found:
        return None
    call, key, value = rng.choice(found)
    return change_argument(record, call, (key,), not value, rng)


def misspelt(name, rng):
    places = [
        at
        for at in range(1, len(name) - 2)
        if name[at : at + 2].isalpha() and name[at : at + 2].islower() and name[at] != name[at + 1]
    ]
    if not places:
        return None
    at = rng.choice(places)
    if rng.random() < 0.5:
        return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return name[:at] + name[at + 1 :]


def name_misspelt(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if "enum" not in schema_at(call, path)
        and re.fullmatch(r"[A-ZÀ-Þ][\w'’-]{3,}(?: [A-ZÀ-Þ][\w'’-]+){0,3}", value)
        and not re.search(r"\d|@|_", value)
        and says(asked(record, call.turn), value)
    ]
    if not found:
        return None
    call, path, value = rng.choice(found)
    wrong = misspelt(value, rng)
    return (
        None
        if wrong is None or says(texts(record, call.turn), wrong)
        else change_argument(record, call, path, wrong, rng)
    )


def other_row(record: Json, rng: Random) -> Json | None:
    found = []
    made = calls_of(record)
    for at, call in enumerate(made):
        for path, value in strings(call.arguments):
            if (
                not re.search(r"\d", value)
                or day_of(value)
                or says(asked(record, call.turn), value)
                or says(record["messages"][0]["content"], value)
            ):
                continue
            for earlier in made[:at]:
                if earlier.turn >= call.turn:
                    continue
                rows = rows_of(earlier)
                for key in {k for row in rows for k, v in row.items() if v == value}:
                    others = [row[key] for row in rows if isinstance(row.get(key), str) and row[key] != value]
                    if others and not any(each in json.dumps(c.arguments) for each in others for c in made):
                        found.append((call, path, others))
    if not found:
        return None
    call, path, others = rng.choice(found)
    return change_argument(record, call, path, rng.choice(others), rng)


def date_day(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value, day)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if (day := day_of(value)) and day_pattern(day).search(asked(record, call.turn))
    ]
    if not found:
        return None
    call, path, value, day = rng.choice(found)
    other = day + timedelta(days=rng.choice([1, -1]))
    if day_pattern(other).search(texts(record, call.turn)):
        return None
    return change_argument(record, call, path, other.isoformat() + value[10:], rng)


OTHER_WORDS = {
    "en": ["garden", "payroll", "bicycle", "harbor", "museum", "winter"],
    "de": ["Garten", "Fahrrad", "Hafen"],
    "es": ["jardín", "bicicleta", "puerto"],
    "zh": [],
    "fr": ["jardin", "vélo"],
}


def text_word(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        said = asked(record, call.turn)
        for path, value in strings(call.arguments):
            inner = list(re.findall(r"\b[^\W\d_]{4,}\b", value))
            if (
                "enum" not in schema_at(call, path)
                and len(value.split()) >= 2
                and inner
                and says(said, value)
                and "@" not in value
            ):
                found.append((call, path, value, inner))
    if not found:
        return None
    call, path, value, inner = rng.choice(found)
    new = [w for w in OTHER_WORDS[language(record)] if not says(texts(record), w)]
    if not new:
        return None
    old = rng.choice(inner)
    other = rng.choice(new)
    other = other.capitalize() if old[0].isupper() else other
    return change_argument(record, call, path, word(old).sub(other, value, count=1), rng)


def _told_numbers(record):
    return [
        (call, path, value)
        for call in calls_of(record)
        for path, value in numbers(call.arguments)
        if spans(asked(record, call.turn), value)
    ]


def number_rounded(record: Json, rng: Random) -> Json | None:
    found = []
    for call, path, value in _told_numbers(record):
        if value == int(value):
            rounded = round(value, 1 - len(str(int(abs(value))))) if abs(value) >= 11 else value
        else:
            rounded = float(round(value))
        if rounded != value and not spans(texts(record, call.turn), rounded):
            found.append((call, path, type(value)(rounded)))
    if not found:
        return None
    call, path, rounded = rng.choice(found)
    return change_argument(record, call, path, rounded, rng)


def number_tenfold(record: Json, rng: Random) -> Json | None:
    found = []
    for call, path, value in _told_numbers(record):
        found.extend(
            (call, path, type(value)(other))
            for other in (value * 10, value / 10)
            if value
            and (isinstance(value, float) or other == int(other))
            and not spans(texts(record, call.turn), other)
        )
    if not found:
        return None
    call, path, other = rng.choice(found)
    return change_argument(record, call, path, other, rng)


def list_shortened(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        said = asked(record, call.turn)
        for key, value in call.arguments.items():
            if (
                isinstance(value, list)
                and len(value) > 1
                and all(isinstance(v, str | int) and says(said, v) for v in value)
            ):
                found.append((call, key))
    if not found:
        return None
    call, key = rng.choice(found)
    left = list(call.arguments[key])
    left.pop(rng.randrange(len(left)))
    call.arguments[key] = left
    return record


def enum_other(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        said = asked(record, call.turn)
        for path, value in strings(call.arguments):
            options = [each for each in schema_at(call, path).get("enum", ()) if isinstance(each, str)]
            others = [each for each in options if each != value and not says(said, each)]
            if value in options and says(said, value) and others:
                found.append((call, path, others))
    if not found:
        return None
    call, path, others = rng.choice(found)
    return change_argument(record, call, path, rng.choice(others), rng)


def time_moved(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        said = asked(record, call.turn)
        for path, value in strings(call.arguments):
            clock = CLOCK.search(value)
            if clock and clock_pattern(int(clock[1]), int(clock[2])).search(said):
                found.append((call, path, value, clock))
    if not found:
        return None
    call, path, value, clock = rng.choice(found)
    minutes = (int(clock[1]) * 60 + int(clock[2]) + rng.choice([30, 60, -30, -60, 15])) % 1440
    if minutes // 720 != int(clock[1]) // 12 or clock_pattern(minutes // 60, minutes % 60).search(texts(record)):
        return None
    other = f"{value[: clock.start()]}{minutes // 60:02}:{minutes % 60:02}{value[clock.end() :]}"
    return change_argument(record, call, path, other, rng)


CLASSES = (
    Corruption("text_cut", "values", "a dictated text is cut short", text_cut),
    Corruption("flag_flipped", "values", "a flag is the contrary of what was asked for", flag_flipped),
    Corruption("name_misspelt", "values", "a name is misspelt", name_misspelt),
    Corruption("other_row", "values", "the id is that of another row of the list", other_row),
    Corruption("date_day", "values", "a day is one off", date_day),
    Corruption("text_word", "values", "one word of a text is another one", text_word),
    Corruption("number_rounded", "values", "a number is rounded", number_rounded),
    Corruption("number_tenfold", "values", "a number is ten times too large or too small", number_tenfold),
    Corruption("list_shortened", "values", "one of the things listed is missing from a list", list_shortened),
    Corruption("enum_other", "values", "another choice is called than the one that was named", enum_other),
    Corruption("time_moved", "values", "a time is off by a quarter to a whole hour", time_moved),
)
