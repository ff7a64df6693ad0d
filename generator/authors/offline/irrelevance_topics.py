"""The topics of irrelevant requests, read from `irrelevance_topics.toml` beside this module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Topic:
    """One field of life. `deed` follows "I can't"; `hands` says that the web alone could never do it."""

    name: str
    deed: str
    words: tuple[str, ...]
    """A tool that speaks of one of them may well serve the topic."""
    requests: tuple[str, ...]
    """Sentences: `(a|b)` draws a wording, `{city}` a value of that pool."""
    hands: bool


@dataclass(frozen=True, slots=True)
class Topics:
    """Every topic in its order, and the pools their requests draw from."""

    topics: tuple[Topic, ...]
    pools: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def load_topics() -> Topics:
    """Read the topics that ship with toolgen, once."""
    text = files(__package__).joinpath("irrelevance_topics.toml").read_text("utf-8")
    data = tomllib.loads(text)
    topics = tuple(
        Topic(topic["name"], topic["deed"], tuple(topic["words"]), tuple(topic["requests"]), bool(topic.get("hands")))
        for topic in data["topics"]
    )
    return Topics(topics, {name: tuple(values) for name, values in data["pools"].items()})
