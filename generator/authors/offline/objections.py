"""Objections: how the assistant points out a value that is not possible, or asks which of two is meant."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.fields import Field
from generator.authors.offline.questions import RULE, noun_of, options_of, say_alone
from generator.authors.offline.saying import MONTHS, Voice
from generator.authors.offline.words import is_plural, join_and, upper_first
from generator.jsontext import JsonObject, JsonValue

_CHOICES = (
    "I'm sorry, {said} isn't a possible {noun}. You can choose between {all}. Which one would you like?",
    "There's no {noun} {said}, I'm afraid. It can be {either}. What should I take?",
    "{said} isn't one of the options for the {noun}. Possible are {all}. Which do you want?",
    "I can't use {said} for the {noun}: only {all} are possible. Which one shall it be?",
    "Unfortunately the {noun} can't be {said}. I can offer {all}. Which would you prefer?",
    "For the {noun} I can take {either}, but not {said}. Which one is it?",
)
_TOO_MUCH = (
    "I'm afraid {said} is too much: the {noun} can be {most} at most. What should it be?",
    "That's more than I can do. The {noun} goes up to {most}, so {said} isn't possible. What would you like instead?",
    "{said} is above the limit for the {noun}, which is {most}. Which value should I use?",
    "Sorry, the {noun} can't be more than {most}, so {said} won't work. Would you like a smaller value?",
)
_TOO_LITTLE = (
    "I'm afraid {said} is too little: the {noun} has to be at least {least}. What should it be?",
    "The {noun} starts at {least}, so {said} isn't possible. What would you like instead?",
    "{said} is below the minimum for the {noun}, which is {least}. Which value should I use?",
)
_TOO_MANY = (
    "I'm afraid {said} is too many: the maximum is {most}. How many should it be?",
    "{most} is the most I can do, so {said} won't work. How many would you like?",
    "Sorry, {said} exceeds the limit of {most}. How many should I take instead?",
)
_NO_DAY = (
    "There's no {said}: {month} {year} only has {last} days. Which date do you mean?",
    "{said} doesn't exist, since {month} ends on the {last}th. What date should it be?",
    "I'm afraid {month} {year} has just {last} days, so {said} isn't possible. Which date should I use instead?",
    "That date isn't in the calendar: the last day of {month} {year} is the {last}th. When should it be, then?",
)
_TWO_WAYS = (
    "Do you mean {first} or {second}?", "Just to be sure: {first} or {second}?", "Is that {first} or {second}?",
    "That could be {first} or {second}. Which one do you mean?", "Which one is it, {first} or {second}?",
    "There are two ways to read that: {first} or {second}. Which is right?", "Would that be {first} or {second}?",
)  # fmt: skip
_CHOSEN = ("{}, please.", "I mean {}.", "{}.", "The one I mean is {}.", "{}, sorry for being unclear.", "{}, thanks.")
_CHOSEN_DAYS = ("{}, please.", "I mean {}.", "{}.", "{}, sorry for being unclear.", "{}, thanks.", "I meant {}.")


def point_out(field: Field, value: JsonValue, said: JsonValue, schema: JsonObject, random: Random) -> str:
    """Say that a value is not possible and what is.

    Args:
        field: the parameter.
        value: the value that its schema refuses.
        said: what the user said for it where that is not the value itself.
        schema: the parameter's schema.
        random: the stream to draw from.

    Raises:
        NoDraft: there are no words for the value or for what is possible (rule AU004).
    """
    if isinstance(said, str):
        return _no_such_day(str(value), said, random)
    told, noun = say_alone(field, value, Voice(random)), noun_of(field)
    options = options_of(field)
    if options:
        return upper_first(
            random.choice(_CHOICES).format(
                said=f'"{told}"', noun=noun, all=join_and(options), either=join_and(options, "or")
            )
        )
    return upper_first(_out_of_range(field, value, told, noun, schema, random))


def _out_of_range(field: Field, value: JsonValue, told: str, noun: str, schema: JsonObject, random: Random) -> str:
    voice, most, least = Voice(random), schema.get("maximum"), schema.get("minimum")
    if isinstance(value, int | float) and most is not None and value > most:
        many = is_plural(noun.rsplit(" ", 1)[-1]) or noun.startswith("number of")
        frames = _TOO_MANY if many else _TOO_MUCH
        return random.choice(frames).format(said=told, noun=noun, most=say_alone(field, most, voice))
    if isinstance(value, int | float) and least is not None and value < least:
        return random.choice(_TOO_LITTLE).format(said=told, noun=noun, least=say_alone(field, least, voice))
    raise NoDraft(RULE, f"'{field.name}' admits what should be pointed out")


def _no_such_day(value: str, said: str, random: Random) -> str:
    year, month = int(value[:4]), int(value[5:7])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    last = (29 if leap else 28) if month == 2 else 30
    return upper_first(random.choice(_NO_DAY).format(said=said, month=MONTHS[month - 1], year=year, last=last))


def ask_between(field: Field, readings: Sequence[JsonValue], voice: Voice) -> str:
    """Ask which of two values is meant.

    Raises:
        NoDraft: one of them has no words, or both have the same (rule AU004).
    """
    first, second = (say_alone(field, value, voice) for value in readings)
    if first == second:
        raise NoDraft(RULE, f"'{field.name}': both readings are said alike")
    return upper_first(voice.stream.choice(_TWO_WAYS).format(first=first, second=second))


def tell_choice(field: Field, value: JsonValue, voice: Voice) -> str:
    """Say which value is meant.

    Raises:
        NoDraft: it has no words (rule AU004).
    """
    said = say_alone(field, value, voice)
    frames = _CHOSEN_DAYS if field.kind in ("date", "time", "moment") else _CHOSEN
    return upper_first(voice.stream.choice(frames).format(said))
