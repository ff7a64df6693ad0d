"""Times: how days and times of day are written into arguments and results, the same on every machine.

Forms are written as those of `strftime`, but no locale and no platform has a say in them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())

_LONGEST_FORM = 64

DIRECTIVES: dict[str, Callable[[datetime], str]] = {
    "Y": lambda time: f"{time.year:04d}",
    "y": lambda time: f"{time.year % 100:02d}",
    "m": lambda time: f"{time.month:02d}",
    "-m": lambda time: str(time.month),
    "d": lambda time: f"{time.day:02d}",
    "-d": lambda time: str(time.day),
    "H": lambda time: f"{time.hour:02d}",
    "-H": lambda time: str(time.hour),
    "I": lambda time: f"{time.hour % 12 or 12:02d}",
    "-I": lambda time: str(time.hour % 12 or 12),
    "M": lambda time: f"{time.minute:02d}",
    "S": lambda time: f"{time.second:02d}",
    "f": lambda time: f"{time.microsecond:06d}",
    "j": lambda time: f"{time.timetuple().tm_yday:03d}",
    "B": lambda time: MONTHS[time.month - 1],
    "b": lambda time: MONTHS[time.month - 1][:3],
    "A": lambda time: DAYS[time.weekday()],
    "a": lambda time: DAYS[time.weekday()][:3],
    "p": lambda time: "AM" if time.hour < 12 else "PM",
    "F": lambda time: time.date().isoformat(),
    "T": lambda time: f"{time.hour:02d}:{time.minute:02d}:{time.second:02d}",
    "%": lambda time: "%",
}
"""What a form may hold after `%`."""


@lru_cache(maxsize=256)
def compile_form(form: str) -> Callable[[datetime], str]:
    """Return what writes a time in a form such as `%d.%m.%Y %H:%M`.

    Raises:
        ValueError: it is too long, or holds a directive that is not written the same everywhere.
    """
    if len(form) > _LONGEST_FORM:
        raise ValueError(f"a form has at most {_LONGEST_FORM} characters")
    parts: list[str | Callable[[datetime], str]] = []
    place = 0
    while place < len(form):
        if form[place] != "%":
            end = form.find("%", place)
            end = len(form) if end < 0 else end
            parts.append(form[place:end])
        else:
            end = place + (3 if form[place + 1 : place + 2] == "-" else 2)
            if form[place + 1 : end] not in DIRECTIVES:
                raise ValueError(f"no directive {form[place:end]!r}; there are %{', %'.join(DIRECTIVES)}")
            parts.append(DIRECTIVES[form[place + 1 : end]])
        place = end
    return lambda time: "".join([part if isinstance(part, str) else part(time) for part in parts])


def shifted(moment: str, amount: float, unit: str = "days") -> str:
    """Return a day or a time later by an amount; the text keeps its form."""
    if unit in ("months", "years"):
        return _months_later(moment, int(amount) * (12 if unit == "years" else 1))
    length = timedelta(**{unit: amount})
    if len(moment) == len("2026-01-15"):
        return (date.fromisoformat(moment) + length).isoformat()
    if len(moment) == len("09:30"):
        return (datetime.fromisoformat(f"2000-01-01T{moment}") + length).time().isoformat("minutes")
    return _as_written(datetime.fromisoformat(moment) + length, moment)


def _as_written(later: datetime, moment: str) -> str:
    text = later.isoformat(sep=moment[10], timespec="seconds").replace("+00:00", "Z")
    return text[: len(moment)] if len(moment) == len("2026-01-15 09:30") else text


def _months_later(moment: str, months: int) -> str:
    day = date.fromisoformat(moment[:10])
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    length = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return date(year, month + 1, min(day.day, length[month])).isoformat() + moment[10:]


def formed(moment: str, form: str) -> str:
    """Return a day or a time in a form such as `%Y-%m-%d %H:%M`."""
    return compile_form(form)(datetime.fromisoformat(moment))


def between(first: str, second: str, unit: str = "days") -> float:
    """Return how long it is from one time to another."""
    start, end = (datetime.fromisoformat(each) for each in (first, second))
    seconds = (end - start).total_seconds()
    length = {"minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800}[unit]
    amount = round(seconds / length, 4)
    return int(amount) if amount == int(amount) else amount
