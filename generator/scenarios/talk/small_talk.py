"""Small talk: what is said to an assistant that needs no tool, and its answers, from `small_talk.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from generator.assets import asset_file
from generator.scenarios.talk.texts import upper_first

_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")
_SPACED = re.compile(r"\s+([.,!?])")


@dataclass(frozen=True, slots=True)
class Talk:
    """One subject of small talk. `about` says that its answers tell what the tools can do."""

    name: str
    requests: tuple[str, ...]
    replies: tuple[str, ...]
    about: bool


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """Every subject in its order, and the pools that requests draw from."""

    talks: tuple[Talk, ...]
    pools: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def load_small_talk() -> SmallTalk:
    """Read the small talk that ships with toolgen, once."""
    data = tomllib.loads(asset_file("talk/small_talk.toml").read_text("utf-8"))
    talks = tuple(
        Talk(talk["name"], tuple(talk["requests"]), tuple(talk["replies"]), bool(talk.get("about")))
        for talk in data["talks"]
    )
    return SmallTalk(talks, {name: tuple(values) for name, values in data["pools"].items()})


def draw_wording(frame: str, random: Random, pools: Mapping[str, tuple[str, ...]]) -> str:
    """Draw the wordings and pool values of one text; a value is drawn once for each slot, never twice in a text."""
    taken: set[str] = set()

    def value(match: re.Match[str]) -> str:
        free = [each for each in pools[match[1]] if each not in taken] or pools[match[1]]
        drawn = random.choice(free)
        taken.add(drawn)
        return drawn

    chosen = _CHOICE.sub(lambda match: random.choice(match[1].split("|")), frame)
    return upper_first(_SPACED.sub(r"\1", " ".join(_SLOT.sub(value, chosen).split())))
