"""Said days: a day as far as a text states it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

_FARTHEST_BACK, _FARTHEST_AHEAD = -200, 366


def is_near(value: date, reference: date) -> bool:
    """Say whether a day without its year may be meant, seen from a day of reference."""
    return _FARTHEST_BACK <= (value - reference).days <= _FARTHEST_AHEAD


class SaidDay(NamedTuple):
    """A day as far as a text states it: parts that it leaves open are None."""

    year: int | None
    month: int | None
    day: int
    text: str

    def allows(self, value: date, references: tuple[date, ...]) -> bool:
        """Say whether the text may mean this day; what it leaves open is that of the nearest such day."""
        if self.day != value.day or self.month not in (None, value.month) or self.year not in (None, value.year):
            return False
        if self.year is not None and self.month is not None:
            return True
        if not references:
            return True
        if self.month is not None:  # one of the days that are near, without a look at the others
            return any(abs(value.year - each.year) <= 1 and is_near(value, each) for each in references)
        return any(value in self.near(each) for each in references)

    def near(self, reference: date) -> Iterator[date]:
        """Yield the days that may be meant, seen from a day of reference."""
        if self.month is None:
            yield from self._in_near_months(reference)
            return
        for year in (self.year,) if self.year else (reference.year - 1, reference.year, reference.year + 1):
            for day in _day(year, self.month, self.day):
                if self.year or is_near(day, reference):
                    yield day

    def _in_near_months(self, reference: date) -> Iterator[date]:
        """Yield the next such day of a month, and the last."""
        months = [divmod(reference.year * 12 + reference.month - 1 + step, 12) for step in (-2, -1, 0, 1, 2)]
        days = [day for year, month in months if year > 0 for day in _day(year, month + 1, self.day)]
        yield from [day for day in days if day <= reference][-1:]
        yield from [day for day in days if day >= reference][:1]


def _day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return
