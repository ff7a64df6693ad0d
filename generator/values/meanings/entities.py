"""Entities: the places and people of one object, so that city and country, name and e-mail agree, by locale."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, Any

from generator.errors import UsageError
from generator.values.draw import Draw
from generator.values.meanings.pools import pool, rows

if TYPE_CHECKING:
    from faker import Faker


_REDRAWS = 6
_DOMAINS = ("example.com", "example.org", "example.net")
_MAIL_HOSTS = ("example.com", "example.org", "mail.example.com", "example.net", "post.example.org")


@dataclass(frozen=True, slots=True)
class Place:
    """A city with what belongs to it; `code` is that of its region, `airport` its IATA code."""

    city: str
    region: str
    code: str
    country: str
    country_code: str
    currency: str
    timezone: str
    latitude: float
    longitude: float
    postal: str
    airport: str

    @property
    def short(self) -> str:
        """The city as people write it: `Austin, TX`, `Paris, France`."""
        return f"{self.city}, {self.code if self.country_code == 'US' else self.country}"


@dataclass(frozen=True, slots=True)
class Person:
    """A person with the names that follow from theirs."""

    first: str
    last: str
    female: bool

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"

    @property
    def handle(self) -> str:
        """A user name: letters and digits alone."""
        return f"{_plain(self.first)[:1]}{_plain(self.last)}"


def _plain(text: str) -> str:
    """Write a name in ASCII letters: é becomes e; what has none becomes `user`."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(char for char in letters if char.isalnum()) or "user"


@lru_cache(maxsize=1)
def places() -> tuple[Place, ...]:
    """Every place known."""
    return tuple(
        Place(city, region, code, country, short, currency, zone, float(latitude), float(longitude), postal, airport)
        for city, region, code, country, short, currency, zone, latitude, longitude, postal, airport in rows("places")
    )


@lru_cache(maxsize=1)
def _places_by_name() -> dict[str, Place]:
    return {place.city.lower(): place for place in reversed(places())}


@lru_cache(maxsize=64)
def _places_of(country_code: str) -> tuple[Place, ...]:
    return tuple(place for place in places() if place.country_code == country_code)


def known_place(text: object) -> Place | None:
    """Return the place a text such as `Paris` or `Paris, France` names; None where it is not known."""
    if not isinstance(text, str) or len(text) > 80:
        return None
    return _places_by_name().get(text.split(",")[0].strip().lower())


def _entity(draw: Draw, kind: str, role: str, make: Any) -> Any:  # Place or Person, as `kind` says
    """Return the entity of this role in the scope; a field without a role belongs to the first that has one."""
    roles: dict[str, Any] = draw.scope.setdefault(kind, {})
    if role in roles:
        return roles[role]
    if not role and roles:
        found = next(iter(roles.values()))
    elif "" in roles and len(roles) == 1:
        found = roles[""]
    else:
        found = make()
    roles[role] = found
    return found


def place(draw: Draw, role: str = "", country: str = "") -> Place:
    """Return the place of this role; a new one is in the country (a two-letter code) where one is given."""
    return _entity(draw, "places", role, lambda: _new_place(draw, country))  # type: ignore[no-any-return]  # kinds share one store


def _new_place(draw: Draw, wanted: str) -> Place:
    if draw.echo and draw.context.known and (told := _told_place(draw)) is not None:
        return told
    home = draw.locale.partition("_")[2]
    abroad = home == "US" or not _places_of(home) or draw.chance(0.3)
    choices = _places_of(wanted) if wanted else places() if abroad else _places_of(home)
    used = draw.used.setdefault("places", set())
    for _ in range(_REDRAWS):
        found = choices[int(draw.random.random() * len(choices))]
        if found.city not in used:
            break
    used.add(found.city)
    return found


_EURO = frozenset("AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split())


def home_currency(draw: Draw) -> str:
    """Return the currency of the locale's country; "" where it is not known."""
    home = draw.locale.partition("_")[2]
    own = _places_of(home)
    return own[0].currency if own else "EUR" if home in _EURO else ""


def _told_place(draw: Draw) -> Place | None:
    """The place the call asked about, for the fields of the result that go with it; told once."""
    for value in draw.context.known.values():
        found = known_place(value)
        if found is not None and ("told", found.city) not in draw.used:
            draw.used[("told", found.city)] = set()
            return found
    return None


def person(draw: Draw, role: str = "") -> Person:
    """Return the person of this role."""
    return _entity(draw, "people", role, lambda: _new_person(draw))  # type: ignore[no-any-return]  # kinds share one store


def _new_person(draw: Draw) -> Person:
    female = draw.chance(0.5)
    if draw.locale == "en_US":
        first = draw.pick(pool("woman" if female else "man"), "first names")
        return Person(first, draw.pick(pool("surname"), "last names"), female)
    fake = faker_of(draw)
    return Person(fake.first_name_female() if female else fake.first_name_male(), fake.last_name(), female)


def email(draw: Draw, role: str = "") -> str:
    """Return the e-mail address of the person of this role, in a domain reserved for examples."""
    who = person(draw, role)
    host = _MAIL_HOSTS[sum(map(ord, who.last)) % len(_MAIL_HOSTS)]
    return f"{_plain(who.first)}.{_plain(who.last)}@{host}"


def company(draw: Draw, role: str = "") -> str:
    """Return the company of this role."""
    return _entity(draw, "companies", role, lambda: draw.pick(pool("company"), "company"))  # type: ignore[no-any-return]  # kinds share one store


def faker_of(draw: Draw) -> Faker:
    """Return the Faker of the locale, seeded for this value."""
    fake = draw.scope.get("faker")
    if fake is None:
        fake = draw.scope["faker"] = cached_faker(draw.locale)
        fake.seed_instance(draw.random.getrandbits(53))
    return fake


def phone_of(draw: Draw) -> str:
    """Return a phone number as the locale writes it."""
    fake = faker_of(draw)
    if not hasattr(fake, "phone_number"):  # Philippine locales have landline and mobile numbers instead
        return str(fake.mobile_number())
    return str(fake.phone_number())


@lru_cache(maxsize=32)
def cached_faker(locale: str) -> Faker:
    """Return the one Faker of a locale; making one takes a millisecond, weighting makes it ten times slower.

    Raises:
        UsageError: Faker does not know the locale.
    """
    from faker import Faker

    from generator.errors import UsageError

    try:
        return Faker(locale, use_weighting=False)
    except AttributeError as error:
        raise UsageError(f"unknown locale {locale!r}; give one of Faker's, such as en_US, de_DE or ja_JP") from error


def domain(draw: Draw) -> str:
    """Return a domain reserved for examples (RFC 2606)."""
    return draw.pick(_DOMAINS)


DEFAULT = "en_US"
_RENAMED = {"fr_QC": "fr_CA"}
"""Locales that Faker knows under another name, and warns of."""


@lru_cache(maxsize=1)
def known_locales() -> frozenset[str]:
    """Return the names of all locales, such as `de_DE`."""
    from faker.config import AVAILABLE_LOCALES

    return frozenset(AVAILABLE_LOCALES)


def locale_for(locale: str | Sequence[str] | None, random: Random) -> str:
    """Return the locale of one value: the one given, or one of several.

    Raises:
        UsageError: there is no such locale.
    """
    if locale is None or locale == DEFAULT:
        return DEFAULT
    names = _split(locale) if isinstance(locale, str) else _checked(tuple(locale))
    return names[0] if len(names) == 1 else names[int(random.random() * len(names))]


@lru_cache(maxsize=256)
def _split(names: str) -> tuple[str, ...]:
    return _checked(tuple(filter(None, map(str.strip, names.split(",")))))


@lru_cache(maxsize=256)
def _checked(names: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [name for name in names if name not in known_locales()]
    if unknown:
        raise UsageError(f"unknown locale {unknown[0]!r}; give one of Faker's, such as en_US, de_DE or ja_JP")
    return tuple(_RENAMED.get(name, name) for name in names) or (DEFAULT,)


PROVIDERS: tuple[str, ...] = (
    "name", "first_name", "last_name", "company", "job", "street_address", "street_name", "city", "postcode", "country",
    "phone_number", "user_name", "safe_email", "color_name", "word", "sentence", "catch_phrase", "bs", "iban", "swift",
    "license_plate", "ipv4_private", "ipv6", "mac_address", "uuid4", "sha1", "ean13", "isbn13", "file_name",
    "currency_code", "country_code", "timezone", "credit_card_provider",
)  # fmt: skip
"""What a domain file may ask Faker for: providers without arguments that give one text."""

_MANY = 600
_SEED = 20260115


@lru_cache(maxsize=256)
def provided(name: str, locale: str) -> tuple[str, ...]:
    """Return some hundred different values of a provider; the same on every machine.

    A locale without the provider takes those of the default locale.
    """
    fake = cached_faker(locale)
    if name == "name":  # Faker puts titles before and degrees behind many of its names
        pairs = zip(provided("first_name", locale), cycle(provided("last_name", locale)[::-1]), strict=False)
        return tuple(f"{first} {last}" for first, last in pairs)
    make = getattr(fake, name, None) or getattr(cached_faker("en_US"), name)
    fake.seed_instance(_SEED)
    return tuple(dict.fromkeys(str(make()) for _ in range(_MANY)))
