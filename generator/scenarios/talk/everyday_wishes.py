"""Everyday wishes that no shown tool serves, by topic, from `assets/talk/everyday_wishes.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from random import Random
from typing import Any

from generator.assets import asset_file
from generator.jsontext import dump_compact
from generator.scenarios.talk.texts import count_forms, fill
from generator.tools.tool import Tool

_WORD = re.compile(r"[a-z]+")
_GENERAL = frozenset(
    """web internet browser browse navigate url webpage website http shell bash terminal command script python google
    click scrape wikipedia""".split()
)
"""Words of tools that may serve whatever needs no hands."""
_LEAST = 1e-6
"""The weight of what has been said in all its forms."""
_ROOT = 5
"""Letters in which two forms of a word agree."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One field of life. `deed` follows "I can't"; `hands` says that the web alone could never do it."""

    name: str
    deed: str
    words: tuple[str, ...]
    """A tool that speaks of one of them may well serve the topic."""
    requests: tuple[str, ...]
    hands: bool


@lru_cache(maxsize=1)
def topics() -> tuple[Topic, ...]:
    """Return every topic, read once."""
    return tuple(
        Topic(each["name"], each["deed"], tuple(each["words"]), tuple(each["requests"]), bool(each.get("hands")))
        for each in _data()["topics"]
    )


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(asset_file("talk/everyday_wishes.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def _pools() -> dict[str, tuple[str, ...]]:
    return {name: tuple(values) for name, values in _data()["pools"].items()}


def draw_wish(random: Random, tools: tuple[Tool, ...] = (), *, before: int = 0) -> tuple[Topic, str] | None:
    """Draw a topic that none of some tools speaks of, and a wish; None where they speak of everything.

    Beside a tool for nearly everything, such as a browser, it is one that needs hands. The more wishes were drawn
    before in all, the rarer are those that can be said in few forms: they have been said.
    """
    spoken = frozenset().union(*(_roots_of(tool) for tool in tools))
    general = any(not _GENERAL.isdisjoint(_WORD.findall(f"{tool.name} {tool.description}".lower())) for tool in tools)
    free = [topic for topic in topics() if spoken.isdisjoint(_topic_roots(topic)) and (topic.hands or not general)]
    if not free:
        return None
    known = [(topic, request) for topic in free for request in topic.requests]
    times = before / len(known)
    (chosen,) = random.choices(known, [exp(-times / _forms(request)) + _LEAST for _, request in known])
    return chosen[0], fill(chosen[1], random, _pools())


@lru_cache(maxsize=4096)
def _forms(request: str) -> int:
    """Return in how many forms a request can be said."""
    return count_forms(request, _pools())


@lru_cache(maxsize=4096)
def _roots(text: str) -> frozenset[str]:
    return frozenset(word[:_ROOT] for word in _WORD.findall(text.lower()) if len(word) > 2)


def _roots_of(tool: Tool) -> frozenset[str]:
    return _roots(f"{tool.name} {tool.description} {dump_compact(tool.parameters)[:4000]}")


def _topic_roots(topic: Topic) -> frozenset[str]:
    return _roots(" ".join(topic.words))
