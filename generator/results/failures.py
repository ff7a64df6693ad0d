"""Error messages: what a real API says for each of ADM's error types (seeds/004, 4.5.5), tied to the arguments."""

from __future__ import annotations

from random import Random
from string import Formatter

from generator.jsontext import JsonObject, JsonValue
from generator.results.echo import SECRETS
from generator.tools.operations import Operation, name_words, plural, read_operation
from generator.tools.tool import Tool

MESSAGE_LIMIT = 500
"""Characters of a message at most (seeds/004, 4.5.5)."""

MESSAGES: dict[str, tuple[str, ...]] = {
    "PARAMETER_VALIDATION_FAILED": (
        "The value {value} for {field} is outside the supported range.",
        "Invalid {field}: {value} could not be processed.",
        "{field_start} {value} is not valid for this request.",
        "The request was refused because {field} ({value}) is not acceptable.",
        "Cannot {deed}: check the value of {field} ({value}).",
        "{field_start} must be a value this service supports; {value} is not.",
        "The given parameters are not valid for this request.",
        "One of the given values is not supported. Check the parameters and try again.",
    ),
    "RESOURCE_NOT_FOUND": (
        "No {thing} {which} was found.",
        "The {thing} {which} does not exist.",
        "Could not find a {thing} {which}.",
        "No results: there is no {thing} {which}.",
        "Nothing was found for {value}.",
        "The requested {thing} was not found ({field}: {value}).",
        "The requested {thing} could not be found.",
        "No matching {thing} was found.",
        "No data is available for {value}.",
        "The {field} {value} was not recognized.",
    ),
    "PERMISSION_DENIED": (
        "You do not have permission to {deed} {which}{place}.",
        "Access denied: your account is not allowed to {deed}.",
        "Not authorized to {deed} {which}.",
        "This account has no access to the {thing} {which}.",
        "The current credentials do not allow you to {deed}{place}.",
        "Only the owner or an administrator can {deed} {which}.",
        "Only an administrator can {deed}.",
    ),
    "SERVICE_UNAVAILABLE": (
        "The {thing} service is temporarily unavailable. Please try again later.",
        "The service did not respond in time. Please try again in a few minutes.",
        "Could not {deed} right now: the service is down for maintenance.",
        "The upstream provider is not available at the moment.",
        "The {thing} service is not reachable at the moment. Try again later.",
        "Service temporarily unavailable while processing the request for {value}.",
        "The request timed out. The service may be under heavy load.",
    ),
    "RATE_LIMIT_EXCEEDED": (
        "Rate limit exceeded: try again in {seconds} seconds.",
        "Too many requests. Please wait {seconds} seconds before trying again.",
        "The request limit has been reached. It resets in {minutes} minutes.",
        "You have exceeded the quota of {quota} requests per hour.",
        "Too many {thing} requests in a short time. Retry after {seconds} seconds.",
        "The daily quota for {thing} requests has been used up.",
        "Request limit of {quota} per hour reached; try again in {minutes} minutes.",
    ),
    "BUSINESS_RULE_VIOLATION": (
        "The request to {deed} was declined because it exceeds the allowed limit.",
        "Cannot {deed} {which}: the limit for this account has been reached.",
        "This {thing} cannot be processed: the request does not meet the required conditions.",
        "The request for {value} was declined: it conflicts with an existing {thing}.",
        "Cannot {deed}: the minimum requirements are not met.",
        "The limit of {small} per day for this kind of request has been reached.",
        "Cannot {deed}: this is not allowed under the current policy.",
    ),
    "INVALID_STATE": (
        "Cannot {deed} {which}: it is already being processed.",
        "The {thing} {which} is locked and cannot be changed at the moment.",
        "Cannot {deed} {which}{place} in its current state.",
        "The {thing} is not in a state that allows this operation.",
        "Another operation on this {thing} is still in progress.",
        "The {thing} {which} has already been closed.",
        "Cannot {deed} now: another operation has not finished yet.",
    ),
    "CONFIGURATION_ERROR": (
        "The {thing} service is not configured for this account.",
        "Cannot {deed}: a required setting is missing.",
        "This feature has not been set up. Ask an administrator to enable it.",
        "The connection to the {thing} service has not been set up.",
        "No provider is configured for this request.",
        "Cannot {deed} for {value}: the integration is not configured.",
        "The account settings for {thing} requests are incomplete.",
    ),
}
"""The messages of each type. A message is used where all its slots can be filled.

`thing` is the noun of the tool, `deed` its verb with the noun, `which` the identifying argument ("with id W1"),
`field` and `value` that argument's name in words and its value, `place` a repository.
"""

_DEEDS: dict[str, str] = {
    "get": "view this {thing}", "search": "search {things}", "compute": "calculate the {thing}",
    "predict": "predict the {thing}", "convert": "convert this value", "analyze": "analyze this {thing}",
    "check": "check this {thing}", "session": "sign in", "generate": "generate this {thing}",
    "schedule": "schedule this {thing}", "book": "book this {thing}", "play": "play this {thing}",
    "run": "complete this request", "toggle": "change this setting",
}  # fmt: skip
_SHELL = frozenset("mkdir touch rmdir rm mv cp upsert put patch init fork tweet".split())
_CONDITIONS = frozenset(
    "weather forecast quality temperature humidity time distance directions direction price rate quote traffic "
    "balance data usage status population eta".split()
)
"""Things that nothing is without: what is not found is the place or thing they belong to."""
_EMPTY_THINGS = frozenset(
    "nearest closest search nearby find popular top best latest last most highest lowest t p r current total up down "
    "visible unsafe intent custom can initial discoverable pending exact".split()
)
_RANKS = ("id", "number", "name", "symbol", "username", "title", "path", "email", "location", "city", "country")
_SLOTS = {
    text: {slot for _, slot, _, _ in Formatter().parse(text) if slot} for texts in MESSAGES.values() for text in texts
}


def failure_message(tool: Tool, arguments: JsonObject, error_type: str, stream: Random) -> str:
    """Word an error of a standard type for one call: 1 to 500 characters, nothing internal."""
    slots = _fill(read_operation(tool.name, tool.description), arguments, stream)
    if error_type == "RESOURCE_NOT_FOUND" and slots["thing"].split()[-1] in _CONDITIONS and "value" in slots:
        del slots["thing"]  # no weather can be missing: the place is not known
    fitting = [text for text in MESSAGES[error_type] if _SLOTS[text] <= slots.keys()]
    return stream.choice(fitting).format_map(slots)[:MESSAGE_LIMIT]


def validation_message(problem: str) -> str:
    """Word the refusal of arguments that the tool's schema does not accept."""
    return f"The parameters are not valid: {problem}"[:MESSAGE_LIMIT]


def unknown_tool_message(name: str) -> str:
    """Word the refusal of a call to a tool that is not there."""
    return f"There is no function called {name[:80]}." if name.strip() else "There is no such function."


def thing_of(tool: Tool) -> str:
    """Return the noun of what a tool is about, as its errors name it."""
    return _thing(read_operation(tool.name, tool.description))


def _thing(operation: Operation) -> str:
    return " ".join([word for word in operation.things if word not in _EMPTY_THINGS][-2:]) or "resource"


def _fill(operation: Operation, arguments: JsonObject, stream: Random) -> dict[str, str]:
    thing = _thing(operation)
    slots = {
        "thing": thing,
        "deed": _deed(operation, thing),
        "seconds": str(stream.choice((15, 20, 30, 45, 60, 90))),
        "minutes": str(stream.choice((5, 10, 12, 25, 40))),
        "quota": str(stream.choice((60, 100, 500, 1000))),
        "small": str(stream.choice((2, 3, 5, 10))),
        "place": _place(arguments),
    }
    field = _identifying(arguments)
    if field is not None:
        slots.update(_told(field, _written(arguments[field]), thing))
    return slots


def _deed(operation: Operation, thing: str) -> str:
    """Return the deed in words: `cancel this order`, `search hotels`, `calculate the area`."""
    told = _DEEDS.get(operation.family)
    if told is None:
        verb = "change" if operation.verb in _SHELL else operation.verb
        return f"{verb} this {thing}"
    *before, head = thing.split()
    return told.format(thing=thing, things=" ".join([*before, plural(head)]))


def _told(field: str, value: str, thing: str) -> dict[str, str]:
    words = [word for word in name_words(field) if word not in thing.split()] or name_words(field) or [field]
    label = " ".join(words)
    which = (
        f"with {label} {value}"
        if words[-1] in ("id", "number", "name", "title", "email", "username")
        else f"for {value}"
    )
    field_label = " ".join(name_words(field)) or field
    return {"field": field_label, "field_start": field_label.capitalize(), "value": value, "which": which}


def _identifying(arguments: JsonObject) -> str | None:
    """Return the name of the argument that tells best what the call is about."""
    apart = ("owner", "repo") if _place(arguments) else ()
    plain = [
        name
        for name, value in arguments.items()
        if _writable(value) and name not in apart and name not in SECRETS and name.isprintable()
    ]
    for rank in _RANKS:
        found = next((name for name in plain if name_words(name)[-1:] == [rank]), None)
        if found is not None:
            return found
    return next((name for name in plain if isinstance(arguments[name], str)), plain[0] if plain else None)


def _writable(value: JsonValue) -> bool:
    if isinstance(value, str):
        return bool(value.strip()) and len(value) <= 80 and value.isprintable()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _written(value: JsonValue) -> str:
    """Write a value as a message shows it: numbers and codes bare, names in quotes."""
    if not isinstance(value, str):
        return str(value)
    return value if value.isalnum() and any(char.isdigit() for char in value) else f"'{value}'"


def _place(arguments: JsonObject) -> str:
    owner, repo = arguments.get("owner"), arguments.get("repo")
    return f" in {owner}/{repo}" if isinstance(owner, str) and isinstance(repo, str) else ""
