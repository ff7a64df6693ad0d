"""Which of ADM's standard error types (seeds/004, 4.5.9) a tool may plausibly answer with."""

from __future__ import annotations

from functools import lru_cache

from generator.tools.operations import name_words, read_operation
from generator.tools.result_schemas_computed import is_computation, takes_numbers
from generator.tools.tool import Tool

_REMOTE = ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED")

_BY_FAMILY: dict[str, tuple[str, ...]] = {
    "get": ("RESOURCE_NOT_FOUND", *_REMOTE),
    "search": ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"),
    "compute": ("PARAMETER_VALIDATION_FAILED",),
    "predict": ("PARAMETER_VALIDATION_FAILED", "SERVICE_UNAVAILABLE"),
    "convert": ("PARAMETER_VALIDATION_FAILED", "SERVICE_UNAVAILABLE"),
    "analyze": ("PARAMETER_VALIDATION_FAILED", *_REMOTE),
    "generate": ("PARAMETER_VALIDATION_FAILED", *_REMOTE),
    "create": ("PERMISSION_DENIED", "BUSINESS_RULE_VIOLATION", *_REMOTE),
    "update": ("RESOURCE_NOT_FOUND", "PERMISSION_DENIED", "INVALID_STATE", "SERVICE_UNAVAILABLE"),
    "delete": ("RESOURCE_NOT_FOUND", "PERMISSION_DENIED", "INVALID_STATE"),
    "send": ("RESOURCE_NOT_FOUND", "PERMISSION_DENIED", *_REMOTE, "CONFIGURATION_ERROR"),
    "check": ("RESOURCE_NOT_FOUND", "SERVICE_UNAVAILABLE"),
    "book": ("BUSINESS_RULE_VIOLATION", "RESOURCE_NOT_FOUND", "SERVICE_UNAVAILABLE"),
    "order": ("BUSINESS_RULE_VIOLATION", "RESOURCE_NOT_FOUND", "SERVICE_UNAVAILABLE"),
    "pay": ("BUSINESS_RULE_VIOLATION", "INVALID_STATE", "PERMISSION_DENIED", "SERVICE_UNAVAILABLE"),
    "schedule": ("BUSINESS_RULE_VIOLATION", "PERMISSION_DENIED", "SERVICE_UNAVAILABLE"),
    "play": ("RESOURCE_NOT_FOUND", "INVALID_STATE", "SERVICE_UNAVAILABLE"),
    "session": ("PERMISSION_DENIED", "INVALID_STATE", "SERVICE_UNAVAILABLE", "CONFIGURATION_ERROR"),
    "toggle": ("INVALID_STATE", "SERVICE_UNAVAILABLE", "CONFIGURATION_ERROR"),
    "run": ("INVALID_STATE", "PERMISSION_DENIED", "CONFIGURATION_ERROR", "SERVICE_UNAVAILABLE"),
}
_OWNED = frozenset("owner repo repository user account customer patient file path order card token document".split())


def _parameter_words(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for name in names for word in name_words(name))


@lru_cache(maxsize=8192)
def _plausible(name: str, description: str, parameters: tuple[str, ...], numeric: bool) -> tuple[str, ...]:
    operation = read_operation(name, description)
    if operation.family != "predict" and is_computation(operation, description, numeric=numeric):
        return _BY_FAMILY["compute" if parameters else "predict"]
    types = dict.fromkeys(_BY_FAMILY[operation.family])
    words = _parameter_words(parameters)
    if numeric and operation.family == "get" and words.isdisjoint(("id", "number", "zip", "year")):
        return _BY_FAMILY["compute"]
    if not parameters:
        types.pop("RESOURCE_NOT_FOUND", None)
    if not _OWNED.isdisjoint(words) and operation.family in ("get", "search"):
        types["PERMISSION_DENIED"] = None
    return tuple(types) or _REMOTE


def plausible_error_types(tool: Tool) -> tuple[str, ...]:
    """Return the standard error types that make sense for a tool; at least one.

    A pure calculation only ever refuses its arguments; what is looked up may be missing or out of reach; what
    belongs to somebody may be forbidden; what is bought or booked follows rules of business.
    """
    properties = tool.parameters.get("properties")
    names = tuple(properties) if isinstance(properties, dict) else ()
    return _plausible(tool.name, tool.description, names, takes_numbers(tool.parameters))
