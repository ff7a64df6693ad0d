"""Who speaks as the user, and what a system message says that belongs to no domain."""

from __future__ import annotations

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


def draw_persona(random: Random) -> Persona:
    """Draw who speaks as the user."""
    return Persona(random.choice(ROLES), random.choice(REGISTERS))


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
