"""Parameters that people say together: owner and repository, from and to, minimum and maximum, city and country."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.authors.offline.fields import Field
from generator.authors.offline.words import split_identifier, word_set

_STARTS = word_set(
    "start from origin source departure begin first initial departing starting lower min minimum left base"
)
_ENDS = {
    "start": ("end", "finish", "stop"), "from": ("to",), "origin": ("destination",),
    "source": ("target", "destination"), "departure": ("arrival", "return", "destination"), "begin": ("end",),
    "first": ("second", "last"), "initial": ("final",), "starting": ("ending",), "lower": ("upper",),
    "minimum": ("maximum",), "left": ("right",), "base": ("target",),
}  # fmt: skip
_TIMELY = ("date", "moment", "time", "year")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two fields said together; `sort` is repo, route, dates, span, twins, place, point or size."""

    sort: str
    first: Field
    second: Field
    more: tuple[Field, ...] = ()
    """Further fields said with them, as the parts of an address."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its fields."""
        return (self.first.name, self.second.name, *[field.name for field in self.more])


def find_pairs(fields: Mapping[str, Field]) -> tuple[Pair, ...]:
    """Return the pairs among the given fields, each field in one pair at most."""
    pairs: list[Pair] = []
    used: set[str] = set()
    for finder in (_repository, _merge, _address, _person, _element, _series, _opposites, _twins, _place, _point):
        for pair in finder({name: field for name, field in fields.items() if name not in used}):
            if used.isdisjoint(pair.names):
                pairs.append(pair)
                used.update(pair.names)
    return tuple(pairs)


def _repository(fields: Mapping[str, Field]) -> list[Pair]:
    if "owner" not in fields:
        return []
    return [Pair("repo", fields["owner"], fields[name]) for name in ("repo", "repository") if name in fields]


def _address(fields: Mapping[str, Field]) -> list[Pair]:
    """Find the lines of a postal address."""
    lines = [name for name in ("address1", "address_line1", "street_address", "street", "address") if name in fields]
    parts = ("address2", "address_line2", "city", "state", "country", "zip", "zip_code", "postal_code")
    rest = [fields[name] for name in parts if name in fields and not fields[name].enum]
    return [Pair("address", fields[lines[0]], rest[0], tuple(rest[1:]))] if lines and len(rest) > 1 else []


def _person(fields: Mapping[str, Field]) -> list[Pair]:
    for first, second in (("first_name", "last_name"), ("firstName", "lastName"), ("given_name", "family_name")):
        if first in fields and second in fields:
            return [Pair("name", fields[first], fields[second])]
    return []


def _merge(fields: Mapping[str, Field]) -> list[Pair]:
    """Find the branches of a pull request."""
    return [Pair("merge", fields["head"], fields["base"])] if "head" in fields and "base" in fields else []


def _element(fields: Mapping[str, Field]) -> list[Pair]:
    """Find a thing on a page and the reference by which a program knows it."""
    names = (("element", "target"), ("element", "ref"), ("startElement", "startTarget"), ("startElement", "startRef"),
             ("endElement", "endTarget"), ("endElement", "endRef"))  # fmt: skip
    return [
        Pair("element", fields[first], fields[second])
        for first, second in names
        if first in fields and second in fields
    ]


def _opposites(fields: Mapping[str, Field]) -> list[Pair]:
    by_words = {split_identifier(name): field for name, field in fields.items()}
    pairs = []
    for words, field in by_words.items():
        if words[:2] == ("check", "in") and (second := by_words.get(("check", "out", *words[2:]))) is not None:
            pairs.append(Pair("dates", field, second))
        for index, word in enumerate(words):
            for end in _ENDS.get(word, ()):
                second = by_words.get((*words[:index], end, *words[index + 1 :])) or (
                    by_words.get((end,)) if len(words) <= 2 and index == 0 else None
                )
                if second is not None and second is not field:
                    sort = _sort_of(word, field, second)
                    if sort:
                        pairs.append(Pair(sort, field, second))
    return pairs


def _sort_of(word: str, first: Field, second: Field) -> str:
    if first.kind in _TIMELY and second.kind in _TIMELY:
        return "dates"
    if word in ("minimum", "lower"):
        return "span" if first.kind in ("money", "measure", "count", "number", "duration", "letter") else ""
    if word in ("initial", "left") or (word == "first" and "name" in first.name):
        return ""
    if first.kind == second.kind and first.kind in (
        "place",
        "id",
        "currency",
        "unit",
        "thing",
        "path",
        "choice",
        "letter",
    ):
        return "route" if word != "first" else "twins"
    if first.kind in ("place", "thing") and second.kind in ("place", "thing"):
        return "route"
    return ""


def _series(fields: Mapping[str, Field]) -> list[Pair]:
    """Find three and more numbered numbers: the sides of a triangle."""
    groups: dict[str, list[Field]] = {}
    for name, field in fields.items():
        words = split_identifier(name)
        if len(words) > 1 and words[-1].isdigit() and field.kind in ("measure", "money", "number", "letter", "count"):
            groups.setdefault(" ".join(words[:-1]), []).append(field)
    return [Pair("series", group[0], group[1], tuple(group[2:])) for group in groups.values() if len(group) > 2]


def _twins(fields: Mapping[str, Field]) -> list[Pair]:
    """Find numbered twins: `city1` and `city2`, `number_a` and `number_b`."""
    names = list(fields)
    for first in names:
        for old, new in (("1", "2"), ("_a", "_b"), ("A", "B"), ("_one", "_two"), ("first", "second"), ("One", "Two")):
            second = new.join(first.rsplit(old, 1)) if old in first else ""
            third = "3".join(first.rsplit("1", 1)) if old == "1" else ""
            if (
                second in fields
                and second != first
                and third not in fields
                and fields[first].kind == fields[second].kind
            ):
                return [Pair("twins", fields[first], fields[second])]
    return []


def _place(fields: Mapping[str, Field]) -> list[Pair]:
    for first in ("city", "county", "town"):
        for second in ("state", "country"):
            if first in fields and second in fields and not fields[second].enum:
                return [Pair("place", fields[first], fields[second])]
    return []


def _point(fields: Mapping[str, Field]) -> list[Pair]:
    """Find points on a map or a screen, and sizes."""
    pairs: list[Pair] = []
    for first, second, sort in (
        ("latitude", "longitude", "point"), ("lat", "lon", "point"), ("lat", "lng", "point"), ("lat", "long", "point"),
        ("x", "y", "point"), ("startX", "startY", "point"), ("endX", "endY", "end point"), ("width", "height", "size"),
    ):  # fmt: skip
        if first in fields and second in fields:
            pairs.append(Pair(sort, fields[first], fields[second]))
    return pairs
