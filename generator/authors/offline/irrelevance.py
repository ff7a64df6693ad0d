"""Irrelevance: a request that none of the shown tools can serve, and the answer that says so.

Two locks keep the request away from the tools. A topic is used only where none of its words is a word of a shown
tool (name, description, parameters); and the finished request shares no telling word with a tool's name and
hardly any with the rest of it. General tools (a browser, a shell, a web search) leave only what needs hands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.irrelevance_topics import Topic, load_topics
from generator.authors.offline.replies_actions import action
from generator.authors.offline.words import join_and, split_identifier, upper_first, word_set
from generator.jsontext import JsonValue
from generator.scenarios.scenario import Scenario
from generator.streams import stream
from generator.tools.tool import Tool

RULE = "AU003"
"""The rejection's rule: every topic is too near to a shown tool."""
CLOSEST = 0.34
"""The largest share of a request's telling words that one tool may hold."""
_TRIES = 8
_DEPTH = 6
_WORD = re.compile(r"[a-z]+")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")
_GENERAL = word_set("""
    web internet browser browse navigate google webpage website http url shell bash command terminal execute script
    python click scrape sql llm assistant anything wikipedia
    """)
_MESSAGES = word_set("email emails mail message messages sms text notify notification post tweet slack chat send")
_ADDRESSING = word_set("Tell Text Call Send Forward Leave")
"""How a request begins that any tool which writes to people could serve."""
_EMPTY = word_set("""
    a an the of in on at to for from with and or by is are was be it its i me my mine we us our you your he she they
    them this that these those what which who when where why how much many can could would should will do does did
    have has had get gets give show find tell make let put set take need want like please right now still just any
    some all no not if so as up out down off over under than then there here new last next one more most other go
    going come back been about into yet please help know see look use used using e g ie etc per via specific given
    provided value values name names list data result results string number type optional required true false
    default format date day days time id ids user current information details returns return retrieve fetch search
    create update delete add check api function tool parameter object array morning two three four five six eight
    """)
_ENDINGS = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ions",
    "ion",
    "ers",
    "er",
    "ies",
    "ed",
    "es",
    "s",
    "y",
    "e",
)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return a crude stem: a known ending cut off where at least three letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=4096)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the telling words of a text."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _EMPTY and len(word) > 2)


def _texts(schema: JsonValue, depth: int) -> Iterable[str]:
    """Yield the names, descriptions and enum values of a schema down to a fixed depth."""
    if not isinstance(schema, dict) or depth == 0:
        return
    if isinstance(description := schema.get("description"), str):
        yield description
    if isinstance(values := schema.get("enum"), list):
        yield " ".join([str(value) for value in values[:40]])
    if isinstance(properties := schema.get("properties"), dict):
        for name, inner in properties.items():
            yield " ".join(split_identifier(name))
            yield from _texts(inner, depth - 1)
    yield from _texts(schema.get("items"), depth - 1)


@lru_cache(maxsize=256)
def _stems_of_topic(topic: Topic) -> frozenset[str]:
    return stems_of(" ".join(topic.words))


class _Lock:
    """The words of one tool, read once."""

    __slots__ = ("admitted", "every", "named", "writes")

    def __init__(self, tool: Tool) -> None:
        name = " ".join(split_identifier(tool.name))
        texts = [name, tool.description, *_texts(tool.parameters, _DEPTH)]
        self.named = stems_of(name)
        self.every = frozenset().union(*[stems_of(text[:4000]) for text in texts])
        words = set(_WORD.findall(f"{name} {tool.description[:300]}".lower()))
        self.writes = bool(words & _MESSAGES)
        general = bool(words & _GENERAL)
        self.admitted = frozenset(
            number
            for number, topic in enumerate(load_topics().topics)
            if _stems_of_topic(topic).isdisjoint(self.every) and (topic.hands or not general)
        )
        """Numbers of the topics that the tool has nothing to do with."""

    def keeps_away(self, text: str, request: frozenset[str]) -> bool:
        if self.writes and text.split(" ", 1)[0] in _ADDRESSING:
            return False
        if not self.named.isdisjoint(request):
            return False
        return len(request & self.every) <= CLOSEST * len(request)


class _Locks:
    """The locks of the tools seen last, by what the tools show."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: dict[str, _Lock] = {}

    def of(self, tool: Tool) -> _Lock:
        """Return the lock of a tool, making it where it is not known yet."""
        lock = self._known.get(tool.fingerprint)
        if lock is None:
            if len(self._known) >= self._size:
                self._known.clear()
            lock = self._known[tool.fingerprint] = _Lock(tool)
        return lock


_LOCKS = _Locks(4096)


def write_irrelevant_request(scenario: Scenario) -> str:
    """Write a request that none of the shown tools can serve.

    Raises:
        NoDraft: every topic is too near to one of the tools (rule AU003).
    """
    return _topic_and_request(scenario)[1]


def write_irrelevant_reply(scenario: Scenario) -> str:
    """Write the answer to that request: what cannot be done, and what the shown tools can do.

    Raises:
        NoDraft: every topic is too near to one of the tools (rule AU003).
    """
    topic = _topic_and_request(scenario)[0]
    random = stream(scenario.seed, "irrelevant reply")
    offers = offers_of(scenario.tools, random)
    wordings = _WITH_OFFERS if offers else _WITHOUT_OFFERS
    return wordings[int(random.random() * len(wordings))].format(deed=topic.deed, offers=join_and(offers, "or"))


def _topic_and_request(scenario: Scenario) -> tuple[Topic, str]:
    random = stream(scenario.seed, "irrelevance")
    locks = [_LOCKS.of(tool) for tool in scenario.tools]
    topics = load_topics().topics
    safe = [topics[number] for number in sorted(frozenset.intersection(*[lock.admitted for lock in locks]))]
    for _ in range(_TRIES if safe else 0):
        topic = random.choice(safe)
        request = fill(random.choice(topic.requests), random)
        if is_kept_away(request, scenario.tools):
            return topic, request
    raise NoDraft(RULE, "every topic for an irrelevant request is too near to one of the tools shown")


def draw_unserved(random: Random) -> tuple[Topic, str]:
    """Draw a topic and a request that nobody without a tool can serve."""
    topic = random.choice(load_topics().topics)
    return topic, fill(random.choice(topic.requests), random)


def is_kept_away(text: str, tools: tuple[Tool, ...]) -> bool:
    """Say whether a text shares no telling word with the name of any of the tools, and few with the rest of it."""
    telling = stems_of(text)
    return all(_LOCKS.of(tool).keeps_away(text, telling) for tool in tools)


def fill(frame: str, random: Random) -> str:
    """Draw the wordings and pool values of one sentence."""
    text = _CHOICE.sub(lambda match: random.choice(match[1].split("|")), frame)
    pools = load_topics().pools
    return upper_first(_SLOT.sub(lambda match: random.choice(pools[match[1]]), text))


def offers_of(tools: tuple[Tool, ...], random: Random) -> list[str]:
    """Say what up to three of the tools do, in their order; nothing of those that no words offer."""
    offers = list(dict.fromkeys(offer for tool in tools if (offer := action(tool).offer)))
    kept = sorted(random.sample(range(len(offers)), min(3, len(offers))))
    return [offers[index] for index in kept]


_WITH_OFFERS = (
    "I'm afraid I can't {deed} with what I have here. What I can do is {offers}.",
    "Sorry, I'm not able to {deed}. I could {offers}, if that helps.",
    "I don't have anything that lets me {deed}. I can {offers}, though.",
    "I can't {deed} from here. If you need it, I can {offers}.",
    "That's outside of what I can do: I have no way to {deed}. I can {offers} instead.",
    "Unfortunately I have no means to {deed}. Let me know if I should {offers}.",
    "I'd love to help, but I can't {deed}. If you like, I can {offers}.",
    "None of my tools let me {deed}. They do let me {offers}.",
    "I can't {deed} here, sorry. I'm set up to {offers}.",
)
_WITHOUT_OFFERS = (
    "I'm afraid I can't {deed} with what I have here.",
    "Sorry, I'm not able to {deed}: nothing I have here is made for that.",
    "I don't have anything that lets me {deed}, so you'd have to do that another way.",
    "Unfortunately I have no means to {deed} from here.",
)
