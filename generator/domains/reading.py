"""The parsed text of a domain file becomes a Domain, or all that is wrong with it and its phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

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
    for key in path:
        if isinstance(key, int):
            continue
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
        elif fields := _fields_in(kind):
            if key not in fields:
                return []
            kind = fields[key].annotation
    return list(_fields_in(kind))


def _fields_in(annotation: Any) -> dict[str, FieldInfo]:
    """Return the fields of the first model inside an annotation by their keys in a document; {} where none is there."""
    model = _model_in(annotation)
    return {} if model is None else {field.alias or name: field for name, field in model.model_fields.items()}


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


Place = tuple[str | int, ...]

_SLOT = re.compile(r"\{[^{}]*\}")
_LINES = re.compile(r"<[^<>:]*\|\s*lines\s*:[^<>]*>")
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_COLON = re.compile(r":\s")
_LEAST_WORDS = 4
"""Of so few words as this, requests may be alike."""
_MOST_TOLD = 4
_OPENING = ("requests",)


def phrasing_faults(raw: JsonObject, names: Iterable[str]) -> list[Fault]:
    """Return what readers would mind of the sentences of some tools; of the tasks, where no tool is named."""
    wanted = list(names)
    held = raw.get("tools" if wanted else "tasks")
    parts: list[tuple[Place, JsonValue]] = [] if wanted else [(("tasks",), held)]
    if wanted and isinstance(held, dict):
        parts = [(("tools", name), held.get(name)) for name in wanted]
    found: list[Fault] = []
    for start, part in parts:
        texts = list(_texts(part, start))
        found += [*_twins(texts, start), *_small(texts, start), *_colons(texts, start)]
    return found


def _texts(value: JsonValue, path: Place) -> Iterator[tuple[Place, list[str]]]:
    """Yield every list of texts below a part, with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        if value and all(isinstance(each, str) for each in value):
            yield path, value
        else:
            for number, inner in enumerate(value):
                yield from _texts(inner, (*path, number))


def _twins(texts: Iterable[tuple[Place, list[str]]], start: Place) -> Iterator[Fault]:
    """Yield one fault for the requests of a part that are alike but for a word."""
    told = [
        f"{one!r} and {two!r}"
        for path, group in texts
        if path[-1] in _OPENING
        for place, two in enumerate(group)
        for one in group[:place]
        if _are_twins(one, two)
    ]
    if told:
        more = f", and {len(told) - _MOST_TOLD} more pairs" if len(told) > _MOST_TOLD else ""
        what = f"requests are alike but for a word: {'; '.join(told[:_MOST_TOLD])}{more}"
        yield Fault(start, what, "say it in another form: a question, a reason, another register")


def _are_twins(one: str, two: str) -> bool:
    first, second = (_WORD.findall(_SLOT.sub(" slot ", text.casefold())) for text in (one, two))
    if len(first) != len(second) or len(first) < _LEAST_WORDS:
        return False
    return len([left for left, right in zip(first, second, strict=True) if left != right]) <= 1


def _small(texts: Iterable[tuple[Place, list[str]]], start: Place) -> Iterator[Fault]:
    """Yield one fault for the requests of a part that start with a small letter."""
    told = [text for path, group in texts if path[-1] in _OPENING for text in group if text[:1].islower()]
    if told:
        yield Fault(start, f"{len(told)} requests start with a small letter, as {told[0]!r}", "start with a capital")


def _colons(texts: Iterable[tuple[Place, list[str]]], start: Place) -> Iterator[Fault]:
    """Yield one fault for the replies of a part with two colons in one sentence."""
    told = [text for path, group in texts if "replies" in path or path[-1] == "say" for text in group if _has_two(text)]
    if told:
        what = f"two colons stand in one sentence of a reply, as in {told[0]!r}"
        yield Fault(start, what, "use a verb, or a line for each: <list|lines: ...>")


def _has_two(text: str) -> bool:
    """Say whether a sentence holds two colons; those that open a loop are no part of what is said."""
    plain = _SLOT.sub("slot", _LINES.sub("\n", text))
    plain = re.sub(r"<[^<>:]*:\s?", "", plain)
    return any(len(_COLON.findall(sentence)) > 1 for sentence in _SENTENCE_END.split(plain))


Path = tuple[str | int, ...]

_NAMED = frozenset({"entities", "tools", "wordings", "pools", "corrections"})
"""Keys that lead to names which the domain gives: what follows them is no key of the format."""
_NO_PHRASES = frozenset(
    {"pools", "draw", "arguments", "fields", "views", "effect", "result", "examples", "find", "data"}
)
_PHRASES = frozenset(
    {
        "requests", "replies", "questions", "answers", "say", "say_id", "told", "context", "confirm", "follow_ups",
        "corrections",
    }
)  # fmt: skip
"""Keys that hold texts, or lists of texts by outcome or draw."""


def phrase_at(path: Path) -> Path | None:
    """Return the path of the phrase that a path leads to or into; None where it leads to anything else."""
    found: Path | None = None
    held = False
    named = False
    for place, part in enumerate(path):
        if named:
            named = False
            continue
        if part in _NO_PHRASES:
            return found
        if isinstance(part, int):
            if held:
                found, held = path[: place + 1], False
        elif part in _PHRASES:
            held = True
            named = part == "corrections"
        elif part in _NAMED:
            named = True
        elif not (held and path[place - 1] == "replies"):
            held = False
    return found


def without(value: JsonValue, paths: Iterable[Path]) -> tuple[JsonValue, set[Path]]:
    """Return a document without the parts at some paths, and the paths of lists that are empty now."""
    emptied: set[Path] = set()
    for path in sorted(set(paths), key=_from_the_end):
        value = _without(value, path)
        if path and _at(value, path[:-1]) == []:
            emptied.add(path[:-1])
    return value, emptied


def owner_of(path: Path) -> Path:
    """Return the path of the part that cannot do without the list at this path: a way, a task, a question."""
    owner = path[:-1]
    while owner and not isinstance(owner[-1], int) and owner[-1] != "parallel":
        owner = owner[:-1]
    return owner[:2] if owner[:1] == ("tasks",) else owner


def _from_the_end(path: Path) -> tuple[tuple[int, str], ...]:
    """Order paths so that a later place of a list is taken out before an earlier one."""
    return tuple((-part, "") if isinstance(part, int) else (0, part) for part in path)


def _at(value: JsonValue, path: Path) -> JsonValue:
    for part in path:
        if isinstance(value, dict):
            value = value.get(str(part))
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _without(value: JsonValue, path: Path) -> JsonValue:
    """Copy what leads to a part and leave the part out; what is shared with other documents stays as it is."""
    if not path:
        return value
    rest = path[1:]
    match value, path[0]:
        case dict(), key if key in value:
            if rest:
                return {**value, key: _without(value[key], rest)}
            return {name: each for name, each in value.items() if name != key}
        case list(), int(place) if place < len(value):
            left = [_without(value[place], rest)] if rest else []
            return [*value[:place], *left, *value[place + 1 :]]
    return value


def before(path: Path, dropped: Iterable[Path]) -> Path:
    """Return where a path led before some parts were left out."""
    for gone in sorted(dropped, key=lambda one: [str(part).zfill(9) for part in one]):
        place = len(gone) - 1
        here = path[place] if len(path) > place else None
        if place >= 0 and isinstance(gone[place], int) and isinstance(here, int) and path[:place] == gone[:place]:
            path = (*path[:place], here + 1, *path[place + 1 :]) if here >= int(gone[place]) else path
    return path
