"""Clauses: how each class of parameter is said where the description has no place for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.authors.offline.fields import Field
from generator.authors.offline.flags import flag_phrases
from generator.authors.offline.pairs import Pair
from generator.authors.offline.pieces import Pieces, Ref, pieces, ref
from generator.authors.offline.phrasebook import NOUN_PHRASES, WITH_VALUE_FIRST
from generator.authors.offline.words import is_plural, is_uncounted, plural, singular, split_identifier, with_article, word_set

NAMED, PLACE, DATE, DURATION, WHOM, WITH, MANNER, LAST = range(8)
"""Where a clause stands in the sentence, in the order people say things."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Ways to say one field or pair.

    `inline` follow the sentence; `item` is one entry of "with A, B and C"; `fact` one entry of "the A is 1 and the
    B is 2"; `extra` are sentences of their own. `cost` tells how stilted it reads: 0 natural, 3 hardly.
    """

    names: tuple[str, ...]
    order: int
    inline: tuple[Pieces, ...] = ()
    item: Pieces = ()
    fact: Pieces = ()
    extra: tuple[Pieces, ...] = ()
    extra_false: tuple[Pieces, ...] = ()
    cost: float = 1.0


def _inline(field: Field, order: int, *templates: str, cost: float = 0.0) -> Clause:
    return Clause((field.name,), order, tuple(pieces(text, field) for text in templates), cost=cost, fact=_fact(field))


def _fact(field: Field) -> Pieces:
    """ "the radius is 5 cm"."""
    last = field.noun.rsplit(" ", 1)[-1].lower()
    verb = "are" if is_plural(last) and not is_uncounted(last) or field.kind == "list" and is_plural(last) else "is"
    return pieces("the {n} " + verb + " {}", field)


_MOVING = word_set("send ship deliver update change modify set move forward")


def clause_for_pair(pair: Pair, verb: str = "") -> Clause:
    """Say two fields together."""
    first, second = pair.first, pair.second
    names = pair.names
    if pair.sort == "address":
        parts: list[str | Ref] = [f"{'to' if verb in _MOVING else 'at'} ", ref(first)]
        for field in (second, *pair.more):
            parts += [", " if "zip" not in field.name and "postal" not in field.name else " ", ref(field)]
        return Clause(names, PLACE, (tuple(parts),), cost=0)
    one, two = ref(first), ref(second)
    if pair.sort == "repo":
        place = Ref(first, "pair", second)
        return Clause(
            names, PLACE, (("in ", place), ("in the ", place, " repo"), ("in the ", place, " repository")), cost=0
        )
    if pair.sort == "dates":
        return Clause(names, DATE, (("from ", one, " to ", two), ("between ", one, " and ", two)), cost=0)
    if pair.sort == "route":
        return Clause(names, PLACE, (("from ", one, " to ", two),), cost=0)
    if pair.sort == "name":
        return Clause(names, WHOM, (("for ", one, " ", two),), (one, " ", two), cost=0.1)
    if pair.sort == "element":
        if first.name == "startElement":
            return Clause(names, PLACE, (("from the ", one, " (", two, ")"),), cost=0.3)
        return Clause(
            names, PLACE, (("to the " if first.name == "endElement" else "on the ", one, " (", two, ")"),), cost=0.3
        )
    if pair.sort == "place":
        return Clause(names, PLACE, (("in ", one, ", ", two),), cost=0)
    if pair.sort == "point":
        return Clause(names, PLACE, (("at (", one, ", ", two, ")"), ("at ", one, ", ", two)), cost=0.5)
    if pair.sort == "end point":
        return Clause(names, DATE, (("to (", one, ", ", two, ")"),), cost=0.5)
    if pair.sort == "size":
        return Clause(names, WITH, (("to ", one, " by ", two),), cost=0.5)
    if pair.sort == "span":
        noun = " ".join(first.subject[1:]) or second.noun
        return Clause(names, WITH, (("with ", with_article(noun), " between ", one, " and ", two),), cost=0.5)
    if first.kind in ("measure", "money", "number", "letter"):
        noun = plural(" ".join(first.subject).rstrip("0123456789 ")) or "values"
        return Clause(
            names, WITH, (), ("the " if first.kind == "letter" else "", f"{noun} of ", one, " and ", two), cost=0.6
        )
    return Clause(names, WITH, (("for ", one, " and ", two),), cost=0.8)


def clause_for(field: Field) -> Clause:
    """Say one field by its class."""
    builder = _BUILDERS.get(field.kind)
    return builder(field) if builder is not None else _attribute(field)


def _attribute(field: Field) -> Clause:
    """ "with a radius of 5 cm", "the radius is 5 cm"."""
    noun = field.noun
    bare = is_plural(noun.rsplit(" ", 1)[-1]) or is_uncounted(noun.rsplit(" ", 1)[-1])
    item = pieces((noun if bare else with_article(noun)) + " of {}", field)
    return Clause((field.name,), WITH, item=item, fact=_fact(field), cost=0.4)


def _letter(field: Field) -> Clause:
    if len(field.noun) == 1:
        return Clause((field.name,), WITH, item=pieces("{n} = {}", field), fact=pieces("{n} = {}", field), cost=0.3)
    return _attribute(field)


def _thing(field: Field) -> Clause:
    noun = field.noun
    last = noun.rsplit(" ", 1)[-1]
    if last == "name" and noun != "name":
        named = noun[:-5]
        if named.rsplit(" ", 1)[-1] in NOUN_PHRASES:
            return _inline(field, WHOM, *NOUN_PHRASES[named.rsplit(" ", 1)[-1]], cost=0.2)
        return Clause((field.name,), WHOM, (pieces(f"for the {named} {{}}", field),), pieces(f"{{}} as the {named}", field),
                      fact=pieces(f"the {named} is {{}}", field), cost=0.6)  # fmt: skip
    if noun in ("name", "title"):
        return _inline(field, NAMED, 'called "{}"', 'named "{}"')
    if last in NOUN_PHRASES:
        return _inline(field, WHOM, *NOUN_PHRASES[last], cost=0.2)
    if last in WITH_VALUE_FIRST:
        return Clause((field.name,), WITH, (), pieces(f"{{}} {noun}", field), _fact(field), cost=0.4)
    return Clause((field.name,), WITH, (), pieces("{} as the {n}", field), _fact(field), cost=1.0)


def _place(field: Field) -> Clause:
    words = split_identifier(field.name)
    if "address" in words:
        return _inline(field, PLACE, "at {}", cost=0.3)
    if words[-1] in ("origin", "source") or words[0] in ("from", "start", "departure", "starting"):
        return _inline(field, PLACE, "from {}")
    if words[-1] == "destination" or words[0] in ("to", "end", "arrival"):
        return _inline(field, PLACE, "to {}")
    if words[-1] in ("zip", "zipcode") or words[-2:] in (("zip", "code"), ("postal", "code")):
        return Clause(
            (field.name,), WITH, (), pieces("zip code {}", field), pieces("the zip code is {}", field), cost=0.2
        )
    if words[-1] in ("airport", "station", "venue"):
        return _inline(field, PLACE, "at {}", cost=0.2)
    return _inline(field, PLACE, "in {}", cost=0.1)


def _person(field: Field) -> Clause:
    last = field.noun.rsplit(" ", 1)[-1]
    if last in ("author", "artist", "director", "composer", "painter", "singer", "actor"):
        return _inline(field, NAMED, "by {}")
    if last == "recipient":
        return _inline(field, WHOM, "to {}")
    if last == "assignee":
        return _inline(field, WHOM, "assigned to {}", cost=0.2)
    return _inline(field, WHOM, "for {}" if last != "username" else "for {n} {}", cost=0.3)


def _id(field: Field) -> Clause:
    subject = " ".join(field.subject)
    if not subject or subject in ("id", "identifier"):
        return Clause((field.name,), WHOM, (pieces("with ID {}", field),), fact=pieces("the ID is {}", field), cost=0.6)
    if field.subject[-1] in ("user", "customer", "member", "patient", "client"):
        return Clause((field.name,), WHOM, (pieces(f"for {subject} {{}}", field),), pieces(f"{subject} {{}}", field), pieces(f"my {field.noun} is {{}}", field),
                      (pieces(f"My {field.noun} is {{}}.", field), pieces(f"The {field.noun} is {{}}.", field)), cost=0.2)  # fmt: skip
    if field.noun.endswith((" key", " token", " code", " number")):
        return Clause((field.name,), WITH, item=pieces("{n} {}", field), fact=_fact(field), cost=0.6)
    return Clause((field.name,), WHOM, (pieces(f"for {subject} {{}}", field),), pieces(f"{subject} {{}}", field),
                  pieces(f"the {field.noun} is {{}}", field), cost=0.4)  # fmt: skip


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
            return _inline(field, DATE, template)
    if (
        words[-1] == "date"
        and len(words) > 1
        and words[-2] not in ("target", "booking", "travel", "reservation", "event", "the", "flight")
    ):
        return Clause((field.name,), DATE, item=pieces("{} as the {n}", field), fact=_fact(field), cost=0.8)
    return _inline(field, DATE, "on {}", "for {}")


def _moment(field: Field) -> Clause:
    words = split_identifier(field.name)
    for keys, template in (
        (("end", "until", "to"), "until {}"),
        (("start", "begin"), "starting on {}"),
        (("since", "after"), "since {}"),
        (("before",), "before {}"),
    ):
        if any(key in words for key in keys):
            return _inline(field, DATE, template)
    return _inline(field, DATE, "on {}")


def _duration(field: Field) -> Clause:
    words = (*split_identifier(field.name), *field.description.lower().split()[:6])
    if any(word in ("forecast", "predict", "future", "ahead", "projection") for word in words):
        return _inline(field, DURATION, "for the next {}", "over the next {}")
    if any(word in ("past", "last", "history", "historical", "previous") for word in words):
        return _inline(field, DURATION, "for the last {}", "over the past {}")
    if field.noun in ("time", "minutes", "seconds", "hours"):
        return Clause((field.name,), WITH, item=pieces("a time of {}", field) if field.noun == "time" else pieces("{}", field),
                      fact=_fact(field), inline=(pieces("for {}", field),) if field.noun != "time" else (), cost=0.3)  # fmt: skip
    if (
        len(split_identifier(field.name)) > 1
        and "duration" not in field.name
        and field.unit.rstrip("s") not in field.noun
    ):
        return _attribute(field)
    if "ahead" in words:
        return _inline(field, DURATION, "for the next {}", "in the next {}")
    return _inline(field, DURATION, "for {}", cost=0.2)


def _count(field: Field) -> Clause:
    noun = " ".join(field.subject).lower()
    noun = noun.removeprefix("number of ").removesuffix(" count").removesuffix(" number")
    if not noun or noun in ("count", "quantity", "number"):
        return _attribute(field)
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
    pluralised = noun if is_plural(noun.split()[-1]) else noun + "s"
    if people:
        return Clause(
            (field.name,),
            WHOM,
            (pieces(f"for {{}} {pluralised}", field),),
            pieces(f"{{}} {pluralised}", field),
            _fact(field),
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
        return _inline(field, WITH, "for at least {}", cost=0.3)
    return _attribute(field)


def _text(field: Field) -> Clause:
    last = field.noun.rsplit(" ", 1)[-1]
    if last in ("message", "comment", "tweet", "post"):
        return Clause(
            (field.name,),
            LAST,
            (pieces("saying {}", field), pieces("with the {n} {}", field)),
            fact=_fact(field),
            cost=0.1,
        )
    if last == "reason":
        return Clause(
            (field.name,),
            LAST,
            extra=(pieces("The reason is {}.", field), pieces("The {n} is {}.", field)),
            fact=_fact(field),
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
            _fact(field),
            cost=0.3,
        )
    return Clause((field.name,), LAST, (), pieces("the {n} {}", field), _fact(field), cost=0.7)


def _title(field: Field) -> Clause:
    if field.noun in ("title", "headline"):
        return Clause(
            (field.name,),
            NAMED,
            (pieces("titled {}", field), pieces("called {}", field), pieces("with the title {}", field)),
            pieces("the title {}", field),
            _fact(field),
            cost=0,
        )
    return Clause(
        (field.name,), LAST, (pieces("with the {n} {}", field),), pieces("the {n} {}", field), _fact(field), cost=0.2
    )


def _choice(field: Field) -> Clause:
    last = field.noun.rsplit(" ", 1)[-1]
    if last in WITH_VALUE_FIRST:
        return Clause((field.name,), WITH, (), pieces("{} {n}", field), _fact(field), cost=0.2)
    if last in NOUN_PHRASES:
        return _inline(field, MANNER, *NOUN_PHRASES[last], cost=0.2)
    worded = all(
        isinstance(value, str) and value.replace("_", "").isalpha() and value.islower() for value in field.enum
    )
    item = pieces("a {} {n}", field) if worded and last != "type" else pieces("{} as the {n}", field)
    return Clause((field.name,), WITH, (), item, _fact(field), cost=0.6)


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
        return _attribute(field)
    if field.kind == "language" and any(word in field.noun for word in ("target", "to")):
        return _inline(field, MANNER, "into {}")
    if field.kind == "language" and "source" in field.noun:
        return _inline(field, MANNER, "from {}")
    if field.kind == "sort":
        return _inline(field, MANNER, "sorted by {}", cost=0.1)
    return _inline(field, order, *table, cost=0.2)


def _contact(field: Field) -> Clause:
    if field.noun in ("recipient", "to", "recipient email", "to email"):
        return _inline(field, WHOM, "to {}")
    return Clause((field.name,), WITH, (), pieces("the {n} {}", field), _fact(field), cost=0.5)


def _path(field: Field) -> Clause:
    if field.noun in ("path", "file path"):
        return _inline(field, PLACE, "at {}", cost=0.4)
    if field.noun in ("file name", "output", "output path"):
        return Clause(
            (field.name,),
            LAST,
            extra=(pieces("Save it to {}.", field), pieces("Save it as {}.", field)),
            cost=0.3,
            fact=_fact(field),
        )
    return Clause((field.name,), WITH, (), pieces("the {n} {}", field), _fact(field), cost=0.7)


def _query(field: Field) -> Clause:
    return _inline(field, WHOM, "for {}", "matching {}", cost=0.2)


def _list(field: Field) -> Clause:
    last = singular(field.noun.rsplit(" ", 1)[-1])
    if field.element is not None and field.element.kind == "object":
        return Clause((field.name,), LAST, fact=_fact(field), extra=(pieces("The {n}: {}.", field),), cost=2.0)
    if last in ("city", "location", "country", "place"):
        return _inline(field, PLACE, "in {}", "for {}", cost=0.2)
    if last in ("attendee", "participant", "player", "company", "user", "member", "guest", "party"):
        return _inline(field, WHOM, "with {}" if last in ("attendee", "participant", "guest") else "for {}", cost=0.3)
    if last in ("label", "tag"):
        return Clause((field.name,), WITH, (), pieces("the {n} {}", field), _fact(field), cost=0.3)
    return Clause((field.name,), WITH, (), pieces("the {n} {}", field), _fact(field), cost=0.7)


def _object(field: Field) -> Clause:
    return Clause((field.name,), LAST, extra=(pieces("{n}: {}.", field),), fact=_fact(field), cost=2.2)


def _flag(field: Field) -> Clause:
    phrases = flag_phrases(field)
    return Clause(
        (field.name,),
        LAST,
        extra=tuple((text,) for text in phrases.when_true),
        extra_false=tuple((text,) for text in phrases.when_false),
        cost=phrases.cost,
    )


def _number(field: Field) -> Clause:
    return Clause((field.name,), WHOM, (pieces("for {}", field),), pieces("a {n} of {}", field), _fact(field), cost=0.5)


def _numbered(field: Field) -> Clause:
    return Clause((field.name,), WITH, item=pieces("{n} {}", field), fact=_fact(field), cost=0.7)


_BUILDERS = {
    "letter": _letter, "thing": _thing, "place": _place, "person": _person, "id": _id, "date": _date, "moment": _moment,
    "duration": _duration, "count": _count, "limit": _limit, "money": _money, "text": _text, "title": _title,
    "choice": _choice, "unit": _manner, "format": _manner, "language": _manner, "currency": _manner, "order": _manner,
    "sort": _manner, "season": _manner,
    "century": _manner, "time": _manner, "year": _manner, "month": _manner, "page": _manner,
    "url": _manner, "status": _manner, "email": _contact, "phone": _contact, "path": _path, "query": _query,
    "formula": _text, "list": _list, "object": _object, "flag": _flag, "index": _numbered, "offset": _numbered,
    "owner": _person, "repo": _thing, "number": _number,
}  # fmt: skip


def clauses_for(fields: Mapping[str, Field], pairs: tuple[Pair, ...], said: set[str], verb: str = "") -> list[Clause]:
    """Return a clause for every field that the core of the sentence does not say."""
    clauses, done = [], set(said)
    for pair in pairs:
        if done.isdisjoint(pair.names):
            clauses.append(clause_for_pair(pair, verb))
            done.update(pair.names)
    clauses += [clause_for(field) for name, field in fields.items() if name not in done]
    return sorted(clauses, key=lambda clause: clause.order)
