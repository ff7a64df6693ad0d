"""Speech: who says a template, and what was noted while it was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from generator.worlds.rows import Row


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
