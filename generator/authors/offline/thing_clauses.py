"""Clauses for what has a name: things, places, people, ids, texts, choices, flags."""

from __future__ import annotations

from collections.abc import Callable

from generator.authors.offline.clause import (
    DATE,
    LAST,
    MANNER,
    NAMED,
    PLACE,
    WHOM,
    WITH,
    Clause,
    attribute,
    fact_of,
    inline,
)
from generator.authors.offline.descriptions import PREPOSITIONS
from generator.authors.offline.fields import Field
from generator.authors.offline.flags import flag_phrases
from generator.authors.offline.phrasebook import NOUN_PHRASES, WITH_VALUE_FIRST
from generator.authors.offline.pieces import pieces
from generator.authors.offline.words import singular, split_identifier


def _thing(field: Field) -> Clause:
    noun = field.noun
    last = noun.rsplit(" ", 1)[-1]
    if last == "name" and noun != "name":
        named = noun[:-5]
        if named.rsplit(" ", 1)[-1] in NOUN_PHRASES:
            return inline(field, WHOM, *NOUN_PHRASES[named.rsplit(" ", 1)[-1]], cost=0.2)
        return Clause((field.name,), WHOM, (pieces(f"for the {named} {{}}", field),), pieces(f"{{}} as the {named}", field),
                      fact=pieces(f"the {named} is {{}}", field), cost=0.6)  # fmt: skip
    if noun in ("name", "title"):
        return inline(field, NAMED, 'called "{}"', 'named "{}"')
    if last in NOUN_PHRASES:
        return inline(field, WHOM, *NOUN_PHRASES[last], cost=0.2)
    if last in WITH_VALUE_FIRST:
        return Clause((field.name,), WITH, (), pieces(f"{{}} {noun}", field), fact_of(field), cost=0.4)
    cost = 2.5 if last in PREPOSITIONS else 1.0
    return Clause((field.name,), WITH, (), pieces("{} as the {n}", field), fact_of(field), cost=cost)


def _place(field: Field) -> Clause:
    words = split_identifier(field.name)
    if "address" in words:
        return inline(field, PLACE, "at {}", cost=0.3)
    if words[-1] in ("origin", "source") or words[0] in ("from", "start", "departure", "starting"):
        return inline(field, PLACE, "from {}")
    if words[-1] == "destination" or words[0] in ("to", "end", "arrival"):
        return inline(field, PLACE, "to {}")
    if words[-1] in ("zip", "zipcode") or words[-2:] in (("zip", "code"), ("postal", "code")):
        return Clause(
            (field.name,), WITH, (), pieces("zip code {}", field), pieces("the zip code is {}", field), cost=0.2
        )
    if words[-1] in ("airport", "station", "venue"):
        return inline(field, PLACE, "at {}", cost=0.2)
    return inline(field, PLACE, "in {}", cost=0.1)


def _person(field: Field) -> Clause:
    last = field.noun.rsplit(" ", 1)[-1]
    if field.noun in ("full name", "legal name", "display name"):
        return inline(field, NAMED, "named {}", "called {}", cost=0.1)
    if last in ("author", "artist", "director", "composer", "painter", "singer", "actor"):
        return inline(field, NAMED, "by {}")
    if last == "recipient":
        return inline(field, WHOM, "to {}")
    if last == "assignee":
        return inline(field, WHOM, "assigned to {}", cost=0.2)
    return inline(field, WHOM, "for {}" if last != "username" else "for {n} {}", cost=0.3)


def _id(field: Field) -> Clause:
    subject = field.label
    if subject in ("after", "before"):
        return inline(field, DATE, f"{subject} {{}}", cost=0.2)
    if not subject or subject in ("id", "identifier"):
        return Clause((field.name,), WHOM, (pieces("with ID {}", field),), fact=pieces("the ID is {}", field), cost=0.6)
    if field.subject[-1] in ("user", "customer", "member", "patient", "client"):
        return Clause((field.name,), WHOM, (pieces(f"for {subject} {{}}", field),), pieces(f"{subject} {{}}", field), pieces(f"my {field.noun} is {{}}", field),
                      (pieces(f"My {field.noun} is {{}}.", field), pieces(f"The {field.noun} is {{}}.", field)), cost=0.2)  # fmt: skip
    if field.noun.endswith((" key", " token", " code", " number")):
        return Clause((field.name,), WITH, item=pieces("{n} {}", field), fact=fact_of(field), cost=0.6)
    return Clause((field.name,), WHOM, (pieces(f"for {subject} {{}}", field),), pieces(f"{subject} {{}}", field),
                  pieces(f"the {field.noun} is {{}}", field), cost=0.4)  # fmt: skip


def _text(field: Field) -> Clause:
    last = field.noun.rsplit(" ", 1)[-1]
    if last in ("message", "comment", "tweet", "post"):
        return Clause(
            (field.name,),
            LAST,
            (pieces("saying {}", field), pieces("with the {n} {}", field)),
            fact=fact_of(field),
            cost=0.1,
        )
    if last == "reason":
        return Clause(
            (field.name,),
            LAST,
            extra=(pieces("The reason is {}.", field), pieces("The {n} is {}.", field)),
            fact=fact_of(field),
            cost=0.3,
        )
    if last in (
        "caption",
        "description",
        "body",
        "content",
        "text",
        "note",
        "notes",
        "summary",
        "title",
        "subject",
        "label",
    ):
        return Clause(
            (field.name,),
            LAST,
            (pieces("with the {n} {}", field),),
            pieces("the {n} {}", field),
            fact_of(field),
            cost=0.3,
        )
    return Clause((field.name,), LAST, (), pieces("the {n} {}", field), fact_of(field), cost=0.7)


def _title(field: Field) -> Clause:
    if field.noun in ("title", "headline"):
        return Clause(
            (field.name,),
            NAMED,
            (pieces("titled {}", field), pieces("called {}", field), pieces("with the title {}", field)),
            pieces("the title {}", field),
            fact_of(field),
            cost=0,
        )
    return Clause(
        (field.name,), LAST, (pieces("with the {n} {}", field),), pieces("the {n} {}", field), fact_of(field), cost=0.2
    )


def _choice(field: Field) -> Clause:
    last = field.noun.rsplit(" ", 1)[-1]
    if last in WITH_VALUE_FIRST:
        return Clause((field.name,), WITH, (), pieces("{} {n}", field), fact_of(field), cost=0.2)
    if last in NOUN_PHRASES:
        return inline(field, MANNER, *NOUN_PHRASES[last], cost=0.2)
    worded = all(
        isinstance(value, str) and value.replace("_", "").isalpha() and value.islower() for value in field.enum
    )
    item = pieces("a {} {n}", field) if worded and last != "type" else pieces("{} as the {n}", field)
    return Clause((field.name,), WITH, (), item, fact_of(field), cost=0.6)


def _manner(field: Field) -> Clause:
    table = {
        "unit": ("in {}",), "format": ("in {} format", "as {}"), "language": ("in {}",), "currency": ("in {}",),
        "order": ("in {} order",), "sort": ("sorted by {}", "sort them by {}"), "season": ("in the {} season",), "century": ("in the {} century",),
        "time": ("at {}",), "year": ("in {}", "for {}"), "month": ("in {}",), "page": (", page {}",), "url": ("at {}",),
        "status": ("with status {}",),
    }[field.kind]  # fmt: skip
    order = {"time": DATE, "year": DATE, "month": DATE, "page": LAST, "url": PLACE}.get(field.kind, MANNER)
    if field.kind == "time" and field.noun not in (
        "time",
        "start time",
        "departure time",
        "pickup time",
        "reservation time",
    ):
        return attribute(field)
    if field.kind == "language" and any(word in field.noun for word in ("target", "to")):
        return inline(field, MANNER, "into {}")
    if field.kind == "language" and "source" in field.noun:
        return inline(field, MANNER, "from {}")
    if field.kind == "sort":
        return inline(field, MANNER, "sorted by {}", cost=0.1)
    return inline(field, order, *table, cost=0.2)


def _contact(field: Field) -> Clause:
    if field.noun in ("recipient", "to", "recipient email", "to email"):
        return inline(field, WHOM, "to {}")
    return Clause((field.name,), WITH, (), pieces("the {n} {}", field), fact_of(field), cost=0.5)


def _path(field: Field) -> Clause:
    if field.noun in ("path", "file path"):
        return inline(field, PLACE, "at {}", cost=0.4)
    saved = any(word in field.description.lower() for word in ("save", "output", "write"))
    if saved and field.noun in ("file name", "output", "output path", "output file"):
        return Clause(
            (field.name,),
            LAST,
            extra=(pieces("Save it to {}.", field), pieces("Save it as {}.", field)),
            cost=0.3,
            fact=fact_of(field),
        )
    return Clause((field.name,), WITH, (), pieces("the {n} {}", field), fact_of(field), cost=0.7)


def _query(field: Field) -> Clause:
    return inline(field, WHOM, "for {}", "matching {}", cost=0.2)


def _list(field: Field) -> Clause:
    last = singular(field.noun.rsplit(" ", 1)[-1])
    if field.element is not None and field.element.kind == "object":
        return Clause((field.name,), LAST, fact=fact_of(field), extra=(pieces("The {n}: {}.", field),), cost=2.8)
    if last in ("city", "location", "country", "place"):
        return inline(field, PLACE, "in {}", "for {}", cost=0.2)
    if last in ("attendee", "participant", "player", "company", "user", "member", "guest", "party"):
        return inline(field, WHOM, "with {}" if last in ("attendee", "participant", "guest") else "for {}", cost=0.3)
    if last in ("label", "tag"):
        return Clause((field.name,), WITH, (), pieces("the {n} {}", field), fact_of(field), cost=0.3)
    return Clause((field.name,), WITH, (), pieces("the {n} {}", field), fact_of(field), cost=0.7)


def _object(field: Field) -> Clause:
    return Clause((field.name,), LAST, extra=(pieces("{n}: {}.", field),), fact=fact_of(field), cost=2.6)


def _flag(field: Field) -> Clause:
    phrases = flag_phrases(field)
    return Clause(
        (field.name,),
        LAST,
        extra=tuple((text,) for text in phrases.when_true),
        extra_false=tuple((text,) for text in phrases.when_false),
        cost=phrases.cost,
    )


THINGS: dict[str, Callable[[Field], Clause]] = {
    "thing": _thing,
    "place": _place,
    "person": _person,
    "id": _id,
    "text": _text,
    "title": _title,
    "choice": _choice,
    "unit": _manner,
    "format": _manner,
    "language": _manner,
    "currency": _manner,
    "order": _manner,
    "sort": _manner,
    "season": _manner,
    "century": _manner,
    "time": _manner,
    "year": _manner,
    "month": _manner,
    "page": _manner,
    "url": _manner,
    "status": _manner,
    "email": _contact,
    "phone": _contact,
    "path": _path,
    "query": _query,
    "formula": _text,
    "list": _list,
    "object": _object,
    "flag": _flag,
    "owner": _person,
    "repo": _thing,
}
"""How each class is said."""
