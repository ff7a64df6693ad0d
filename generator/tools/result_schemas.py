"""Result schemas derived from a tool: the shape an API of its sort returns.

The family of the operation decides the shape (a list with its total, a new thing with its id, a number with its
unit), the noun the fields, the parameters what is echoed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from generator.jsontext import JsonObject
from generator.tools.operations import (
    Operation,
    description_sentence,
    name_words,
    past,
    read_operation,
    singular,
    snake,
)
from generator.tools.result_schemas_choice import choosable, with_offered
from generator.tools.result_schemas_computed import QUANTITIES, computed_fields
from generator.tools.result_schemas_echoes import DEED_DONE, echoed, relaxed, repeats, scalar
from generator.tools.result_schemas_fields import BOOLEAN, closed, described, fields_of, one_of, whole
from generator.tools.result_schemas_lists import LENGTH_LIMIT, list_key, listed_of, searchable
from generator.tools.result_schemas_methods import READING, method_fields, told_deeds
from generator.tools.result_schemas_nouns import CREATED, NOUNS, WEAK
from generator.tools.result_schemas_surfaces import surface_fields

MOST_LEAVES = 8
"""A derived result stays small: echoes are left out beyond this many fields."""

_CONVERTED = frozenset("unit units currency timezone zone from to source target amount value base".split())
_SEVERAL = frozenset(("top", "limit", "top_n", "max_results", "num_results", "quantity"))
_HISTORY = frozenset(("history", "historical"))
_UNITS = frozenset(("unit", "units", "currency"))
_STATES = {
    "enable": "enabled", "disable": "disabled", "activate": "active", "deactivate": "inactive", "start": "started",
    "stop": "stopped", "lock": "locked", "unlock": "unlocked", "press": "pressed", "release": "released",
    "pause": "paused", "resume": "resumed",
    "suspend": "suspended", "mute": "muted", "unmute": "unmuted", "reboot": "restarted", "grant": "granted",
}  # fmt: skip
_NUMBERED = frozenset(("issue", "pull request"))
_DRAWING = frozenset(("plot", "draw", "render", "sketch"))
_ANSWERS = {
    "availability": "available", "available": "available", "verify": "verified", "validate": "valid",
    "valid": "valid", "exists": "exists", "confirm": "confirmed", "has": "result", "is": "result", "can": "result",
}  # fmt: skip


def _headed(words: Sequence[str]) -> Iterator[str]:
    """Yield what may name a thing: up to three words that end in the head (the last), then in the word before it."""
    for end in range(len(words), 0, -1):
        yield from (" ".join(words[start:end]) for start in range(max(0, end - 3), end))


@lru_cache(maxsize=8192)
def noun_of(operation: Operation, description: str) -> str:
    """Return the noun that the tool is about: by its name, head first, else told first; else ""."""
    named = tuple(singular(word) for word in operation.words if word != operation.verb)
    things = operation.things
    if things == ("code",) and operation.family == "search":
        return "code match"
    if things and things[-1] in QUANTITIES and things[-1] not in NOUNS and " ".join(things[-2:]) not in NOUNS:
        return things[-1]
    found = [word for words in (things, named) for word in _headed(words) if word in NOUNS]
    strong = next((word for word in found if word not in WEAK), "")
    computed = next((word for word in _headed(things) if word in QUANTITIES), "")
    if strong == "currency" and "rate" in operation.words:
        return "exchange rate"
    if strong == "event" and not _HISTORY.isdisjoint(named):
        return "historical event"
    if strong or found or computed:
        return strong or computed or found[0]
    told = [singular(word) for word in name_words(description_sentence(description))[1:14]]
    pairs = [" ".join(pair) for pair in pairwise(told)]
    return next((word for word in (*pairs, *told) if word in NOUNS and word not in WEAK), "")


def _thing_fields(operation: Operation, noun: str) -> dict[str, JsonObject]:
    """Return the fields of the thing a tool is about."""
    if operation.things and _asks_for_id(operation):
        return fields_of(f"{operation.things[-1]}_id")
    if noun:
        return fields_of(NOUNS.get(noun) or QUANTITIES[noun], noun)
    head = operation.things[-1] if operation.things else ""
    return fields_of(f"id name status {head and 'description'}", operation.thing)


def _asks_for_id(operation: Operation) -> bool:
    """Say whether a tool answers with an id alone: `get_user_id`, `find_user_id_by_email`."""
    words = operation.words
    end = words.index("by") if "by" in words else len(words)
    return words[end - 1 : end] == ("id",) and end > 1


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
    echoes = echoed(operation, parameters, 2)
    fields = with_offered(_thing_fields(operation, noun), parameters)
    return _merge(echoes, {name: fields[name] for name in fields if not repeats(name, noun, echoes)} or fields)


def _several(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A list under the plural of its noun, with its total."""
    if noun and noun not in NOUNS:
        return _one(operation, noun, parameters)
    fields = with_offered(_thing_fields(operation, noun), parameters)
    listed = listed_of(searchable(operation.family, noun, parameters, fields))
    if "forecast" in noun:
        return _merge(echoed(operation, parameters, 1), {"forecast": listed})
    total = whole(0, LENGTH_LIMIT, "Number of entries")
    return _merge(echoed(operation, parameters, 1), {list_key(noun): listed, "total": total})


def _created(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    if noun in CREATED:
        told = echoed(operation, parameters, 2)
        fields = fields_of(CREATED[noun], noun)
        return _merge(told, {name: fields[name] for name in fields if not repeats(name, noun, told)} or fields)
    identity = {} if _identifier(operation, noun) in echoed(operation, parameters, 9) else _identifier(operation, noun)
    own = fields_of(f"{identity or ''} status=created created_at")
    return _merge({key: own[key] for key in own if key.endswith("id")}, echoed(operation, parameters, 2), own)


def _changed(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """What was changed, what it is now, and when: its new state where the call gives one."""
    done = _done_to(operation)
    moment = f"{done}_at" if operation.family == "delete" else "updated_at"
    state = _new_state(parameters)
    own = fields_of(moment) if state else fields_of(f"status={done} {moment}")
    return _merge(echoed(operation, parameters, 4), state, own)


def _done_to(operation: Operation) -> str:
    """Return how a status tells a deed: marked as read where things are marked so."""
    return "marked_as_read" if operation.verb == "mark" and "read" in operation.words else past(operation.verb)


def _new_state(parameters: JsonObject) -> dict[str, JsonObject]:
    """Return the state that a call must give a thing, as a field; none where it gives none."""
    given = parameters.get("required")
    taken = parameters.get("properties")
    if not isinstance(taken, dict) or not isinstance(given, list):
        return {}
    states = {name: scalar(taken[name]) for name in ("status", "state") if name in given and name in taken}
    return {name: echo for name, echo in states.items() if echo is not None and (name == "status" or "enum" in echo)}


def _ended(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """Whether it worked, and what is done."""
    return _merge(echoed(operation, parameters, 2), fields_of(f"success status={past(operation.verb)}"))


def _toggled(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """Whether it worked and the state afterwards, which the verb may tell."""
    turned = [word for word in ("on", "off") if word in operation.words]
    state = _STATES.get(operation.verb) or (turned[0] if len(turned) == 1 else "")
    return _merge(
        echoed(operation, parameters, 2),
        fields_of(f"success state={state}" if state else "success state:state_now"),
    )


def _done(spec: str) -> Callable[[Operation, str, JsonObject], JsonObject]:
    """Return the shape of a deed that leaves nothing behind: what it was about and how it went."""

    def shape(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
        return _merge(echoed(operation, parameters, 3), fields_of(spec))

    return shape


def _confirmed(spec: str) -> Callable[[Operation, str, JsonObject], JsonObject]:
    """Return the shape of something that got a number of its own and repeats what was asked."""

    def shape(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
        own = fields_of(spec)
        first = dict(list(own.items())[:1])
        return _merge(first, echoed(operation, parameters, 3), own)

    return shape


def _checked(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A yes or no with its reason; the state itself where a thing is looked at."""
    words = operation.words
    answer = next((told for word, told in _ANSWERS.items() if word in words), "")
    if not answer and operation.verb == "check" and noun:
        return _one(operation, noun, parameters)
    return _merge(echoed(operation, parameters, 2), {answer or "result": BOOLEAN}, _reason(answer, parameters))


def _reason(answer: str, parameters: JsonObject) -> dict[str, JsonObject]:
    """Return the field of a reason; none where a call gives nothing that it could be about."""
    return fields_of("reason") if parameters.get("properties") and answer != "available" else {}


def _converted(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """What was converted, and what it is now."""
    words = operation.words
    if "color" in words or "rgb" in words:
        spec = "hex name:color"
    elif "currency" in words or "exchange" in words:
        spec = "converted_amount:converted rate"
    else:
        spec = "converted_time:time" if "time" in words or "timezone" in words else "converted_value:converted"
    return _merge(echoed(operation, parameters, 3, only=_CONVERTED), fields_of(spec))


def _analyzed(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    if "sentiment" in operation.words:
        return closed(fields_of("sentiment confidence"))
    return _merge(echoed(operation, parameters, 1), fields_of("summary:analysis_summary score confidence"))


def _generated(operation: Operation, noun: str, parameters: JsonObject) -> JsonObject:
    """A picture where one is drawn; the thing itself where its noun is known; else a text."""
    if operation.verb in _DRAWING:
        return _merge(echoed(operation, parameters, 1), fields_of(CREATED["image"]))
    made = _thing_fields(operation, noun) if noun else fields_of("id content created_at")
    return _merge(echoed(operation, parameters, 1), made)


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
    shape = relaxed(_shaped(operation, description, parameters), parameters)
    return choosable(shape, parameters) if operation.family in READING else shape


def _asks_for_several(parameters: JsonObject) -> bool:
    """Say whether a call tells how many entries it wants."""
    properties = parameters.get("properties")
    return isinstance(properties, dict) and not _SEVERAL.isdisjoint(snake(name) for name in properties)


def _shaped(operation: Operation, description: str, parameters: JsonObject) -> JsonObject:
    surface = surface_fields(operation, parameters)
    if surface:
        return _merge(surface)
    noun = noun_of(operation, description)
    methods = method_fields(noun, parameters) if operation.family in READING else {}
    if methods:
        return closed({**echoed(operation, parameters, 2), **methods}, tuple(methods))
    done = told_deeds(operation, parameters)
    if done:
        own = fields_of("number url") if noun in _NUMBERED else {}
        status = described(one_of(*done), DEED_DONE)
        told = echoed(operation, parameters, 3)
        return _merge(told, own, {"status": status}, fields_of("updated_at"))
    computed = computed_fields(operation, description, parameters)
    if computed:
        return _merge(computed, echoed(operation, parameters, 1, only=_UNITS))
    if _tells_several(operation, noun, parameters):
        return _several(operation, noun, parameters)
    family = "analyze" if "sentiment" in operation.words else operation.family
    return _SHAPES.get(family, _one)(operation, noun, parameters)


def _tells_several(operation: Operation, noun: str, parameters: JsonObject) -> bool:
    """Say whether a tool answers with a list."""
    if operation.things and _asks_for_id(operation):
        return False
    if operation.many or "forecast" in noun:
        return True
    return operation.family in READING and _asks_for_several(parameters)
