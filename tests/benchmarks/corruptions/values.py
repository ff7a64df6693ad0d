"""Wrong values: of numbers, dates, times, ids, addresses and dictated texts."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.dates import (
    CLOCK,
    a_month_earlier,
    a_month_later,
    clock_pattern,
    day_of,
    day_pattern,
)
from tests.benchmarks.corruptions.numerals import UNITS, WORDS, units_in
from tests.benchmarks.corruptions.parts import (
    Call,
    Path,
    about,
    asked,
    calls_of,
    change_argument,
    language,
    numbers,
    quoted,
    request_before,
    says,
    schema_at,
    spans,
    strings,
    texts,
)

Json = Any  # parsed JSON
TEXTS = frozenset("title subject body text message memo note content label comment description".split())
WRITTEN = frozenset("add create log post save send update write".split())
FILE = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?[/\\]?(?:[\w.-]{1,64}[/\\]){0,12}[\w-]{1,64}\.(?!\d+$)[A-Za-z0-9]{1,5}")
EMAIL = re.compile(r"[\w.+-]{1,64}@([\w-]{1,64}(?:\.[\w-]{1,64}){1,4})")
IDENTITY = re.compile(r"(?=[\w-]*\d{3})[A-Za-z]{0,8}[_-]?[A-Za-z0-9]{0,8}[_-]?\d{3,16}")
LEFT_OUT_IS_SAID = re.compile(r"default|not given|unless|otherwise|omitted|left out|if none|if not")
PARAPHRASES = {
    "en": (
        ("Please", "Kindly"), ("Thank you", "Many thanks"), ("Thanks", "Thank you"), ("I'm", "I am"),
        ("I'll", "I will"),
        ("can't", "cannot"), ("don't", "do not"), ("Let's", "Let us"), ("it's", "it is"), ("moves to", "is moved to"),
        ("not working", "out of order"), ("throwing", "showing"), ("broken", "not working"),
        ("slow to load", "loading slowly"),
        ("unusable", "of no use"), ("unreadable", "hard to read"), ("not responding", "frozen"), ("frozen", "stuck"),
        ("blank", "empty"), ("Question", "Query"), ("Quick note", "Short note"), ("still", "yet"), ("Could", "Would"),
        ("buy", "purchase"), ("get", "fetch"), ("begin", "start"), ("start", "begin"), ("about", "regarding"),
        ("and", "as well as"), ("with", "together with"), ("because of", "owing to"), ("have to", "must"),
        ("need", "require"),
        ("call", "phone"), ("big", "large"), ("fix", "repair"), ("the", "this"), ("for", "in view of"),
    ),
    "de": (
        ("Danke", "Vielen Dank"), ("und", "sowie"), ("ist", "wäre"), ("bitte", "freundlicherweise"), ("mit", "samt"),
    ),
    "es": (("Gracias", "Muchas gracias"), ("y", "así como"), ("con", "junto con"), ("para", "con destino a")),
    "fr": (("Merci", "Merci beaucoup"), ("et", "ainsi que"), ("avec", "en compagnie de"), ("pour", "en vue de")),
    "zh": (("谢谢", "多谢"), ("和", "以及"), ("请", "麻烦您"), ("明天", "次日"), ("会议", "会")),
}  # fmt: skip
"""What a dictated text says, and how another person would say it."""


def number_digit(record: Json, rng: Random) -> Json | None:
    told = [
        (call, path, value)
        for call in calls_of(record)
        for path, value in numbers(call.arguments)
        if spans(asked(record, call.turn), value)
    ]
    rng.shuffle(told)
    for call, path, value in told:
        other = _other_digit(value, rng)
        if other is not None and not spans(texts(record, call.turn), other):
            return change_argument(record, call, path, other, rng)
    return None


def _other_digit(value: float, rng: Random) -> Json | None:
    """Return a number that differs in one digit."""
    written = str(value)
    places = [place for place, sign in enumerate(written) if sign.isdigit()]
    place = rng.choice(places)
    digit = rng.choice([each for each in "123456789" if each != written[place]])
    other = written[:place] + digit + written[place + 1 :]
    return type(value)(other) if "e" not in written else None


def email_changed(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, address)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if (address := EMAIL.fullmatch(value)) and says(texts(record, call.turn), value)
    ]
    if not found:
        return None
    call, path, address = rng.choice(found)
    domains = ["example.com", "example.net", "mail.example.org", "post.example.com"]
    other = address[0].replace(address[1], rng.choice([each for each in domains if each != address[1].lower()]))
    return None if says(texts(record, call.turn), other) else change_argument(record, call, path, other, rng)


def path_changed(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if FILE.fullmatch(value) and value in texts(record, call.turn)
    ]
    if not found:
        return None
    call, path, value = rng.choice(found)
    name = re.split(r"[/\\]", value)[-1]
    stem, dot, ending = name.rpartition(".")
    changed = [
        f"{stem}_1{dot}{ending}",
        f"{stem}{dot}{'bak' if ending != 'bak' else 'txt'}",
        f"new{chr(92) if chr(92) in value else chr(47)}{name}",
    ]
    other = value[: len(value) - len(name)] + rng.choice(changed)
    return None if other in texts(record, call.turn) else change_argument(record, call, path, other, rng)


def optional_left_out(record: Json, rng: Random) -> Json | None:
    found = [
        (call, key)
        for call in calls_of(record)
        for key, value in call.arguments.items()
        if call.verb != "list"  # to list everything and to pick from it would do as well
        and key not in call.tool.get("parameters", {}).get("required", ())
        and isinstance(value, str | int | float)
        and len(str(value)) > 1
        and says(asked(record, call.turn), value)
        and not _is_default(call, key, value)
    ]
    if not found:
        return None
    call, key = rng.choice(found)
    del call.arguments[key]
    return record


def _is_default(call: Call, key: str, value: Json) -> bool:
    """Say whether leaving an argument out may mean its value."""
    schema = schema_at(call, (key,))
    told = about(call, (key,))
    named = str(value).lower() in told.removeprefix(key.lower().replace("_", " ")) and LEFT_OUT_IS_SAID.search(told)
    return schema.get("default") == value or bool(named)


def dictated(record: Json) -> list[tuple[Call, Path, str]]:
    """Return the texts that a user gave between quotation marks."""
    return [
        (call, path, value)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if len(value) >= 4 and quoted(asked(record, call.turn), value)
    ]


def text_paraphrased(record: Json, rng: Random) -> Json | None:
    pairs = PARAPHRASES[language(record)]
    for call, path, value in dictated(record):
        for old, new in pairs:
            found = re.search(re.escape(old) if language(record) == "zh" else rf"\b{re.escape(old)}\b", value)
            if found:
                other = value[: found.start()] + new + value[found.end() :]
                return change_argument(record, call, path, other, rng)
    return None


def text_case(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value)
        for call, path, value in dictated(record)
        if value.upper() != value.lower()
        and call.verb in WRITTEN
        and path[0].rpartition("_")[2].lower() in TEXTS
        and len(value.split()) > 1
    ]
    if not found:
        return None
    call, path, value = rng.choice(found)
    capitals = re.search(r"(?<=.)[A-ZÄÖÜÉ]", value) is not None
    choices = [value.upper(), *([value.lower()] if capitals else []), *([value.title()] if not capitals else [])]
    other = rng.choice([each for each in choices if each != value])
    return None if other in asked(record) else change_argument(record, call, path, other, rng)


def date_month(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value, day)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if (day := day_of(value)) and day_pattern(day).search(asked(record, call.turn))
    ]
    if not found:
        return None
    call, path, value, day = rng.choice(found)
    other = rng.choice([a_month_later(day), a_month_earlier(day), day + timedelta(weeks=1), day - timedelta(weeks=1)])
    if day_pattern(other).search(texts(record, call.turn)):
        return None
    return change_argument(record, call, path, other.isoformat() + value[10:], rng)


def am_pm(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value, clock)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if (clock := CLOCK.search(value))
        and clock_pattern(int(clock[1]), int(clock[2])).search(asked(record, call.turn))
    ]
    if not found:
        return None
    call, path, value, clock = rng.choice(found)
    hour = (int(clock[1]) + 12) % 24
    if clock_pattern(hour, int(clock[2])).search(asked(record)):
        return None
    other = f"{value[: clock.start(1)]}{hour:02}{value[clock.end(1) :]}"
    return change_argument(record, call, path, other, rng)


def id_transposed(record: Json, rng: Random) -> Json | None:
    found = [
        (call, path, value)
        for call in calls_of(record)
        for path, value in strings(call.arguments)
        if IDENTITY.fullmatch(value) and says(texts(record, call.turn), value)
    ]
    rng.shuffle(found)
    for call, path, value in found:
        places = [at for at in range(len(value) - 1) if value[at : at + 2].isdigit() and value[at] != value[at + 1]]
        if places:
            at = rng.choice(places)
            other = value[:at] + value[at + 1] + value[at] + value[at + 2 :]
            return None if says(texts(record), other) else change_argument(record, call, path, other, rng)
    return None


def unit_other(record: Json, rng: Random) -> Json | None:
    for call in calls_of(record):
        request = request_before(record, call.turn)
        for path, value in numbers(call.arguments):
            for found in spans(request["content"], value) if request else ():
                unit = units_in(request["content"], found.end())
                if unit and re.search(unit.parameter, about(call, path)):
                    other = rng.choice(UNITS[unit.language][unit.other])
                    request["content"] = request["content"][: unit.start] + other + request["content"][unit.end :]
                    return record
    return None


def number_word(record: Json, rng: Random) -> Json | None:
    words = WORDS.get(language(record), ())
    for call in calls_of(record):
        request = request_before(record, call.turn)
        for _, value in numbers(call.arguments):
            found = spans(request["content"], value) if request and words else []
            if (
                len(found) != 1
                or value != int(value)
                or not re.match(r" [a-zà-ÿ]{3}", request["content"][found[0].end() :])
            ):
                continue
            if re.search(
                r"[$€£#] ?$|\b(?:at|um|las|number|no|nr|room|page|version) ?$",
                request["content"][: found[0].start()],
                re.I,
            ):
                continue
            number = rng.choice([each for each in range(2, len(words)) if abs(each - value) > 1])
            request["content"] = (
                request["content"][: found[0].start()] + words[number] + request["content"][found[0].end() :]
            )
            return record
    return None


CLASSES = (
    Corruption("number_digit", "values", "a number differs from the one asked for in one digit", number_digit),
    Corruption("email_changed", "values", "an e-mail address has another domain", email_changed),
    Corruption("path_changed", "values", "a file has another name, ending or folder", path_changed),
    Corruption("optional_left_out", "values", "an optional argument that was asked for is left out", optional_left_out),
    Corruption("text_paraphrased", "values", "a text given in quotation marks is put in other words", text_paraphrased),
    Corruption("text_case", "values", "a text given in quotation marks has other capitals", text_case),
    Corruption("date_month", "values", "a day is a week or a month off", date_month),
    Corruption("am_pm", "values", "morning and evening are confused", am_pm),
    Corruption("id_transposed", "values", "two digits of an id are transposed", id_transposed),
    Corruption("unit_other", "values", "the request gives a number in another unit than the call takes it", unit_other),
    Corruption("number_word", "values", "the request names another number, in words", number_word),
)
