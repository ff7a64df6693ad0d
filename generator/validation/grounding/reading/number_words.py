"""Number words: the numbers that words of a language say, alone or together with digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.validation.grounding.reading.languages import Lexicon, forms_in, table
from generator.validation.grounding.reading.words import fold

_TOKEN = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?|[^\W\d_\u2e80-\u9fff]+|[^\s]")
_SHORTEST_TOGETHER, _LONGEST_WORD = 6, 60
_MOST_ZEROES = 18
_BEYOND_WORDS = 1e18
"""Nothing is multiplied any further from here on."""


class Numeral(NamedTuple):
    """A number that words say."""

    value: float
    start: int
    end: int
    unit: str
    """The word that follows, in English where it is a unit; "" where none does."""
    ordinal: bool = False


class _Sum:
    """A number under way: what is finished, the group of three or four digits, and what a multiplier multiplies."""

    __slots__ = ("group", "in_digits", "largest", "last", "pending", "started", "total")

    def __init__(self) -> None:
        self.total = self.group = self.pending = 0.0
        self.last = self.largest = 0.0
        self.started = self.in_digits = False

    @property
    def value(self) -> float:
        return self.total + self.group + self.pending

    def add(self, value: float) -> None:
        self.pending += value
        self.last = value
        self.started = True

    def start_in_digits(self, value: float) -> bool:
        """Begin with a number in digits, and say whether nothing stands before it."""
        if self.started:
            return False
        self.add(value)
        self.in_digits = True
        return True

    def times(self, factor: float, group: float) -> None:
        if not self.started or (not self.pending and not self.group and not self.total):
            self.pending = 1.0
        if factor < group:
            self.group, self.pending = self.group + (self.pending or 1.0) * factor, 0.0
        elif self.total and factor > self.largest:
            self.total, self.group, self.pending = self.value * factor, 0.0, 0.0
            self.largest = factor
        else:
            self.total, self.group, self.pending = self.total + (self.group + self.pending) * factor, 0.0, 0.0
            self.largest = max(self.largest, factor)
        self.last, self.started, self.in_digits = factor, True, False


class NumberWords:
    """The number words of one language."""

    def __init__(self, language: str) -> None:
        known = table(language, "numbers")
        meanings: list[tuple[str, float | str, str]] = []
        for kind, part in (("n", "cardinals"), ("x", "multipliers"), ("p", "parts"), ("o", "ordinals")):
            meanings += [(kind, float(value), forms) for value, forms in known.get(part, {}).items()]
        for kind in _SIGNS:
            if kind in known:
                meanings.append((kind, 0.0, str(known[kind])))
        meanings += [("half_after", part, known[kind]) for kind, part in _PARTS_AFTER.items() if kind in known]
        self._lexicon = Lexicon(meanings)
        self.beginnings = self._lexicon.beginnings
        """The tokens that number words begin with, those written together left out."""
        self.tokens = self._lexicon.tokens
        """The tokens of number words, those written together left out."""
        self.saying = frozenset(form[0] for kind, _, forms in meanings if kind in "nxpo" for form in forms_in(forms))
        """The tokens of which one at least is in what says a number, where no digit is and no words are together."""
        self._ordinal_beginnings = frozenset(
            form[0] for forms in known.get("ordinals", {}).values() for form in forms_in(forms)
        )
        self._units = Lexicon([("u", unit, forms) for unit, forms in known.get("units", {}).items()])
        self._single = {form[0] for form in forms_in(str(known.get("single", "")))}
        self._spans = _spans() if self._single else frozenset()
        self._bare = {form[0] for form in forms_in(str(known.get("bare_multipliers", "")))}
        self._group = float(known.get("group", 1000))
        self._tens_and = bool(known.get("tens_and"))
        self._vigesimal = bool(known.get("vigesimal"))
        self._positional = bool(known.get("positional"))
        self._centuries = bool(known.get("centuries"))
        self._compound = _compound_pattern(known) if known.get("compounds") else None
        self._telling = self.beginnings | self._single
        self._halves = frozenset(form[0] for kind in _PARTS_AFTER for form in forms_in(str(known.get(kind, ""))))
        """What a half after something begins with: "and a half"."""

    @property
    def are_written_together(self) -> bool:
        """Whether number words of the language may be one word."""
        return self._compound is not None

    def may_be_written_together(self, token: str) -> bool:
        """Say whether a word may be several number words written together."""
        return self._compound is not None and len(token) >= _SHORTEST_TOGETHER and token.isalpha()

    def read(self, text: str) -> Iterator[Numeral]:
        """Yield the numbers that a folded text says in words, digits as far as they belong to one."""
        matches = list(_TOKEN.finditer(text))
        tokens = [match[0] for match in matches]
        at, sign = 0, ""
        telling, halves, together = self._telling, self._halves, self.may_be_written_together
        upto = len(tokens)
        while at < upto:
            token = tokens[at]
            begins = token in telling or token[0].isdigit() or together(token)
            if not begins and not (at + 1 < upto and tokens[at + 1] in halves):
                at, sign = at + 1, ""
                continue
            end, value, ordinal = self.run(tokens, at)
            if end == at:
                sign = kind if (kind := self._kind(tokens, at)) in ("minus", "percent_before") else ""
                yield from self._one_of(tokens, at, matches)
                at += self._size(tokens, at) if sign else 1
                continue
            end, value, unit, past = self._tail(tokens, end, value)
            known = bool(unit) and end < len(tokens) and unit != tokens[end]
            if sign or known or past > at + 1 or not tokens[at][0].isdigit():
                value, unit = -value if sign == "minus" else value, "%" if sign == "percent_before" else unit
                yield Numeral(value, matches[at].start(), matches[past - 1].end(), unit, ordinal)
                yield from self._as_century(tokens, at, end, value, matches)
            at, sign = end, ""

    def ordinals(self, text: str) -> Iterator[Numeral]:
        """Yield the ordinals that a folded text says in words, those within longer numbers as well."""
        if self._compound is None and self._ordinal_beginnings.isdisjoint(_TOKEN.findall(text)):
            return iter(())
        return (each for each in self.read(text) if each.ordinal)

    def _one_of(self, tokens: list[str], at: int, matches: list[re.Match[str]]) -> Iterator[Numeral]:
        """Yield one of a unit: "an hour", "next week", "hora y media"."""
        if at + 1 >= len(tokens):
            return
        if tokens[at] in self._single and tokens[at + 1] in self._spans:
            part = self._part_after(tokens, at + 2)
            yield Numeral(1.0 + part, matches[at].start(), matches[at].end(), tokens[at + 1])
            if part:
                yield Numeral(1.0, matches[at].start(), matches[at].end(), tokens[at + 1])
        elif (part := self._part_after(tokens, at + 1)) and tokens[at].isalpha() and self._units.longest(tokens, at):
            yield Numeral(1.0 + part, matches[at].start(), matches[at + 1].end(), self._unit(tokens, at)[0])

    def _as_century(
        self, tokens: list[str], at: int, end: int, value: float, matches: list[re.Match[str]]
    ) -> Iterator[Numeral]:
        if self._centuries and 10 <= value <= 20 and end < len(tokens):
            start = end + (tokens[end] == "-")
            after, rest, ordinal = self.run(tokens, start) if start < len(tokens) else (start, 0.0, False)
            if after > start and 10 <= rest < 100 and not ordinal and not tokens[start][0].isdigit():
                yield Numeral(100 * value + rest, matches[at].start(), matches[after - 1].end(), "")

    def _tail(self, tokens: list[str], end: int, value: float) -> tuple[int, float, str, int]:
        """Return the end, the number, its unit and how far its text goes, with the half that may follow the unit."""
        unit, past = self._unit(tokens, end)
        after = past if past > end else end + 1
        if end < len(tokens) and tokens[end].isalpha() and (part := self._part_after(tokens, after)):
            return after, value + part, unit, after + self._size(tokens, after)
        return end, value, unit, end

    def _part_after(self, tokens: list[str], at: int) -> float:
        """Return the part that words say after a unit: the half of "an hour and a half"; 0 where none do."""
        found = self._lexicon.longest(tokens, at) if at < len(tokens) else None
        return float(found[2]) if found is not None and found[1] == "half_after" else 0.0

    def _unit(self, tokens: list[str], at: int) -> tuple[str, int]:
        if at >= len(tokens):
            return "", at
        if found := self._units.longest(tokens, at):
            return str(found[2]), at + found[0]
        return (tokens[at] if tokens[at][0].isalpha() or tokens[at] in "%'\"" else ""), at

    def _kind(self, tokens: list[str], at: int) -> str:
        found = self._lexicon.longest(tokens, at) if 0 <= at < len(tokens) else None
        return found[1] if found else ""

    def _size(self, tokens: list[str], at: int) -> int:
        found = self._lexicon.longest(tokens, at)
        return found[0] if found else 1

    def _word(self, tokens: list[str], at: int) -> tuple[int, str, float] | None:
        """Return the size, the kind and the value of what stands here; a number in digits is of the kind "d"."""
        if at >= len(tokens):
            return None
        token = tokens[at]
        if token[0].isdigit():
            return (1, "d", float(token.replace(",", ""))) if len(token) <= _MOST_ZEROES else None
        if found := self._lexicon.longest(tokens, at):
            return found[0], found[1], float(found[2])
        together = self._compound if _SHORTEST_TOGETHER <= len(token) <= _LONGEST_WORD else None
        if together is not None and together.whole.fullmatch(token):
            value, ordinal = self._of_compound(together.part.findall(token))
            return 1, "o" if ordinal else "n", value
        return None

    def _of_compound(self, parts: list[str]) -> tuple[float, bool]:
        """Return the number that words written together say: ones stand before tens there."""
        number, ordinal = _Sum(), False
        for at in range(len(parts)):
            found = self._lexicon.longest(parts, at)
            if found is None:
                continue
            _, kind, value = found
            if kind == "x":
                number.times(float(value), self._group)
            elif kind == "half_after":
                number.add(0.5)
            elif kind != "and":
                number.add(float(value))
                ordinal = kind == "o"
        return number.value, ordinal

    def run(self, tokens: list[str], start: int, *, parts: bool = True) -> tuple[int, float, bool]:
        """Return the end of the run of number words at this place, its number, and whether it is an ordinal one.

        Without its parts it is a whole number: the eight of "a las ocho y media".
        """
        number, at = _Sum(), start
        if parts and (first := self._opening(tokens, start)) is not None:
            return first
        while (word := self._word(tokens, at)) is not None:
            if word[1] in _LAST_WORDS:
                last = self._with_last(tokens, at, word, number, start, parts=parts)
                if last is not None:
                    return last
                break
            if not self._goes_on(tokens, at, word, number):
                break
            at += word[0]
            if at < len(tokens) and tokens[at] == "-" and number.started and not number.in_digits:
                following = self._word(tokens, at + 1)
                at += following is not None and following[1] in ("n", "o", "x", "p")
        return (at, number.value, False) if number.started else (start, 0.0, False)

    def _goes_on(self, tokens: list[str], at: int, word: tuple[int, str, float], number: _Sum) -> bool:
        """Take a word up into a number where it goes on with it, and say whether it does."""
        size, kind, value = word
        if kind == "d":
            return number.start_in_digits(value)
        if kind == "n" and self._may_add(number, value, number.in_digits):
            self._append(number, value)
            return True
        if kind == "before_multipliers":
            begins = not number.started and self._is_times(tokens, at + size)
            if begins:
                number.add(1.0)
            return begins
        if kind == "x":
            multiplies = (number.started or tokens[at] in self._bare) and number.value < _BEYOND_WORDS
            if multiplies:
                number.times(value, self._group)
            return multiplies
        return kind in ("and", "n") and number.started and self._joins(tokens, at, size, number, kind, value)

    def _with_last(
        self, tokens: list[str], at: int, word: tuple[int, str, float], number: _Sum, start: int, *, parts: bool
    ) -> tuple[int, float, bool] | None:
        """Return a number with the word that may end it, as `run` does; None where the word is not part of it."""
        size, kind, value = word
        if kind == "o" and self._may_add(number, value, number.in_digits):
            return at + size, number.value + value, True
        if not (parts and number.started):
            return None
        if kind == "point":
            return None if number.in_digits else self._decimals(tokens, at, size, number.value)
        return self._with_part(tokens, at, word, number.value, start)

    def _opening(self, tokens: list[str], start: int) -> tuple[int, float, bool] | None:
        """Read what begins with a part ("half a million") or with an article ("a hundred"); None where nothing does."""
        word = self._word(tokens, start)
        if word is None:
            return None
        size, kind, value = word
        if kind == "before_multipliers":
            following = self._word(tokens, start + size)
            return self._opening(tokens, start + size) if following is not None and following[1] == "p" else None
        if kind != "p":
            return None
        end = start + size
        between = self._word(tokens, end)
        if between is not None and between[1] in ("before_multipliers", "n") and (between[1] != "n" or between[2] == 1):
            end += between[0]
        if end < len(tokens) and tokens[end] == "-":
            end += 1
        times = self._word(tokens, end)
        if times is not None and times[1] == "x":
            return end + times[0], value * times[2], False
        return start + size if between is None or between[1] == "n" else end, value, False

    def _is_times(self, tokens: list[str], at: int) -> bool:
        word = self._word(tokens, at)
        return word is not None and word[1] == "x"

    def _append(self, number: _Sum, value: float) -> None:
        if self._positional and 0 < number.pending < _BEYOND_WORDS and value < 10 and number.last < 10:
            number.pending, number.last = number.pending * 10 + value, value
        else:
            number.add(value)

    def _may_add(self, number: _Sum, value: float, digits: bool) -> bool:
        """Say whether a word goes on a number: "one" after "twenty", anything after "hundred", nothing after "one"."""
        last = number.last
        if not number.started:
            return True
        if digits:
            return False
        if self._positional and value < 10 and last < 10:
            return True
        if self._vigesimal and number.pending in (60, 80) and 10 <= value < 20:
            return True
        if last >= 100 and last % 100 == 0:
            return value < (last if number.pending == 0 else 100)
        if number.pending == 0 and last in (10, 12):
            return value < last
        return 20 <= last < 100 and last % 10 == 0 and 0 < value < 10

    def _joins(self, tokens: list[str], at: int, size: int, number: _Sum, kind: str, value: float) -> bool:
        """Say whether a word between two parts of a number joins them: "two hundred and five", 一百零五."""
        following = self._word(tokens, at + size)
        if following is None or following[1] not in ("n", "o"):
            return False
        if kind == "n":
            return value == 0 and self._positional and number.pending == 0
        after_tens = 20 <= number.last < 100
        if (after_tens and not self._tens_and) or number.last < 20:
            return False
        return self._may_add(number, following[2], False)

    def _decimals(self, tokens: list[str], at: int, size: int, value: float) -> tuple[int, float, bool]:
        end, digits = at + size, ""
        while (word := self._word(tokens, end)) is not None and word[1] == "n" and word[2] < 10 and len(digits) < 9:
            digits += str(int(word[2]))
            end += word[0]
        if not digits:
            return at, value, False
        value = float(f"{int(value)}.{digits}")
        times = self._word(tokens, end)
        return (end + times[0], value * times[2], False) if times and times[1] == "x" else (end, value, False)

    def _with_part(
        self, tokens: list[str], at: int, word: tuple[int, str, float], value: float, start: int
    ) -> tuple[int, float, bool]:
        """Read the part that follows a number: "two and a half", "three quarters", "one third", 三分之一."""
        size, kind, part = word
        if kind == "half_after":
            return at + size, value + part, False
        if kind == "p":
            size += at + size < len(tokens) and tokens[at + size] == "-" and self._is_times(tokens, at + size + 1)
            following = self._word(tokens, at + size)
            if following is not None and following[1] == "before_multipliers":
                times = self._word(tokens, at + size + following[0])
                if times is not None and times[1] == "x":
                    return at + size + following[0] + times[0], value * part * times[2], False
            if following is not None and following[1] == "x":
                return at + size + following[0], value * part * following[2], False
            return at + size, value * part, False
        if kind == "fraction":
            end, above, _ = self.run(tokens, at + size) if at + size < len(tokens) else (at, 0.0, False)
            return (end, above / value, False) if end > at + size and value else (at, value, False)
        return (at + size, 1 / part, False) if value == 1 and part > 2 else (at, value, False)


_LAST_WORDS = frozenset({"o", "point", "p", "half_after", "fraction"})
"""Kinds of words that nothing of the same number follows."""
_PARTS_AFTER = {"half_after": 0.5, "quarter_after": 0.25, "three_quarters_after": 0.75}
_SIGNS = ("and", "point", "minus", "before_multipliers", "fraction", "percent_before")


def _spans() -> frozenset[str]:
    units = table("en", "days")["units"].values()
    forms = {form[0] for entry in units for form in forms_in(entry)}
    return frozenset({each for each in forms if not each.endswith("s")} | {"second", "minute", "hour", "decade"})


class _Compound(NamedTuple):
    whole: re.Pattern[str]
    part: re.Pattern[str]


def _compound_pattern(known: dict[str, dict[str, str]]) -> _Compound:
    """Return what words written together consist of; a word is bounded in length before it is compared."""
    entries = [*known["cardinals"].values(), *known["multipliers"].values(), *known["ordinals"].values()]
    parts = {form[0] for entry in entries for form in forms_in(entry) if form[0].isalpha()}
    parts |= {fold(str(known["and"])), *(form[0] for form in forms_in(str(known["half_after"])))}
    one = "|".join(sorted(parts, key=lambda part: (-len(part), part)))
    return _Compound(re.compile(f"(?:{one})++"), re.compile(one))


@cache
def number_words(language: str) -> NumberWords:
    """Return the number words of a language."""
    return NumberWords(language)
