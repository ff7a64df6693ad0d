"""Identities: what a parameter wants and a field of a result holds, in words that can be compared.

`order_id` and the `id` of an entry of `orders` are both ("order", "id"); `repo` and the `name` of a repository are both
("repository", "name").
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.tools.operations import name_words, singular

Identity = tuple[str, ...]
"""Singular words in lower case, the kind of name last."""

NAMING = frozenset(
    "id number name key code sha email symbol username url path phone address tag slug sku isbn link".split()
)
"""Words for what a thing is known by: only such values are carried from one tool to another."""
_ALONE = frozenset(("email", "url", "path", "username", "sku", "isbn", "sha"))
"""Names that say enough without the thing they belong to."""
_ALIASES: dict[Identity, Identity] = {
    ("repo",): ("repository", "name"),
    ("repository",): ("repository", "name"),
    ("owner",): ("repository", "owner"),
    ("login",): ("username",),
    ("user", "name"): ("username",),
    ("pull", "request", "number"): ("pull", "number"),
    ("commit", "sha"): ("sha",),
    ("file", "path"): ("path",),
    ("order", "no"): ("order", "number"),
}
_NEW = frozenset(
    "new old current updated previous source target from to sender recipient shipping billing checking "
    "destination parent replacement after before".split()
)
"""Words of parameters that want another thing than the one at hand."""
_PLACES = frozenset("place restaurant hotel cafe venue museum store shop station attraction pharmacy hospital".split())
_ENDS = frozenset(("end", "destination", "to"))
_WAYS = frozenset("direction directions route distance navigation way path".split())
_PERSONS = frozenset((("full", "name"), ("first", "name"), ("last", "name"), ("user", "name"), ("card", "number")))
"""What belongs to a person, and is no name of the thing that a next call is about."""
START_TIME: Identity = ("start", "time")
PLACE: Identity = ("place", "name")
_MOST_WORDS = 4


@lru_cache(maxsize=8192)
def parameter_identity(name: str, thing: Identity) -> Identity | None:
    """Return what a parameter wants; None where it wants nothing that an earlier result could name.

    Args:
        name: The parameter's name, in any style.
        thing: What its tool acts on, as singular words.
    """
    words = tuple(singular(word) for word in name_words(name))
    if words == START_TIME or words in _ALIASES:
        return _ALIASES.get(words, words)
    if words and words[0] in _ENDS and len(words) == 1 and not _WAYS.isdisjoint(thing):
        return PLACE
    if (
        not words
        or words in _PERSONS
        or words[-1] not in NAMING
        or len(words) > _MOST_WORDS
        or not _NEW.isdisjoint(words[:-1])
    ):
        return None
    if len(words) > 1 or words[0] in _ALONE:
        return _ALIASES.get(words, words)
    return (*thing, *words) if thing and words[0] in ("id", "number", "key") else None


def field_identities(name: str, noun: Identity) -> Iterator[Identity]:
    """Yield what a field of a result may be wanted as, the most particular first.

    Args:
        name: The field's name, in any style.
        noun: What holds it: the singular words of its list, or what its tool acts on.
    """
    words = tuple(singular(word) for word in name_words(name))
    if not words:
        return
    if words == START_TIME:
        yield words
    if words[-1] in NAMING or words in _ALIASES:
        yield from _named(words, noun)


def _named(words: Identity, noun: Identity) -> Iterator[Identity]:
    if words == ("owner",) and noun[-1:] == ("repository",):
        yield ("repository", "owner")
    if len(words) > 1:
        overlap = words[0] == noun[-1] if noun else False
        for start in range(len(noun) - 1) if overlap else ():
            yield (*noun[start:-1], *words)
        yield _ALIASES.get(words, words)
    else:
        for start in range(len(noun)):
            yield _ALIASES.get((*noun[start:], *words), (*noun[start:], *words))
        if words[0] in _ALONE or words == ("login",):
            yield _ALIASES.get(words, words)
    if words == ("venue",) or (words[-1] == "name" and noun and noun[-1] in _PLACES):
        yield PLACE
