"""Small agreements inside one result: addresses on the web, reasons, the chance of rain, file names."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import main_list
from generator.tools.operations import Operation, past

_HOSTED = {
    "issue": "issues", "sub issue": "issues", "pull request": "pull", "discussion": "discussions",
    "release": "releases", "comment": "issues/comments", "review": "reviews",
}  # fmt: skip
_DRY = frozenset(("sunny", "clear", "partly cloudy"))
_WET = frozenset(("light rain", "thunderstorms", "rainy", "drizzly", "stormy"))
_PERSONS = tuple(
    f"{role}name" for role in ("customer_", "patient_", "person_", "employee_", "student_", "client_", "contact_", "")
)
_AIRLINES = {
    "Delta Air Lines": "DL", "United Airlines": "UA", "Lufthansa": "LH", "Air France": "AF", "British Airways": "BA",
}  # fmt: skip
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TEXTS = ("content", "message", "result", "text", "output")
_LONGEST_NAME = 80
_TEAMS = ("team", "team_name", "team1", "home_team", "team2", "away_team", "opponent")
_REFUSALS = ("The requirements are not met.", "The limit has been reached.", "It does not match the records.")
_GRANTED = ("All requirements are met.", "The current status was confirmed.", "It matches the records.")


def agree(value: JsonValue, noun: str, arguments: JsonObject) -> JsonValue:
    """Return the result with the parts of each thing agreeing with each other and with the call."""
    if not isinstance(value, dict):
        return value
    key = main_list(value)
    agreed = _agreed(value, noun, arguments)
    if key is None:
        return agreed
    entries = [_agreed(entry, noun, arguments) if isinstance(entry, dict) else entry for entry in value[key]]
    return {**agreed, key: entries}


def name_person(value: JsonValue, arguments: JsonObject) -> JsonValue:
    """Return the result with the person that the call names, and an e-mail address of that name."""
    if not isinstance(value, dict) or not isinstance(value.get("full_name"), str) or "full_name" in arguments:
        return value
    named = (arguments.get(name) for name in _PERSONS)
    person = next((name for name in named if isinstance(name, str) and len(name.split()) in (2, 3)), None)
    if person is None:
        return value
    told: JsonObject = {"full_name": person}
    email = value.get("email")
    if isinstance(email, str) and "email" not in arguments and person.isascii():
        words = "".join(char for char in person.lower() if char.isalpha() or char == " ").split()
        told["email"] = f"{'.'.join(words)}@{email.rpartition('@')[2]}"
    return {**value, **told}


def _agreed(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    told: JsonObject = {}
    for name in thing:
        if name in _RULES:
            told.update(_RULES[name](thing, noun, arguments))
    return {**thing, **told} if told else thing


def _address(thing: JsonObject, noun: str, arguments: JsonObject) -> str:
    """Return where a thing of a repository stands on the web; "" for any other thing."""
    if noun == "gist":
        number = arguments.get("gist_id", thing.get("id"))
        return f"https://gist.example.com/{number}" if isinstance(number, str) else ""
    owner = arguments.get("owner", arguments.get("organization"))
    repository = arguments.get("repo", thing.get("name"))
    if noun == "repository" and isinstance(repository, str) and owner is None:
        return f"https://git.example.com/{repository}" if "/" not in repository else ""
    if not (isinstance(owner, str) and isinstance(repository, str)) or "/" in owner + repository:
        return ""
    place = f"https://git.example.com/{owner}/{repository}"
    if noun == "repository":
        return place
    number = next((thing[name] for name in ("number", "tag_name", "comment_id", "review_id") if name in thing), None)
    return f"{place}/{_HOSTED[noun]}/{number}" if noun in _HOSTED and number is not None else ""


def _reason(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    """Return a reason that agrees with the only yes or no of a thing."""
    answers = [answer for answer in thing.values() if isinstance(answer, bool)]
    reason = thing["reason"]
    if len(answers) != 1 or reason not in _REFUSALS + _GRANTED or answers[0] == (reason in _GRANTED):
        return {}
    place = (_GRANTED + _REFUSALS).index(reason) % len(_GRANTED)
    return {"reason": (_GRANTED if answers[0] else _REFUSALS)[place]}


def _flight(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    """Return the number of a flight with the code of its airline; the airline of the number that the call names."""
    number = thing["flight_number"]
    if not isinstance(number, str) or "airline" not in thing:
        return {}
    if "flight_number" in arguments:
        airline = next((name for name, code in _AIRLINES.items() if number.startswith(code)), None)
        return {} if airline is None or "airline" in arguments else {"airline": airline}
    code = _AIRLINES.get(str(thing["airline"]))
    return {} if code is None else {"flight_number": code + number[2:]}


def _weekday(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    """Return the day of the week of the only day that a thing tells."""
    days = [told[:10] for told in thing.values() if isinstance(told, str) and _DAY.match(told)]
    if len(days) != 1 or thing["day_of_week"] not in _WEEKDAYS:
        return {}
    return {"day_of_week": _WEEKDAYS[date.fromisoformat(days[0]).weekday()]}


def tell_done(value: JsonValue, operation: Operation, arguments: JsonObject) -> JsonValue:
    """Return the result of a deed, where it is one text, saying what was done: `Successfully created docs`."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    (name,) = value
    acted = [told for told in arguments.values() if isinstance(told, str) and 0 < len(told) <= _LONGEST_NAME]
    if name not in _TEXTS or not isinstance(value[name], str) or not acted:
        return value
    done = past(operation.verb).replace("_", " ")
    target = arguments.get("destination")
    onto = f" to {target}" if isinstance(target, str) and target != acted[0] else ""
    return {name: f"Successfully {done} {acted[0]}{onto}"}


def _teams(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    """Return the sides of a match: the teams that the call names, in their order."""
    named = [arguments[name] for name in _TEAMS if isinstance(arguments.get(name), str)]
    sides = ("home_team", "away_team")
    return dict(zip(sides, named, strict=False)) if named and thing.get("away_team") not in (None, named[0]) else {}


def _chance(conditions: JsonValue, chance: int) -> int:
    """Return a chance of rain that agrees with the sky."""
    if conditions in _DRY:
        return chance % 20
    return 60 + chance % 40 if conditions in _WET else chance


def _url(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    address = _address(thing, noun, arguments) if "url" not in arguments else ""
    return {"url": address} if address else {}


def _sky(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    chance = thing.get("precipitation_chance")
    return {"precipitation_chance": _chance(thing["conditions"], chance)} if isinstance(chance, int) else {}


def _login(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    name = thing.get("name")
    words = re.findall(r"[a-z0-9]+", name.lower()) if isinstance(name, str) else []
    return {"login": "-".join(words)} if words else {}


def _significance(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    chance = thing.get("p_value")
    return {"significant": chance < 0.05} if isinstance(chance, float) else {}


def _games(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    wins, losses = thing.get("wins"), thing.get("losses")
    return {"games_played": wins + losses} if type(wins) is int and type(losses) is int else {}


def _visibility(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    private = arguments.get("private")
    return {"visibility": "private" if private else "public"} if isinstance(private, bool) else {}


def _path(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    asked = arguments.get("filename")
    return {"path": asked} if isinstance(asked, str) and "path" not in arguments else {}


_RULES: dict[str, Callable[[JsonObject, str, JsonObject], JsonObject]] = {
    "url": _url,
    "reason": _reason,
    "conditions": _sky,
    "login": _login,
    "day_of_week": _weekday,
    "home_team": _teams,
    "significant": _significance,
    "flight_number": _flight,
    "games_played": _games,
    "visibility": _visibility,
    "path": _path,
}
"""What agrees with the rest of a thing and with the call, by the field that shows it; no two tell the same field."""
