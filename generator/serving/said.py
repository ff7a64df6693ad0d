"""What a request says: the values in its words that an argument may take, by the argument's schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.days import days_of, phrases_of, relative_days
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import fold, literals_of

_LONGEST = 4000
"""Characters of a request that are read."""
_NAME = re.compile(r"(?<![\w'])[A-Z][\w'-]+(?:\s+(?:(?:de|of|the|van|la)\s+)?[A-Z0-9][\w'-]*)*")
_ENDS = re.compile(r"(?:^|[.!?:]\s+|\n\s*)$")
_ADDRESSES = ("email", "mail", "recipient", "to", "url", "uri", "link", "website")
_DAYS = ("date", "day", "start", "end", "check_in", "check_out", "checkin", "checkout", "departure", "arrival")


class Said:
    """The words of one request, read when they are first asked for."""

    def __init__(self, text: str, today: date) -> None:
        self.text = text[:_LONGEST]
        self._today = today

    def stands(self, value: JsonValue) -> bool:
        """Say whether a value stands in the request as it is; of a list, whether each does."""
        if isinstance(value, list):
            return bool(value) and all(map(self.stands, value))
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return False
        wanted = re.escape(str(value).casefold()).replace("_", "[ _-]").replace(r"\ ", r"\s+")
        return bool(wanted) and re.search(rf"(?<!\w){wanted}(?!\w)", self.text.casefold()) is not None

    @cached_property
    def days(self) -> list[str]:
        """The days, as dates."""
        folded = fold(self.text)
        phrases = phrases_of(folded, ("en",))
        written = [day for each in days_of(folded, phrases) for day in list(each.near(self._today))[:1]]
        told = [*written, *(day for day, _ in relative_days(phrases, self._today))]
        return list(dict.fromkeys(day.isoformat() for day in told))

    @cached_property
    def numbers(self) -> list[float]:
        """The numbers, in figures and in words."""
        return list(dict.fromkeys(each.value for each in quantities_of(fold(self.text))))

    @cached_property
    def quotes(self) -> list[str]:
        """What stands between quotation marks."""
        return [each.text for each in literals_of(self.text) if each.sort == "quote"]

    @cached_property
    def addresses(self) -> list[str]:
        """Addresses of mail and of pages."""
        return [each.text for each in literals_of(self.text) if "@" in each.text or "://" in each.text]

    @cached_property
    def codes(self) -> list[str]:
        """What names one thing: codes and paths."""
        literals = (each for each in literals_of(self.text) if each.sort != "quote")
        return [each.text for each in literals if re.search(r"\d", each.text) and re.search(r"[A-Za-z]", each.text)]

    @cached_property
    def names(self) -> list[str]:
        """Names, as far as capitals tell: the first word of a sentence is none."""
        found = (
            match[0].partition(" ")[2] if _ENDS.search(self.text[: match.start()]) else match[0]
            for match in _NAME.finditer(self.text)
        )
        return [name.removesuffix("'s") for name in found if name[:1].isupper()]

    def candidates(self, name: str, schema: JsonValue) -> Iterator[JsonValue]:
        """Yield the values of the request that an argument may take, the likeliest first."""
        if not isinstance(schema, dict):
            return
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        if isinstance(schema.get("enum"), list):
            yield from sorted(filter(self.stands, schema["enum"]), key=lambda value: -len(str(value)))
        elif kind == "array":
            yield from ([value] for value in self.candidates(name, schema.get("items")))
        elif "string" in kinds:
            yield from self._texts(name.casefold(), schema)
        elif "integer" in kinds:
            yield from (int(number) for number in self.numbers if number.is_integer())
        elif "number" in kinds:
            yield from (int(number) if number.is_integer() else number for number in self.numbers)

    def _texts(self, name: str, schema: JsonObject) -> Iterator[str]:
        form = schema.get("format")
        parts = set(re.split(r"[^a-z]+", name)) | {name}
        if form == "date" or (form is None and parts & set(_DAYS)):
            yield from self.days
        elif form in ("email", "uri", "url") or (form is None and parts & set(_ADDRESSES)):
            yield from self.addresses
        if form is not None:
            return
        if parts & {"id", "code", "key", "number"}:
            yield from self.codes
            return
        yield from self.quotes
        if not parts & set(_DAYS):
            yield from self.names
