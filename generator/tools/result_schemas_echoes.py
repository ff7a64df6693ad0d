"""What a derived result repeats of its call: the parameters that say what it is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generator.jsontext import JsonObject
from generator.tools.operations import Operation, name_words, singular
from generator.tools.result_schemas_fields import closed

IDENTIFYING = frozenset(
    "id name city location country title symbol ticker currency unit units date username user owner repo repository "
    "path filename file origin destination species company team player number address email url key sku artist "
    "substance element language timezone state county product book movie song game museum building sculpture year "
    "season code topic crime condition stock team_name branch tag login account room event amount quantity".split()
)
_LONG = frozenset(
    "text content body message query code password secret token description prompt summary note data html script sql "
    "expression function command comment criteria features preferences reason key method action operation"
    " pattern regex email_body".split()
)
DEED_DONE = "What was done"
"""Describes the status that tells a deed: no parameter of its name decides it."""
_NO_VALUE = frozenset(("all", "any", "none", "*", "both", "every", "unknown"))
"""Choices of a filter that are the value of no thing."""


def scalar(schema: object) -> JsonObject | None:
    """Return the echo of a parameter: its type and closed values; None where it is no plain scalar."""
    if not isinstance(schema, dict) or schema.get("type") not in ("string", "integer", "number"):
        return None
    echo: JsonObject = {"type": schema["type"]}
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        echo["enum"] = schema["enum"]
    if isinstance(schema.get("format"), str) and schema["type"] == "string":
        echo["format"] = schema["format"]
    return echo


def echoed(
    operation: Operation, parameters: JsonObject, most: int, *, only: frozenset[str] = IDENTIFYING
) -> dict[str, JsonObject]:
    """Return the parameters that identify what the call is about, at most `most`.

    Required ones come first, and among them those that the name of the tool speaks of.
    """
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return {}
    given = parameters.get("required")
    required = set(given) if isinstance(given, list) else set()
    found: dict[str, JsonObject] = {}
    for name in sorted(properties, key=lambda name: (name not in required, not _named(name, operation.words))):
        last = name_words(name)[-1:]
        if len(found) < most and last and (last[0] in only or singular(last[0]) in only):
            echo = scalar(properties[name])
            if echo is not None and (name in required or not found):
                found[name] = echo
    if "owner" in found and "repo" in required and "repo" not in found:
        found["repo"] = {"type": "string"}  # of a repository that is not told, the owner says nothing
    return found or (_first_text(properties, required) if only is IDENTIFYING else {})


def _named(parameter: str, words: Sequence[str]) -> bool:
    """Say whether the name of a tool speaks of a parameter: `pullNumber` of update_pull_request."""
    return any(word in words for word in name_words(parameter) if word not in ("id", "name", "number"))


def _first_text(properties: JsonObject, required: Collection[str]) -> dict[str, JsonObject]:
    """Return the first required text that is short enough to repeat."""
    for name, schema in properties.items():
        echo = scalar(schema) if name in required and not _LONG.intersection(name_words(name)) else None
        if echo is not None and echo["type"] == "string":
            return {name: echo}
    return {}


def opened_to(echo: JsonObject, pool: JsonObject) -> JsonObject:
    """Return an open text that looks, where nothing decides it, like the values of a pool."""
    values = pool.get("enum")
    return {**echo, "examples": values} if values and "enum" not in echo else echo


def _closed_to_things(echo: JsonObject) -> JsonObject:
    """Return the echo of a filter in the things it filters: without the choices that are the value of none."""
    values = [value for value in echo.get("enum", ()) if str(value).lower() not in _NO_VALUE]
    return {**echo, "enum": values} if values else echo


def relaxed(schema: JsonObject, parameters: JsonObject) -> JsonObject:
    """Return the schema without the duty to echo what a call may leave out."""
    taken = parameters.get("properties")
    given = parameters.get("required")
    required = given if isinstance(given, list) else ()
    properties = _opened(schema["properties"], taken if isinstance(taken, dict) else {}, inside=False)
    free = {name for name in properties if name not in schema["required"]}
    optional = free | {
        name
        for name, parameter in (taken if isinstance(taken, dict) else {}).items()
        if name in properties and name not in required
        if properties[name] == scalar(parameter) and "default" not in parameter
    }
    return closed(properties, optional if len(optional) < len(properties) else free)


def _opened(properties: JsonObject, parameters: JsonObject, *, inside: bool) -> JsonObject:
    """Return the fields with texts that a parameter of their name decides open to whatever it says."""
    opened: JsonObject = {}
    for name, schema in properties.items():
        echo = scalar(parameters.get(name))
        tells_deed = schema.get("description") == DEED_DONE
        if echo is not None and echo["type"] == schema["type"] == "string" and not tells_deed:
            opened[name] = opened_to(_closed_to_things(echo), schema) if inside else echo
        elif schema["type"] == "array" and schema["items"]["type"] == "object":
            inner = schema["items"]
            things = _opened(inner["properties"], parameters, inside=True)
            opened[name] = {**schema, "items": {**inner, "properties": things}}
        else:
            opened[name] = schema
    return opened


def repeats(field: str, noun: str, echoes: dict[str, JsonObject]) -> bool:
    """Say whether an echo tells a field already: `song_title` tells `title`, `artist_name` tells `artist`."""
    words = name_words(field)
    for name, echo in zip(echoes, map(name_words, echoes), strict=True):
        if name.replace("_", "").lower() == field.replace("_", ""):
            return True
        if field == "name" and noun == "repository" and echo == ["repo"]:
            return True
        if words == [*echo, "name"] or (field == "full_name" and echo == ["name"]):
            return True
        told = echo[-len(words) :] == words or (echo[-1] in ("name", "title", "id") and echo[:-1] == words)
        if told or (field in ("name", "title") and " ".join(echo) == noun):
            return True
    return False
