"""The parsed text of a domain file becomes a Domain, or everything that is wrong with it, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from generator.domains.domain import Domain
from generator.jsontext import JsonObject, JsonValue, dump_canonical
from generator.suggestions import did_you_mean

_LONGEST_WORD = 80
_MOST_COMPARED = 2_000
_MOST_SUGGESTIONS = 100


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a domain file: where by keys and places, what, and what to do."""

    path: tuple[str | int, ...]
    what: str
    remedy: str = ""


@dataclass(slots=True)
class Faults:
    """Collects what is wrong while a domain is compiled."""

    found: list[Fault] = field(default_factory=list)
    _seen: set[Fault] = field(default_factory=set, repr=False)

    def add(self, path: tuple[str | int, ...], what: str, remedy: str = "") -> None:
        """Note one fault, once: parts of a domain are compiled more than once."""
        fault = Fault(path, what, remedy)
        if fault not in self._seen:
            self._seen.add(fault)
            self.found.append(fault)

    def unknown(self, path: tuple[str | int, ...], noun: str, name: object, known: Iterable[str]) -> None:
        """Note a name that stands for nothing, with the nearest that does."""
        word = str(name)[:_LONGEST_WORD]
        # Comparing words takes its time: a file of nothing but mistakes has none of it after the first hundred.
        names = [each for each in islice(known, _MOST_COMPARED) if len(each) <= _LONGEST_WORD]
        near = did_you_mean(word, names) if len(self.found) < _MOST_SUGGESTIONS else ""
        self.add(path, f"unknown {noun} {word!r}", near or (f"one of: {', '.join(names[:12])}" if names else ""))


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


def with_names(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """Return a parsed domain file in which each tool has its new name wherever it is named."""
    if not names or not isinstance(value, dict):
        return value
    found: JsonObject = dict(value)
    if isinstance(tools := value.get("tools"), dict):
        found["tools"] = {
            (name if names.get(name) in tools else names.get(name, name)): _tool(tool, names)
            for name, tool in tools.items()
        }
    for key in ("entities", "tasks"):
        if key in value:
            found[key] = _called(value[key], names)
    return found


def _called(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """Rename what stands under `call`, at any depth."""
    if isinstance(value, dict):
        return {
            key: names.get(each, each) if key == "call" and isinstance(each, str) else _called(each, names)
            for key, each in value.items()
        }
    return [_called(each, names) for each in value] if isinstance(value, list) else value


def _tool(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if not isinstance(value, dict):
        return value
    found = dict(value)
    if isinstance(near := value.get("near"), list):
        found["near"] = [names.get(each, each) if isinstance(each, str) else each for each in near]
    if isinstance(ways := value.get("ways"), list):
        found["ways"] = [_way(way, names) for way in ways]
    return found


def _way(way: JsonValue, names: Mapping[str, str]) -> JsonValue:
    many = way.get("ambiguous") if isinstance(way, dict) else None
    if not isinstance(many, list):
        return way
    renamed = [
        {**one, "tool": names.get(one["tool"], one["tool"])} if isinstance(one, dict) and _is_named(one) else one
        for one in many
    ]
    return {**way, "ambiguous": renamed}


def _is_named(one: JsonObject) -> bool:
    return isinstance(one.get("tool"), str)
