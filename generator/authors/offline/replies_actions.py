"""What a tool did, in words: its action from the description, the past participle of its verb, the label of a call."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from generator.authors.offline.participles import participle
from generator.authors.offline.replies_recounting import Recounted
from generator.authors.offline.replies_values import (
    is_literal,
    is_money,
    key_words,
    noun_of,
    say_figure,
    say_value,
    unit_of,
)
from generator.authors.offline.verbs import base_form
from generator.authors.offline.words import article, is_plural, lower_first, split_identifier, spoken, word_set
from generator.jsontext import JsonObject, JsonValue
from generator.tools.operations import Operation, description_sentence, read_operation
from generator.tools.tool import Tool

_END = re.compile(
    r"[,:;.(]|\s(?:that|which|using|based|given|such|so|where|whether|if|when|as|via|including|optionally|matching)\s|\s[-–]"
)
_PREPOSITION = re.compile(
    r"\s(?:in|for|by|from|at|to|with|between|on|into|within|through|near|across|under|during|over|about|against)\s"
)
_PREPOSITIONS = word_set("""
    in for by from at to with between on into within through near across under during over about against and or of
    the a an
    """)
_SECOND_VERB = re.compile(r"^(?:,\s*)?(?:and/or|or|and)\s+\w+\s+")
_SECOND_DEED = re.compile(r"\s(?:and|or)\s+(?=\w+)")
_ARTICLE = re.compile(
    r"^(?:a|an|one or more|several|some|any|multiple|new)\s+(?:new\s+|specific\s+|specified\s+|given\s+)?"
)
_FILLER = re.compile(r"\b(?:specific|specified|particular|certain|named|(?<=\bthe )given|(?<=\bthe )provided)\s+")
_EXISTING = re.compile(r"\ban? existing ")
_EITHER = re.compile(r"\s+(?:on or off|on/off|on and off)\b", re.IGNORECASE)
_AN = re.compile(r"\b[Aa]n? (?=(\w+))")
_USERS = re.compile(r"\b(?:the|a) users?'s?\s", re.IGNORECASE)
_DEEDS = word_set("create update delete send book order pay schedule play toggle run session")
_LABELS = (
    "name",
    "title",
    "city",
    "location",
    "symbol",
    "ticker",
    "number",
    "id",
    "query",
    "topic",
    "destination",
    "word",
    "text",
    "email",
)
_MANNERS = word_set("unit units format mode method sort order direction action style key token password secret pin")
_LONGEST_LABEL = 48


@dataclass(frozen=True, slots=True)
class Action:
    """What a tool does, in words: "get" "the current weather"."""

    operation: Operation
    verb: str
    thing: str
    """What it acts on, with its article; may be empty."""
    noun: str
    """The bare noun phrase of the thing."""
    offer: str
    """The action as it may be offered to somebody: "get the current weather in a city"; may be empty."""

    @property
    def changes(self) -> bool:
        """Whether the tool does something rather than finds something out."""
        return self.operation.family in _DEEDS

    @property
    def phrase(self) -> str:
        """The action as an infinitive: "get the current weather"."""
        return f"{self.verb} {self.thing}".strip()

    @property
    def done(self) -> str:
        """The action as a past participle: "booked the room"."""
        return f"{participle(self.verb)} {self.thing}".strip()


@lru_cache(maxsize=8192)
def action_of(name: str, description: str) -> Action:
    """Read what a tool does from the first sentence of its description, else from its name."""
    operation = read_operation(name, description)
    sentence = _USERS.sub("your ", " ".join(description_sentence(description).split()).rstrip("."))
    sentence = _AN.sub(_agreeing, _EXISTING.sub("a ", _FILLER.sub("", sentence)))
    first, _, rest = sentence.partition(" ")
    verb = base_form(first.strip(":,"))
    if not verb or not rest or not first.isascii():
        verb = base_form(operation.verb) or "look up"
        rest = ("the " if operation.things else "") + spoken(
            [word for name in operation.things for word in split_identifier(name)]
        )
    rest = _SECOND_VERB.sub("", rest)
    lead, _, after = rest.partition(" ")
    if lead in ("for", "in", "on", "to", "through") and after:
        verb, rest = f"{verb} {lead}", after
    thing = _thing_of(rest)
    bare = re.sub(r"^(?:the|your|a|an|all|every|each|this)\s+", "", thing)
    return Action(operation, verb, thing, bare, _offer_of(verb, rest))


def _agreeing(match: re.Match[str]) -> str:
    return f"{article(match[1])} "


def _offer_of(verb: str, rest: str) -> str:
    rest = _EITHER.sub("", rest)
    end = _END.search(rest)
    words = (rest[: end.start()] if end else rest).split()
    if not 0 < len(words) <= 14 or any("_" in word or "{" in word or "`" in word for word in words):
        return ""
    while len(words) > 1 and words[-1].lower() in _PREPOSITIONS:
        words.pop()
    if words[-1].lower() in _PREPOSITIONS:
        return ""
    return f"{verb} {lower_first(' '.join(words))}"


def _thing_of(rest: str) -> str:
    end = _END.search(rest)
    thing = rest[: end.start()] if end else rest
    for cut in (_PREPOSITION, _SECOND_DEED):
        if (match := cut.search(thing)) and (cut is _PREPOSITION or base_form(thing[match.end() :].split(" ", 1)[0])):
            thing = thing[: match.start()]
    thing = " of ".join(thing.split(" of ")[:2])
    words = thing.split()
    if not 0 < len(words) <= 8 or any("_" in word or "{" in word for word in words):
        return "that"
    definite = _ARTICLE.sub("the ", thing)
    if definite == thing and not re.match(r"(?:the|your|all|every|each|this|that|current)\b", thing):
        proper = len(words) > 1 and words[1][:1].isupper()
        definite = "the " + (thing if proper else lower_first(thing))
    return definite if not definite.startswith("current") else f"the {definite}"


def action(tool: Tool) -> Action:
    """Return what a tool does, in words."""
    return action_of(tool.name, tool.description)


def label_key(tool: Tool, arguments: JsonObject) -> str:
    """Return the name of the argument that tells best what a call is about; the empty string where none does."""
    properties = tool.parameters.get("properties", {})
    plain = [
        name for name, value in arguments.items() if _is_label(name, value) and "enum" not in properties.get(name, {})
    ]
    required = set(tool.parameters.get("required", ()))
    for wanted in _LABELS:
        found = next((name for name in plain if key_words(name)[-1:] == (wanted,)), None)
        if found is not None:
            return found
    ordered = [name for name in plain if name in required and isinstance(arguments[name], str)]
    return ordered[0] if ordered else next((name for name in plain if isinstance(arguments[name], str)), "")


def _is_label(name: str, value: JsonValue) -> bool:
    if isinstance(value, str):
        return 0 < len(value.strip()) <= _LONGEST_LABEL and "\n" not in value and key_words(name)[-1] not in _MANNERS
    return isinstance(value, int) and not isinstance(value, bool) and key_words(name)[-1:] in (("id",), ("number",))


def label_of(name: str, arguments: JsonObject) -> str:
    """Say the argument a call is about: "Paris", "order W1", "project 12"."""
    said = say_value(name, arguments[name], arguments)
    words = key_words(name)
    if len(words) > 1 and words[-1] in ("id", "number"):
        return f"{'pull request' if words[0] == 'pull' else spoken(words[:-1])} {said}"
    if words[-1:] in (("query",), ("topic",), ("text",), ("word",), ("title",)):
        return f'"{said}"'
    return _number_label(name, arguments[name]) if isinstance(arguments[name], int | float) else said


def _number_label(name: str, value: int | float) -> str:
    noun, figure = noun_of(name), say_figure(value)
    if not noun or is_money(name):
        return figure
    if unit_of(name):
        return say_value(name, value, {})
    if len(noun) == 1:
        return f"{noun} = {figure}"
    return f"{figure} {noun}" if is_plural(noun.split()[-1]) else f"{noun} {figure}"


def about_of(name: str, arguments: JsonObject) -> str:
    """Say what a call was about as it follows its deed: " in Paris", " to ana@example.com", " for order W1"."""
    if not name:
        return ""
    words, label = key_words(name), label_of(name, arguments)
    owner, repository = arguments.get("owner"), arguments.get("repo") or arguments.get("repository")
    if isinstance(owner, str) and isinstance(repository, str) and name in ("owner", "repo", "repository"):
        return f" in {owner}/{repository}"
    if "_" in label and not is_literal(name):
        return ""
    return f" {_PREPOSITION_OF.get(words[-1], 'for')} {label}"


_PREPOSITION_OF = {
    **dict.fromkeys(("city", "location", "country", "place", "region", "area", "state", "branch", "project"), "in"),
    **dict.fromkeys(("email", "recipient", "to", "destination"), "to"),
    **dict.fromkeys(("date", "day"), "on"),
    "topic": "about",
}


def telling_key(arguments: list[JsonObject], tool: Tool) -> str:
    """Return the argument that tells several calls of one tool apart; the empty string where nothing short does."""
    shared = [name for name in arguments[0] if all(name in given for given in arguments)]
    differing = [name for name in shared if any(given[name] != arguments[0][name] for given in arguments)]
    for name in sorted(differing, key=lambda name: name not in tool.parameters.get("required", ())):
        said = {str(given[name]) for given in arguments if _is_label(name, given[name]) or _is_number(given[name])}
        if len(said) == len(arguments):
            return name
    return ""


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Call:
    """A successful call: its result, and the words for what it was about."""

    tool: Tool
    arguments: JsonObject
    content: JsonValue
    label: str
    about: str
    """The label with its preposition, as it follows a deed: " in Paris"."""
    told: Recounted | None = None
    """The call in the words of its request, where they read well enough."""


def pick(wordings: tuple[str, ...], random: Random) -> str:
    """Draw one of several wordings."""
    return wordings[int(random.random() * len(wordings))]


_DONE = (
    "Done! I've {done}{about}.",
    "I've {done}{about}.",
    "All set: I've {done}{about}.",
    "That's done. I've {done}{about}.",
)
_DONE_BARELY = ("Done{about}.", "That's done{about}.", "That went through{about}.")
_TEXTS = word_set("text body message description content summary note notes subject comment reason query")
_TITLES = word_set("title name")


def tell_done(call: Call, deed: Action, random: Random) -> str:
    """Confirm a deed, with what it was about where that can follow it."""
    wording = pick(_DONE, random)
    if call.told is not None and call.told.sort == "act":
        return wording.format(done=call.told.done, about="")
    if deed.thing in ("", "that"):
        return pick(_DONE_BARELY, random).format(about=call.about)
    return wording.format(done=deed.done, about=_after_deed(call, deed))


def _after_deed(call: Call, deed: Action) -> str:
    key = label_key(call.tool, call.arguments)
    if not key or not deed.thing:
        return ""
    word = key_words(key)[-1]
    if word in _TEXTS or not isinstance(call.arguments[key], str | int) or call.label.strip('"') in deed.thing:
        return ""
    if word in _TITLES:
        return f' "{call.label.strip(chr(34))}"' if deed.operation.family == "create" else f" for {call.label}"
    return call.about
