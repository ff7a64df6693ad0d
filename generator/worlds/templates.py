"""Templates: texts of domain files with slots, compiled once and filled from what is in scope, by who speaks.

`{l.book.title}` says a value, `{due|day}` says it in a format, `{name|first|lower}` in one after the other, `{l}` calls
a row as people do. `<r.loans: {title}>`
says each of a list and joins them, with the fields of each as names; `<r.loans|lines: ...>` a line for each,
`|sentences` one after the other, `|or` joined by "or", `|3` the first three alone. `{{`, `}}`, `<<` and `>>` are
plain characters, but that `>>` ends two loops where there are two to end. A slot that stands for nothing makes the
whole text unsayable; the next one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.rows import ABSENT, Row, Scope, Worded
from generator.worlds.speech import FORMATS, Speech, Unsayable, joined, joined_names, problem_of_argument, text_of
from generator.worlds.values import compile_path

Write = Callable[[Scope, Speech], str]

_MY = re.compile(r"^my\b", re.IGNORECASE)
_MOST_SHOWN = 40
_LONGEST_SOURCE = 20_000
_LONGEST = 20_000
_DEEPEST = 6
_MOST_KEPT = 4096
"""Slots that are kept."""
_SECOND_STOP = re.compile(r'([.!?]")\.(?=\s|$)')
"""A full stop behind a quoted sentence that has one."""
_MARK = re.compile(r"[{}<>]")
_LOOP = re.compile(r"\s*\$?[A-Za-z_][\w.-]*\s*(?:\|[^<>{}]*)?")
"""What stands before the colon of a loop: a path, and how its parts are joined."""
_JOINS = ("lines", "sentences", "or", "semicolons")


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled text."""

    source: str
    parts: tuple[str | Write, ...]
    names: frozenset[str]
    """The names that its slots begin with."""

    def write(self, scope: Scope, speech: Speech | None = None) -> str:
        """Return the text with its slots filled.

        Raises:
            Unsayable: a slot stands for nothing, or the text grows too long to be said.
        """
        voice = speech or Speech()
        return _sound("".join(self._pieces(scope, voice)), scope)

    def _pieces(self, scope: Scope, voice: Speech) -> list[str]:
        return [part if isinstance(part, str) else part(scope, voice) for part in self.parts]

    def write_listed(self, one: Any, scope: Scope, voice: Speech) -> str:
        """Return the text about one of a list; where the user speaks of an object, how it was said is noted."""
        pieces = self._pieces(scope.inside(one, it=one), voice)
        if isinstance(one, dict) and not (voice.answering or voice.is_value):
            of_slots = (not isinstance(part, str) for part in self.parts)
            voice.listed.setdefault(id(one), (one, tuple(zip(of_slots, pieces, strict=True))))
        return _sound("".join(pieces), scope)


def _sound(text: str, scope: Scope) -> str:
    """Return a text with its stops put right, unless it has grown too long."""
    if len(text) > _LONGEST or not scope.world.spend(1 + len(text) // 100):
        raise Unsayable("too long a text")
    return _SECOND_STOP.sub(r"\1", text) if '".' in text else text


def compile_template(text: str, path: Path, compiler: Compiler) -> Template:
    """Compile a text; what is wrong with it is noted as a fault."""
    names: set[str] = set()
    if len(text) > _LONGEST_SOURCE:
        compiler.faults.add(path, f"a text has at most {_LONGEST_SOURCE:,} characters")
        text = ""
    parts = _Reader(text, path, compiler, names).parts("")
    return Template(text, tuple(parts), _shared(frozenset(names)))


def templates(texts: tuple[str, ...], path: Path, compiler: Compiler) -> tuple[Template, ...]:
    """Compile texts."""
    return tuple(compile_template(text, (*path, number), compiler) for number, text in enumerate(texts))


@lru_cache(maxsize=_MOST_KEPT)
def _shared(names: frozenset[str]) -> frozenset[str]:
    """Return the one set of these names: thousands of texts begin with the same few."""
    return names


def written_value(text: str, path: Path, compiler: Compiler) -> Value:
    """Compile a text that is a value: ABSENT where a slot stands for nothing."""
    template = compile_template(text, path, compiler)

    def value(scope: Scope) -> Any:
        try:
            return template.write(scope, Speech(is_value=True))
        except Unsayable:
            return ABSENT

    return value


class _Reader:
    """Reads a text from left to right."""

    def __init__(
        self, text: str, path: Path, compiler: Compiler, names: set[str], place: int = 0, depth: int = 0
    ) -> None:
        self._text = text
        self._path = path
        self._compiler = compiler
        self._names = names
        self._depth = depth
        self.place = place

    def parts(self, end: str) -> list[str | Write]:
        """Read up to the end of the text, or of the loop that it is the inside of."""
        found: list[str | Write] = []
        plain = ""
        while mark := _MARK.search(self._text, self.place):
            plain += self._text[self.place : mark.start()]
            self.place = mark.start()
            char = mark.group()
            if self._is_plain(char):
                plain += char
                self.place += 2
            elif char == end:
                break
            elif char in "{<":
                found += [plain] if plain else []
                plain = ""
                found.append(self._slot() if char == "{" else self._loop())
            else:
                plain += char
                self.place += 1
        else:
            plain += self._text[self.place :]
            self.place = len(self._text)
        return [*found, plain] if plain else found

    def _is_plain(self, mark: str) -> bool:
        """Say whether a mark is written twice, which makes it one plain character; `>>` may close two loops."""
        return self._text.startswith(mark * 2, self.place) and not (mark == ">" and self._depth > 1)

    def _fault(self, what: str, remedy: str = "") -> Write:
        self._compiler.faults.add(self._path, f"{what}: {self._text[:120]!r}", remedy)
        self.place = len(self._text)
        return lambda scope, speech: ""

    def _slot(self) -> Write:
        end = self._text.find("}", self.place)
        if end < 0:
            return self._fault("a slot is not closed by }")
        if "{" in self._text[self.place + 1 : end]:
            return self._fault("a slot stands inside a slot", "write one behind the other, as `{n} x {p}`")
        whole = self._text[self.place + 1 : end].strip()
        self.place = end + 1
        path, *written = whole.split("|")
        self._check(path)
        for form in written:
            name, argument = _named(form)
            if name not in FORMATS:
                self._compiler.faults.unknown(self._path, "format", name, FORMATS)
                return lambda scope, speech: ""
            if problem := problem_of_argument(name, argument):
                self._compiler.faults.add(self._path, f"{whole!r}: {problem}")
                return lambda scope, speech: ""
        return _written(whole)

    def _check(self, path: str) -> None:
        keys = _keys(path)
        self._names.add(keys[0])
        self._compiler.check_path(keys, self._path)

    def _loop(self) -> Write:
        colon = self._text.find(":", self.place)
        if colon < 0 or not _LOOP.fullmatch(self._text[self.place + 1 : colon]):
            return self._fault("a loop is written <list: text>, and a plain < or > is written << or >>")
        if self._depth >= _DEEPEST:
            return self._fault(f"loops nest at most {_DEEPEST} deep")
        path, *flags = self._text[self.place + 1 : colon].strip().split("|")
        self._check(path)
        compiler = self._compiler.naming({"it": ""}, open=True)
        inner = _Reader(self._text, self._path, compiler, set(), colon + 1, self._depth + 1)
        parts = inner.parts(">")
        if inner.place >= len(self._text):
            return self._fault("a loop is not closed by >")
        self.place = inner.place + 1
        each = Template(self._text, tuple(_trimmed(parts)), frozenset())
        for flag in flags:
            if flag not in _JOINS and not _is_count(flag):
                self._compiler.faults.unknown(self._path, "way of joining", flag, [*_JOINS, "3"])
        return _looped(compile_path(_keys(path)), each, flags)


def _keys(path: str) -> list[str]:
    return path.strip().lstrip("$").split(".")


def _named(form: str) -> tuple[str, str]:
    """Return the name of a format and its argument."""
    name, _, argument = form.partition(":")
    return name.strip(), argument


@lru_cache(maxsize=_MOST_KEPT)
def _written(slot: str) -> Write:
    """Return what writes a slot that was checked: the same in all texts that hold it."""
    path, *forms = slot.split("|")
    value = compile_path(_keys(path))
    if not forms:
        return lambda scope, speech: say(value(scope), scope, speech)
    return _formatted(value, [(FORMATS[name][0], argument) for name, argument in map(_named, forms)])


def _is_count(flag: str) -> bool:
    return flag.isascii() and flag.isdecimal() and len(flag) <= len(str(_MOST_SHOWN))


def _trimmed(parts: list[str | Write]) -> list[str | Write]:
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip(" ")
    return [part for part in parts if part != ""]


def _formatted(value: Value, forms: list[tuple[Callable[[Any, str, Speech], str], str]]) -> Write:
    def write(scope: Scope, speech: Speech) -> str:
        found = value(scope)
        if found is ABSENT:
            raise Unsayable("a slot stands for nothing")
        if isinstance(found, Row | Worded):
            found = say(found, scope, speech)
        for form, argument in forms:
            found = form(found, argument, speech)
        return str(found)

    return write


def _looped(rows: Value, each: Template, flags: list[str]) -> Write:
    most = min(next((int(flag) for flag in flags if _is_count(flag)), _MOST_SHOWN), _MOST_SHOWN)
    how = next((flag for flag in flags if flag in _JOINS), "")
    join = joined_names if len(each.parts) == 1 and not isinstance(each.parts[0], str) else joined

    def write(scope: Scope, speech: Speech) -> str:
        found = rows(scope)
        if not isinstance(found, list) or not found:
            raise Unsayable("there is nothing to list")
        texts = [each.write_listed(one, scope, speech) for one in found[:most]]
        if how == "lines":
            return "\n" + "\n".join(f"- {text}" for text in texts)
        if how in ("sentences", "semicolons"):
            return ("; " if how == "semicolons" else " ").join(texts)
        return join(texts, how or "and")

    return write


def say(value: Any, scope: Scope, speech: Speech) -> str:
    """Say a value: a row as people call it, a worded value in its words, anything else as it stands.

    Raises:
        Unsayable: it stands for nothing that could be said.
    """
    if isinstance(value, Row):
        return call(value, scope, speech)
    if value == "" and speech.is_value:
        return ""
    if isinstance(value, Worded):
        return _words_for(value, speech)
    if isinstance(value, list | tuple) and value and isinstance(value[0], Row):
        return joined_names([call(row, scope, speech) for row in value])
    return text_of(value)


def _words_for(value: Worded, speech: Speech) -> str:
    """Return the words for a worded value in this record: always the same."""
    words = speech.worded.get(id(value))
    if words is None:
        words = speech.worded[id(value)] = speech.random.choice(value.say)
    return _MY.sub(_yours, words) if speech.answering else words


def call(row: Row, scope: Scope, speech: Speech) -> str:
    """Return what a row is called in this record: always the same."""
    if (named := speech.named.get(row)) is None:
        templates = scope.world.sayings(row.entity, typed=row in speech.typed)
        if row in speech.calling:
            raise Unsayable("a name that holds itself")
        speech.calling.add(row)
        try:
            named = _first_sayable(templates, scope.inside(row), speech)
        finally:
            speech.calling.discard(row)
        speech.named[row] = named
    return _MY.sub(_yours, named) if speech.answering else named


def _yours(my: re.Match[str]) -> str:
    return "Your" if my[0][0] == "M" else "your"


def _first_sayable(templates: tuple[Template, ...], scope: Scope, speech: Speech) -> str:
    order = list(templates)
    speech.random.shuffle(order)
    for template in order:
        try:
            return template.write(scope, speech)
        except Unsayable:
            continue
    raise Unsayable("a thing that cannot be called by any name")
