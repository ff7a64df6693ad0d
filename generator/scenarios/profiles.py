"""Profiles: what a system message knows of the user, so that the user need not say it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.values import Context, synthesize_value

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN = {
    "email": "email address", "email_address": "email address", "phone": "phone number",
    "phone_number": "phone number", "city": "hometown", "home_city": "hometown", "address": "home address",
    "zip_code": "zip code", "postal_code": "postal code", "zip": "zip code", "timezone": "time zone",
    "time_zone": "time zone", "company": "company", "company_name": "company", "username": "username",
    "airport": "home airport", "customer_id": "customer ID", "user_id": "user ID", "account_id": "account ID",
    "account_number": "account number", "member_id": "member ID", "patient_id": "patient ID",
    "employee_id": "employee ID", "loyalty_number": "loyalty number", "policy_number": "policy number",
    "country": "country", "license_plate": "license plate",
}  # fmt: skip
_FILLERS = (
    ("full_name", "full name"), ("phone_number", "phone number"), ("email", "email address"), ("company", "company"),
    ("birth_date", "date of birth"), ("language", "preferred language"), ("city", "hometown"),
    ("membership", "membership"),
)  # fmt: skip
_MEMBERSHIPS = ("basic", "standard", "plus", "premium")
_LANGUAGES = ("English", "German", "French", "Spanish", "Italian", "Portuguese")
_OPENINGS = (
    "What is known about the user:", "Profile of the user:", "The user's profile:", "The signed-in user:",
    "You assist the following user.",
)  # fmt: skip
_CLOSINGS = (
    "Use it where the user refers to it.", "Take these details as given; do not ask for them again.",
    "Rely on it instead of asking the user.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a profile."""

    label: str
    text: str


def owned_label(name: str, schema: JsonValue) -> str:
    """Return what a person calls a thing of their own that a parameter holds ("hometown"); "" where it is none."""
    if not isinstance(schema, dict) or schema.get("type") != "string" or {"enum", "const"} & schema.keys():
        return ""
    return _OWN.get(_HUMP.sub("_", name).lower(), "")


def owned_parameters(parameters: JsonObject) -> tuple[str, ...]:
    """Return the required parameters of a tool that can come from a profile."""
    required = parameters.get("required", ())
    properties = parameters.get("properties", {})
    return tuple(name for name, schema in properties.items() if name in required and owned_label(name, schema))


def write_profile(facts: list[Fact], random: Random, locale: str, today: date) -> str:
    """Write the system message that tells these facts, among others of the same person."""
    known = {fact.label for fact in facts}
    others = [filler for filler in _FILLERS if filler[1] not in known]
    told = [*facts, *(_filler(*each, random, locale, today) for each in random.sample(others, random.randint(2, 4)))]
    random.shuffle(told)
    lines = "\n".join(f"- {fact.label}: {fact.text}" for fact in told)
    return f"{random.choice(_OPENINGS)}\n{lines}\n{random.choice(_CLOSINGS)}"


def _filler(name: str, label: str, random: Random, locale: str, today: date) -> Fact:
    if name == "membership":
        return Fact(label, random.choice(_MEMBERSHIPS))
    if name == "language":
        return Fact(label, random.choice(_LANGUAGES))
    if name == "birth_date":
        return Fact(label, (today - timedelta(days=random.randint(7000, 25000))).isoformat())
    context = Context(reference_date=today, name="profile", purpose="result")
    schema: JsonObject = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    return Fact(label, str(synthesize_value(schema, seed=random, context=context, locale=locale)[name]))


_NOTES = (
    "asked how to change the language of the app and was shown where to find the setting",
    "reported that a page loaded slowly in the evening; it was back to normal an hour later",
    "wanted to know the opening hours over the holidays and was told that they are posted two weeks ahead",
    "said that the last answer was helpful and that short answers are preferred",
    "asked whether two people can share one subscription; the terms were explained",
    "could not sign in on a new phone; a code was sent and the sign-in worked",
    "asked for a copy of an old receipt, which was sent again",
    "complained politely about too many newsletters; all but the monthly one were switched off",
    "wondered whether dark mode drains the battery less; a short explanation was given",
    "was told that the maintenance window begins at midnight and lasts about two hours",
    "asked for vegetarian options and noted a mild allergy to walnuts",
    "said that calls are best in the morning, messages at any time",
    "tried the beta of the new search and liked the filters",
    "reported a typo on the help page, which was corrected the same day",
    "asked how refunds are handled; the usual time of five working days was mentioned",
    "postponed a decision on the larger plan until after the summer",
    "mentioned a move to a bigger office and asked about discounts for teams",
    "needed an invoice with a different heading; it was issued again",
    "asked about accessibility of the venue and was sent the floor plan",
    "thanked the team for the quick help with the printer",
)


def write_long_profile(facts: list[Fact], random: Random, today: date, length: int) -> str:
    """Write a system message of at least `length` characters, in which the facts stand among notes of many days."""
    day = today - timedelta(days=random.randint(3, 9))
    lines: list[str] = []
    size = 0
    while size < length:
        lines.append(f"{day.isoformat()}: The user {random.choice(_NOTES)}.")
        size += len(lines[-1]) + 1
        day -= timedelta(days=random.randint(2, 12))
    for fact in facts:
        place = random.randrange(len(lines) // 5, len(lines))
        stamp = lines[place].partition(":")[0]
        lines.insert(place, f"{stamp}: The user's {fact.label} was put on file: {fact.text}")
    return "Notes on the user from earlier conversations, newest first:\n" + "\n".join(lines)
