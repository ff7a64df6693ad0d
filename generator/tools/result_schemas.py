"""Result schemas derived from a tool: the shape an API of its sort returns.

The family of the operation decides the shape (a list with its total, a new thing with its id, a number with its
unit), the noun the fields, the parameters what is echoed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from generator.jsontext import JsonObject
from generator.tools.operations import Operation, description_sentence, name_words, plural, read_operation, singular
from generator.tools.result_schemas_computed import computed_fields
from generator.tools.result_schemas_fields import BOOLEAN, closed, fields_of, whole
from generator.tools.result_schemas_nouns import NOUNS

MOST_LEAVES = 8
"""A derived result stays small: echoes are left out beyond this many fields."""

_IDENTIFYING = frozenset(
    "id name city location country title symbol ticker currency unit units date username user owner repo repository "
    "path filename file origin destination species company team player number address email url key sku artist "
    "substance element language timezone state county product book movie song game museum building sculpture year "
    "season code topic crime condition stock team_name branch login account room event".split()
)
_CONVERTED = frozenset("unit units currency timezone zone from to source target amount value base".split())
_ANSWERS = {
    "availability": "available", "available": "available", "verify": "verified", "validate": "valid",
    "valid": "valid", "exists": "exists", "confirm": "confirmed", "has": "result", "is": "result", "can": "result",
}  # fmt: skip
_LIST_LIMIT = 12


def _scalar(schema: object) -> JsonObject | None:
    """Return the echo of a parameter: its type and closed values; None where it is no plain scalar."""
    if not isinstance(schema, dict) or schema.get("type") not in ("string", "integer", "number"):
        return None
    echo: JsonObject = {"type": schema["type"]}
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        echo["enum"] = schema["enum"]
    if isinstance(schema.get("format"), str) and schema["type"] == "string":
        echo["format"] = schema["format"]
    return echo


def _echoes(parameters: JsonObject, most: int, *, only: frozenset[str] = _IDENTIFYING) -> dict[str, JsonObject]:
    """Return the parameters that identify what the call is about, required ones first, at most `most`."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return {}
    given = parameters.get("required")
    required = set(given) if isinstance(given, list) else set()
    found: dict[str, JsonObject] = {}
    for name in sorted(properties, key=lambda name: name not in required):
        words = name_words(name)
        if len(found) < most and words and (words[-1] in only or singular(words[-1]) in only):
            echo = _scalar(properties[name])
            if echo is not None and (name in required or not found):
                found[name] = echo
    return found


def _noun_of(operation: Operation, description: str) -> str:
    """Return the key of NOUNS that the tool is about: by its name, head first, else told first; else ""."""
    named = [singular(word) for word in operation.words if word != operation.verb]
    for words in (operation.things, named):
        pairs = [" ".join(pair) for pair in pairwise(words)]
        found = next((word for word in (*reversed(pairs), *reversed(words)) if word in NOUNS), None)
        if found is not None:
            return found
    told = [singular(word) for word in name_words(description_sentence(description))[1:14]]
    pairs = [" ".join(pair) for pair in pairwise(told)]
    return next((word for word in (*pairs, *told) if word in NOUNS), "")


def _thing_fields(operation: Operation, noun: str) -> dict[str, JsonObject]:
    """Return the fields of the thing a tool is about."""
    if noun:
        return fields_of(NOUNS[noun], noun)
    head = operation.things[-1] if operation.things else ""
    return fields_of(f"id name status {head and 'description'}", operation.thing)


def _identifier(operation: Operation, noun: str) -> str:
    """Return the name of the id that an API gives to a new thing: `order_id`, `id` where there is no noun."""
    words = (noun or (operation.things[-1] if operation.things else "")).split()
    return "_".join([*words, "id"]) if words else "id"


def _merge(*groups: dict[str, JsonObject]) -> JsonObject:
    """Close the groups into one object; the first field of a name wins, fields beyond the limit are left out."""
    merged: dict[str, JsonObject] = {}
    for group in groups:
        for name, schema in group.items():
            if len(merged) < MOST_LEAVES:
                merged.setdefault(name, schema)
    return closed(merged)


def _one(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    return _merge(_echoes(parameters, 2), _thing_fields(operation, noun))


def _several(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A list under the plural of its noun, with its total."""
    items = closed(_thing_fields(operation, noun))
    head = noun.split()[-1] if noun and " " not in noun else (noun.replace(" ", "_") or "result")
    key = plural(head)
    listed: JsonObject = {"type": "array", "items": items, "minItems": 1, "maxItems": _LIST_LIMIT}
    return _merge(_echoes(parameters, 1), {key: listed, "total": whole(1, _LIST_LIMIT, "Number of entries")})


def _created(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    identity = {} if _identifier(operation, noun) in _echoes(parameters, 9) else _identifier(operation, noun)
    own = fields_of(f"{identity or ''} status=created created_at")
    return _merge({key: own[key] for key in own if key.endswith("id")}, _echoes(parameters, 2), own)


def _done(past: str) -> Callable[[Operation, str, JsonObject], JsonObject]:
    """Return the shape of a deed on something that exists: what it was, what it is now, when."""

    def shape(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
        return _merge(_echoes(parameters, 3), fields_of(past))

    return shape


def _confirmed(spec: str) -> Callable[[Operation, str, JsonObject], JsonObject]:
    """Return the shape of something that got a number of its own and repeats what was asked."""

    def shape(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
        own = fields_of(spec)
        first = dict(list(own.items())[:1])
        return _merge(first, _echoes(parameters, 3), own)

    return shape


def _checked(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A yes or no with its reason; the state itself where a thing is looked at."""
    words = operation.words
    answer = next((told for word, told in _ANSWERS.items() if word in words), "")
    if not answer and operation.verb == "check" and noun:
        return _one(operation, noun, parameters)
    return _merge(_echoes(parameters, 2), {answer or "result": BOOLEAN}, fields_of("reason"))


def _converted(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """The converted amount with what it was converted from and to."""
    return _merge(_echoes(parameters, 3, only=_CONVERTED), fields_of("converted_amount:converted"))


def _analyzed(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    if "sentiment" in operation.words:
        return closed(fields_of("sentiment confidence"))
    return _merge(_echoes(parameters, 1), fields_of("summary score confidence"))


def _generated(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    return _merge(
        _echoes(parameters, 1), _thing_fields(operation, noun) if noun else fields_of("id content created_at")
    )


_SHAPES: dict[str, Callable[[Operation, str, JsonObject], JsonObject]] = {
    "get": _one,
    "create": _created,
    "update": _done("status=updated updated_at"),
    "delete": _done("status=deleted deleted_at"),
    "send": _confirmed("message_id status=sent sent_at"),
    "check": _checked,
    "convert": _converted,
    "analyze": _analyzed,
    "generate": _generated,
    "book": _confirmed("booking_id status:booking_status confirmation_number total_price"),
    "order": _confirmed("order_id status=placed total_price estimated_delivery"),
    "pay": _confirmed("transaction_id status=completed processed_at"),
    "schedule": _confirmed("event_id status=scheduled starts_at"),
    "play": _done("status=playing now_playing:song_title duration_seconds"),
    "session": _done("success message:signed"),
    "toggle": _done("success state:state_now"),
    "run": _done("success message:done_message"),
}


def derive_result_schema(name: str, description: str, parameters: JsonObject) -> JsonObject:
    """Derive the JSON Schema (2020-12) of a plausible result of a tool.

    Args:
        name: The tool's name, in any style.
        description: The tool's description; its first sentence counts.
        parameters: The object schema of its arguments.

    Returns:
        A small closed object schema without nulls; the same for the same tool, always.
    """
    operation = read_operation(name, description)
    noun = _noun_of(operation, description)
    computed = computed_fields(operation, description, parameters)
    if computed:
        return _merge(computed, _echoes(parameters, 1, only=frozenset(("unit", "units", "currency"))))
    if operation.many:
        return _several(operation, noun, parameters)
    return _SHAPES.get(operation.family, _one)(operation, noun, parameters)
