"""Who speaks as the user, and what a system message says that belongs to no domain."""

from __future__ import annotations

from datetime import date
from random import Random

from generator.scenarios.scenario import Persona

SITUATIONS = (
    "somebody in a hurry",
    "somebody who plans ahead",
    "somebody with something that comes up every week",
    "somebody with something they have never done before",
    "somebody who has put something off",
    "somebody who has just remembered something",
    "somebody who was asked for something a minute ago",
    "somebody who wants one thing done before the day is over",
    "somebody who does several things at once",
    "somebody who checks everything twice",
    "somebody who likes things in order",
    "somebody who is tidying up loose ends",
    "somebody who is back from a few days off",
    "somebody who gets ready for tomorrow",
    "somebody who talks to the assistant all day",
    "somebody who is new to the assistant",
)
"""None is a profession or a way of life: what somebody wants follows from the tools and what the assistant is told."""
REGISTERS = ("plain", "plain", "casual", "polite but matter-of-fact", "terse")

SYSTEM_TEXTS = (
    "You are a helpful assistant.",
    "You are a helpful assistant with access to tools. Use them when they help the user.",
    "You are an assistant who answers with the help of the available functions.",
    "Answer the user's requests. Call the functions you are given when they are needed, and only then.",
    "You are a careful assistant. Rely on the results of your tools and say so when something fails.",
    "Help the user. Keep answers short and to the point.",
)
_DATE_TEXTS = ("Today is {day}.", "The current date is {day}.", "Today's date: {day}.")


def draw_persona(random: Random) -> Persona:
    """Draw who speaks as the user."""
    return Persona(random.choice(SITUATIONS), random.choice(REGISTERS))


def tell_date(random: Random, day: date) -> str:
    """Return a sentence that tells the date."""
    return random.choice(_DATE_TEXTS).format(day=say_day(day))


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def say_day(day: date) -> str:
    """Write a date as "Thursday, January 15, 2026", whatever the machine's locale."""
    return f"{_DAYS[day.weekday()]}, {_MONTHS[day.month - 1]} {day.day}, {day.year}"
