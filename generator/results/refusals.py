"""Refusals: error messages about one value of a call, which may name the value that is valid."""

from __future__ import annotations

from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.results.failures import MESSAGE_LIMIT, thing_of
from generator.scenarios.scenario import Refusal
from generator.tools.operations import name_words
from generator.tools.tool import Tool

REFUSALS: dict[str, tuple[str, ...]] = {
    "RESOURCE_NOT_FOUND": (
        "{field_start} {value} was not found.",
        "There is no {field} {value}.",
        "Nothing was found for {field} {value}.",
        "No {thing} was found for {field} {value}.",
        "Unknown {field}: {value}.",
        "The {field} {value} does not exist.",
    ),
    "PARAMETER_VALIDATION_FAILED": (
        "The {field} {value} is not supported.",
        "{field_start} {value} is not accepted.",
        "Invalid {field}: {value}.",
        "The value {value} is not supported for {field}.",
        "{field_start}: {value} could not be processed.",
    ),
    "BUSINESS_RULE_VIOLATION": (
        "The {field} {value} is not available.",
        "{field_start} {value} is not available for this request.",
        "Not possible: {field} {value} is not available.",
        "{field_start} {value} is already taken.",
    ),
    "INVALID_STATE": (
        "The {field} {value} cannot be used in its current state.",
        "{field_start} {value} is locked at the moment.",
        "The {field} {value} has been closed.",
        "{field_start} {value} is being changed by another operation.",
    ),
}
"""The messages of each type that are about one value. `field` is its parameter in words."""
_NAMING = (
    " Did you mean {valid}?",
    " The closest match is {valid}.",
    " Perhaps {valid} is meant.",
    " A similar entry is {valid}.",
    " Known and similar: {valid}.",
)


def refusal_message(tool: Tool, arguments: JsonObject, error_type: str, refusal: Refusal, random: Random) -> str:
    """Word an error that is about one value of a call: at most 500 characters, with the valid value where it is told.

    Raises:
        KeyError: errors of this type are about no value (see `REFUSALS`).
    """
    field = " ".join(name_words(refusal.parameter)) or refusal.parameter
    text = random.choice(REFUSALS[error_type]).format(
        field=field, field_start=field.capitalize(), value=_written(arguments[refusal.parameter]), thing=thing_of(tool)
    )
    if refusal.valid is not None:
        text += random.choice(_NAMING).format(valid=_written(refusal.valid))
    return text[:MESSAGE_LIMIT]


def _written(value: JsonValue) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)
