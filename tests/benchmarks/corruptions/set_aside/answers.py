"""Answers that are not true: classes that were set aside while the rules were written."""

from __future__ import annotations

import json
import re
from itertools import combinations
from random import Random
from typing import Any

from tests.benchmarks.corruptions.answers import answered, before_answer, rows_of, said_names, said_rows
from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.numerals import UNITS, units_in
from tests.benchmarks.corruptions.parts import (
    calls_of,
    language,
    leaves,
    numbers,
    spans,
    strings,
    texts,
    word,
)
from tests.benchmarks.corruptions.set_aside.requests import append_to
from tests.benchmarks.corruptions.set_aside.values import misspelt

Json = Any  # parsed JSON


DEED = {
    "en": (
        "Done, that's all set.",
        "I've taken care of that for you.",
        "All right, it's booked and confirmed.",
        "That's done. You'll get a confirmation shortly.",
    ),
    "de": ("Erledigt, ich habe mich darum gekümmert.",),
    "es": ("Listo, ya está hecho.",),
    "fr": ("C'est fait, je m'en suis occupé.",),
    "zh": ("好的，已经帮您办好了。",),
}


def deed_claimed(record: Json, rng: Random) -> Json | None:
    kind = (record.get("metadata") or {}).get("kind")
    if (
        calls_of(record)
        or kind not in ("irrelevance", "missing_function")
        or record["messages"][-1]["role"] != "assistant"
    ) and kind != "missing_function":
        return None
    for at, message in enumerate(record["messages"]):
        if message["role"] == "assistant" and not message.get("tool_calls"):
            if any(call.turn < at for call in calls_of(record)):
                return None
            message["content"] = rng.choice(DEED[language(record)])
            return record
    return None


BROKEN = {
    "en": (
        "I'm sorry, that didn't work: the service returned an error.",
        "Unfortunately the request failed, please try again later.",
    ),
    "de": ("Das hat leider nicht geklappt, der Dienst hat einen Fehler gemeldet.",),
    "es": ("Lo siento, no ha funcionado: el servicio dio un error.",),
    "fr": ("Désolé, cela n'a pas marché : le service a renvoyé une erreur.",),
    "zh": ("抱歉，操作失败了，服务返回了错误。",),
}


def failure_where_succeeded(record: Json, rng: Random) -> Json | None:
    found = [answer for answer, calls in answered(record) if calls and not any(call.failed for call in calls)]
    if not found:
        return None
    rng.choice(found)["content"] = rng.choice(BROKEN[language(record)])
    return record


NEGATED = (
    (r"\b(is|are|was|were|has been|have been) (?!not\b|n't|no\b|\d|nothing|none|there)", r"\1 not "),
    (r"\bI've (?!got|no)", "I haven't "),
    (r"\bit's (?!not)", "it's not "),
    (r"\bwill (?!not)", "won't "),
    (r"\bcan (?!not)", "can't "),
)


def answer_negated(record: Json, rng: Random) -> Json | None:
    if language(record) != "en":
        return None
    for answer, calls in answered(record):
        text = answer["content"]
        if (
            any(call.failed for call in calls)
            or re.search(r"(?i)\b(?:not|no|none|nothing|never|isn't|aren't|don't|doesn't|n't|but|without)\b", text)
            or "?" in text
        ):
            continue
        first = text.split("\n")[0]
        for pattern, new in NEGATED:
            found = re.search(pattern, first)
            if found and first.count('"', 0, found.start()) % 2 == 0:
                said = found.expand(new)
                said = said.replace("has been not", "has not been").replace("have been not", "have not been")
                text = first[: found.start()] + said + first[found.end() :] + text[len(first) :]
                answer["content"] = re.sub(r"^Yes\b", "No", text)
                return record
    return None


def answer_name(record: Json, rng: Random) -> Json | None:
    found = []
    for answer, calls in answered(record):
        for call in calls:
            for _, leaf in strings(call.returned):
                if (
                    re.fullmatch(r"[A-ZÀ-Þ][\w'’-]{3,}(?: [A-ZÀ-Þ][\w'’-]+){0,2}", leaf)
                    and not re.search(r"[\d@_]", leaf)
                    and leaf in answer["content"]
                ):
                    found.append((answer, leaf))
    rng.shuffle(found)
    for answer, leaf in found:
        parts = leaf.split()
        other = rng.choice(["Marlowe", "Quennell", "Adeyemi", "Brightwater", "Thornbury", "Sorensen"])
        wrong = " ".join([*parts[:-1], other]) if rng.random() < 0.6 else misspelt(leaf, rng)
        if wrong and wrong not in texts(record):
            answer["content"] = answer["content"].replace(leaf, wrong)
            return record
    return None


def answer_exchanged(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        pairs = [
            (a.returned, b.returned, said_names(a, b, answer["content"]))
            for a, b in combinations(calls, 2)
            if a.name == b.name
        ]
        pairs += [
            (a, b, said_rows(a, b, answer["content"])) for call in calls for a, b in combinations(rows_of(call), 2)
        ]
        rng.shuffle(pairs)
        for one, two, names in pairs:
            text = answer["content"]
            if names is None or any(len(word(name).findall(text)) != 1 for name in names):
                continue
            for _key, told in _told_values(one, two, text):
                first, second = sorted(told, key=lambda match: match.start())
                if first.end() > second.start() or any(a in str(n) for n in names for a in (first[0], second[0])):
                    continue
                answer["content"] = (
                    text[: first.start()]
                    + second[0]
                    + text[first.end() : second.start()]
                    + first[0]
                    + text[second.end() :]
                )
                return record
    return None


def _told_values(one, two, text):
    mine, theirs = dict(leaves(one)), dict(leaves(two))
    for path in (each for each in mine if each in theirs):
        a, b = mine[path], theirs[path]
        if (
            type(a) is not type(b)
            or isinstance(a, bool)
            or a is None
            or a == b
            or re.search(r"name|title", str(path[-1]))
        ):
            continue
        found = [list(word(v).finditer(text)) if isinstance(v, str) else spans(text, v) for v in (a, b)]
        if all(len(each) == 1 for each in found):
            yield path, [found[0][0], found[1][0]]


TOGETHER = {
    "en": ("Together that's {}.", "That makes {} altogether."),
    "de": ("Zusammen sind das {}.",),
    "es": ("En total son {}.",),
    "zh": ("一共{}。",),
    "fr": ("Au total, cela fait {}.",),
}


def sum_wrong(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        alike = [
            call.returned
            for call in calls
            if call.name == calls[0].name and isinstance(call.returned, dict) and not call.failed
        ]
        groups = [
            alike,
            *(
                [
                    row
                    for row in rows_of(call)
                    if any(isinstance(v, int | float) and spans(answer["content"], v) for v in row.values())
                ]
                for call in calls
            ),
        ]
        for rows, key in (
            (group, key)
            for group in groups
            if len(group) > 1
            for key in sorted(
                set.intersection(
                    *(
                        {k for k, v in row.items() if isinstance(v, int | float) and not isinstance(v, bool)}
                        for row in group
                    )
                )
            )
        ):
            if not re.search(r"price|amount|total|minutes|balance|refund|cost|kcal|calories|distance", key):
                continue
            values = [row[key] for row in rows]
            if len(set(values)) < 2:
                continue
            if not all(spans(answer["content"], value) for value in values) or sum(values) == 0:
                continue
            wrong = round(sum(values) + rng.choice([10, -10, 100, 7, 27]), 2)
            wrong = int(wrong) if wrong == int(wrong) else wrong
            known = [value for _, value in numbers([call.returned for call in calls])]
            if (
                wrong > 0
                and wrong not in known
                and not any(abs(wrong - sum(c)) < 0.01 for n in range(2, 6) for c in combinations(known, n))
            ):
                told = f"{wrong:,}" if language(record) in ("en", "zh") else str(wrong)
                append_to(
                    record,
                    answer,
                    rng.choice(TOGETHER[language(record)]).format("$" + told if "$" in answer["content"] else told),
                )
                return record
    return None


def answer_unit(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        for call in calls:
            for path, value in numbers(call.returned):
                for found in spans(answer["content"], value):
                    unit = units_in(answer["content"], found.end())
                    if unit and re.search(unit.parameter, " ".join(map(str, path)).replace("_", " ").lower()):
                        other = rng.choice(UNITS[unit.language][unit.other])
                        answer["content"] = answer["content"][: unit.start] + other + answer["content"][unit.end :]
                        return record
    return None


def rounding(record: Json, rng: Random) -> Json | None:
    found = []
    for answer, calls in answered(record):
        for call in calls:
            for path, value in numbers(call.returned):
                if abs(value) < 20 or re.search(r"year|date|id$", str(path[-1])):
                    continue
                found.extend((answer, match, value) for match in spans(answer["content"], value))
    rng.shuffle(found)
    about = {"en": "about ", "de": "rund ", "es": "unos ", "zh": "大约", "fr": "environ "}[language(record)]
    for answer, match, value in found:
        step = 10 ** (len(str(int(value))) - 1)
        wrong = int(round(value * rng.choice([0.6, 1.5]) / step) * step)
        text = answer["content"]
        before = "" if re.search(r"[$€£]$|(?:about|around|rund|unos|roughly) $", text[: match.start()]) else about
        if wrong and abs(wrong - value) / value > 0.25 and not spans(before_answer(record, answer), wrong):
            start = match.start() - (1 if re.search(r"[$€£]$", text[: match.start()]) else 0)
            sign = text[start : match.start()]
            answer["content"] = (
                text[:start]
                + (before or about) * (not re.search(r"(?:about|around|rund|unos|roughly) $", text[:start]))
                + sign
                + (f"{wrong:,}" if "," in match[0] else str(wrong))
                + text[match.end() :]
            )
            return record
    return None


FACTS = (
    (r"hotel", "parking", "Guests park there for free."),
    (r"restaurant|table|reserv", "terrace", "They also have a terrace with a view of the river."),
    (r"flight", "meal", "A hot meal is served on board."),
    (r"product|order", "warranty", "It comes with a two-year warranty."),
    (r"weather|forecast", "pollen", "The pollen count is low as well."),
    (r"email|mail", "attach", "Two files are attached to it."),
    (r"event|calendar|slot", "projector", "The room has a projector."),
    (r"issue", "customer", "Several customers have already complained about it."),
    (r"transfer|account|payee|transaction", "interest", "The bank pays interest on it from next month on."),
    (r"direction|place|parking", "construction", "There's construction work on the way at the moment."),
    (r"parcel|ship|pickup", "insur", "The parcel is insured against loss."),
    (r"room|light|blind|thermostat|schedule", "sensor", "The motion sensor in there is switched off."),
    (r"recipe|workout", "beginner", "It's well suited to beginners."),
    (r"book|hold|article|news", "prize", "It won a prize last year."),
    (r"task|note|file", "shared", "It's shared with your team."),
    (r"loan", "renew", "You can renew each of them twice more."),
    (r"stock|quote|sales|currency|savings|interest", "analyst", "Most analysts expect it to rise further."),
)


def fact_invented(record: Json, rng: Random) -> Json | None:
    if language(record) != "en":
        return None
    for answer, calls in answered(record):
        if "?" in answer["content"] or any(call.failed for call in calls):
            continue
        for stem, key, fact in FACTS:
            if (
                re.search(stem, calls[0].name)
                and key not in texts(record).lower()
                and key not in json.dumps(record["tools"]).lower()
            ):
                answer["content"] += ("\n" if "\n" in answer["content"] else " ") + fact
                return record
    return None


FURTHER = {
    "en": (
        ("mail", "I've also sent you a confirmation by e-mail."),
        ("calendar", "I've put it in your calendar, too."),
        ("note", "I've also saved a note about it."),
    ),
    "de": (("mail", "Eine Bestätigung habe ich Ihnen auch per E-Mail geschickt."),),
    "es": (("correo", "También te he mandado una confirmación por correo."),),
    "fr": (("mail", "Je vous ai aussi envoyé une confirmation par e-mail."),),
    "zh": (("日历", "我也把它加进了您的日历。"),),
}


def further_deed(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        known = before_answer(record, answer).lower() + answer["content"].lower()
        names = " ".join(call.name for call in calls_of(record))
        if "?" in answer["content"] or any(call.failed for call in calls):
            continue
        options = [
            told
            for key, told in FURTHER[language(record)]
            if key not in known and key not in names and not ("calendar" in told and "event" in names)
        ]
        if options:
            answer["content"] += (
                "\n" if "\n" in answer["content"] else "" if language(record) == "zh" else " "
            ) + rng.choice(options)
            return record
    return None


CLASSES = (
    Corruption("deed_claimed", "answers", "a deed is claimed where there is no call", deed_claimed),
    Corruption(
        "failure_where_succeeded",
        "answers",
        "the answer tells a failure where all calls succeeded",
        failure_where_succeeded,
    ),
    Corruption("answer_negated", "answers", "the answer denies what the results say", answer_negated),
    Corruption("answer_name", "answers", "the answer tells another name than the result", answer_name),
    Corruption("answer_exchanged", "answers", "the answer gives one thing's value to another", answer_exchanged),
    Corruption("sum_wrong", "answers", "the answer adds up wrong", sum_wrong),
    Corruption("answer_unit", "answers", "the answer tells a number in another unit", answer_unit),
    Corruption("rounding", "answers", "the answer rounds a number far off", rounding),
    Corruption("fact_invented", "answers", "the answer tells a fact that nothing bears out", fact_invented),
    Corruption("further_deed", "answers", "the answer claims one deed more than was called", further_deed),
)
