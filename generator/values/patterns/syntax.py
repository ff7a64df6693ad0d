"""The syntax of regular expressions (ECMA 262), read into a tree of pieces over sets of characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from generator.errors import GaveUp

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Disjoint closed intervals of code points, ascending."""

EVERY: Spans = ((0, 0xD7FF), (0xE000, 0x10FFFF))
"""All of Unicode; surrogates are no characters."""

_SURROGATES: Spans = ((0xD800, 0xDFFF),)
_LAST = 0x10FFFF


def spans_of(chars: Iterable[str]) -> Spans:
    """Return the set of the characters given."""
    return joined([((ord(char), ord(char)),) for char in chars])


def joined(sets: Iterable[Spans]) -> Spans:
    """Return the union of sets."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(span for spans in sets for span in spans):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def without(spans: Spans) -> Spans:
    """Return every character that is not in the set."""
    found, at = [], 0
    for low, high in joined([spans, _SURROGATES]):
        if low > at:
            found.append((at, low - 1))
        at = high + 1
    if at <= _LAST:
        found.append((at, _LAST))
    return tuple(found)


def holds(spans: Spans, point: int) -> bool:
    """Say whether a code point is in the set."""
    return any(low <= point <= high for low, high in spans)


_LIKED = tuple("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;!?@#$%&*()[]{}<>/\\'\"+=|~^`")
_TEXTUAL = ((0xA1, 0x24F), (0x370, 0x3FF), (0x400, 0x44F), (0x4E00, 0x4FFF), (0x1F600, 0x1F64F))


@lru_cache(maxsize=1024)
def plausible(spans: Spans, most: int = 40) -> str:
    """Return characters of the set, those of everyday texts first; "" where the set is empty."""
    liked = "".join(char for char in _LIKED if holds(spans, ord(char)))
    if liked:
        return liked
    textual = [chr(point) for low, high in _TEXTUAL for point in range(low, min(high, low + most) + 1)
               if holds(spans, point)]  # fmt: skip
    if textual:
        return "".join(textual[:most])
    return "".join(chr(point) for low, high in spans[:most] for point in range(low, min(high, low + 4) + 1))[:most]


_LONGEST_PATTERN = 20_000
_DEEPEST = 60

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_WORD = _LOWER + _LOWER.upper() + _DIGITS + "_"
_PRINTABLE = _LOWER + _LOWER.upper() + _DIGITS + " -_.,:;!?@#$%&*()[]{}<>/\\'\"+=|~^`"
_SPACES = (*" \t\n\r\v\f\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", *map(chr, range(0x2000, 0x200B)))
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": " "}
_ALL_OF_CLASS = {"d": spans_of(_DIGITS), "w": spans_of(_WORD), "s": spans_of(_SPACES)}
_ANY_BUT_LINE_ENDS = without(spans_of("\n\r\u2028\u2029"))
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", "0": "\0"}
_SCRIPTS = {
    "L": _LOWER + _LOWER.upper() + "äéñøÉÜ", "Letter": _LOWER + _LOWER.upper() + "äéñøÉÜ", "Lu": _LOWER.upper() + "ÉÜ",
    "Ll": _LOWER + "äéñ", "N": _DIGITS, "Nd": _DIGITS, "digit": _DIGITS, "P": ".,:;!?-", "S": "+=<>$",
    "Z": " ", "Zs": " ",
    "Script=Latin": _LOWER, "Script=Greek": "αβγδεζ", "Script=Cyrillic": "абвгде", "Script=Han": "山水火木金土",
    "sc=Greek": "αβγδεζ", "sc=Latin": _LOWER, "sc=Cyrillic": "абвгде", "Alphabetic": _LOWER, "ASCII": _LOWER,
    "Lo": "山水火木金土", "M": "\u0301", "Sc": "$€£¥", "Emoji": "😀🎉🚀",
}  # fmt: skip


@dataclass(slots=True)
class Piece:
    """One piece of a pattern; `kind` says which of the fields count.

    Kinds: chars (one character), sequence, either, repeat, group (captures), plain (does not), start, end,
    ahead, not (ahead), behind (either way), boundary, back (a reference to a group).
    """

    kind: str
    chars: str = ""
    """Characters that people would write there."""
    spans: Spans = ()
    """Every character that matches."""
    parts: list[Piece] = field(default_factory=list)
    low: int = 1
    high: int | None = 1
    group: int = 0


class Parser:
    """A recursive descent over ECMA 262 pattern syntax; what it cannot read is a GaveUp."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > _LONGEST_PATTERN:
            raise GaveUp(f"the pattern has over {_LONGEST_PATTERN:,} characters")
        self.text, self.at, self.groups = pattern, 0, 0
        self.names: dict[str, int] = {}
        self.depth = 0
        self.is_exact = True
        """Whether the characters read are all those that the pattern admits."""

    def parse(self) -> Piece:
        """Read the whole pattern.

        Raises:
            GaveUp: it is malformed, or too long or deep to read.
        """
        node = self._alternatives()
        if self.at < len(self.text):
            raise GaveUp(f"the pattern {self.text!r} has an unmatched parenthesis")
        return node

    def _peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def _take(self) -> str:
        char = self._peek()
        if not char:
            raise GaveUp(f"the pattern {self.text!r} ends too early")
        self.at += 1
        return char

    def _skip(self, text: str) -> bool:
        if self.text.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def _alternatives(self) -> Piece:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise GaveUp(f"the pattern nests over {_DEEPEST} groups")
        options = [self._sequence()]
        while self._skip("|"):
            options.append(self._sequence())
        self.depth -= 1
        return options[0] if len(options) == 1 else Piece("either", parts=options)

    def _sequence(self) -> Piece:
        parts: list[Piece] = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))
        return Piece("sequence", parts=parts)

    def _repeated(self, atom: Piece) -> Piece:
        low, high = self._quantifier()
        if (low, high) == (1, 1):
            return atom
        self._skip("?")
        return Piece("repeat", parts=[atom], low=low, high=high)

    def _quantifier(self) -> tuple[int, int | None]:
        for mark, span in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._skip(mark):
                return span
        end = self.text.find("}", self.at)
        if self._peek() != "{" or end < 0:
            return (1, 1)
        low, comma, high = self.text[self.at + 1 : end].partition(",")
        if not low.isdecimal() or (high and not high.isdecimal()):
            return (1, 1)
        self.at = end + 1
        return (int(low), int(high) if high else None if comma else int(low))

    def _atom(self) -> Piece:
        char = self._take()
        if char == "(":
            return self._group()
        if char == "[":
            return self._set()
        if char == ".":
            return Piece("chars", chars=_LOWER + _DIGITS, spans=_ANY_BUT_LINE_ENDS)
        if char == "\\":
            return self._escape()
        if char in "^$":
            return Piece("start" if char == "^" else "end")
        return _one(char)

    def _group(self) -> Piece:
        kind = "group"
        for prefix, name in (("?:", "plain"), ("?=", "ahead"), ("?!", "not"), ("?<=", "behind"), ("?<!", "behind")):
            if self._skip(prefix):
                kind = name
                break
        number = 0
        if kind == "group":
            self.groups += 1
            number = self.groups
            if self._skip("?<"):
                end = self.text.find(">", self.at)
                self.names[self.text[self.at : end]] = number
                self.at = end + 1
        inner = self._alternatives()
        if not self._skip(")"):
            raise GaveUp(f"the pattern {self.text!r} has an open group")
        return Piece(kind, parts=[inner], group=number)

    def _escape(self) -> Piece:
        char = self._take()
        if char in "bB":
            return Piece("boundary")
        if char.isdecimal() and char != "0":
            return Piece("back", group=int(char))
        if char == "k" and self._skip("<"):
            end = self.text.find(">", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return Piece("back", group=self.names.get(name, 0))
        self.at -= 1
        return self._escaped_class()

    def _escaped_class(self) -> Piece:
        """Read what follows a backslash as the characters it may stand for."""
        char = self._take()
        if char in _CLASSES:
            return Piece("chars", chars=_CLASSES[char], spans=_ALL_OF_CLASS[char])
        if char.lower() in _ALL_OF_CLASS:
            return _set_of(without(_ALL_OF_CLASS[char.lower()]))
        if char in "pP" and self._skip("{"):
            end = self.text.find("}", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return self._property(name, negated=char == "P")
        if char in _CONTROLS:
            return _one(_CONTROLS[char])
        if char == "c":
            return _one(chr(ord(self._take()) % 32))
        if char in "xu":
            return _one(self._code_point(char))
        return _one(char)

    def _property(self, name: str, *, negated: bool) -> Piece:
        """Read a Unicode property by characters that surely have it: too few to prove anything by."""
        self.is_exact = False
        chars = _SCRIPTS.get(name) or _SCRIPTS.get(name.rsplit("=", maxsplit=1)[-1]) or _SCRIPTS.get(name[:1], _LOWER)
        if negated:
            chars = "".join(char for char in _PRINTABLE if char not in chars)
        return Piece("chars", chars=chars, spans=spans_of(chars))

    def _code_point(self, char: str) -> str:
        if self._skip("{"):
            end = self.text.find("}", self.at)
            digits, self.at = self.text[self.at : end], end + 1
        else:
            width = 2 if char == "x" else 4
            digits, self.at = self.text[self.at : self.at + width], self.at + width
        try:
            return chr(int(digits, 16))
        except (ValueError, OverflowError):
            raise GaveUp(f"the pattern {self.text!r} has a malformed escape") from None

    def _set(self) -> Piece:
        negated = self._skip("^")
        members: list[Spans] = []
        while not self._skip("]"):
            low = self._set_member()
            if self._is_range(low):
                self.at += 1
                high = self._set_member()
                if len(high.chars) == 1:
                    members.append(((ord(low.chars), ord(high.chars)),) if low.chars <= high.chars else ())
                    continue
                members += [spans_of("-"), high.spans]
            members.append(low.spans)
        spans = joined(members)
        return _set_of(without(spans) if negated else spans)

    def _is_range(self, low: Piece) -> bool:
        return len(low.chars) == 1 and self._peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", "")

    def _set_member(self) -> Piece:
        char = self._take()
        if char != "\\":
            return _one(char)
        return _one("\b") if self._skip("b") else self._escaped_class()


def _one(char: str) -> Piece:
    return Piece("chars", chars=char, spans=((ord(char), ord(char)),))


def _set_of(spans: Spans) -> Piece:
    return Piece("chars", chars=plausible(spans), spans=spans)
