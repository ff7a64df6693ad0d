"""Texts for every `format` of the specification, and for the common ones beyond it."""

from __future__ import annotations

import base64
from collections.abc import Callable

from generator.values.draw import Draw
from generator.values.hints import Hint
from generator.values.meanings.entities import domain, email
from generator.values.meanings.specials import link, page_path, pool_maker, role_of, uuid_text
from generator.values.meanings.times import clock_time, day_for, day_near, moment_text

FormatMaker = Callable[[Hint, Draw], str]


def _duration(hint: Hint, draw: Draw) -> str:
    return draw.pick(("PT30M", "PT1H", "PT45M", "PT1H30M", "P1D", "P3D", "P1W", "PT2H", "P2W", "PT15M", "P1M", "P1Y"))


def _hostname(hint: Hint, draw: Draw) -> str:
    return f"{draw.pick(('api', 'www', 'app', 'mail', 'db1', 'cdn', 'staging', 'files'))}.{domain(draw)}"


def _ipv4(hint: Hint, draw: Draw) -> str:
    return f"{draw.pick(('192.0.2', '198.51.100', '203.0.113', '10.0.0', '192.168.1'))}.{draw.whole(1, 254)}"


def _ipv6(hint: Hint, draw: Draw) -> str:
    return f"2001:db8::{draw.whole(1, 0xFFFF):x}:{draw.whole(1, 0xFFFF):x}"


def _encoded(hint: Hint, draw: Draw) -> str:
    return base64.b64encode(pool_maker("note")(draw).encode()).decode()


def _international_mail(hint: Hint, draw: Draw) -> str:
    return email(draw, person_role(hint))


def person_role(hint: Hint) -> str:
    """Return whose the field is: the words of its name and its parent's that do not say what it is."""
    return role_of(hint, {"email", "mail", "address", "e", "contact"})


FORMATS: dict[str, FormatMaker] = {
    "date-time": lambda hint, draw: moment_text(day_for(hint, draw), draw),
    "date": lambda hint, draw: day_for(hint, draw).isoformat(),
    "time": lambda hint, draw: f"{clock_time(draw)}:00Z",
    "duration": _duration,
    "email": _international_mail,
    "idn-email": _international_mail,
    "hostname": _hostname,
    "idn-hostname": _hostname,
    "ipv4": _ipv4,
    "ip": _ipv4,
    "ipv6": _ipv6,
    "uri": lambda hint, draw: link(hint, draw),
    "url": lambda hint, draw: link(hint, draw),
    "iri": lambda hint, draw: link(hint, draw),
    "uri-reference": lambda hint, draw: link(hint, draw) if draw.chance(0.5) else page_path(draw),
    "iri-reference": lambda hint, draw: link(hint, draw),
    "uri-template": lambda hint, draw: f"https://{domain(draw)}/{draw.pick(('users', 'orders', 'posts'))}/{{id}}",
    "uuid": lambda hint, draw: uuid_text(draw),
    "json-pointer": lambda hint, draw: f"/{draw.pick(('items', 'data', 'users'))}/{draw.whole(0, 9)}",
    "relative-json-pointer": lambda hint, draw: f"{draw.whole(0, 2)}/{draw.pick(('name', 'id', 'value'))}",
    "regex": lambda hint, draw: draw.pick(("^[a-z]+$", "^[0-9]{4}$", "^[A-Z]{2}-[0-9]+$", "error|warning")),
    "byte": _encoded,
    "binary": _encoded,
    "phone": lambda hint, draw: f"+1-{draw.whole(201, 989)}-555-{draw.whole(100, 199):04d}",
    "color": lambda hint, draw: f"#{draw.random.getrandbits(24):06x}",
    "password": lambda hint, draw: pool_maker("password")(draw),
}

_BARE: dict[str, Callable[[Draw], str]] = {
    "email": lambda draw: f"{draw.random.choice('abcdefgh')}@{draw.random.choice('xyz')}.io",
    "hostname": lambda draw: draw.random.choice("abcdefgh"),
    "uri": lambda draw: f"{draw.random.choice('abc')}:{draw.random.choice('xyz')}",
    "uri-reference": lambda draw: draw.random.choice("abcdef"),
    "ipv6": lambda draw: "::1",
    "ipv4": lambda draw: "1.1.1.1",
    "json-pointer": lambda draw: "",
    "regex": lambda draw: draw.random.choice("abc"),
    "duration": lambda draw: draw.pick(("P1D", "PT1S", "P1Y2M3DT4H5M6S")),
    "time": lambda draw: draw.pick(("08:30:06Z", "08:30:06.283185Z", "08:30:06+02:00")),
    "date-time": lambda draw: (
        f"{day_near(draw, -9000, 9000)}T{draw.pick(('08:30:06.283185Z', '08:30:06+02:00', '23:59:59Z'))}"
    ),
    "date": lambda draw: day_near(draw, -400_000, 400_000).isoformat(),
}


def format_text(form: str, hint: Hint, draw: Draw, *, bare: bool = False) -> str | None:
    """Return a text of the format that goes with the name; `bare`, a short one; None for an unknown format."""
    if bare and form in _BARE:
        return _BARE[form](draw)
    make = FORMATS.get(form)
    return None if make is None else make(hint, draw)


_DIGITS_OF_DAY = r"(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_CLOCK = r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([zZ]|[+-]([01]\d|2[0-3]):[0-5]\d)"
_POINTER = r"(/([^~/]|~[01])*)*"
_BYTE = r"(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"

SHAPES: dict[str, str] = {
    "date": rf"^\d{{4}}-{_DIGITS_OF_DAY}$",
    "time": rf"^{_CLOCK}$",
    "date-time": rf"^\d{{4}}-{_DIGITS_OF_DAY}[tT ]{_CLOCK}$",
    "duration": r"^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$",
    "uuid": r"^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$",
    "ipv4": rf"^{_BYTE}\.{_BYTE}\.{_BYTE}\.{_BYTE}$",
    "ipv6": r"^(?=.*:)[0-9a-fA-F:.]{2,45}$",
    "hostname": r"^[A-Za-z0-9.-]+$",
    "idn-hostname": r"^\S+$",
    "email": r"^.+@.+$",
    "idn-email": r"^.+@.+$",
    "uri": r"^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$",
    "iri": r"^[A-Za-z][A-Za-z0-9+.-]*:\S*$",
    "uri-reference": r"^[!-~]*$",
    "iri-reference": r"^\S*$",
    "uri-template": r"^\S*$",
    "json-pointer": rf"^{_POINTER}$",
    "relative-json-pointer": rf"^(0|[1-9]\d*)(#|{_POINTER})$",
}
"""The pattern of each format; formats whose texts have no regular shape are left out."""

_LABEL = r"[a-z][a-z0-9]{0,30}"
_GROUP = r"[0-9a-f]{1,4}"

PLAIN_SHAPES: dict[str, str] = {
    **SHAPES,
    "ipv6": rf"^(({_GROUP}:){{7}}{_GROUP}|({_GROUP}:){{1,6}}:{_GROUP})$",
    "hostname": rf"^{_LABEL}(\.{_LABEL}){{0,6}}$",
    "idn-hostname": rf"^{_LABEL}(\.{_LABEL}){{0,6}}$",
    "email": rf"^{_LABEL}(\.{_LABEL})?@{_LABEL}(\.{_LABEL}){{1,5}}$",
    "idn-email": rf"^{_LABEL}(\.{_LABEL})?@{_LABEL}(\.{_LABEL}){{1,5}}$",
    "uri": rf"^https?://{_LABEL}\.[a-z]{{2,5}}(/[a-z0-9-]+)*$",
    "iri": rf"^https?://{_LABEL}\.[a-z]{{2,5}}(/[a-z0-9-]+)*$",
    "uri-reference": r"^(/[a-z0-9-]+)+$",
    "iri-reference": r"^(/[a-z0-9-]+)+$",
    "uri-template": r"^(/[a-z0-9-]+)+$",
    "json-pointer": r"^(/[a-z0-9]+)*$",
    "relative-json-pointer": r"^\d(#|(/[a-z]+)*)$",
    "regex": r"^[a-z0-9]+$",
}
"""The pattern of plain texts of each format, to make some from: every judge accepts them."""
