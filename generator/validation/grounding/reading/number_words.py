"""Number words: the numbers that words of a language say, alone or together with digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from generator.validation.grounding.reading.languages import Lexicon, Meaning, first_tokens, table
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

    def takes(self, value: float) -> bool:
        """Say whether another number may follow in any language: anything after "hundred", ones after tens."""
        last = self.last
        if last >= 100 and last % 100 == 0:
            return value < (last if self.pending == 0 else 100)
        if self.pending == 0 and last in (10, 12):
            return value < last
        return 20 <= last < 100 and last % 10 == 0 and 0 < value < 10

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
        meanings = list(_meanings(known))
        self._lexicon = Lexicon(meanings)
        self.beginnings = self._lexicon.beginnings
        """The tokens that number words begin with, those written together left out."""
        self.tokens = self._lexicon.tokens
        """The tokens of number words, those written together left out."""
        self.saying = first_tokens(*(forms for kind, _, forms in meanings if kind in _KINDS))
        """The tokens of which one at least is in what says a number, where no digit is and no words are together."""
        self._ordinal_beginnings = first_tokens(*known.get("ordinals", {}).values())
        self._units = Lexicon([("u", unit, forms) for unit, forms in known.get("units", {}).items()])
        self._single = first_tokens(known.get("single", ""))
        self._spans = _spans() if self._single else frozenset()
        self._bare = first_tokens(known.get("bare_multipliers", ""))
        self._group = float(known.get("group", 1000))
        self._least_before_and = 20 if known.get("tens_and") else 100
        self._vigesimal = bool(known.get("vigesimal"))
        self._positional = bool(known.get("positional"))
        self._centuries = bool(known.get("centuries"))
        self._compound = _compound_pattern(known) if known.get("compounds") else None
        self._telling = self.beginnings | self._single
        self._halves = first_tokens(*(known.get(kind, "") for kind in _PARTS_AFTER))
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
        read_to, sign = 0, ""
        while (at := self._beginning(tokens, read_to)) < len(tokens):
            sign = sign if at == read_to else ""
            end, value, ordinal = self.run(tokens, at)
            if end == at:
                yield from self._one_of(tokens, at, matches)
                sign, size = self._sign(tokens, at)
                read_to = at + size
                continue
            end, value, unit, past = self._tail(tokens, end, value)
            if sign or past > at + 1 or not tokens[at][0].isdigit() or _is_translated(unit, tokens, end):
                value, unit = _with_sign(sign, value, unit)
                yield Numeral(value, matches[at].start(), matches[past - 1].end(), unit, ordinal)
                yield from self._as_century(tokens, at, end, value, matches)
            read_to, sign = end, ""

    def _beginning(self, tokens: list[str], at: int) -> int:
        """Return the first place from here on where a number may begin; the end where there is none."""
        telling, halves, together = self._telling, self._halves, self.may_be_written_together
        upto = len(tokens)
        while at < upto:
            token = tokens[at]
            if token in telling or token[0].isdigit() or together(token):
                break
            if at + 1 < upto and tokens[at + 1] in halves:
                break
            at += 1
        return at

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

    def _sign(self, tokens: list[str], at: int) -> tuple[str, int]:
        """Return the sign that stands before a number, with its size; "" and the size of one token where none does."""
        found = self._lexicon.longest(tokens, at)
        return (found[1], found[0]) if found is not None and found[1] in _BEFORE_NUMBERS else ("", 1)

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
                last = self._with_last(tokens, at, word, number, parts=parts)
                if last is not None:
                    return last
                break
            if not self._goes_on(tokens, at, word, number):
                break
            at = self._past_hyphen(tokens, at + word[0], number)
        return (at, number.value, False) if number.started else (start, 0.0, False)

    def _past_hyphen(self, tokens: list[str], at: int, number: _Sum) -> int:
        """Return the place after the hyphen that joins a number with what follows, if one stands at this place."""
        if at >= len(tokens) or tokens[at] != "-" or not number.started or number.in_digits:
            return at
        return at + (self._kind(tokens, at + 1) in _KINDS)

    def _kind(self, tokens: list[str], at: int) -> str:
        """Return the kind of the word at a place; "" where none of a number stands there."""
        word = self._word(tokens, at)
        return "" if word is None else word[1]

    def _times(self, tokens: list[str], at: int) -> tuple[int, float]:
        """Return the end and the factor of the multiplier at a place; the place itself and 1 where there is none."""
        word = self._word(tokens, at)
        return (at + word[0], word[2]) if word is not None and word[1] == "x" else (at, 1.0)

    def _goes_on(self, tokens: list[str], at: int, word: tuple[int, str, float], number: _Sum) -> bool:
        """Take a word up into a number where it goes on with it, and say whether it does."""
        size, kind, value = word
        if kind == "d":
            return number.start_in_digits(value)
        if kind == "n" and self._may_add(number, value, number.in_digits):
            self._append(number, value)
            return True
        if kind == "x" and self._may_multiply(number, tokens[at]):
            number.times(value, self._group)
            return True
        if kind == "before_multipliers" and not number.started and self._kind(tokens, at + size) == "x":
            number.add(1.0)
            return True
        return self._joins(tokens, at, word, number)

    def _with_last(
        self, tokens: list[str], at: int, word: tuple[int, str, float], number: _Sum, *, parts: bool
    ) -> tuple[int, float, bool] | None:
        """Return a number with the word that may end it, as `run` does; None where the word is not part of it."""
        size, kind, value = word
        if kind == "o" and self._may_add(number, value, number.in_digits):
            return at + size, number.value + value, True
        if not (parts and number.started):
            return None
        if kind == "point":
            return None if number.in_digits else self._decimals(tokens, at, size, number.value)
        return self._with_part(tokens, at, word, number.value)

    def _opening(self, tokens: list[str], start: int) -> tuple[int, float, bool] | None:
        """Read what begins with a part ("half a million") or with an article ("a hundred"); None where nothing does."""
        word = self._word(tokens, start)
        if word is not None and word[1] == "before_multipliers":
            start += word[0]
            word = self._word(tokens, start)
        if word is None or word[1] != "p":
            return None
        part = start + word[0]
        end = self._past_article(tokens, part)
        end += tokens[end : end + 1] == ["-"]
        multiplied, factor = self._times(tokens, end)
        if multiplied == end and self._kind(tokens, part) in ("", "n"):
            multiplied = part
        return multiplied, word[2] * factor, False

    def _past_article(self, tokens: list[str], at: int) -> int:
        """Return the place after the article, or the one, that stands here before a multiplier: "half a million"."""
        word = self._word(tokens, at)
        if word is not None and (word[1] == "before_multipliers" or word[1:] == ("n", 1)):
            at += word[0]
        return at

    def _append(self, number: _Sum, value: float) -> None:
        if self._positional and 0 < number.pending < _BEYOND_WORDS and value < 10 and number.last < 10:
            number.pending, number.last = number.pending * 10 + value, value
        else:
            number.add(value)

    def _may_add(self, number: _Sum, value: float, digits: bool) -> bool:
        """Say whether a word goes on a number: "one" after "twenty", anything after "hundred", nothing after "one"."""
        if not number.started:
            return True
        if digits:
            return False
        if self._positional and value < 10 and number.last < 10:
            return True
        if self._vigesimal and number.pending in (60, 80) and 10 <= value < 20:
            return True
        return number.takes(value)

    def _may_multiply(self, number: _Sum, token: str) -> bool:
        """Say whether a multiplier goes on a number: "thousand" after "two", but not by itself."""
        return (number.started or token in self._bare) and number.value < _BEYOND_WORDS

    def _joins(self, tokens: list[str], at: int, word: tuple[int, str, float], number: _Sum) -> bool:
        """Say whether a word between two parts of a number joins them: "two hundred and five", 一百零五."""
        size, kind, value = word
        if kind == "and":
            may_join = number.last >= self._least_before_and
        else:
            may_join = kind == "n" and value == 0 and self._positional and number.pending == 0
        following = self._word(tokens, at + size) if may_join else None
        if following is None or following[1] not in ("n", "o"):
            return False
        return kind == "n" or self._may_add(number, following[2], False)

    def _decimals(self, tokens: list[str], at: int, size: int, value: float) -> tuple[int, float, bool]:
        end, digits = at + size, ""
        while (word := self._word(tokens, end)) is not None and word[1] == "n" and word[2] < 10 and len(digits) < 9:
            digits += str(int(word[2]))
            end += word[0]
        if not digits:
            return at, value, False
        end, factor = self._times(tokens, end)
        return end, float(f"{int(value)}.{digits}") * factor, False

    def _with_part(
        self, tokens: list[str], at: int, word: tuple[int, str, float], value: float
    ) -> tuple[int, float, bool]:
        """Read the part that follows a number: "two and a half", "three quarters", "one third", 三分之一."""
        size, kind, part = word
        if kind == "half_after":
            return at + size, value + part, False
        if kind == "p":
            end, factor = self._of_what(tokens, at + size)
            return end, value * part * factor, False
        if kind == "fraction":
            end, above, _ = self.run(tokens, at + size)
            return (end, above / value, False) if end > at + size and value else (at, value, False)
        return (at + size, 1 / part, False) if value == 1 and part > 2 else (at, value, False)

    def _of_what(self, tokens: list[str], at: int) -> tuple[int, float]:
        """Return the end and the factor of what parts are of: "three quarters of a million"; 1 where it is not said."""
        if tokens[at : at + 1] == ["-"] and self._kind(tokens, at + 1) == "x":
            at += 1
        word = self._word(tokens, at)
        start = at + word[0] if word is not None and word[1] == "before_multipliers" else at
        end, factor = self._times(tokens, start)
        return (end, factor) if end > start else (at, 1.0)


def _with_sign(sign: str, value: float, unit: str) -> tuple[float, str]:
    """Return a number and its unit as the sign before them makes them."""
    return -value if sign == "minus" else value, "%" if sign == "percent_before" else unit


def _is_translated(unit: str, tokens: list[str], at: int) -> bool:
    """Say whether a unit is the meaning of the word at a place, rather than that word."""
    return bool(unit) and at < len(tokens) and unit != tokens[at]


_KINDS = {"n": "cardinals", "x": "multipliers", "p": "parts", "o": "ordinals"}
"""Kinds of words that say numbers, by their tables."""
_BEFORE_NUMBERS = frozenset({"minus", "percent_before"})
_LAST_WORDS = frozenset({"o", "point", "p", "half_after", "fraction"})
"""Kinds of words that nothing of the same number follows."""
_PARTS_AFTER = {"half_after": 0.5, "quarter_after": 0.25, "three_quarters_after": 0.75}
_SIGNS = ("and", "point", "minus", "before_multipliers", "fraction", "percent_before")


def _meanings(known: dict[str, Any]) -> Iterator[Meaning]:
    """Yield what the words of a table mean: numbers, signs and the parts that follow them."""
    for kind, part in _KINDS.items():
        yield from ((kind, float(value), forms) for value, forms in known.get(part, {}).items())
    yield from ((kind, 0.0, known[kind]) for kind in _SIGNS if kind in known)
    yield from (("half_after", part, known[kind]) for kind, part in _PARTS_AFTER.items() if kind in known)


def _spans() -> frozenset[str]:
    singular = {each for each in first_tokens(*table("en", "days")["units"].values()) if not each.endswith("s")}
    return frozenset(singular | {"second", "minute", "hour", "decade"})


class _Compound(NamedTuple):
    whole: re.Pattern[str]
    part: re.Pattern[str]


def _compound_pattern(known: dict[str, Any]) -> _Compound:
    """Return what words written together consist of; a word is bounded in length before it is compared."""
    entries = [*known["cardinals"].values(), *known["multipliers"].values(), *known["ordinals"].values()]
    parts = set(filter(str.isalpha, first_tokens(*entries)))
    parts |= {fold(known["and"]), *first_tokens(known["half_after"])}
    one = "|".join(sorted(parts, key=lambda part: (-len(part), part)))
    return _Compound(re.compile(f"(?:{one})++"), re.compile(one))


@cache
def number_words(language: str) -> NumberWords:
    """Return the number words of a language."""
    return NumberWords(language)
