"""Result schemas derived from a tool: the shape an API of its sort returns.

The family of the operation decides the shape (a list with its total, a new thing with its id, a number with its
unit), the noun the fields, the parameters what is echoed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

from generator.jsontext import JsonObject
from generator.tools.operations import (
    Operation,
    description_sentence,
    name_words,
    past,
    plural,
    read_operation,
    singular,
    snake,
)
from generator.tools.result_schemas_computed import QUANTITIES, computed_fields
from generator.tools.result_schemas_fields import BOOLEAN, closed, fields_of, whole
from generator.tools.result_schemas_nouns import CREATED, NOUNS, WEAK

MOST_LEAVES = 8
"""A derived result stays small: echoes are left out beyond this many fields."""
LENGTH_LIMIT = 14
"""A derived list has at most so many entries."""

_IDENTIFYING = frozenset(
    "id name city location country title symbol ticker currency unit units date username user owner repo repository "
    "path filename file origin destination species company team player number address email url key sku artist "
    "substance element language timezone state county product book movie song game museum building sculpture year "
    "season code topic crime condition stock team_name branch login account room event amount quantity".split()
)
_CONVERTED = frozenset("unit units currency timezone zone from to source target amount value base".split())
_READING = frozenset(("get", "search"))
_SEVERAL = frozenset(("top", "limit", "top_n", "max_results", "num_results", "quantity", "per_page"))
_HISTORY = frozenset(("history", "historical"))
_UNITS = frozenset(("unit", "units", "currency"))
_LONG = frozenset(
    "text content body message query code password secret token description prompt summary note data html script sql "
    "expression function command comment criteria features preferences reason key pattern regex email_body".split()
)
_STATES = {
    "enable": "enabled", "disable": "disabled", "activate": "active", "deactivate": "inactive", "start": "started",
    "stop": "stopped", "lock": "locked", "unlock": "unlocked", "press": "pressed", "release": "released",
    "suspend": "suspended", "mute": "muted", "unmute": "unmuted", "reboot": "restarted", "grant": "granted",
}  # fmt: skip
_DRAWING = frozenset(("plot", "draw", "render", "sketch"))
_ANSWERS = {
    "availability": "available", "available": "available", "verify": "verified", "validate": "valid",
    "valid": "valid", "exists": "exists", "confirm": "confirmed", "has": "result", "is": "result", "can": "result",
}  # fmt: skip


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
    return found or (_first_text(properties, required) if only is _IDENTIFYING else {})


def _first_text(properties: JsonObject, required: Collection[str]) -> dict[str, JsonObject]:
    """Return the first required text that is short enough to repeat."""
    for name, schema in properties.items():
        echo = _scalar(schema) if name in required and not _LONG.intersection(name_words(name)) else None
        if echo is not None and echo["type"] == "string":
            return {name: echo}
    return {}


def _headed(words: Sequence[str]) -> Iterator[str]:
    """Yield the pairs of words, then the words, the head (the last) first."""
    yield from (" ".join(pair) for pair in reversed(list(pairwise(words))))
    yield from reversed(words)


def _noun_of(operation: Operation, description: str) -> str:
    """Return the noun that the tool is about: by its name, head first, else told first; else ""."""
    named = tuple(singular(word) for word in operation.words if word != operation.verb)
    things = operation.things
    if things and things[-1] in QUANTITIES and things[-1] not in NOUNS and " ".join(things[-2:]) not in NOUNS:
        return things[-1]
    found = [word for words in (things, named) for word in _headed(words) if word in NOUNS]
    strong = next((word for word in found if word not in WEAK), "")
    computed = next((word for word in _headed(things) if word in QUANTITIES), "")
    if strong == "event" and not _HISTORY.isdisjoint(named):
        return "historical event"
    if strong or found or computed:
        return strong or computed or found[0]
    told = [singular(word) for word in name_words(description_sentence(description))[1:14]]
    pairs = [" ".join(pair) for pair in pairwise(told)]
    return next((word for word in (*pairs, *told) if word in NOUNS and word not in WEAK), "")


def _thing_fields(operation: Operation, noun: str) -> dict[str, JsonObject]:
    """Return the fields of the thing a tool is about."""
    if operation.words[-1] == "id" and operation.things and "by" not in operation.words:
        return fields_of(f"{operation.things[-1]}_id")
    if noun:
        return fields_of(NOUNS.get(noun) or QUANTITIES[noun], noun)
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


def _relaxed(schema: JsonObject, parameters: JsonObject) -> JsonObject:
    """Return the schema without the duty to echo what a call may leave out."""
    taken = parameters.get("properties")
    given = parameters.get("required")
    required = given if isinstance(given, list) else ()
    properties = _opened(schema["properties"], taken if isinstance(taken, dict) else {})
    echoes = (
        name
        for name, parameter in (taken if isinstance(taken, dict) else {}).items()
        if name in properties and name not in required
        if properties[name] == _scalar(parameter) and "default" not in parameter
    )
    optional = set(echoes)
    return closed(properties, optional if len(optional) < len(properties) else ())


def _opened(properties: JsonObject, parameters: JsonObject) -> JsonObject:
    """Return the fields with texts that a parameter of their name decides open to whatever it says."""
    opened: JsonObject = {}
    for name, schema in properties.items():
        echo = _scalar(parameters.get(name))
        if echo is not None and echo["type"] == schema["type"] == "string":
            opened[name] = echo
        elif schema["type"] == "array" and schema["items"]["type"] == "object":
            inner = schema["items"]
            opened[name] = {**schema, "items": {**inner, "properties": _opened(inner["properties"], parameters)}}
        else:
            opened[name] = schema
    return opened


def _one(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    echoes = _echoes(parameters, 2)
    fields = _thing_fields(operation, noun)
    return _merge(echoes, {name: fields[name] for name in fields if not _repeats(name, noun, echoes)} or fields)


def _repeats(field: str, noun: str, echoes: dict[str, JsonObject]) -> bool:
    """Say whether an echo tells a field already: `song_title` tells `title`, `artist_name` tells `artist`."""
    words = name_words(field)
    for name, echo in zip(echoes, map(name_words, echoes), strict=True):
        if name.replace("_", "").lower() == field.replace("_", ""):
            return True
        told = echo[-len(words) :] == words or (echo[-1] in ("name", "title", "id") and echo[:-1] == words)
        if told or (field in ("name", "title") and " ".join(echo) == noun):
            return True
    return False


def _several(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A list under the plural of its noun, with its total."""
    if noun and noun not in NOUNS:
        return _one(operation, noun, parameters)
    items = closed(_thing_fields(operation, noun))
    head = noun.removesuffix(" history").removesuffix(" schedule").replace(" ", "_") or "result"
    listed: JsonObject = {"type": "array", "items": items, "minItems": 1, "maxItems": LENGTH_LIMIT}
    if "forecast" in noun:
        return _merge(_echoes(parameters, 1), {"forecast": listed})
    total = whole(1, LENGTH_LIMIT, "Number of entries")
    return _merge(_echoes(parameters, 1), {plural(head): listed, "total": total})


def _created(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    if noun in CREATED:
        return _merge(_echoes(parameters, 2), fields_of(CREATED[noun], noun))
    identity = {} if _identifier(operation, noun) in _echoes(parameters, 9) else _identifier(operation, noun)
    own = fields_of(f"{identity or ''} status=created created_at")
    return _merge({key: own[key] for key in own if key.endswith("id")}, _echoes(parameters, 2), own)


def _changed(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """What was changed, what it is now, and when."""
    done = past(operation.verb)
    moment = f"{done}_at" if operation.family == "delete" else "updated_at"
    return _merge(_echoes(parameters, 3), fields_of(f"status={done} {moment}"))


def _ended(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """Whether it worked, and what is done."""
    return _merge(_echoes(parameters, 2), fields_of(f"success status={past(operation.verb)}"))


def _toggled(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """Whether it worked and the state afterwards, which the verb may tell."""
    turned = [word for word in ("on", "off") if word in operation.words]
    state = _STATES.get(operation.verb) or (turned[0] if len(turned) == 1 else "")
    return _merge(_echoes(parameters, 2), fields_of(f"success state={state}" if state else "success state:state_now"))


def _done(spec: str) -> Callable[[Operation, str, JsonObject], JsonObject]:
    """Return the shape of a deed that leaves nothing behind: what it was about and how it went."""

    def shape(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
        return _merge(_echoes(parameters, 3), fields_of(spec))

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
    """What was converted, and what it is now."""
    words = operation.words
    if "color" in words or "rgb" in words:
        spec = "hex name:color"
    elif "currency" in words or "exchange" in words:
        spec = "converted_amount:converted rate"
    else:
        spec = "converted_time:time" if "time" in words or "timezone" in words else "converted_value:converted"
    return _merge(_echoes(parameters, 3, only=_CONVERTED), fields_of(spec))


def _analyzed(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    if "sentiment" in operation.words:
        return closed(fields_of("sentiment confidence"))
    return _merge(_echoes(parameters, 1), fields_of("summary score confidence"))


def _generated(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A picture where one is drawn; the thing itself where its noun is known; else a text."""
    if operation.verb in _DRAWING:
        return _merge(_echoes(parameters, 1), fields_of(CREATED["image"]))
    made = _thing_fields(operation, noun) if noun else fields_of("id content created_at")
    return _merge(_echoes(parameters, 1), made)


_SHAPES: dict[str, Callable[[Operation, str, JsonObject], JsonObject]] = {
    "get": _one,
    "create": _created,
    "update": _changed,
    "delete": _changed,
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
    "session": _ended,
    "toggle": _toggled,
    "run": _ended,
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
    return _relaxed(_shaped(operation, description, parameters), parameters)


def _asks_for_several(parameters: JsonObject) -> bool:
    """Say whether a call tells how many entries it wants."""
    properties = parameters.get("properties")
    return isinstance(properties, dict) and not _SEVERAL.isdisjoint(snake(name) for name in properties)


def _shaped(operation: Operation, description: str, parameters: JsonObject) -> JsonObject:
    noun = _noun_of(operation, description)
    computed = computed_fields(operation, description, parameters)
    if computed:
        return _merge(computed, _echoes(parameters, 1, only=_UNITS))
    if operation.many or "forecast" in noun or (operation.family in _READING and _asks_for_several(parameters)):
        return _several(operation, noun, parameters)
    return _SHAPES.get(operation.family, _one)(operation, noun, parameters)
