"""Small agreements inside one result: addresses on the web, reasons, the chance of rain, file names."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import main_list

_HOSTED = {
    "issue": "issues", "sub issue": "issues", "pull request": "pull", "discussion": "discussions",
    "release": "releases", "comment": "issues/comments", "review": "reviews",
}  # fmt: skip
_DRY = frozenset(("sunny", "clear", "partly cloudy"))
_WET = frozenset(("light rain", "thunderstorms", "rainy", "drizzly", "stormy"))
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


def _agreed(thing: JsonObject, noun: str, arguments: JsonObject) -> JsonObject:
    told: JsonObject = {}
    if "url" in thing and "url" not in arguments:
        address = _address(thing, noun, arguments)
        if address:
            told["url"] = address
    if "reason" in thing:
        told.update(_reason(thing))
    if "conditions" in thing and isinstance(thing.get("precipitation_chance"), int):
        told["precipitation_chance"] = _chance(thing["conditions"], thing["precipitation_chance"])
    if "home_team" in thing and "away_team" in thing:
        told.update(_teams(thing, arguments))
    if "significant" in thing and isinstance(thing.get("p_value"), float):
        told["significant"] = thing["p_value"] < 0.05
    if "visibility" in thing and isinstance(arguments.get("private"), bool):
        told["visibility"] = "private" if arguments["private"] else "public"
    if "path" in thing and isinstance(arguments.get("filename"), str) and "path" not in arguments:
        told["path"] = arguments["filename"]
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


def _reason(thing: JsonObject) -> JsonObject:
    """Return a reason that agrees with the only yes or no of a thing."""
    answers = [answer for answer in thing.values() if isinstance(answer, bool)]
    reason = thing["reason"]
    if len(answers) != 1 or reason not in _REFUSALS + _GRANTED or answers[0] == (reason in _GRANTED):
        return {}
    place = (_GRANTED + _REFUSALS).index(reason) % len(_GRANTED)
    return {"reason": (_GRANTED if answers[0] else _REFUSALS)[place]}


def _teams(thing: JsonObject, arguments: JsonObject) -> JsonObject:
    """Return the sides of a match: the teams that the call names, in their order."""
    named = [arguments[name] for name in _TEAMS if isinstance(arguments.get(name), str)]
    sides = ("home_team", "away_team")
    return dict(zip(sides, named, strict=False)) if named and thing["away_team"] != named[0] else {}


def _chance(conditions: JsonValue, chance: int) -> int:
    """Return a chance of rain that agrees with the sky."""
    if conditions in _DRY:
        return chance % 20
    return 60 + chance % 40 if conditions in _WET else chance
