"""Phrases that belong to no domain: texts joined as people write them, and what has nothing to do with the tools."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, prod
from random import Random
from typing import Any

from generator.assets import asset_file
from generator.jsontext import JsonValue, dump_compact
from generator.tools import Tool
from generator.worlds.rows import Worded
from generator.worlds.speech import FORMATS, Speech, Unsayable
from generator.worlds.templates import Template


@lru_cache(maxsize=1)
def phrases() -> dict[str, Any]:
    """Return the phrases that ship with toolgen, read once."""
    return tomllib.loads(asset_file("phrases.toml").read_text("utf-8"))


def upper_first(text: str) -> str:
    """Raise the first letter, unless the first word is a web address or an e-mail address."""
    first = text.split(" ", 1)[0]
    return text if "/" in first or "@" in first else text[:1].upper() + text[1:]


_OPENING = re.compile(r"[\w'’]+(?:(?=[.,:;!])|\s+[\w'’]+)?")
"""One word before a mark ("Done."), else two."""
_ALL_DONE = re.compile(
    r"\A(?:all )?(?:done|ok|okay|all right|all set|sure|great)[,.!:] +(?=\S+(?: +\S+){2})", re.IGNORECASE
)
"""The word that says that all is done, before three words that say more."""
_ADDING = re.compile(r"([^.?!\n]*\b(?:too|as well)[.!]) +([^\n]+)$", re.IGNORECASE)
"""A sentence that adds something, before those that say to what."""
_COMMON_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?,? ")
_WORD = re.compile(r"\w+")
_SMALL_WORDS = frozenset("a an and at by for from in my of on our the to with your".split())
_ENDS = ".?!…)"
_QUOTES = "\"'"


def joined_wishes(texts: Sequence[str], random: Random) -> str:
    """Say several wishes in one message: one after the other with words between them, or more than two as a list."""
    if len(texts) == 1:
        return sentence(texts[0])
    sentences = [upper_first(sentence(_whole_first(text))) for text in texts]
    if len(sentences) > 2 and random.random() < _SHARE_OF_LISTS:
        intro = random.choice(phrases()["wishes"]["several"]).format(many=_COUNTS.get(len(sentences), "Several"))
        return "\n".join([intro, *(f"{number}. {text}" for number, text in enumerate(sentences, 1))])
    first, *between, last = sentences
    final = "last" if between else "next"
    further = [*(_continued(text, "next", random) for text in between), _continued(last, final, random)]
    return ("\n\n" if any("\n" in text for text in sentences) else " ").join([first, *further])


def _whole_first(text: str) -> str:
    """Put the sentence with which a wish begins behind the next, where it adds to that: "I need X, too"."""
    found = _ADDING.match(text)
    return f"{sentence(found[2])} {found[1]}" if found else text


_COUNTS = {2: "Two", 3: "Three", 4: "Four"}
_SHARE_OF_LISTS = 0.6


def _continued(text: str, place: str, random: Random) -> str:
    """Say a further wish with a word that joins it to the one before.

    Only a sentence that begins with a common word goes on in small letters; any other stands apart, but that
    of somebody who says "I".
    """
    texts = phrases()["wishes"][place]
    word, _, rest = text.partition(" ")
    if rest and word.partition("'")[0] == "I":
        return str(random.choice(texts["within"])).format(further=text)
    if rest and word.rstrip(",").lower() in phrases()["wishes"]["lowered"]:
        return str(random.choice(texts["within"])).format(further=f"{word.lower()} {rest}")
    return str(random.choice(texts["apart"])).format(further=text)


def joined_answers(texts: Sequence[str], *, alike: bool) -> str:
    """Say what became of several wishes, in their order: paragraphs, or lines where they are of one sort.

    "Done" is said at the start of an answer, not of each of its parts.
    """
    if len(texts) < 2:
        return "".join(texts)
    if alike and not any("\n" in text for text in texts):
        return "\n".join(f"- {part_of_several(text)}" for text in texts)
    first, *further = texts
    return "\n\n".join([_begun(first), *map(part_of_several, further)])


def part_of_several(text: str) -> str:
    """Return an answer as it stands among others: without the word that says that all is done."""
    return _begun(_ALL_DONE.sub("", text))


def _begun(text: str) -> str:
    """Begin an answer with a capital, unless it begins with a name that is written small."""
    return upper_first(text) if _COMMON_WORD.match(text) else text


def about(text: str, thing: str) -> str:
    """Say what one of several answers is about, unless its words do."""
    words = {word for word in _WORD.findall(thing.casefold()) if word not in _SMALL_WORDS}
    if not words or words.intersection(_WORD.findall(text.casefold())):
        return text
    return f"{upper_first(thing)}: {part_of_several(text)}"


def sentence(text: str) -> str:
    """Return a text with an end; a quotation ends it where it ends with a stop of its own."""
    plain = text.rstrip()
    return plain if plain.rstrip(_QUOTES)[-1:] in _ENDS else f"{plain}."


def opening(text: str) -> str:
    """Return the words with which a text begins, as far as readers notice that another one begins alike."""
    found = _OPENING.match(text.casefold())
    return found[0] if found else ""


_NAME = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_SLOT = re.compile(r"\{\s*\$?([A-Za-z_][A-Za-z0-9_]*)")
_ENDING = re.compile(r"(?<=\w{2})ies$|(?<=(?:ss|sh|ch|\wx|\wz))es$|(?<=\w{2}[^su])s$")
"""Endings of a plural; "bus" and "dress" have none."""
_NOT_DRAWN = frozenset({"me", "today", "now", "args", "it"})
_LOSSY = frozenset({"plural", "yes", "cut", "first", "count", "brief", "weekday_name"})
"""Formats that say a part of a value, or a word in its place."""


def says_value(value: JsonValue, text: str) -> bool:
    """Say whether a text holds a value as it stands or in one of the formats; of an object, all that it holds."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, dict | list):
        return all(says_value(each, text) for each in (value.values() if isinstance(value, dict) else value))
    plain = _plain(text)
    if _stands(str(value), plain) or any(_stands(form, plain) for form in _forms(value)):
        return True
    return isinstance(value, str) and _singular(value) in _singulars(plain)


@lru_cache(maxsize=4096)
def _forms(value: str | float) -> list[str]:
    speech = Speech()
    found = [str(value)]
    for name, (write, _) in FORMATS.items():
        if name in _LOSSY:
            continue
        try:
            found.append(write(value, "", speech))
        except (Unsayable, ValueError, TypeError, IndexError, OverflowError):
            continue
    return [form for form in found if form]


def _stands(form: str, text: str) -> bool:
    plain = _plain(form)
    return plain in text and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text) is not None


def _singular(text: str) -> str:
    """Write a text with its words in one number, so that one storm and storms are the same, with a space around."""
    words = _WORD.findall(_plain(text))
    return f" {' '.join(_ENDING.sub(_without_ending, word) for word in words)} "


@lru_cache(maxsize=256)
def _singulars(plain: str) -> str:
    return _singular(plain)


def _without_ending(ending: re.Match[str]) -> str:
    return "y" if ending[0] == "ies" else ""


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def says(template: Template, spec: JsonValue, given: Any, value: JsonValue, text: str) -> bool:
    """Say whether what a template wrote says an argument.

    Args:
        template: the template.
        spec: how the domain file writes the argument.
        given: what it stands for before it is brought to JSON: a worded value has words of its own.
        value: the argument.
        text: what the template wrote, and what was said and told before it.
    """
    if isinstance(given, Worded):
        return _says_worded(given, text) or says_value(value, text)
    if isinstance(spec, str) and _has_slot(template, spec[1:]):
        return True
    roots = set(_roots(spec)) - _NOT_DRAWN
    if not isinstance(spec, str) and roots:
        return roots <= template.names or says_value(value, text)
    return says_value(value, text) and not (isinstance(value, bool) and not roots <= template.names)


def _says_worded(given: Worded, text: str) -> bool:
    return any(words.casefold() in text.casefold() for words in given.say)


def _has_slot(template: Template, name: str) -> bool:
    return re.search(r"\{\s*\$?" + re.escape(name) + r"\s*[|}]", template.source) is not None


def _roots(spec: JsonValue, key: str = "") -> Iterator[str]:
    """Yield the names that a value begins with, in texts and formulas among them; operators are none."""
    if isinstance(spec, dict):
        for name, inner in spec.items():
            yield from _roots(inner, name)
    elif isinstance(spec, list):
        for inner in spec:
            yield from _roots(inner, key)
    elif isinstance(spec, str):
        yield from _SLOT.findall(spec) if key == "$text" else _NAME.findall(spec)


_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_OFF_TOPIC_SLOT = re.compile(r"\{(\w+)\}")
_OFF_TOPIC_WORD = re.compile(r"[a-z]+")
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
    spoken = frozenset().union(*map(_roots_of, tools))
    general = any(
        not _GENERAL.isdisjoint(_OFF_TOPIC_WORD.findall(f"{tool.name} {tool.description}".lower())) for tool in tools
    )
    free = [topic for topic in topics() if spoken.isdisjoint(_topic_roots(topic)) and (topic.hands or not general)]
    if not free:
        return None
    known = [(topic, request) for topic in free for request in topic.requests]
    times = before / len(known)
    (chosen,) = random.choices(known, [exp(-times / _off_topic_forms(request)) + _LEAST for _, request in known])
    return chosen[0], fill(chosen[1], random, _pools())


@lru_cache(maxsize=4096)
def _off_topic_forms(request: str) -> int:
    """Return in how many forms a request can be said."""
    return count_forms(request, _pools())


@lru_cache(maxsize=4096)
def _off_topic_roots(text: str) -> frozenset[str]:
    return frozenset(word[:_ROOT] for word in _OFF_TOPIC_WORD.findall(text.lower()) if len(word) > 2)


def _roots_of(tool: Tool) -> frozenset[str]:
    return _off_topic_roots(f"{tool.name} {tool.description} {dump_compact(tool.parameters)[:4000]}")


def _topic_roots(topic: Topic) -> frozenset[str]:
    return _off_topic_roots(" ".join(topic.words))


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
    return upper_first(_SPACED.sub(r"\1", " ".join(_OFF_TOPIC_SLOT.sub(value, chosen).split())))


def fill(text: str, random: Random, pools: Mapping[str, tuple[str, ...]]) -> str:
    """Draw the wordings and the pool values of a text."""
    chosen = _CHOICE.sub(lambda match: random.choice(match[1].split("|")), text)
    return upper_first(_OFF_TOPIC_SLOT.sub(lambda match: random.choice(pools[match[1]]), chosen))


def count_forms(text: str, pools: Mapping[str, tuple[str, ...]]) -> int:
    """Return in how many forms a text can be said: the product of its wordings and of the pools it draws from."""
    wordings = prod(len(match[1].split("|")) for match in _CHOICE.finditer(text))
    return wordings * prod(len(pools[match[1]]) for match in _OFF_TOPIC_SLOT.finditer(text))
