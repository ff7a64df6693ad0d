"""Questions: how the assistant asks for parameters, and how the user answers with their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.fields import Field, description_head
from generator.authors.offline.pieces import unit_said
from generator.authors.offline.saying import Unsayable, Voice, say
from generator.authors.offline.words import is_plural, join_and, split_identifier, upper_first, word_set
from generator.jsontext import JsonObject, JsonValue

RULE = "AU004"
"""The rejection's rule: nobody would ask for this parameter in these words."""
_MOST_OPTIONS = 6
_LONGEST_NOUN = 5
_SPOKEN = {"per page": "number of results per page", "limit": "number of results"}
_TOWARDS = ("from", "to")
_HYPHENED = re.compile(r"\bcheck (in|out)\b")
_NO_NOUNS = word_set(
    "near to from q by at for of in on with before after since until till input data value object is has"
)
_OPENINGS = ("", "", "", "Sure. ", "Happy to help. ", "Of course. ", "I can do that. ", "Gladly. ", "No problem. ")

_THINGS = (
    "What's the {noun}?", "Could you tell me the {noun}?", "What {noun} should I use?", "Which {noun} do you mean?",
    "I just need the {noun}. What is it?", "Which {noun}?", "What {noun} do you have in mind?",
)  # fmt: skip
_EXACT = (
    "What's the {noun}?", "Could you tell me the {noun}?", "May I have the {noun}?", "I just need the {noun}.",
    "Can you give me the {noun}, please?", "To do that I need the {noun}. What is it?",
)  # fmt: skip
_PLACES = (
    "Which {noun} do you mean?", "For which {noun}?", "Which {noun} should I use?", "What {noun} is it for?",
    "Could you tell me the {noun}?", "Where is it? I need the {noun}.",
)  # fmt: skip
_DAYS = (
    "For which {noun}?", "What {noun} would suit you?", "Which {noun} should I use?",
    "When should it be? I need the {noun}.", "Could you tell me the {noun}?", "What's the {noun}?",
)  # fmt: skip
_MANY = (
    "What are the {noun}?", "Which {noun} should I use?", "Could you tell me the {noun}?", "Which {noun} do you mean?",
    "I still need the {noun}. What are they?",
)  # fmt: skip
_AMOUNTS = (
    "What's the {noun}?", "What should the {noun} be?", "Could you tell me the {noun}?", "What {noun} should I use?",
    "I just need the {noun}. How much is it?",
)  # fmt: skip
_COUNTS = ("How many {noun}?", "How many {noun} should it be?", "Could you tell me how many {noun}?")
_SUBJECTS = (
    "What should I search for?",
    "What are you looking for?",
    "Which {noun} should I use?",
    "What should the {noun} be?",
)
_HOW_MANY = ("How many should it be?", "How many do you want?", "How many would you like?")
_BARE_COUNTS = word_set("count limit number quantity amount size")
_CHOICES = (
    "Which {noun} would you like: {options}?", "What {noun} should it be, {options}?",
    "Which {noun} do you want? I can offer {options}.", "Should the {noun} be {options}?",
)  # fmt: skip
_PEOPLE = (
    "Who is it? I need the {noun}.", "Could you tell me the {noun}?", "What's the {noun}?", "May I have the {noun}?",
    "Which {noun} should I use?",
)  # fmt: skip
_BY_KIND: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("id", "email", "url", "path", "phone", "owner", "repo", "formula", "text", "title"), _EXACT),
    "place": _PLACES, **dict.fromkeys(("date", "moment", "time", "year", "month"), _DAYS), "list": _MANY,
    **dict.fromkeys(("measure", "number", "money", "coordinate", "duration", "letter", "count"), _AMOUNTS),
    "person": _PEOPLE, "query": _SUBJECTS,
}  # fmt: skip
_SEVERAL = (
    "Could you tell me {nouns}?", "I need two more things: {nouns}.", "What are {nouns}?", "May I have {nouns}?",
    "I just need {nouns}.", "Before I start: what are {nouns}?", "Please give me {nouns}.",
)  # fmt: skip

_ANSWERS = (
    "{}.", "{}, please.", "It's {}.", "{}", "{}, thanks.", "Oh right, {}.", "Sorry, {}.", "That would be {}.",
)  # fmt: skip
_WISHES = ("{}.", "{}, please.", "Make it {}.", "Let's say {}.", "{} would be good.", "{}, thanks.")
_WISHED = frozenset(("date", "time", "count", "duration", "choice", "money", "measure", "number", "format", "unit",
                     "language", "currency", "order", "sort", "status", "season"))  # fmt: skip
_COUNTED = ("count", "number", "duration", "measure")
_TELLING = ("place", "date", "time", "moment", "person", "email", "money", "duration")
"""Kinds whose values tell by themselves what they are."""


def ask_for(fields: Sequence[Field], random: Random) -> str:
    """Ask for one or two parameters in plain words.

    Raises:
        NoDraft: a parameter has no noun that a person would use (rule AU004).
    """
    opening = random.choice(_OPENINGS)
    nouns = [noun_of(field) for field in fields]
    if len(fields) > 1:
        if len(set(nouns)) < len(nouns):
            raise NoDraft(RULE, f"two parameters are both called '{nouns[0]}'")
        return opening + random.choice(_SEVERAL).format(nouns=join_and([f"the {noun}" for noun in nouns]))
    return opening + _question(fields[0], nouns[0], random)


def _question(field: Field, noun: str, random: Random) -> str:
    options = options_of(field)
    if 1 < len(options) <= _MOST_OPTIONS:
        return random.choice(_CHOICES).format(noun=noun, options=join_and(options, "or"))
    if noun in _BARE_COUNTS and field.kind in _COUNTED:
        return random.choice(_HOW_MANY)
    if noun.startswith("number of "):
        return random.choice(_COUNTS).format(noun=noun.removeprefix("number of "))
    if is_plural(noun.rsplit(" ", 1)[-1].lower()) and field.kind in ("list", *_COUNTED):
        return random.choice(_MANY if field.kind == "list" else _COUNTS).format(noun=noun)
    text = random.choice(_BY_KIND.get(field.kind, _THINGS)).format(noun=noun)
    if field.kind == "measure" and len(field.unit) > 1 and text.endswith(f"the {noun}?"):
        return f"{text[:-1]}, in {field.unit}?"
    return text


_NO_DRAWING = Random(0)  # noqa: S311 - how a choice is said draws nothing


def options_of(field: Field) -> list[str]:
    """Say the values of a choice in words; none where one of them has no words."""
    voice = Voice(_NO_DRAWING)
    try:
        return list(dict.fromkeys(say(value, field, voice) for value in field.enum if value is not None))
    except Unsayable:
        return []


def noun_of(field: Field) -> str:
    """Return what a person calls a parameter.

    Raises:
        NoDraft: its name and description give no noun (rule AU004).
    """
    noun = _SPOKEN.get(field.noun, field.noun)
    words = split_identifier(noun)
    if words[-1] in _NO_NOUNS or len(noun) < 3:
        noun = description_head(field.description)
    first, _, rest = noun.partition(" ")
    if rest and first in _TOWARDS:
        noun = rest
    noun = _HYPHENED.sub(r"check-\1", noun)
    if not _is_spoken(noun):
        raise NoDraft(RULE, f"'{field.name}' has no noun to ask for")
    return noun


def thing_of(field: Field) -> str:
    """Return what a person calls the thing that a parameter names: "order" for an order's ID.

    Raises:
        NoDraft: its name and description give no noun (rule AU004).
    """
    if field.kind == "id" and _is_spoken(field.label):
        return field.label
    noun = noun_of(field)
    return noun.removesuffix(" name").removesuffix(" title")


def _is_spoken(noun: str) -> bool:
    """Say whether a noun is one that people say."""
    words = noun.split()
    return 0 < len(words) <= _LONGEST_NOUN and words[0] not in _NO_NOUNS and noun.isascii() and "_" not in noun


def tell_values(fields: Sequence[Field], arguments: JsonObject, voice: Voice) -> str:
    """Answer the question for one or two parameters, as in "Paris, please".

    Raises:
        NoDraft: a value has no wording of its own (rule AU004).
    """
    said = [say_alone(field, arguments[field.name], voice) for field in fields]
    random = voice.stream
    if len(fields) == 1:
        forms = _WISHES if fields[0].kind in _WISHED or fields[0].enum else _ANSWERS
        text = random.choice(forms).format(said[0]).replace('.".', '."')
        return text if text.startswith(said[0]) and _is_exact(fields[0], said[0]) else upper_first(text)
    told = [_fact(noun_of(field), text) for field, text in zip(fields, said, strict=True)]
    kinds = [field.kind for field in fields]
    if all(kind in _TELLING for kind in kinds) and len(set(kinds)) == len(kinds) and random.random() < 0.6:
        return upper_first(random.choice(("{}, {}.", "{}, {}, please.", "{} and {}.")).format(*said))
    return f"{upper_first(' and '.join(told))}."


def _fact(noun: str, said: str) -> str:
    return f"the {noun} {'are' if is_plural(noun.rsplit(' ', 1)[-1].lower()) else 'is'} {said}"


def _is_exact(field: Field, said: str) -> bool:
    """Say whether a value keeps its small first letter even where it opens a sentence, as it would mean another one."""
    return field.literal or field.kind in ("formula", "owner") or upper_first(said) in set(field.enum) - {said}


def say_alone(field: Field, value: JsonValue, voice: Voice) -> str:
    """Say a value outside a sentence, with its unit, in quotation marks where it is a text.

    Raises:
        NoDraft: it has no wording (rule AU004).
    """
    try:
        said = say(value, field, voice)
    except Unsayable as error:
        raise NoDraft(RULE, f"'{field.name}': {error}") from error
    return field.mark(unit_said(said, field) if field.unit else said)


def fields_named(fields: Mapping[str, Field], names: Sequence[str]) -> list[Field]:
    """Return the fields of these parameters.

    Raises:
        NoDraft: one is unknown (rule AU004).
    """
    if missing := [name for name in names if name not in fields]:
        raise NoDraft(RULE, f"'{missing[0]}' is no parameter that can be told")
    return [fields[name] for name in names]
