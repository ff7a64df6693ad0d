"""Clauses for what is counted, measured or dated."""

from __future__ import annotations

from collections.abc import Callable

from generator.authors.offline.clause import DATE, DURATION, LAST, WHOM, WITH, Clause, attribute, fact_of, inline
from generator.authors.offline.fields import Field
from generator.authors.offline.pieces import pieces
from generator.authors.offline.words import is_plural, singular, split_identifier


def _letter(field: Field) -> Clause:
    if len(field.noun) == 1:
        return Clause((field.name,), WITH, item=pieces("{n} = {}", field), fact=pieces("{n} = {}", field), cost=0.3)
    return attribute(field)


def _number(field: Field) -> Clause:
    return Clause(
        (field.name,), WHOM, (pieces("for {}", field),), pieces("a {n} of {}", field), fact_of(field), cost=0.5
    )


def _numbered(field: Field) -> Clause:
    return Clause((field.name,), WITH, item=pieces("{n} {}", field), fact=fact_of(field), cost=0.7)


def _duration(field: Field) -> Clause:
    words = (*split_identifier(field.name), *field.description.lower().split()[:6])
    if any(word in ("forecast", "predict", "future", "ahead", "projection") for word in words):
        return inline(field, DURATION, "for the next {}", "over the next {}")
    if any(word in ("past", "last", "history", "historical", "previous") for word in words):
        return inline(field, DURATION, "for the last {}", "over the past {}")
    if field.noun in ("time", "minutes", "seconds", "hours"):
        return Clause((field.name,), WITH, item=pieces("a time of {}", field) if field.noun == "time" else pieces("{}", field),
                      fact=fact_of(field), inline=(pieces("for {}", field),) if field.noun != "time" else (), cost=0.3)  # fmt: skip
    if (
        len(split_identifier(field.name)) > 1
        and "duration" not in field.name
        and field.unit.rstrip("s") not in field.noun
    ):
        return attribute(field)
    if "ahead" in words:
        return inline(field, DURATION, "for the next {}", "in the next {}")
    return inline(field, DURATION, "for {}", cost=0.2)


def _count(field: Field) -> Clause:
    noun = " ".join(field.subject).lower()
    noun = noun.removeprefix("number of ").removesuffix(" count").removesuffix(" number")
    if not noun or noun in ("count", "quantity", "number"):
        return attribute(field)
    people = singular(noun.split()[-1]) in (
        "guest",
        "adult",
        "person",
        "people",
        "passenger",
        "child",
        "player",
        "attendee",
        "participant",
        "serving",
        "ticket",
    )
    pluralised = noun if is_plural(noun.split()[-1]) or noun.endswith("ed") else noun + "s"
    if people:
        return Clause(
            (field.name,),
            WHOM,
            (pieces(f"for {{}} {pluralised}", field),),
            pieces(f"{{}} {pluralised}", field),
            fact_of(field),
            cost=0,
        )
    there = pieces(f"there are {{}} {pluralised}", field)
    return Clause((field.name,), WITH, item=pieces(f"{{}} {pluralised}", field), fact=there, cost=0.2)


def _limit(field: Field) -> Clause:
    if "per" in field.name.lower():
        return Clause(
            (field.name,), LAST, (pieces(", {} per page", field), pieces(", with {} results per page", field)), cost=0.2
        )
    return Clause((field.name,), LAST, (), extra=(pieces("Just the first {} results, please.", field), pieces("Limit it to {} results.", field),
                  pieces("{} results are enough.", field), pieces("I only need the first {}.", field)), cost=0.1)  # fmt: skip


def _money(field: Field) -> Clause:
    words = split_identifier(field.name)
    if words[0] in ("maximum", "budget") or words[-1] in ("maximum", "budget"):
        return Clause(
            (field.name,),
            WITH,
            (
                pieces("for no more than {}", field),
                pieces("with a budget of {}", field) if "budget" in words else pieces("for up to {}", field),
            ),
            cost=0.2,
        )
    if words[0] == "minimum":
        return inline(field, WITH, "for at least {}", cost=0.3)
    return attribute(field)


def _date(field: Field) -> Clause:
    words = split_identifier(field.name)
    table = (
        (("birth", "dob", "birthday"), "born on {}"), (("due", "deadline"), "due {}"), (("end", "until", "to"), "until {}"),
        (("checkout",), "checking out on {}"), (("checkin",), "checking in on {}"), (("return",), "returning on {}"),
        (("departure", "depart"), "leaving on {}"), (("expiration", "expiry", "expires"), "expiring on {}"),
        (("since", "after", "from"), "since {}"), (("before",), "before {}"), (("start", "begin"), "starting on {}"),
    )  # fmt: skip
    for keys, template in table:
        if any(key in words for key in keys):
            return inline(field, DATE, template)
    if (
        words[-1] == "date"
        and len(words) > 1
        and words[-2] not in ("target", "booking", "travel", "reservation", "event", "the", "flight")
    ):
        return Clause((field.name,), DATE, item=pieces("{} as the {n}", field), fact=fact_of(field), cost=0.8)
    return inline(field, DATE, "on {}", "for {}")


def _moment(field: Field) -> Clause:
    words = split_identifier(field.name)
    for keys, template in (
        (("end", "until", "to"), "until {}"),
        (("start", "begin"), "starting on {}"),
        (("since", "after"), "since {}"),
        (("before",), "before {}"),
    ):
        if any(key in words for key in keys):
            return inline(field, DATE, template)
    return inline(field, DATE, "on {}")


NUMBERS: dict[str, Callable[[Field], Clause]] = {
    "letter": _letter,
    "date": _date,
    "moment": _moment,
    "duration": _duration,
    "count": _count,
    "limit": _limit,
    "money": _money,
    "index": _numbered,
    "offset": _numbered,
    "number": _number,
}
"""How each class is said."""
