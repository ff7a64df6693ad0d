"""Reading: the parsed text of a domain file becomes a Domain, or everything that is wrong with its shape."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from generator.domains.domain import Domain
from generator.domains.faults import Fault
from generator.jsontext import JsonValue, dump_canonical
from generator.suggest import did_you_mean

_MOST_FAULTS = 100
_DEEPEST = 100
_TOLD_DEPTH = 8


def read_domain(value: JsonValue, name: str) -> tuple[Domain | None, list[Fault]]:
    """Read a domain; return it, or None and every fault of its shape."""
    if not isinstance(value, dict):
        return None, [Fault((), "a domain file is a mapping", "start it with `domain: 1`")]
    if fault := _no_json(value):
        return None, [fault]
    try:
        domain = Domain.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return None, _unique(_fault(dict(each), value) for each in found[:_MOST_FAULTS])
    return domain.model_copy(update={"name": name}), []


def _no_json(value: JsonValue) -> Fault | None:
    """Return the first value that no JSON reader takes: it could stand in no argument and in no result."""
    try:
        dump_canonical(value)
    except TypeError:
        return _unwritable(value, ())
    return None


def _unwritable(value: JsonValue, path: tuple[str | int, ...]) -> Fault:
    if len(path) > _DEEPEST:
        return Fault(path[:_TOLD_DEPTH], f"nests over {_DEEPEST} levels")
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in parts:
        try:
            dump_canonical(inner)
        except TypeError:
            return _unwritable(inner, (*path, key))
    if isinstance(value, int):
        return Fault(path, f"{str(value)[:24]} is outside the signed 64-bit range")
    return Fault(path, "holds a character that is no Unicode, or a key that is no text")


def _unique(faults: Any) -> list[Fault]:
    return list(dict.fromkeys(faults))


def _fault(error: dict[str, Any], value: JsonValue) -> Fault:
    path = _path(error["loc"], value)
    if error["type"] == "extra_forbidden":
        known = _known_keys(path[:-1])
        key = str(path[-1]) if path else ""
        remedy = did_you_mean(key, known) or (f"the keys here are {', '.join(known)}" if known else "leave it out")
        return Fault(path, f"unknown key {key[:80]!r}", remedy)
    if error["type"] == "missing":
        return Fault(path, f"lacks {error['loc'][-1]!r}", "add it")
    return Fault(path, _in_words(error))


def _in_words(error: dict[str, Any]) -> str:
    message = str(error["msg"])
    return message.replace("Input should be", "must be").replace("a valid tuple", "a list").replace("valid ", "")


def _path(location: tuple[int | str, ...], value: JsonValue) -> tuple[str | int, ...]:
    """Return the part of an error's location that leads through the document: unions add names of their own."""
    path: list[str | int] = []
    for part in location:
        held: Any = value if isinstance(value, dict | list) else {}
        places = range(len(held)) if isinstance(held, list) else held
        if part in places:
            value = held[part]
            path.append(part)
    return tuple(path)


def _known_keys(path: tuple[str | int, ...]) -> list[str]:
    """Return the keys that the model at a path has."""
    kind: Any = Domain
    for part in path:
        model = _model_in(kind)
        if isinstance(part, str) and get_origin(kind) is dict:
            kind = get_args(kind)[1]
        elif isinstance(part, str) and model is not None:
            fields = {field.alias or name: field for name, field in model.model_fields.items()}
            if part not in fields:
                return []
            kind = fields[part].annotation
    model = _model_in(kind)
    return [field.alias or name for name, field in model.model_fields.items()] if model is not None else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the first model inside an annotation, such as that of the items of a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _model_in(inner)) is not None), None)
