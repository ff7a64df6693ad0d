"""Fields that tell part of a place or a person: fields of one role share it."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import TypeAlias

from generator.values.draw import TextMaker
from generator.values.entities import Person, Place, person, place
from generator.values.hints import Hint

Special: TypeAlias = Callable[[Hint], TextMaker | None]

PLACE_WORDS = frozenset(
    "city country state region province location postal zip code currency place timezone time zone tz airport town "
    "destination address name iata loc point area where station street line".split()
)
PERSON_WORDS = frozenset(
    "first last name email given family username login handle full surname user person mail e nickname address".split()
)
ENDS = frozenset({"origin", "destination", "from", "to"})


_ROLE_NOISE = frozenset("full display user home work primary contact name first last the current".split())


def role_of(hint: Hint, meaning: Set[str]) -> str:
    """Return whose place or person a field is: the words of its name and its parent's that are not its meaning."""
    own = [word for word in hint.words if word not in meaning and word not in _ROLE_NOISE]
    parent = [] if own else [word for word in hint.parent_words if word not in _ROLE_NOISE and word not in meaning]
    return " ".join(own or parent)


def role_in(hint: Hint, meaning: Set[str]) -> str:
    """Return which of several places or persons a field speaks of: its words that tell no part of one."""
    numbers = "".join(word for word in hint.words if word.isdecimal())
    return f"{role_of(hint, meaning)}{numbers}"


def of_place(part: Callable[[Place], str]) -> Special:
    """Return the maker of one part of a place."""

    def special(hint: Hint) -> TextMaker:
        role = next((word for word in hint.words if word in ENDS), "") or role_in(hint, PLACE_WORDS)
        return lambda draw: part(place(draw, role))

    return special


def of_person(part: Callable[[Person], str]) -> Special:
    """Return the maker of one part of a person."""

    def special(hint: Hint) -> TextMaker:
        role = role_in(hint, PERSON_WORDS)
        return lambda draw: part(person(draw, role))

    return special
