"""What people say that has nothing to do with the tools: wishes that none serves, plain questions, small talk."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp, prod
from random import Random
from typing import Any

from generator.assets import asset_file
from generator.jsontext import dump_compact
from generator.scenarios.wording import upper_first
from generator.tools.tool import Tool

_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")
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


_SHARE_OF_FACTS = 0.55
_TOLD_FIRST = ("I've ", "I came ")
"""How a question begins that tells something first, so that nothing suits before it."""
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


@dataclass(frozen=True, slots=True)
class Facts:
    """Questions of one form: `{}` is what is asked about, `{answer}` what is right."""

    questions: tuple[str, ...]
    answers: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlainQuestions:
    """All facts, and how people begin and end a question."""

    facts: tuple[Facts, ...]
    openings: tuple[str, ...]
    closings: tuple[str, ...]


@lru_cache(maxsize=1)
def load_plain_questions() -> PlainQuestions:
    """Read the questions that ship with toolgen, once."""
    data = tomllib.loads(asset_file("talk/plain_questions.toml").read_text("utf-8"))
    facts = tuple(
        Facts(
            tuple(each["questions"]),
            tuple(each["answers"]),
            tuple((about, answer) for about, answer in each["pairs"]),
        )
        for each in data["facts"]
    )
    return PlainQuestions(facts, tuple(data["openings"]), tuple(data["closings"]))


def draw_question(random: Random) -> tuple[str, str]:
    """Draw a question and its answer."""
    known = load_plain_questions()
    asked, answer = _fact(random, known) if random.random() < _SHARE_OF_FACTS else random.choice(_WORKED_OUT)(random)
    opening = "" if asked.startswith(_TOLD_FIRST) else random.choice(known.openings)
    text = f"{opening}{asked if opening.endswith((': ', ', ')) else upper_first(asked)}{random.choice(known.closings)}"
    return upper_first(text), upper_first(answer)


def _fact(random: Random, known: PlainQuestions) -> tuple[str, str]:
    facts = random.choice(known.facts)
    about, answer = random.choice(facts.pairs)
    return random.choice(facts.questions).format(about), random.choice(facts.answers).format(about, answer=answer)


def _product(random: Random) -> tuple[str, str]:
    first, second = random.randint(6, 49), random.randint(6, 49)
    asked = random.choice(("what's {} times {}?", "how much is {} times {}?", "can you multiply {} by {} for me?"))
    return asked.format(first, second), f"{first} times {second} is {first * second:,}."


def _total(random: Random) -> tuple[str, str]:
    first, second = random.randint(120, 980), random.randint(120, 980)
    asked = random.choice(("what's {} plus {}?", "can you add {} and {} for me?", "what do {} and {} add up to?"))
    return asked.format(first, second), f"{first} plus {second} is {first + second:,}."


def _share(random: Random) -> tuple[str, str]:
    percent, whole = random.choice((5, 10, 15, 20, 25, 30, 40, 60, 75, 80)), 20 * random.randint(3, 60)
    asked = random.choice(("what's {}% of {}?", "how much is {} percent of {}?", "what do I get for {} percent of {}?"))
    return asked.format(percent, whole), f"{percent}% of {whole:,} is {percent * whole / 100:g}."


def _length(random: Random) -> tuple[str, str]:
    count, (unit, other, factor) = random.randint(2, 90), random.choice(_LENGTHS)
    asked = random.choice(("how many {1} are {0} {2}?", "what is {0} {2} in {1}?", "can you convert {0} {2} to {1}?"))
    return asked.format(count, other, unit), f"{count} {unit} are about {count * factor:.1f} {other}."


_LENGTHS = (
    ("miles", "kilometers", 1.609344), ("kilometers", "miles", 1 / 1.609344), ("inches", "centimeters", 2.54),
    ("feet", "meters", 0.3048), ("meters", "feet", 1 / 0.3048), ("pounds", "kilograms", 0.45359237),
    ("kilograms", "pounds", 1 / 0.45359237), ("gallons", "liters", 3.785411784), ("yards", "meters", 0.9144),
)  # fmt: skip


def _duration(random: Random) -> tuple[str, str]:
    count, (unit, other, factor) = random.randint(2, 60), random.choice(_DURATIONS)
    asked = random.choice(("how many {1} are in {0} {2}?", "{0} {2} are how many {1}?", "how many {1} are {0} {2}?"))
    return asked.format(count, other, unit), f"{count} {unit} are {count * factor:,} {other}."


_DURATIONS = (("days", "hours", 24), ("weeks", "days", 7), ("hours", "minutes", 60), ("dozen", "pieces", 12),
              ("years", "months", 12), ("minutes", "seconds", 60))  # fmt: skip


def _roman(random: Random) -> tuple[str, str]:
    number = random.randint(4, 199)
    written, rest = "", number
    for value, letters in _ROMAN:
        written += letters * (rest // value)
        rest %= value
    asked = random.choice(("how do you write {} in Roman numerals?", "what's {} as a Roman numeral?"))
    return asked.format(number), f"{number} is {written} in Roman numerals."


_WORKED_OUT: tuple[Callable[[Random], tuple[str, str]], ...] = (_product, _total, _share, _length, _duration, _roman)


_WORD_OR_NUMBER = re.compile(r"\w+")
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
    said = _WORD_OR_NUMBER.findall(request)
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


def fill(text: str, random: Random, pools: Mapping[str, tuple[str, ...]]) -> str:
    """Draw the wordings and the pool values of a text."""
    chosen = _CHOICE.sub(lambda match: random.choice(match[1].split("|")), text)
    return upper_first(_SLOT.sub(lambda match: random.choice(pools[match[1]]), chosen))


def count_forms(text: str, pools: Mapping[str, tuple[str, ...]]) -> int:
    """Return in how many forms a text can be said: the product of its wordings and of the pools it draws from."""
    wordings = prod(len(match[1].split("|")) for match in _CHOICE.finditer(text))
    return wordings * prod(len(pools[match[1]]) for match in _SLOT.finditer(text))
