"""How values are said in texts, `{due|day}`, `{total|count:loan,loans}`, who speaks, and how times are written.

A template gives both forms of a noun, in English, which tells one from many by `number == 1` alone. Babel's rules for
the plurals of other languages (2.18: 33 MB, 14 ms at first, 6 us a number) have nothing to decide here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from generator.worlds.rows import Row

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


class Unsayable(Exception):
    """A template has a slot that stands for nothing: another template is taken."""


@dataclass(slots=True)
class Speech:
    """How the texts of one record are said, so that a thing is called the same throughout."""

    drawing: Random | None = None
    """What ways of saying things are drawn with; None where nobody speaks, and nearly nothing is drawn."""
    typed: set[Row] = field(default_factory=set)
    """Rows that are referred to by their ids."""
    spoken: dict[Any, str] = field(default_factory=dict)
    """Everyday expressions that stand for values: "next Monday" for 2026-01-19."""
    tells_no_year: bool = False
    """Whether a day was said without its year, so that the record must state the date."""
    worded: dict[int, str] = field(default_factory=dict)
    """By the identity of a worded value, the words that were said for it."""
    used_spoken: list[Any] = field(default_factory=list)
    """Values whose everyday expression was said."""
    named: dict[Row, str] = field(default_factory=dict)
    """What each row was called."""
    answering: bool = False
    """Whether the assistant speaks: what the user calls "my" loan it calls "your" loan."""
    is_value: bool = False
    """Whether a value is written, and nobody speaks: an empty text in it is one."""
    listed: dict[int, tuple[Any, tuple[tuple[bool, str], ...]]] = field(default_factory=dict)
    """By the identity of what the user listed: that, and the pieces of the words, each with whether it is a slot's."""
    calling: set[Row] = field(default_factory=set)
    """Rows whose names are being found: a name cannot hold itself."""

    @property
    def random(self) -> Random:
        """What ways of saying things are drawn with: seeded when it is first asked for, which takes a while."""
        if self.drawing is None:
            self.drawing = Random(0)  # noqa: S311 - reproducible data, not cryptography
        return self.drawing

    @contextmanager
    def of_assistant(self) -> Iterator[None]:
        """Let the assistant speak."""
        self.answering = True
        try:
            yield
        finally:
            self.answering = False


Format = Callable[[Any, str, Speech], str]

_LONGEST_CUT = 4_000
_LARGEST = 10**18
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_VOWEL_SOUNDS = ("a", "e", "i", "o", "u", "8", "11", "18", "hour", "honest", "heir", "mri", "sms", "html", "xml", "fbi")
_CONSONANT_SOUNDS = ("uni", "use", "usa", "usu", "euro", "one", "once", "uk", "ut")


def text_of(value: Any) -> str:
    """Return a value as it is said where no format is given.

    Raises:
        Unsayable: nobody says it: nothing, a flag, an object, an empty text.
    """
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, bool) or value is None:
        raise Unsayable("a flag or nothing is not said as it is")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.10g}"
    if isinstance(value, list | tuple) and value:
        return joined(list(map(text_of, value)))
    raise Unsayable("nothing that could be said")


def joined(parts: list[str], last: str = "and") -> str:
    """Join texts as people list them: "A, B and C"; by semicolons where they hold commas themselves."""
    if len(parts) < 2:
        return "".join(parts)
    if any(", " in part for part in parts):
        return f"{'; '.join(parts[:-1])}; {last} {parts[-1]}"
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def joined_names(names: list[str], last: str = "and") -> str:
    """Join names as people list them, the noun before their ids said once: "issues A-1, A-2 and A-3"."""
    found = [each for name in names if (each := _NOUN_AND_ID.fullmatch(name)) is not None]
    if last != "and" or not 1 < len(names) == len(found) or len({(each[1], each[2]) for each in found}) > 1:
        return joined(names, last)
    owner, noun, _ = found[0].groups()
    return f"{owner or ''}{_plural(noun)} {joined([each[3] for each in found])}"


_NOUN_AND_ID = re.compile(
    r"((?:my|your|our|the) )?(?!for|from|with|via|per|until|since)([a-z]{3,})"
    r" (#\d+|(?=\S*\d)(?=\S*[A-Z_-])[\w-]+|\d{4,})"
)


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


def _date(value: Any) -> date:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError as error:
        raise Unsayable("no day") from error


def _clock(value: Any) -> tuple[int, int]:
    text = str(value)
    text = text[11:] if len(text) > len("2026-01-15") else text
    hour, minute = text[:2], text[3:5]
    if not (f"{hour}{minute}".isascii() and hour.isdecimal() and minute.isdecimal() and text[:5] < "24:00"):
        raise Unsayable("no time of day")
    return int(hour), int(minute)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        raise Unsayable("no number")
    return value


def _day(value: Any, argument: str, speech: Speech) -> str:
    day = _date(value)
    speech.tells_no_year = True
    return f"{MONTHS[day.month - 1]} {day.day}"


def _full_date(value: Any, argument: str, speech: Speech) -> str:
    day = _date(value)
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def _weekday(value: Any, argument: str, speech: Speech) -> str:
    day = _date(value)
    speech.tells_no_year = True
    return f"{DAYS[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}"


def _weekday_name(value: Any, argument: str, speech: Speech) -> str:
    return DAYS[_date(value).weekday()]


def _on(value: Any, argument: str, speech: Speech) -> str:
    day = str(value)[:10]
    if day in speech.spoken:
        speech.used_spoken.append(day)
        speech.tells_no_year = True
        return speech.spoken[day]
    return f"on {_day(value, argument, speech)}"


def _time(value: Any, argument: str, speech: Speech) -> str:
    hour, minute = _clock(value)
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''} {'AM' if hour < 12 else 'PM'}"


def _at(value: Any, argument: str, speech: Speech) -> str:
    clock = str(value) if len(str(value)) <= len("09:30:00") else str(value)[11:16]
    if clock in speech.spoken:
        speech.used_spoken.append(clock)
        return f"at {speech.spoken[clock]}"
    return f"at {_time(value, argument, speech)}"


def _moment(value: Any, argument: str, speech: Speech) -> str:
    return f"{_day(value, argument, speech)} at {_time(value, argument, speech)}"


def _in_words(value: Any, argument: str, speech: Speech) -> str:
    number = _number(value)
    if number in speech.spoken:
        speech.used_spoken.append(number)
        return speech.spoken[number]
    return _SMALL[int(number)] if 0 <= number < len(_SMALL) and number == int(number) else text_of(number)


def _separated(value: Any, argument: str, speech: Speech) -> str:
    number = _number(value)
    return f"{number:,}" if isinstance(number, int) or number.is_integer() else f"{number:,.2f}"


def _rounded(value: Any, argument: str, speech: Speech) -> str:
    return text_of(round(_number(value), int(argument)) if argument else round(_number(value)))


def _two(argument: str) -> tuple[str, str]:
    """Return the two texts of an argument, parted by a comma, or by a semicolon where they hold commas."""
    one, _, two = argument.partition(";" if ";" in argument else ",")
    return one, two.strip()


def _counted(value: Any, argument: str, speech: Speech) -> str:
    number = len(value) if isinstance(value, list) else _number(value)
    singular, plural = _two(argument)
    noun = singular if number == 1 else plural or f"{singular}s"
    return f"{text_of(number) if number else 'no'} {noun}"


def _agreeing(value: Any, argument: str, speech: Speech) -> str:
    number = len(value) if isinstance(value, list) else _number(value)
    singular, plural = _two(argument)
    return singular if number == 1 else plural


def _chosen(value: Any, argument: str, speech: Speech) -> str:
    yes, no = _two(argument)
    if not isinstance(value, bool):
        raise Unsayable("no flag")
    return yes if value else no


def _some(value: Any, argument: str, speech: Speech) -> str:
    some, none = _two(argument)
    number = len(value) if isinstance(value, list) else _number(value)
    return some if number > 0 else none


def _size(value: Any, argument: str, speech: Speech) -> str:
    return _money(abs(_number(value)), argument, speech)


def _with_article(value: Any, argument: str, speech: Speech) -> str:
    text = text_of(value)
    low = text.lower()
    vowel = low.startswith(_VOWEL_SOUNDS) and not low.startswith(_CONSONANT_SOUNDS)
    return f"{'an' if vowel else 'a'} {text}"


def _labelled(value: Any, argument: str, speech: Speech) -> str:
    return text_of(value).replace("_", " ").replace("-", " ").lower()


def _duration(value: Any, argument: str, speech: Speech) -> str:
    minutes = int(_number(value))
    hours, rest = divmod(minutes, 60)
    parts = [_counted(hours, "hour", speech)] if hours else []
    return " ".join([*parts, _counted(rest, "minute", speech)] if rest or not hours else parts)


def _ordinal(value: Any, argument: str, speech: Speech) -> str:
    number = int(_number(value))
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _money(value: Any, argument: str, speech: Speech) -> str:
    number = _number(value)
    figure = f"{number:,}" if number == int(number) else f"{number:,.2f}"
    figure = figure.removesuffix(".0")
    if not argument or argument.isalpha():
        return f"{figure} {argument}".strip()
    return f"-{argument}{figure.removeprefix('-')}" if figure.startswith("-") else f"{argument}{figure}"


def _percent(value: Any, argument: str, speech: Speech) -> str:
    number = _number(value) * (100 if argument == "share" else 1)
    return f"{text_of(round(number, 2))}%"


def _list(value: Any, argument: str, speech: Speech) -> str:
    if not isinstance(value, list) or not value:
        raise Unsayable("no list")
    return joined([text_of(each) for each in value], argument or "and")


def _quoted(value: Any, argument: str, speech: Speech) -> str:
    return f'"{text_of(value)}"'


def _capital(value: Any, argument: str, speech: Speech) -> str:
    text = text_of(value)
    return text[:1].upper() + text[1:]


def _possessive(value: Any, argument: str, speech: Speech) -> str:
    text = text_of(value)
    return f"{text}'" if text.endswith("s") else f"{text}'s"


def _cut(value: Any, argument: str, speech: Speech) -> str:
    """Shorten a text at a word, with dots; one word, such as a hash, is shortened as people do, without."""
    text, most = text_of(value), int(argument or 80)
    if len(text) <= most or len(text.split()) < 2:
        return text[:most]
    return f"{text[:most].rsplit(' ', 1)[0]}..."


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST_WORDS_PLAIN = 4
_MOST_PARTS = 6
_MOST_ENTRIES = 3
_LONGEST_PART = 120


def _cited(value: Any, argument: str, speech: Speech) -> str:
    """Say a text as a part of a sentence: in quotation marks where it is a sentence, or a list, of its own."""
    text = text_of(value)
    own = len(text.split()) > _MOST_WORDS_PLAIN or text[-1:] in ".!?:" or any(mark in text for mark in ",;\n")
    return _quoted(text, argument, speech) if own and '"' not in text else text


def _brief(value: Any, argument: str, speech: Speech) -> str:
    """Say a result plainly: what it holds, each with its name, lists by their number and first entries."""
    if isinstance(value, dict):
        parts = [text for key, inner in value.items() if (text := _named_part(key, inner, speech))]
        if not parts:
            raise Unsayable("nothing plain in the result")
        return "; ".join(parts[:_MOST_PARTS])
    return _part(value, speech)


def _named_part(key: str, value: Any, speech: Speech) -> str:
    text = _part(value, speech)
    return f"{_words(key)}: {text}" if text else ""


def _entries(values: list[Any], speech: Speech) -> str:
    """Say a list: plain values one after the other, things by their number and the first of their names."""
    first = [text for each in values[:_MOST_ENTRIES] if (text := _part(each, speech))]
    more = len(values) - len(first)
    if first and not any(isinstance(each, dict | list) for each in values):
        return joined([*first, f"{more} more"] if more else first)
    number = _number_of(values)
    return f"{number} ({', '.join(first)}{', ...' if more else ''})" if first else number


def _number_of(values: list[Any]) -> str:
    if not values:
        return "none"
    return f"{len(values)} entries" if len(values) > 1 else "1 entry"


def _parts(value: Any, argument: str, speech: Speech) -> str:
    """Say a whole value: every part of it, each with its name, what belongs together in parentheses."""
    if isinstance(value, dict):
        return f"({', '.join(f'{_words(key)} {_parts(inner, argument, speech)}' for key, inner in value.items())})"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        return " and ".join(_parts(each, argument, speech) for each in value)
    if isinstance(value, list):
        return f"({_list(value, '', speech)})"
    return ("yes" if value else "no") if isinstance(value, bool) else _cited(value, argument, speech)


def _words(key: str) -> str:
    return _HUMP.sub(" ", key).replace("_", " ").lower()


def _part(value: Any, speech: Speech) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return _entries(value, speech)
    if isinstance(value, dict):
        texts = (_part(inner, speech) for inner in value.values() if isinstance(inner, str))
        return next(filter(None, texts), "")
    try:
        text = text_of(value)
    except Unsayable:
        return ""
    return text if len(text) <= _LONGEST_PART and "\n" not in text else ""


_LARGEST_ARGUMENTS = {"round": len("0123456789"), "cut": _LONGEST_CUT}
"""By format that takes a number: the largest."""


def problem_of_argument(name: str, argument: str) -> str:
    """Return what is wrong with what stands behind a format's colon; "" where it is as it should be."""
    if name in _NEEDY:
        return _problem_of_texts(name, argument)
    if name in _LARGEST_ARGUMENTS and argument and not _is_number_up_to(_LARGEST_ARGUMENTS[name], argument.strip()):
        return f"`{name}` takes a whole number up to {_LARGEST_ARGUMENTS[name]:,}"
    return ""


def _problem_of_texts(name: str, argument: str) -> str:
    if not argument.strip():
        return f"`{name}` is written {_NEEDY[name]}"
    parts = len(argument.split(";" if ";" in argument else ","))
    return f"`{name}` takes two texts, not {parts}: part them by `;` where they hold commas" if parts > 2 else ""


def _is_number_up_to(most: int, text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most


_NEEDY = {
    "count": "`count:loan` or `count:copy,copies`",
    "plural": "`plural:is,are`",
    "yes": "`yes:on,off`",
    "some": "`some:in stock,sold out`",
}
"""Formats that say nothing without an argument, and how they are written."""

FORMATS: dict[str, tuple[Format, str]] = {
    "day": (_day, "January 20; the system message then states the date"),
    "date": (_full_date, "January 20, 2026"),
    "weekday": (_weekday, "Tuesday, January 20"),
    "weekday_name": (_weekday_name, "Tuesday"),
    "on": (_on, "on January 20, or tomorrow, next Monday ... where that is to be understood"),
    "time": (_time, "3:30 PM, of a time or a time of day"),
    "at": (_at, "at 3:30 PM, or at noon, half past three in the afternoon ..."),
    "moment": (_moment, "January 20 at 3:30 PM"),
    "words": (_in_words, "a small number in words"),
    "number": (_separated, "1,234,567"),
    "round": (_rounded, "rounded, `round:1` to one decimal"),
    "count": (_counted, "`count:loan` or `count:copy,copies`: 3 loans, 1 loan, no loans"),
    "plural": (_agreeing, "`plural:is,are`: the word that agrees with a number or the length of a list"),
    "yes": (_chosen, "`yes:on,off`: a word for true and one for false; `yes:it is, yes;no`"),
    "some": (_some, "`some:in stock,sold out`: a word for some of a number or a list, and one for none"),
    "size": (_size, "`size:$`: $12.50 of -12.5, an amount without its minus"),
    "a": (_with_article, "a librarian, an editor"),
    "label": (_labelled, "in progress, of in_progress"),
    "duration": (_duration, "1 hour 30 minutes, of 90 minutes"),
    "ordinal": (_ordinal, "3rd"),
    "money": (_money, "`money:$`: $12.50; `money:EUR`: 12.50 EUR"),
    "percent": (_percent, "12.5%; `percent:share` of 0.125"),
    "list": (_list, "A, B and C; `list:or`"),
    "quote": (_quoted, "in quotation marks"),
    "cite": (_cited, "in quotation marks where it is a sentence or a list of its own"),
    "lower": (lambda value, argument, speech: text_of(value).lower(), "in lower case"),
    "upper": (lambda value, argument, speech: text_of(value).upper(), "in upper case"),
    "cap": (_capital, "with a capital letter"),
    "own": (_possessive, "Anna's"),
    "cut": (_cut, "`cut:80`: shortened to so many characters, with dots; `cut:7` of a hash without"),
    "slug": (lambda value, argument, speech: "-".join(text_of(value).lower().split()), "words-joined-by-hyphens"),
    "dots": (lambda value, argument, speech: ".".join(text_of(value).lower().split()), "words.joined.by.dots"),
    "brief": (_brief, "a result in plain words, each part with its name"),
    "parts": (_parts, "an object or a list of objects, every part with its name: (city Rome, zip 00184)"),
    "first": (lambda value, argument, speech: text_of(value).split()[0], "the first word"),
}  # fmt: skip
"""By name: how it is said, and what that gives."""
