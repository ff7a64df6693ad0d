"""Clauses for what is counted, measured or dated."""

from __future__ import annotations

from collections.abc import Callable

from generator.authors.offline.clause import DATE, DURATION, LAST, WHOM, WITH, Clause, attribute, told
from generator.authors.offline.fields import Field
from generator.authors.offline.words import plural, singular, split_identifier, word_set

_PEOPLE = word_set(
    "guest adult person people passenger child player attendee participant serving ticket traveler visitor student"
)
_AHEAD = word_set("forecast predict future ahead projection")
_BEHIND = word_set("past last history historical previous")
_DATES: tuple[tuple[frozenset[str], str], ...] = (
    (word_set("birth dob birthday"), "born on {}"),
    (word_set("due deadline"), "due {}"),
    (word_set("end until to"), "until {}"),
    (word_set("checkout"), "checking out on {}"),
    (word_set("checkin"), "checking in on {}"),
    (word_set("return"), "returning on {}"),
    (word_set("departure depart"), "leaving on {}"),
    (word_set("expiration expiry expires"), "expiring on {}"),
    (word_set("since after from"), "since {}"),
    (word_set("before"), "before {}"),
    (word_set("start begin"), "starting on {}"),
)
"""Words of a name, and how a date of that name is said; the first that fits is taken."""
_PLAIN_DATES = word_set("target booking travel reservation event the flight")


def _letter(field: Field) -> Clause:
    if len(field.noun) == 1:
        return told(field, WITH, item="{n} = {}", fact="{n} = {}", cost=0.3)
    return attribute(field)


def _number(field: Field) -> Clause:
    return told(field, WHOM, "for {}", item="a {n} of {}", cost=0.5)


def _numbered(field: Field) -> Clause:
    return told(field, WITH, item="{n} {}", cost=0.7)


def _duration(field: Field) -> Clause:
    words = {*split_identifier(field.name), *field.description.lower().split()[:6]}
    if words & _AHEAD:
        return told(field, DURATION, "for the next {}", "over the next {}")
    if words & _BEHIND:
        return told(field, DURATION, "for the last {}", "over the past {}")
    if field.noun == "time":
        return told(field, WITH, item="a time of {}", cost=0.3)
    named = len(split_identifier(field.name)) > 1 and "duration" not in field.name
    if named and field.unit.rstrip("s") not in field.noun:
        return attribute(field)
    return told(field, DURATION, "for {}", cost=0.2)


def _count(field: Field) -> Clause:
    noun = " ".join(field.subject).lower().removeprefix("number of ").removesuffix(" count").removesuffix(" number")
    if not noun or noun in ("count", "quantity", "number"):
        return attribute(field)
    last = noun.split()[-1]
    many = noun if noun.endswith("ed") else f"{noun[: -len(last)]}{plural(last)}"
    if singular(last) in _PEOPLE:
        return told(field, WHOM, f"for {{}} {many}", item=f"{{}} {many}")
    return told(field, WITH, item=f"{{}} {many}", fact=f"there are {{}} {many}", cost=0.2)


def _limit(field: Field) -> Clause:
    if "per" in field.name.lower():
        return told(field, LAST, ", {} per page", ", with {} results per page", cost=0.2)
    extra = ("Just the first {} results, please.", "Limit it to {} results.", "I only need the first {}.")
    return told(field, LAST, extra=(*extra, "{} results are enough."), cost=0.1)


def _money(field: Field) -> Clause:
    words = split_identifier(field.name)
    if "budget" in words:
        return told(field, WITH, "for no more than {}", "with a budget of {}", cost=0.2)
    if "maximum" in (words[0], words[-1]):
        return told(field, WITH, "for no more than {}", "for up to {}", cost=0.2)
    if words[0] == "minimum":
        return told(field, WITH, "for at least {}", cost=0.3)
    return attribute(field)


def _date(field: Field) -> Clause:
    words = split_identifier(field.name)
    for names, template in _DATES:
        if not names.isdisjoint(words):
            return told(field, DATE, template)
    if words[-1].endswith("ed"):
        return told(field, DATE, "{n} on {}", cost=0.2)
    if words[-1] == "date" and len(words) > 1 and words[-2] not in _PLAIN_DATES:
        return told(field, DATE, item="{} as the {n}", cost=0.8)
    return told(field, DATE, "on {}", "for {}")


def _moment(field: Field) -> Clause:
    words = split_identifier(field.name)
    for names, template in _DATES:
        if not names.isdisjoint(words) and not template.startswith(("born", "due")):
            return told(field, DATE, template)
    return told(field, DATE, "on {}")


NUMBERS: dict[str, Callable[[Field], Clause]] = {
    "letter": _letter,
    "number": _number,
    "index": _numbered,
    "offset": _numbered,
    "duration": _duration,
    "count": _count,
    "limit": _limit,
    "money": _money,
    "date": _date,
    "moment": _moment,
}
"""How each class is said."""
