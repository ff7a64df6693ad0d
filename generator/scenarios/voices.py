"""Who speaks, and under which system message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random

from generator.scenarios.scenario import Persona

ROLES = (
    "a student",
    "an office manager",
    "a software engineer",
    "a parent of two",
    "a small-business owner",
    "a nurse on night shift",
    "a retired teacher",
    "a sales representative",
    "a data analyst",
    "a project lead",
    "a freelance designer",
    "a travel enthusiast",
    "a customer-support agent",
    "a researcher",
    "a journalist",
    "a new user of the service",
)
REGISTERS = ("plain", "plain", "casual", "formal", "terse")

SYSTEM_TEXTS = (
    "You are a helpful assistant.",
    "You are a helpful assistant with access to tools. Use them when they help the user.",
    "You are an assistant who answers with the help of the available functions.",
    "Answer the user's requests. Call the functions you are given when they are needed, and only then.",
    "You are a careful assistant. Rely on the results of your tools and say so when something fails.",
    "Help the user. Keep answers short and to the point.",
)
_DATE_TEXTS = ("Today is {day}.", "The current date is {day}.", "Today's date: {day}.")
_SHARE_WITH_SYSTEM = 0.6
_SHARE_WITH_DATE = 0.5


@dataclass(frozen=True, slots=True)
class Voice:
    """A persona and the system message it speaks under."""

    persona: Persona
    system: str
    states_date: bool


def draw_voice(random: Random, reference_date: date) -> Voice:
    """Draw who speaks; 60 % of the records have a system message, half of these tell the date."""
    persona = Persona(random.choice(ROLES), random.choice(REGISTERS))
    if random.random() >= _SHARE_WITH_SYSTEM:
        return Voice(persona, "", states_date=False)
    text = random.choice(SYSTEM_TEXTS)
    if random.random() >= _SHARE_WITH_DATE:
        return Voice(persona, text, states_date=False)
    return Voice(persona, f"{text} {random.choice(_DATE_TEXTS).format(day=say_day(reference_date))}", states_date=True)


def tell_date(random: Random, day: date) -> str:
    """Return a sentence that tells the date."""
    return random.choice(_DATE_TEXTS).format(day=say_day(day))


def state_date(random: Random, day: date) -> str:
    """Return a system message that tells the date, after a general instruction most of the time."""
    told = random.choice(_DATE_TEXTS).format(day=say_day(day))
    return told if random.random() < 0.3 else f"{random.choice(SYSTEM_TEXTS)} {told}"


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
