"""Concepts: the words that tell what a tool is about, whatever it is called by."""

from __future__ import annotations

from functools import lru_cache

from generator.validation.kinds.domains import root
from generator.validation.kinds.telling import words_of
from generator.validation.tool_view import ToolView

_READ = 200
_MOST_TEXT = 4_000
FILLING = frozenset("a an the of in on at to for from with and or by is are be it its this that your given".split())
"""Words that are about nothing."""
_LOOKING = "look"
_ROWS = (
    ("look get fetch find search retrieve query lookup show list return give read check compute calculate calc "
    "estimate determine detail info information data result api tool service finder calculator"),
    "speed velocity", "convert conversion exchange converter", "movie film", "music song track", "stock share equity",
    "delete remove erase drop", "create add make new generate insert", "update edit change modify set", "cancel abort",
    "send post deliver", "buy purchase order", "price cost quote rate", "city town", "user customer person member",
    "photo picture image", "place location site", "trip travel journey", "restaurant eatery dining", "job career",
)  # fmt: skip
_SAME = {word: row.split()[0] for row in _ROWS for word in row.split()}
"""Words that mean the same of tools, each with the first of its row."""
VERBS = frozenset(("delete", "create", "update", "cancel", "send", "convert", "buy"))
"""Concepts that tell what is done, not what it is done to."""


def concepts(text: str) -> frozenset[str]:
    """Return the concepts at the beginning of a text; verbs that only say that something is looked up are none."""
    return _concepts(text[:_MOST_TEXT])


@lru_cache(maxsize=4096)
def _concepts(text: str) -> frozenset[str]:
    return frozenset(_SAME.get(word, root(word)) for word in words_of(text) - FILLING) - {_LOOKING}


def description_of(tool: ToolView) -> str:
    """Return the beginning of a tool's description."""
    return str(tool.function.get("description") or "")[:_READ]


def own_concepts(tool: ToolView, other: ToolView) -> frozenset[str]:
    """Return the concepts of a tool's name and description that the other has in neither."""
    mine, theirs = (concepts(f"{each.name} {description_of(each)}") for each in (tool, other))
    return mine - theirs
