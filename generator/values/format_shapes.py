"""What every text of a format looks like, as a pattern that admits all of them and some more.

Lengths and patterns that no such text can have are proven by these.
"""

from __future__ import annotations

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
