"""Texts that match patterns and formats, of a wanted length, in bounded time: of one alone, or all a node demands."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from generator.errors import GaveUp, ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import InvalidSchema, validator_for
from generator.values.draw import Draw
from generator.values.hints import Hint
from generator.values.meanings.entities import domain, email
from generator.values.meanings.specials import link, page_path, pool_maker, role_of, uuid_text
from generator.values.meanings.times import clock_time, day_for, day_near, moment_text
from generator.values.patterns.automata import Declined, Language, language_of
from generator.values.patterns.syntax import Parser, Piece

FormatMaker = Callable[[Hint, Draw], str]


def _duration(hint: Hint, draw: Draw) -> str:
    return draw.pick(("PT30M", "PT1H", "PT45M", "PT1H30M", "P1D", "P3D", "P1W", "PT2H", "P2W", "PT15M", "P1M", "P1Y"))


def _hostname(hint: Hint, draw: Draw) -> str:
    return f"{draw.pick(('api', 'www', 'app', 'mail', 'db1', 'cdn', 'staging', 'files'))}.{domain(draw)}"


def _ipv4(hint: Hint, draw: Draw) -> str:
    return f"{draw.pick(('192.0.2', '198.51.100', '203.0.113', '10.0.0', '192.168.1'))}.{draw.whole(1, 254)}"


def _ipv6(hint: Hint, draw: Draw) -> str:
    return f"2001:db8::{draw.whole(1, 0xFFFF):x}:{draw.whole(1, 0xFFFF):x}"


def _encoded(hint: Hint, draw: Draw) -> str:
    return base64.b64encode(pool_maker("note")(draw).encode()).decode()


def _international_mail(hint: Hint, draw: Draw) -> str:
    return email(draw, person_role(hint))


def person_role(hint: Hint) -> str:
    """Return whose the field is: the words of its name and its parent's that do not say what it is."""
    return role_of(hint, {"email", "mail", "address", "e", "contact"})


FORMATS: dict[str, FormatMaker] = {
    "date-time": lambda hint, draw: moment_text(day_for(hint, draw), draw),
    "date": lambda hint, draw: day_for(hint, draw).isoformat(),
    "time": lambda hint, draw: f"{clock_time(draw)}:00Z",
    "duration": _duration,
    "email": _international_mail,
    "idn-email": _international_mail,
    "hostname": _hostname,
    "idn-hostname": _hostname,
    "ipv4": _ipv4,
    "ip": _ipv4,
    "ipv6": _ipv6,
    "uri": lambda hint, draw: link(hint, draw),
    "url": lambda hint, draw: link(hint, draw),
    "iri": lambda hint, draw: link(hint, draw),
    "uri-reference": lambda hint, draw: link(hint, draw) if draw.chance(0.5) else page_path(draw),
    "iri-reference": lambda hint, draw: link(hint, draw),
    "uri-template": lambda hint, draw: f"https://{domain(draw)}/{draw.pick(('users', 'orders', 'posts'))}/{{id}}",
    "uuid": lambda hint, draw: uuid_text(draw),
    "json-pointer": lambda hint, draw: f"/{draw.pick(('items', 'data', 'users'))}/{draw.whole(0, 9)}",
    "relative-json-pointer": lambda hint, draw: f"{draw.whole(0, 2)}/{draw.pick(('name', 'id', 'value'))}",
    "regex": lambda hint, draw: draw.pick(("^[a-z]+$", "^[0-9]{4}$", "^[A-Z]{2}-[0-9]+$", "error|warning")),
    "byte": _encoded,
    "binary": _encoded,
    "phone": lambda hint, draw: f"+1-{draw.whole(201, 989)}-555-{draw.whole(100, 199):04d}",
    "color": lambda hint, draw: f"#{draw.random.getrandbits(24):06x}",
    "password": lambda hint, draw: pool_maker("password")(draw),
}

_BARE: dict[str, Callable[[Draw], str]] = {
    "email": lambda draw: f"{draw.random.choice('abcdefgh')}@{draw.random.choice('xyz')}.io",
    "hostname": lambda draw: draw.random.choice("abcdefgh"),
    "uri": lambda draw: f"{draw.random.choice('abc')}:{draw.random.choice('xyz')}",
    "uri-reference": lambda draw: draw.random.choice("abcdef"),
    "ipv6": lambda draw: "::1",
    "ipv4": lambda draw: "1.1.1.1",
    "json-pointer": lambda draw: "",
    "regex": lambda draw: draw.random.choice("abc"),
    "duration": lambda draw: draw.pick(("P1D", "PT1S", "P1Y2M3DT4H5M6S")),
    "time": lambda draw: draw.pick(("08:30:06Z", "08:30:06.283185Z", "08:30:06+02:00")),
    "date-time": lambda draw: (
        f"{day_near(draw, -9000, 9000)}T{draw.pick(('08:30:06.283185Z', '08:30:06+02:00', '23:59:59Z'))}"
    ),
    "date": lambda draw: day_near(draw, -400_000, 400_000).isoformat(),
}


def format_text(form: str, hint: Hint, draw: Draw, *, bare: bool = False) -> str | None:
    """Return a text of the format that goes with the name; `bare`, a short one; None for an unknown format."""
    if bare and form in _BARE:
        return _BARE[form](draw)
    make = FORMATS.get(form)
    return None if make is None else make(hint, draw)


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


_FREE_REPEATS = 3
_MOST_NODES = 20_000
_LOWER = "abcdefghijklmnopqrstuvwxyz"


class PatternTexts:
    """Makes texts for one pattern. It does not promise that they match: look-ahead and overlaps are left to a check."""

    def __init__(self, pattern: str) -> None:
        self.root = Parser(pattern).parse()
        self.anchored_start = _touches(self.root, "start", first=True)
        self.has_boundaries = "\\b" in pattern
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
        if self.has_boundaries:  # what is beside a word must not belong to it
            filler = f"{filler[1:]} " if self.anchored_end else f" {filler[1:]}"
        if not self.anchored_end:
            return text + filler
        return text if self.anchored_start else filler + text


@lru_cache(maxsize=1024)
def texts_of(pattern: str) -> PatternTexts:
    """Return the one maker of texts for a pattern, which many schemas share.

    Raises:
        GaveUp: it is no pattern that is understood.
    """
    return PatternTexts(pattern)


def _rooms(shortest: int, *, generous: bool) -> Iterator[tuple[int, bool]]:
    """Yield how far repeats may go beyond their least, and whether they go all the way, the natural ones first."""
    if generous or not shortest:
        yield 0 if generous else 1, False
    for room in (_FREE_REPEATS, 8, 20, shortest):
        yield room, False
        yield min(room, shortest), True


def _touches(node: Piece, kind: str, *, first: bool) -> bool:
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

    def write(self, node: Piece) -> str:
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

    def _in_order(self, parts: list[Piece]) -> list[Piece]:
        """Let a look-ahead stand for what follows it when nothing does."""
        if parts and parts[-1].kind == "ahead":
            return [*parts[:-1], parts[-1].parts[0]]
        return parts

    def _repeat(self, node: Piece) -> str:
        most = node.low + self.room if node.high is None else min(node.high, node.low + self.room)
        if self.longest is not None:
            most = min(most, max(node.low, self.longest))
        most = max(most, node.low)
        least = most if self.full else node.low
        times = most if most <= least else self.random.randint(least, most)
        return "".join([self.write(node.parts[0]) for _ in range(times)])


def fitted(text: str, shortest: int, longest: int | None, draw: Draw) -> str:
    """Cut a text at a word where it is too long, lengthen it where it is too short."""
    if longest is not None and len(text) > longest:
        cut = text[:longest]
        shorter = cut.rsplit(" ", 1)[0].rstrip(" ,.;:")
        text = shorter if len(shorter) >= max(shortest, longest // 2) else cut
    if len(text) < shortest and shortest - len(text) > 2000:
        draw.spend(shortest // 100)
        text = (text + " and so on").ljust(shortest, ".")
    while len(text) < shortest:
        text += "".join(draw.random.choices("abcdefghjkmnpqrstuvwxyz23456789", k=min(8, shortest - len(text))))
    return text


@dataclass(frozen=True, slots=True)
class TextDemands:
    """Patterns and formats that must hold, patterns that must not, and the length in characters."""

    patterns: tuple[str, ...]
    formats: tuple[str, ...]
    denied: tuple[str, ...]
    shortest: int
    longest: int | None

    @property
    def are_simple(self) -> bool:
        """Whether one pattern or one format stands alone, so that luck is enough."""
        bounded = self.shortest > 1 or self.longest is not None
        around = any(mark in pattern for pattern in self.patterns for mark in ("(?=", "(?!"))
        return len(self.patterns) + len(self.formats) < 2 and not self.denied and not bounded and not around

    def language(self) -> Language | None:
        """Return the automaton of all demands but the length; None where it cannot be made."""
        return self._language(SHAPES)

    def plain_language(self) -> Language | None:
        """Return the automaton of the texts among them whose formats are plain."""
        return self._language(PLAIN_SHAPES) if self.formats else None

    def _language(self, shapes: Mapping[str, str]) -> Language | None:
        told = (shapes[form] for form in self.formats if form in shapes)
        wanted = tuple(dict.fromkeys((*self.patterns, *told)))
        return _language(wanted, self.denied) if wanted or self.denied else None

    def are_impossible(self) -> bool:
        """Say whether it is proven that no text meets them; false where it is not known."""
        language = self.language()
        if language is None or not language.is_exact:
            return False
        try:
            return not language.has_texts(self.shortest, self.longest)
        except Declined:
            return False

    def count(self, most: int) -> int:
        """Return how many texts there are at most, or `most` where there are so many, more, or it is not known."""
        language = self.language()
        if language is None or not language.is_exact:
            return most
        return language.count(self.shortest, self.longest, most)


@lru_cache(maxsize=512)
def _language(patterns: tuple[str, ...], denied: tuple[str, ...]) -> Language | None:
    try:
        return language_of(patterns, denied)
    except Declined:
        return None


def demands_of(node: JsonObject) -> TextDemands:
    """Gather the demands of a string node; what it says beyond them is left to a check."""
    nodes = list(_conjuncts(node))
    lengths = _said(nodes, "maxLength")
    return TextDemands(
        patterns=_said(nodes, "pattern"),
        formats=_said(nodes, "format"),
        denied=tuple(pattern for part in nodes for pattern in _denied(part.get("not"))),
        shortest=max(int(part.get("minLength", 0)) for part in nodes),
        longest=int(min(lengths)) if lengths else None,
    )


def _said(nodes: list[JsonObject], keyword: str) -> tuple[JsonValue, ...]:
    return tuple(node[keyword] for node in nodes if keyword in node)


def _conjuncts(node: JsonObject) -> Iterator[JsonObject]:
    yield node
    for part in node.get("allOf", []):
        if isinstance(part, dict):
            yield from _conjuncts(part)


def _denied(node: JsonValue) -> list[str]:
    """Return the patterns that a text must not match, where the denial says nothing else."""
    if not isinstance(node, dict):
        return []
    if node.keys() <= {"pattern", "type"} and "pattern" in node:
        return [node["pattern"]]
    return [pattern for part in node.get("anyOf", []) for pattern in _denied(part)] if node.keys() == {"anyOf"} else []


TRIES = 60
"""Candidates that are worth drawing for one text."""

_LUCKY_TRIES = 6
"""Candidates drawn as people write them, before all demands are met at once."""


class ConstrainedTexts:
    """Makes candidates for a string node in turn: from a format or a pattern, and from the language of all demands.

    Not every candidate meets what the node says beyond them: each is to be checked.
    """

    def __init__(self, node: JsonObject) -> None:
        self._demands = demands_of(node)
        self._patterns = [texts_of(pattern) for pattern in self._demands.patterns]
        self._languages: list[Language] | None = None
        ways: list[Callable[[Draw, int], str | None]] = [self._of_all, self._of_pattern]
        self._ways = [self._of_format, *ways] if self._demands.formats else ways

    def make(self, draw: Draw, attempt: int) -> str:
        """Return the candidate of an attempt, counted from 0."""
        demands, start = self._demands, attempt % len(self._ways)
        draw.spend(1 + demands.shortest // 100)
        for way in (*self._ways[start:], *self._ways[:start]):
            if (text := way(draw, attempt)) is not None:
                return text
        return fitted("", draw.whole(demands.shortest, demands.shortest + 8), demands.longest, draw)

    def _of_all(self, draw: Draw, attempt: int) -> str | None:
        demands = self._demands
        if demands.are_simple and attempt < _LUCKY_TRIES:
            return None
        if self._languages is None:
            known = (demands.plain_language(), demands.language())
            self._languages = [language for language in known if language is not None]
        if not self._languages:
            return None
        language = self._languages[attempt // len(self._ways) % len(self._languages)]
        try:
            return language.make(draw.random, demands.shortest, demands.longest)
        except (Declined, GaveUp):
            return None

    def _of_pattern(self, draw: Draw, attempt: int) -> str | None:
        demands, patterns = self._demands, self._patterns
        if len(patterns) > 1 and attempt % 4 < 2:
            order = patterns if attempt % 8 < 2 else patterns[::-1]
            return "".join([pattern.make(draw.random, 0, demands.longest) for pattern in order])
        if not patterns:
            return None
        one = patterns[attempt % len(patterns)]
        return one.make(draw.random, demands.shortest, demands.longest, generous=attempt > TRIES // 3)

    def _of_format(self, draw: Draw, attempt: int) -> str | None:
        forms = self._demands.formats
        return format_text(forms[attempt % len(forms)], Hint(()), draw, bare=attempt > _LUCKY_TRIES)


_LONGEST_PATTERN = 500
_LONGEST = 200
_LONE_FREE_REPEATS = 3
_MOST_TRIES = 20
_MOST_IN_PAIRS = 70
_PLAIN = ("chars", "sequence", "group", "plain")

Make = Callable[[Random], str]


@lru_cache(maxsize=1024)
def pattern_text(pattern: str) -> Make:
    """Return a maker of texts that match a pattern, of 200 characters or a little more at most.

    The maker raises GaveUp in the rare case that no try matches.

    Raises:
        ValueError: the pattern cannot be read, or no short text was found that matches it.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"a pattern has at most {_LONGEST_PATTERN} characters")
    try:
        root = _without_anchors(Parser(pattern).parse())
        make = (_simple(root) if _width(root) <= _LONGEST else None) or _checked(pattern)
        make(Random(0))  # noqa: S311 - tried once, so that what cannot be made is told where it is written
    except InvalidSchema as error:
        raise ValueError("it is no regular expression") from error
    except ValueSynthesisError as error:
        raise ValueError(str(error)) from error
    return make


def _without_anchors(piece: Piece) -> Piece:
    """Leave out `^` at the start and `$` at the end: the whole text matches anyhow."""
    if piece.kind != "sequence" or not piece.parts:
        return piece
    first = int(piece.parts[0].kind == "start")
    last = len(piece.parts) - int(piece.parts[-1].kind == "end")
    return Piece("sequence", parts=piece.parts[first:last])


def _width(piece: Piece) -> int:
    """Return how many pieces a text can be made of at most."""
    if piece.kind == "repeat":
        return _most(piece) * _width(piece.parts[0])
    widths = [_width(part) for part in piece.parts]
    return max(1, max(widths, default=1) if piece.kind == "either" else sum(widths))


def _most(piece: Piece) -> int:
    """Return how often a repeat is written at most: not much more often than it must be."""
    free = piece.low + _LONE_FREE_REPEATS
    return max(1, free if piece.high is None else min(free, piece.high))


def _simple(piece: Piece) -> Make | None:
    """Return a maker for a pattern of characters and bounded repeats, which matches by itself; None for others."""
    if piece.kind == "chars":
        return _one_of(piece.chars, 1, 1)
    if piece.kind in _PLAIN:
        return _sequence(piece.parts)
    if piece.kind == "either":
        options = [_simple(part) for part in piece.parts]
        ready = [each for each in options if each is not None]
        return (lambda random: ready[int(random.random() * len(ready))](random)) if ready == options else None
    if piece.kind == "repeat":
        return _repeat(piece)
    return None


def _one_of(chars: str, low: int, high: int) -> Make | None:
    """Return a maker of some of these characters."""
    if not chars:
        return None
    if len(chars) == 1 and low == high:
        text = chars * low
        return lambda random: text
    if low == high == 1:
        many = len(chars)
        return lambda random: chars[int(random.random() * many)]
    if low == high and len(chars) <= _MOST_IN_PAIRS:
        return _by_pairs(chars, low)
    return lambda random: "".join(random.choices(chars, k=random.randint(low, high)))


def _by_pairs(chars: str, length: int) -> Make:
    """Return a maker of so many of these characters, two at a time: ids are what most rows begin with."""
    pairs = _pairs(chars)
    many, odd, twos = len(chars), length % 2, range(length // 2)

    def make(random: Random) -> str:
        draw = random.random
        text = "".join([pairs[int(draw() * many * many)] for _ in twos])
        return text + chars[int(draw() * many)] if odd else text

    return make


@lru_cache(maxsize=64)
def _pairs(chars: str) -> tuple[str, ...]:
    return tuple(first + second for first in chars for second in chars)


def _repeat(piece: Piece) -> Make | None:
    (inner,) = piece.parts
    low, high = piece.low, _most(piece)
    if piece.high is not None and piece.high < max(low, 1):
        return None
    if inner.kind == "chars":
        return _one_of(inner.chars, low, high)
    make = _simple(inner)
    if make is None:
        return None
    return lambda random: "".join([make(random) for _ in range(random.randint(low, high))])


def _sequence(parts: list[Piece]) -> Make | None:
    """Return a maker of one part after the other; characters that are always the same are written at once."""
    ready: list[Make] = []
    fixed = ""
    for part in parts:
        if part.kind == "chars" and len(part.chars) == 1:
            fixed += part.chars
            continue
        make = _simple(part)
        if make is None:
            return None
        ready.append(_behind(fixed, make))
        fixed = ""
    if fixed or not ready:
        ready.append(lambda random: fixed)
    if len(ready) == 1:
        return ready[0]
    return lambda random: "".join([make(random) for make in ready])


def _behind(fixed: str, make: Make) -> Make:
    return (lambda random: fixed + make(random)) if fixed else make


def _checked(pattern: str) -> Make:
    """Return a maker for any other pattern: texts are tried until one matches."""
    texts = PatternTexts(f"^(?:{pattern})$")
    validator = validator_for({"type": "string", "pattern": f"^(?:{pattern})$"})

    def make(random: Random) -> str:
        for _ in range(_MOST_TRIES):
            text = texts.make(random, 0, _LONGEST)
            if validator.is_valid(text):
                return text
        raise GaveUp(f"no text was found that matches the pattern {pattern[:80]!r}")

    return make
