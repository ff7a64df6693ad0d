"""What every text of a format looks like, as a pattern that admits all of them and some more.

Lengths and patterns that no such text can have are proven by these, and candidates are made from them.
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
