"""Clauses for what has a name: things, places, people, ids, texts, choices, flags."""

from __future__ import annotations

from collections.abc import Callable

from generator.authors.offline.clause import DATE, LAST, MANNER, NAMED, PLACE, WHOM, WITH, Clause, attribute, told
from generator.authors.offline.descriptions import PREPOSITIONS
from generator.authors.offline.fields import Field
from generator.authors.offline.flags import flag_phrases
from generator.authors.offline.phrasebook import NOUN_PHRASES, WITH_VALUE_FIRST
from generator.authors.offline.words import singular, split_identifier, word_set

_MAKERS_OF_ART = word_set("author artist director composer painter singer actor")
_SPEAKERS = word_set("user customer member patient client")
_SAID = word_set("message comment tweet post")
_WRITTEN = word_set("caption description body content text note notes summary title subject label")
_WHEN = ("time", "start time", "departure time", "pickup time", "reservation time")
_OUTPUTS = ("file name", "output", "output path", "output file")
_WITH_PEOPLE = word_set("attendee participant guest")
_FOR_PEOPLE = word_set("player company user member party")


def _last(field: Field) -> str:
    return field.noun.rsplit(" ", 1)[-1]


def _thing(field: Field) -> Clause:
    noun, last = field.noun, _last(field)
    if noun in ("name", "title"):
        return told(field, NAMED, 'called "{}"', 'named "{}"')
    if last == "name":
        named = noun[:-5]
        if named.rsplit(" ", 1)[-1] in NOUN_PHRASES:
            return told(field, WHOM, *NOUN_PHRASES[named.rsplit(" ", 1)[-1]], cost=0.2)
        fact = f"the {named} is {{}}"
        return told(field, WHOM, f"for the {named} {{}}", item=f"{{}} as the {named}", fact=fact, cost=0.6)
    if last in NOUN_PHRASES:
        return told(field, WHOM, *NOUN_PHRASES[last], cost=0.2)
    if last in WITH_VALUE_FIRST:
        return told(field, WITH, item="{} {n}", cost=0.4)
    return told(field, WITH, item="{} as the {n}", cost=2.5 if last in PREPOSITIONS else 1.0)


def _place(field: Field) -> Clause:
    words = split_identifier(field.name)
    if "address" in words:
        return told(field, PLACE, "at {}", cost=0.3)
    if words[-1] in ("origin", "source") or words[0] in ("from", "start", "departure", "starting"):
        return told(field, PLACE, "from {}")
    if words[-1] == "destination" or words[0] in ("to", "end", "arrival"):
        return told(field, PLACE, "to {}")
    if "zip" in words or words[-2:] in (("zip", "code"), ("postal", "code")):
        return told(field, WITH, item="zip code {}", fact="the zip code is {}", cost=0.2)
    if words[-1] in ("airport", "station", "venue"):
        return told(field, PLACE, "at {}", cost=0.2)
    return told(field, PLACE, "in {}", cost=0.1)


def _person(field: Field) -> Clause:
    last = _last(field)
    if field.noun in ("full name", "legal name", "display name"):
        return told(field, NAMED, "named {}", "called {}", cost=0.1)
    if last in _MAKERS_OF_ART:
        return told(field, NAMED, "by {}")
    if last == "recipient":
        return told(field, WHOM, "to {}")
    if last == "assignee":
        return told(field, WHOM, "assigned to {}", cost=0.2)
    return told(field, WHOM, "for {n} {}" if last == "username" else "for {}", cost=0.3)


def _id(field: Field) -> Clause:
    thing = field.label
    if thing in ("after", "before"):
        return told(field, DATE, f"{thing} {{}}", cost=0.2)
    if not thing or thing in ("id", "ID", "identifier"):
        return told(field, WHOM, "with ID {}", fact="the ID is {}", cost=0.6)
    if field.subject[-1] in _SPEAKERS:
        extra = ("My {n} is {}.", "The {n} is {}.")
        return told(field, WHOM, f"for {thing} {{}}", item=f"{thing} {{}}", fact="my {n} is {}", extra=extra, cost=0.2)
    if field.noun.endswith((" key", " token", " code", " number")):
        return told(field, WITH, item="{n} {}", cost=0.6)
    return told(field, WHOM, f"for {thing} {{}}", item=f"{thing} {{}}", cost=0.4)


def _text(field: Field) -> Clause:
    last = _last(field)
    if last in _SAID:
        return told(field, LAST, "saying {}", "with the {n} {}", cost=0.1)
    if last == "reason":
        return told(field, LAST, extra=("The reason is {}.", "The {n} is {}."), cost=0.3)
    if last in _WRITTEN:
        return told(field, LAST, "with the {n} {}", item="the {n} {}", cost=0.3)
    return told(field, LAST, item="the {n} {}", cost=0.7)


def _title(field: Field) -> Clause:
    if field.noun in ("title", "headline"):
        return told(field, NAMED, "titled {}", "called {}", "with the title {}", item="the title {}")
    return told(field, LAST, "with the {n} {}", item="the {n} {}", cost=0.2)


def _choice(field: Field) -> Clause:
    last = _last(field)
    if last in WITH_VALUE_FIRST:
        return told(field, WITH, item="{} {n}", cost=0.2)
    if last in NOUN_PHRASES:
        return told(field, MANNER, *NOUN_PHRASES[last], cost=0.2)
    plain = all(isinstance(value, str) and value.replace("_", "").isalpha() and value.islower() for value in field.enum)
    return told(field, WITH, item="a {} {n}" if plain and last != "type" else "{} as the {n}", cost=0.6)


_MANNERS: dict[str, tuple[int, tuple[str, ...]]] = {
    "unit": (MANNER, ("in {}",)),
    "format": (MANNER, ("in {} format", "as {}")),
    "currency": (MANNER, ("in {}",)),
    "order": (MANNER, ("in {} order",)),
    "sort": (MANNER, ("sorted by {}",)),
    "season": (MANNER, ("in the {} season",)),
    "century": (MANNER, ("in the {} century",)),
    "year": (DATE, ("in {}", "for {}")),
    "month": (DATE, ("in {}",)),
    "page": (LAST, (", page {}",)),
    "url": (PLACE, ("at {}",)),
    "status": (MANNER, ("with status {}",)),
}


def _manner(field: Field) -> Clause:
    order, phrases = _MANNERS[field.kind]
    return told(field, order, *phrases, cost=0.2)


def _language(field: Field) -> Clause:
    if any(word in ("target", "to") for word in field.noun.split()):
        return told(field, MANNER, "into {}")
    return told(field, MANNER, "from {}" if "source" in field.noun else "in {}", cost=0.2)


def _time(field: Field) -> Clause:
    return told(field, DATE, "at {}", cost=0.2) if field.noun in _WHEN else attribute(field)


def _contact(field: Field) -> Clause:
    if field.noun in ("recipient", "to", "recipient email", "to email"):
        return told(field, WHOM, "to {}")
    return told(field, WITH, item="the {n} {}", cost=0.5)


def _path(field: Field) -> Clause:
    if field.noun in ("path", "file path"):
        return told(field, PLACE, "at {}", cost=0.4)
    description = field.description.lower()
    if field.noun in _OUTPUTS and any(word in description for word in ("save", "output", "write")):
        return told(field, LAST, extra=("Save it to {}.", "Save it as {}."), cost=0.3)
    return told(field, WITH, item="the {n} {}", cost=0.7)


def _query(field: Field) -> Clause:
    return told(field, WHOM, "for {}", "matching {}", cost=0.2)


def _list(field: Field) -> Clause:
    last = singular(_last(field))
    if field.element is not None and field.element.kind == "object":
        return told(field, LAST, extra=("The {n}: {}.",), cost=2.8)
    if last in ("city", "location", "country", "place"):
        return told(field, PLACE, "in {}", "for {}", cost=0.2)
    if last in _WITH_PEOPLE:
        return told(field, WHOM, "with {}", cost=0.3)
    if last in _FOR_PEOPLE:
        return told(field, WHOM, "for {}", cost=0.3)
    return told(field, WITH, item="the {n} {}", cost=0.3 if last in ("label", "tag") else 0.7)


def _object(field: Field) -> Clause:
    return told(field, LAST, extra=("{n}: {}.",), cost=2.6)


def _flag(field: Field) -> Clause:
    phrases = flag_phrases(field)
    when_true = tuple((text,) for text in phrases.when_true)
    when_false = tuple((text,) for text in phrases.when_false)
    return Clause((field.name,), LAST, extra=when_true, extra_false=when_false, cost=phrases.cost)


THINGS: dict[str, Callable[[Field], Clause]] = {
    "thing": _thing,
    "repo": _thing,
    "place": _place,
    "person": _person,
    "owner": _person,
    "id": _id,
    "text": _text,
    "formula": _text,
    "title": _title,
    "choice": _choice,
    "language": _language,
    "time": _time,
    "email": _contact,
    "phone": _contact,
    "path": _path,
    "query": _query,
    "list": _list,
    "object": _object,
    "flag": _flag,
    **dict.fromkeys(_MANNERS, _manner),
}
"""How each class is said."""
