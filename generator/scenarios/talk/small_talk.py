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
_WORD = re.compile(r"\w+")
_HOURS = {
    "morning": re.compile(r"\b(?:morning|breakfast)\b", re.IGNORECASE),
    "day": re.compile(r"\b(?:afternoon|lunch)\b", re.IGNORECASE),
    "evening": re.compile(r"\b(?:evening|tonight|night|dinner|bed|calling it a day)\b", re.IGNORECASE),
}
"""Words that tell the hour."""
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


def draw_reply(talk: Talk, request: str, offers: str, random: Random) -> str:
    """Draw an answer: one that calls people by the name they said, where the subject has such."""
    said = _WORD.findall(request)
    name = next((each for each in load_small_talk().pools["name"] if each in said), "")
    fitting = [reply for reply in talk.replies if "{name}" in reply] if name else []
    plain = [reply for reply in talk.replies if "{name}" not in reply]
    return random.choice(fitting or plain).format(offers=offers, name=name)


def fits_the_hour(text: str, before: str) -> bool:
    """Say whether two texts can be said one after the other: nobody says good morning and leaves for dinner."""
    first, second = ({hour for hour, words in _HOURS.items() if words.search(each)} for each in (before, text))
    return not first or not second or bool(first & second)


def takes_leave(text: str) -> bool:
    """Say whether somebody wishes a good night: a goodbye after it would be another one."""
    return "good night" in text.casefold()


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
