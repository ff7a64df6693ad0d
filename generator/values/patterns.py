"""Texts that match a regular expression (ECMA 262), of a wanted length, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from generator.errors import GaveUp

_LONGEST_PATTERN = 4_000
_DEEPEST = 60
_FREE_REPEATS = 3
_MOST_NODES = 20_000

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_WORD = _LOWER + _LOWER.upper() + _DIGITS + "_"
_PRINTABLE = _LOWER + _LOWER.upper() + _DIGITS + " -_.,:;!?@#$%&*()[]{}<>/\\'\"+=|~^`"
_SPACES = " \t\n\r\v\f"
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": " "}
_ALL_OF_CLASS = {"d": frozenset(_DIGITS), "w": frozenset(_WORD), "s": frozenset(_SPACES)}
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
class _Node:
    """One piece of a pattern; `kind` says which of the fields count."""

    kind: str
    chars: str = ""
    parts: list[_Node] = field(default_factory=list)
    low: int = 1
    high: int | None = 1
    group: int = 0


class _Parser:
    """A recursive descent over ECMA 262 pattern syntax; what it cannot read is a GaveUp."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > _LONGEST_PATTERN:
            raise GaveUp(f"the pattern has over {_LONGEST_PATTERN:,} characters")
        self.text, self.at, self.groups = pattern, 0, 0
        self.names: dict[str, int] = {}
        self.depth = 0

    def parse(self) -> _Node:
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

    def _alternatives(self) -> _Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise GaveUp(f"the pattern nests over {_DEEPEST} groups")
        options = [self._sequence()]
        while self._skip("|"):
            options.append(self._sequence())
        self.depth -= 1
        return options[0] if len(options) == 1 else _Node("either", parts=options)

    def _sequence(self) -> _Node:
        parts: list[_Node] = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))
        return _Node("sequence", parts=parts)

    def _repeated(self, atom: _Node) -> _Node:
        low, high = self._quantifier()
        if (low, high) == (1, 1):
            return atom
        self._skip("?")
        return _Node("repeat", parts=[atom], low=low, high=high)

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

    def _atom(self) -> _Node:
        char = self._take()
        if char == "(":
            return self._group()
        if char == "[":
            return self._set()
        if char == ".":
            return _Node("chars", chars=_LOWER + _DIGITS)
        if char == "\\":
            return self._escape()
        if char in "^$":
            return _Node("start" if char == "^" else "end")
        return _Node("chars", chars=char)

    def _group(self) -> _Node:
        kind = "group"
        for prefix, name in (("?:", "plain"), ("?=", "ahead"), ("?!", "not"), ("?<=", "behind"), ("?<!", "not")):
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
        return _Node(kind, parts=[inner], group=number)

    def _escape(self) -> _Node:
        char = self._take()
        if char in "bB":
            return _Node("sequence")
        if char.isdecimal() and char != "0":
            return _Node("back", group=int(char))
        if char == "k" and self._skip("<"):
            end = self.text.find(">", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return _Node("back", group=self.names.get(name, 0))
        self.at -= 1
        return _Node("chars", chars="".join(self._escaped_class()))

    def _escaped_class(self) -> str:
        """Read what follows a backslash as the characters it may stand for."""
        char = self._take()
        if char in _CLASSES:
            return _CLASSES[char]
        if char.lower() in _ALL_OF_CLASS:
            return "".join(c for c in _PRINTABLE if c not in _ALL_OF_CLASS[char.lower()])
        if char in "pP" and self._skip("{"):
            end = self.text.find("}", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return self._property(name, negated=char == "P")
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "c":
            return chr(ord(self._take()) % 32)
        if char in "xu":
            return self._code_point(char)
        return char

    @staticmethod
    def _property(name: str, *, negated: bool) -> str:
        chars = _SCRIPTS.get(name) or _SCRIPTS.get(name.rsplit("=", maxsplit=1)[-1]) or _SCRIPTS.get(name[:1], _LOWER)
        return "".join(c for c in _PRINTABLE if c not in chars) if negated else chars

    def _code_point(self, char: str) -> str:
        if self._skip("{"):
            end = self.text.find("}", self.at)
            digits, self.at = self.text[self.at : end], end + 1
        else:
            width = 2 if char == "x" else 4
            digits, self.at = self.text[self.at : self.at + width], self.at + width
        try:
            return chr(int(digits, 16))
        except ValueError:
            raise GaveUp(f"the pattern {self.text!r} has a malformed escape") from None

    def _set(self) -> _Node:
        negated = self._skip("^")
        chars: dict[str, None] = {}
        while not self._skip("]"):
            low = self._set_member()
            if len(low) == 1 and self._peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self._set_member()
                if len(high) == 1:
                    chars.update(dict.fromkeys(_spread(low, high)))
                    continue
                chars.update(dict.fromkeys(high + "-"))
            chars.update(dict.fromkeys(low))
        if negated:
            return _Node("chars", chars="".join(c for c in _PRINTABLE if c not in chars) or "\u00e9\u00f1")
        return _Node("chars", chars="".join(chars))

    def _set_member(self) -> str:
        char = self._take()
        if char != "\\":
            return char
        if self._skip("b"):
            return "\b"
        return self._escaped_class()


def _spread(low: str, high: str) -> list[str]:
    """Characters of a range; of a large one, some thousand spread over it."""
    first, last = ord(low), ord(high)
    step = max(1, (last - first) // 1000)
    return [chr(code) for code in range(first, last + 1, step) if not 0xD800 <= code <= 0xDFFF]


class PatternTexts:
    """Makes texts for one pattern. It does not promise that they match: look-ahead and overlaps are left to a check."""

    def __init__(self, pattern: str) -> None:
        self.root = _Parser(pattern).parse()
        self.anchored_start = _touches(self.root, "start", first=True)
        self.anchored_end = _touches(self.root, "end", first=False)

    def make(self, random: Random, shortest: int, longest: int | None, *, generous: bool = False) -> str:
        """Make a text of a length within the bounds as far as the pattern allows."""
        text = ""
        for room, full in _rooms(shortest, generous=generous):
            text = _Writer(random, room, longest, full=full).write(self.root)
            if len(text) >= shortest and (longest is None or len(text) <= longest):
                break
        if longest is not None and len(text) > longest:
            text = _Writer(random, 0, longest, full=False).write(self.root)
        return self._pad(text, shortest, random)

    def _pad(self, text: str, shortest: int, random: Random) -> str:
        missing = shortest - len(text)
        if missing <= 0:
            return text
        filler = "".join(random.choices(_LOWER, k=missing))
        if not self.anchored_end:
            return text + filler
        return text if self.anchored_start else filler + text


def _rooms(shortest: int, *, generous: bool) -> Iterator[tuple[int, bool]]:
    """Yield how far repeats may go beyond their least, and whether they go all the way, the natural ones first."""
    if generous or not shortest:
        yield 0 if generous else 1, False
    for room in (_FREE_REPEATS, 8, 20, shortest):
        yield room, False
        yield min(room, shortest), True


def _touches(node: _Node, kind: str, *, first: bool) -> bool:
    """Say whether every match begins (ends) at an anchor."""
    if node.kind == kind:
        return True
    if node.kind == "either":
        return all(_touches(part, kind, first=first) for part in node.parts)
    if node.kind in ("sequence", "group", "plain") and node.parts:
        return _touches(node.parts[0 if first else -1], kind, first=first)
    return False


class _Writer:
    def __init__(self, random: Random, room: int, longest: int | None, *, full: bool) -> None:
        self.random, self.room, self.longest, self.full = random, room, longest, full
        self.groups: dict[int, str] = {}
        self.nodes = 0

    def write(self, node: _Node) -> str:
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise GaveUp("the pattern asks for too long a text")
        if node.kind == "chars":
            return node.chars[int(self.random.random() * len(node.chars))] if node.chars else ""
        if node.kind == "either":
            return self.write(self.random.choice(node.parts))
        if node.kind == "repeat":
            return self._repeat(node)
        if node.kind in ("sequence", "group", "plain"):
            text = "".join([self.write(part) for part in self._in_order(node.parts)])
            self.groups[node.group] = text
            return text
        return self.groups.get(node.group, "") if node.kind == "back" else ""

    def _in_order(self, parts: list[_Node]) -> list[_Node]:
        """Let a look-ahead stand for what follows it when nothing does."""
        if parts and parts[-1].kind == "ahead":
            return [*parts[:-1], parts[-1].parts[0]]
        return parts

    def _repeat(self, node: _Node) -> str:
        most = node.low + self.room if node.high is None else min(node.high, node.low + self.room)
        if self.longest is not None:
            most = min(most, max(node.low, self.longest))
        most = max(most, node.low)
        least = most if self.full else node.low
        times = most if most <= least else self.random.randint(least, most)
        return "".join([self.write(node.parts[0]) for _ in range(times)])
