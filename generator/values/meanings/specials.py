"""Meanings of texts that need more than a pool of words: entities that agree, dates, ids, links, sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from functools import lru_cache
from typing import TypeAlias

from generator.values.draw import Draw, TextMaker
from generator.values.hints import Hint, mentions, singular, split_name, tells
from generator.values.meanings.entities import (
    Person,
    Place,
    company,
    domain,
    email,
    faker_of,
    home_currency,
    person,
    phone_of,
    place,
)
from generator.values.meanings.pools import all_pools, pool, rows
from generator.values.meanings.times import (
    clock_time,
    date_text,
    day_for,
    day_near,
    epoch,
    moment_text,
    say_day,
    time_text,
)

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_MIXED = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_IMAGES = frozenset("image photo picture avatar thumbnail icon logo poster cover img banner".split())
_PREFIXES = {
    "order": "ORD", "invoice": "INV", "booking": "BK", "transaction": "TXN", "ticket": "TKT", "customer": "CUST",
    "product": "PRD", "payment": "PAY", "reservation": "RES", "user": "usr", "account": "ACC", "employee": "EMP",
    "patient": "PT", "case": "CASE", "policy": "POL", "shipment": "SHP", "flight": "FL", "event": "evt",
    "message": "msg", "item": "ITM", "student": "STU", "appointment": "APT", "session": "sess", "job": "job",
    "device": "dev", "file": "file", "document": "doc", "project": "PRJ", "task": "TASK", "room": "RM",
    "driver": "DRV", "vehicle": "VH", "insurance": "INS", "card": "card", "request": "req", "report": "RPT",
    "subscription": "SUB", "contract": "CTR", "incident": "INC", "quote": "QT", "claim": "CLM", "lead": "LD",
    "campaign": "CMP", "return": "RET", "refund": "RFD", "line": "LN", "bill": "BILL", "plan": "PLN",
}  # fmt: skip


def slug(text: str) -> str:
    """Write a phrase as part of a link."""
    return (
        "-".join("".join(char if char.isascii() and char.isalnum() else " " for char in text.lower()).split()) or "page"
    )


def page_path(draw: Draw) -> str:
    """Return the path of a page."""
    section = draw.pick(("blog", "docs", "products", "articles", "guides", "news"))
    return f"/{section}/{slug(draw.pick(pool('topic'), 'paths'))}"


def link(hint: Hint, draw: Draw) -> str:
    """Return a link to what the field's name says, on a domain reserved for examples."""
    words = {*hint.words, *hint.parent_words}
    if words & _IMAGES:
        name = draw.pick(("cover", "profile", "header", "front", "team", "view", "portrait", "scene"))
        return f"https://images.{domain(draw)}/{name}-{draw.whole(100, 999)}.jpg"
    if words & {"video"}:
        return f"https://video.{domain(draw)}/watch/{token(draw, 11)}"
    if words & {"repo", "repository", "git", "clone"}:
        return (
            f"https://git.{domain(draw)}/{slug(draw.pick(pool('organization_handle')))}/{draw.pick(pool('repository'))}"
        )
    if words & {"api", "endpoint", "webhook", "callback"}:
        resource = draw.pick(("orders", "users", "events", "status", "payments"))
        return f"https://api.{domain(draw)}/v{draw.whole(1, 3)}/{resource}"
    if words & {"feed", "rss"}:
        return f"https://www.{domain(draw)}/feeds/{slug(draw.pick(pool('topic')))}.xml"
    return f"https://www.{domain(draw)}{page_path(draw)}"


def uuid_text(draw: Draw) -> str:
    """Return a version 4 UUID."""
    text = f"{(draw.random.getrandbits(128) & ~(0xF << 76) & ~(0x3 << 62)) | (4 << 76) | (2 << 62):032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def token(draw: Draw, length: int) -> str:
    """Return an opaque token of letters and digits."""
    return "".join(draw.random.choices(_MIXED, k=length))


def identifier(words: tuple[str, ...], draw: Draw) -> str:
    """Return an id as its domain writes them: `ORD-48213` of an order, `usr_7f3k2m` of a user."""
    of = _last_prefixed(words)
    if not of:
        return f"{draw.pick(_LETTERS)}{draw.pick(_LETTERS)}-{draw.whole(1000, 9999)}"
    prefix = _PREFIXES[of]
    if prefix.islower():
        return f"{prefix}_{''.join(draw.random.choices('abcdefghjkmnpqrstuvwxyz23456789', k=8))}"
    return f"{prefix}-{draw.whole(10000, 99999)}"


@lru_cache(maxsize=8192)
def _last_prefixed(words: tuple[str, ...]) -> str:
    return next((word for word in reversed(words) if word in _PREFIXES), "")


def json_arguments(draw: Draw) -> str:
    """Return the arguments of a call as the JSON text some tools take."""
    kind = draw.pick(("user", "order", "card", "account", "transaction", "bill", "case"))
    amount = f', "amount": {draw.whole(10, 990)}' if draw.chance(0.3) else ""
    return f'{{"{kind}_id": "{identifier((kind,), draw)}"{amount}}}'


_SLOT = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"^(-?\d+)-(\d+)$")
_DEEPEST = 6
_PRONE_TO_REPEAT = 12
"""Pools that are smaller may repeat within one value."""

_SPECIAL: dict[str, Callable[[Draw], str]] = {
    "person": lambda draw: person(draw, "someone").name,
    "first_name": lambda draw: person(draw, "someone").first,
    "last_name": lambda draw: person(draw, "someone").last,
    "city": lambda draw: place(draw, "somewhere").city,
    "country": lambda draw: place(draw, "somewhere").country,
    "place": lambda draw: place(draw, "somewhere").short,
    "company": lambda draw: company(draw, "some company"),
    "day": lambda draw: say_day(day_near(draw, -20, 40)),
    "weekday": lambda draw: draw.pick(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
    "hex": lambda draw: f"{draw.random.getrandbits(28):07x}",
}


@lru_cache(maxsize=1024)
def pool_maker(name: str) -> TextMaker:
    """Return a maker of texts from the pool of this name, slots filled."""
    entries = all_pools()[name].entries
    key = name if len(entries) > _PRONE_TO_REPEAT else None
    if not any("{" in entry for entry in entries):
        return lambda draw: draw.pick(entries, key)
    return lambda draw: fill(draw.pick(entries, key), draw)


def fill(text: str, draw: Draw, depth: int = 0) -> str:
    """Fill the slots of a text."""
    if "{" not in text or depth > _DEEPEST:
        return text
    parts = [part if isinstance(part, str) else part[0](draw) for part in _parsed(text)]
    filled = "".join(parts)
    return fill(filled, draw, depth + 1) if _SLOT.search(filled) and filled != text else filled


@lru_cache(maxsize=16384)
def _parsed(text: str) -> tuple[str | tuple[TextMaker], ...]:
    parts: list[str | tuple[TextMaker]] = []
    at = 0
    for match in _SLOT.finditer(text):
        parts.append(text[at : match.start()])
        parts.append(_slot(match[1]))
        at = match.end()
    parts.append(text[at:])
    return tuple(part for part in parts if part != "")


def _slot(name: str) -> str | tuple[TextMaker]:
    if number := _NUMBER.match(name):
        low, high = int(number[1]), int(number[2])
        return (lambda draw: str(draw.whole(low, high)),)
    if "|" in name:
        options = tuple(name.split("|"))
        return (lambda draw: draw.pick(options),)
    if name in _SPECIAL:
        return (_SPECIAL[name],)
    if name in all_pools():
        return (pool_maker(name),)
    return "{" + name + "}"


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


def of_place(part: Callable[[Place], str]) -> Callable[[Hint], TextMaker]:
    """Return the maker of one part of a place."""

    def special(hint: Hint) -> TextMaker:
        role = next((word for word in hint.words if word in ENDS), "") or role_in(hint, PLACE_WORDS)
        return lambda draw: part(place(draw, role))

    return special


def of_person(part: Callable[[Person], str]) -> Callable[[Hint], TextMaker]:
    """Return the maker of one part of a person."""

    def special(hint: Hint) -> TextMaker:
        role = role_in(hint, PERSON_WORDS)
        return lambda draw: part(person(draw, role))

    return special


_CITY_STATE = re.compile(
    r"city and state|city, state|San Francisco, CA|Boston, MA|state abbreviation|New York, NY|city, country", re.I
)
_ISO_COUNTRY = re.compile(r"two-letter|2-letter|alpha-2|ISO 3166|country code|ISO code", re.I)
_COUNTRY_TOLD = re.compile(r"\be\.?g\.?,? (?:a )?country\b|\bcountry (?:name|whose)\b", re.I)
_AIRPORT = re.compile(r"airport", re.I)
_AIRPORT_CODE = re.compile(r"airport code|\bIATA|(?:three|3)[- ]letter|in three letters", re.I)
_ID_LIKE = re.compile(r"(?=.*\d)(?!.*xxx)\S+$")
_MASKED = re.compile(r"([A-Za-z]+_\w*?)([xX]{3,})")
"""An example that shows how an id begins: `PRRT_kwDOxxx`."""
_CURSOR = re.compile(r"\bcursor\b|pagina", re.I)
_POSTAL = re.compile(r"\bzip ?code|postal code|post ?code", re.I)
_COORDINATES = re.compile(r"\blatitude\b|\bcoordinates\b|\blat\b", re.I)
_CODE_WANTED = re.compile(r"\bcode\b|\bISO\b|abbreviat", re.I)


def _location(hint: Hint) -> TextMaker:
    """A city, as the description wants it written."""
    low = hint.description.lower()
    if "street" in low:
        return _address(hint)
    if "city" not in low and _COUNTRY_TOLD.search(hint.description):
        return _country(hint)
    return of_place(_part_wanted(hint.description))(hint)


def _part_wanted(description: str) -> Callable[[Place], str]:
    """Return the part of a place that a description asks for."""
    low = description.lower()
    of_city = "city" in low
    if not of_city and _COORDINATES.search(description):
        return lambda where: f"{where.latitude},{where.longitude}"
    if _POSTAL.search(description) and " or " not in description:
        return lambda where: where.postal
    if _AIRPORT_CODE.search(description) or (not of_city and _AIRPORT.search(description)):
        return lambda where: where.airport
    if _CITY_STATE.search(description) or "state" in low:
        return lambda where: where.short
    return lambda where: where.city


def _country(hint: Hint) -> TextMaker:
    coded = bool(_ISO_COUNTRY.search(hint.description)) or "code" in hint.words
    return of_place(lambda where: where.country_code if coded else where.country)(hint)


def _state(hint: Hint) -> TextMaker | None:
    text = hint.description.lower()
    if re.search(r"\b(open|closed|status|current state|filter)\b", text) or "issue" in hint.topic[0]:
        return pool_maker("status")
    before = set(hint.words[:-1]) - PLACE_WORDS - {"us", "home", "billing", "shipping", "birth", "filing", "residence"}
    if before and not re.search(r"abbreviat|city|geograph|reside|california|u\.s\.", text):
        return pool_maker("device_state")
    if re.search(r"physical state|phase|solid|liquid|gas", text):
        return pool_maker("phase_of_matter")
    abbreviated = bool(re.search(r"abbreviat|two-letter|code|\bCA\b|\bNY\b", hint.description)) or "code" in hint.words

    def make(draw: Draw) -> str:
        where = place(draw, role_in(hint, PLACE_WORDS), country="US")
        if where.country_code == "US":
            return where.code if abbreviated else where.region
        return draw.pick(("CA", "NY", "TX", "WA", "IL", "FL")) if abbreviated else where.region

    return make


def _person_name(hint: Hint) -> TextMaker:
    return of_person(lambda who: who.name)(hint)


def _email(hint: Hint) -> TextMaker:
    role = role_in(hint, PERSON_WORDS)
    return lambda draw: email(draw, role)


def _user(hint: Hint) -> TextMaker:
    return of_person(lambda who: who.handle)(hint)


_NUMERIC = ("numeric", "integer")
_MAIL = ("email", "e-mail")


def _identifier(hint: Hint) -> TextMaker:
    """An id of its domain; a name's own example tells its form best."""
    examples = tuple(text for text in hint.told_examples if _ID_LIKE.match(text))
    if examples:
        return lambda draw: like_example(draw.pick(examples), draw)
    if mentions(hint.folded, ("uuid", "guid")) and re.search(r"\buuid\b|\bguid\b", hint.description, re.I):
        return uuid_text
    if mentions(hint.folded, _NUMERIC) and re.search(r"\b(numeric|integer)\b", hint.description, re.I):
        return lambda draw: str(draw.whole(1000, 99999))
    words = _words_of_thing(hint)
    return lambda draw: identifier(words, draw)


def _words_of_thing(hint: Hint) -> tuple[str, ...]:
    """Return the words that say what an id is of: its own, with its parent's and the tool's where they are few."""
    words = (*hint.parent_words, *hint.words) if len(hint.words) < 2 else hint.words
    if len(words) < 2:
        words = (*map(singular, split_name(hint.topic[0])), *words)
    return words


def masked_example(hint: Hint) -> TextMaker | None:
    """Return a maker of ids that begin as an example does whose rest is masked: `PRRT_kwDOxxx`."""
    examples = hint.told_examples
    masked = next((match for text in examples if (match := _MASKED.fullmatch(text))), None) if examples else None
    if masked is None:
        return None
    start, wanted = masked[1], max(8, len(masked[2]))
    return lambda draw: start + token(draw, wanted)


def like_example(example: str, draw: Draw) -> str:
    """Return a text of the same form: other digits, other capitals where they are a code."""
    return "".join(str(draw.whole(1, 9)) if char.isdecimal() else char for char in example)


def _key(hint: Hint) -> TextMaker | None:
    if re.search(r"\bapi\b|access|secret|auth", f"{' '.join(hint.words)} {hint.description}", re.I):
        return lambda draw: f"{draw.pick(('sk', 'key', 'api'))}_{token(draw, 24)}"
    if re.search(r"music|song|scale|chord|melody|note|progression|harmon", f"{hint.topic} {hint.description}", re.I):
        return pool_maker("musical_key")
    return pool_maker("setting_name")


def _token(hint: Hint) -> TextMaker:
    return lambda draw: token(draw, 32)


def _address(hint: Hint) -> TextMaker:
    if mentions(hint.folded, _MAIL):
        return _email(hint)
    if "ip" in hint.contexts[0] and re.search(r"\bip\b", hint.contexts[0]):
        return lambda draw: f"192.0.2.{draw.whole(1, 254)}"
    role = role_in(hint, PLACE_WORDS)
    return lambda draw: f"{street(draw)}, {place(draw, role).short}"


def street(draw: Draw) -> str:
    """Return a street with its number, as the locale writes it."""
    if draw.locale == "en_US":
        name = draw.pick(pool("street"), "street")
        return f"{draw.whole(2, 990)} {name}"
    return str(faker_of(draw).street_address()).replace("\n", ", ")


def _street(hint: Hint) -> TextMaker:
    return street


def _phone(hint: Hint) -> TextMaker:
    def make(draw: Draw) -> str:
        if draw.locale != "en_US":
            return phone_of(draw)
        return f"+1-{draw.whole(201, 989)}-555-0{draw.whole(100, 199)}"

    return make


def _company(hint: Hint) -> TextMaker:
    role = role_in(hint, {"company", "name", "business", "corporation", "firm", "employer"})
    return lambda draw: company(draw, role)


def _link(hint: Hint) -> TextMaker:
    return lambda draw: link(hint, draw)


def _dates(hint: Hint) -> TextMaker:
    return date_text(hint)


def _moment(hint: Hint) -> TextMaker:
    if _CURSOR.search(hint.description):
        return lambda draw: token(draw, 32)
    if mentions(hint.folded, ("unix", "epoch")):
        return lambda draw: str(epoch(hint, draw))
    if "YYYY-MM-DD" in hint.description and "HH" not in hint.description:
        return lambda draw: day_for(hint, draw).isoformat()
    return lambda draw: moment_text(day_for(hint, draw), draw)


def _season(hint: Hint) -> TextMaker:
    if re.search(r"\d{4}|year|league|nba|nfl|sport", f"{hint.description} {hint.topic}", re.I) and not re.search(
        "summer|winter|spring", hint.description, re.I
    ):

        def make(draw: Draw) -> str:
            year = draw.context.reference_date.year - draw.whole(1, 8)
            return f"{year}-{year + 1}" if "-" in hint.description else str(year)

        return make
    return pool_maker("season_of_year")


_SPORTS = ("soccer_team", "nba_team", "nfl_team", "mlb_team")


def _team(hint: Hint) -> TextMaker:
    """A team; those of one object play the same sport, the one that is told where any is."""
    senses = [(words, pool) for name, words, pool in rows("senses") if name == "team"]
    told = [pool for text in hint.contexts for words, pool in senses if tells(words, text)]
    makers = tuple(map(pool_maker, told[:1] or _SPORTS))

    def make(draw: Draw) -> str:
        sport: int = draw.scope.setdefault("sport", draw.whole(0, len(makers) - 1))
        return makers[sport](draw)

    return make


def _year(hint: Hint) -> TextMaker:
    return lambda draw: str(draw.context.reference_date.year - draw.whole(0, 12))


def _currency(hint: Hint) -> TextMaker:
    role = role_in(hint, PLACE_WORDS)
    if role or re.search(r"convert|exchange|from|to\b", f"{hint.topic[0]} {role}"):
        return pool_maker("currency_code")

    def make(draw: Draw) -> str:
        if draw.scope.get("places"):
            return place(draw).currency
        home = home_currency(draw) if draw.locale != "en_US" else ""
        return home or draw.pick(("USD", "EUR", "GBP", "USD", "USD", "CAD"))

    return make


def _sha(hint: Hint) -> TextMaker:
    return lambda draw: f"{draw.random.getrandbits(160):040x}"


def _coordinates(hint: Hint) -> TextMaker:
    return of_place(lambda where: f"{where.latitude}, {where.longitude}")(hint)


def _domain(hint: Hint) -> TextMaker | None:
    if re.search(r"web|dns|host|site|internet", f"{hint.description} {hint.topic}", re.I):
        return domain
    return pool_maker("topic")


def _slug(hint: Hint) -> TextMaker:
    return lambda draw: slug(pool_maker("topic")(draw))


def _unit(hint: Hint) -> TextMaker:
    """A unit; the units of one object measure the same, and a default tells what."""
    kinds = dimensions()
    text = f"{' '.join(hint.words)} {hint.description} {hint.topic[0]} {hint.topic[1]}".lower()
    told = next((units for name, units in kinds.items() if hint.default in units), ())
    kind = told or next((units for name, units in kinds.items() if any(word in text for word in name.split())), ())
    if kind:
        return lambda draw: draw.pick(kind, ("unit", kind))
    everyday = tuple(kinds.values())[:4]

    def make(draw: Draw) -> str:
        shared = draw.scope.setdefault("dimension", everyday[draw.whole(0, len(everyday) - 1)])
        return draw.pick(shared, "units")

    return make


@lru_cache(maxsize=1)
def dimensions() -> dict[str, tuple[str, ...]]:
    """The units of each dimension, by the words that tell it."""
    return {words: tuple(units.split(", ")) for words, units in rows("units")}


_OF_PLACES = ("airport", "city", "location", "flight", "travel", "place", "station", "distance")


def _to(hint: Hint) -> TextMaker | None:
    text = f"{hint.description} {hint.topic[0]}".lower()
    if mentions(text, _MAIL):
        return _email(hint)
    if mentions(text, ("currency", "exchange")):
        return pool_maker("currency_code")
    if mentions(hint.folded, ("date", "time", "day")):
        return date_text(hint)
    if mentions(text, _OF_PLACES):
        return _location(hint)
    if mentions(text, ("entit", "node", "relation")):
        return pool_maker("entity_name")
    if mentions(text, ("user", "recipient", "person", "message", "send")):
        return _person_name(hint)
    return pool_maker("unit_word") if "unit" in text or "convert" in text else None


def _numbered(low: int, high: int) -> Special:
    return lambda hint: lambda draw: str(draw.whole(low, high))


def _sku(draw: Draw) -> str:
    """A stock number: family, number, color."""
    family, color = draw.pick(("WH", "TX", "KB", "LM", "PR")), draw.pick(("BLK", "WHT", "RED", "BLU", "GRN"))
    return f"{family}-{draw.whole(100, 999)}-{color}"


_MAKERS: dict[str, Special] = {
    "location": _location,
    "country": _country,
    "state": _state,
    "timezone": of_place(lambda where: where.timezone),
    "zip": of_place(lambda where: where.postal),
    "airport": of_place(lambda where: where.airport),
    "address": _address,
    "street": _street,
    "coordinates": _coordinates,
    "person": _person_name,
    "first_name": of_person(lambda who: who.first),
    "last_name": of_person(lambda who: who.last),
    "email": _email,
    "user": _user,
    "identifier": _identifier,
    "key": _key,
    "token": _token,
    "uuid": lambda hint: uuid_text,
    "phone": _phone,
    "company": _company,
    "link": _link,
    "date": _dates,
    "moment": _moment,
    "time": time_text,
    "season": _season,
    "team": _team,
    "year": _year,
    "currency": _currency,
    "sha": _sha,
    "domain": _domain,
    "slug": _slug,
    "to": _to,
    "unit": _unit,
    "ip": lambda hint: lambda draw: f"192.0.2.{draw.whole(1, 254)}",
    "cvv": _numbered(100, 999),
    "pin": _numbered(1000, 9999),
    "card_number": lambda hint: lambda draw: f"4242 4242 4242 {draw.whole(1000, 9999)}",
    "hour_minute": lambda hint: clock_time,
    "isbn": lambda hint: lambda draw: f"978-0-{draw.whole(100, 999)}-{draw.whole(10000, 99999)}-{draw.whole(0, 9)}",
    "license_plate": lambda hint: (
        lambda draw: f"{draw.pick(('KLM', 'BXR', 'TPD', 'HJW', 'CVN'))}-{draw.whole(1000, 9999)}"
    ),
    "vin": lambda hint: lambda draw: f"1HGCM82633A{draw.whole(100000, 999999)}",
    "flight_number": lambda hint: (
        lambda draw: f"{draw.pick(('AA', 'DL', 'UA', 'BA', 'LH', 'AF', 'EK', 'QF'))}{draw.whole(100, 2999)}"
    ),
    "version": lambda hint: lambda draw: f"{draw.whole(0, 6)}.{draw.whole(0, 14)}.{draw.whole(0, 9)}",
    "tag_name": lambda hint: lambda draw: f"v{draw.whole(0, 6)}.{draw.whole(0, 14)}.{draw.whole(0, 9)}",
    "sku": lambda hint: _sku,
    "json_arguments": lambda hint: json_arguments,
}


@lru_cache(maxsize=1)
def specials() -> dict[str, Special]:
    """The makers by field name, as `meanings.rows` assigns them."""
    return {name: _MAKERS[meaning] for meaning, names in rows("meanings") for name in names.split(", ")}
