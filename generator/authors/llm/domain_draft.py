"""A domain on its way: what a model wrote of it so far, joined with what was there, and freed of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from generator.domains.domain import Domain
from generator.domains.phrasing import phrase_at, without
from generator.domains.reading import Fault, read_domain
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.tools.tool import Tool
from generator.worlds.playbook import open_playbook

MANNERS = ("asks_first", "outages")
"""Keys of the first level that say how all tools are used: any answer may set them."""
WORLD_KEYS = ("about", "me", "context", "pools", "entities", "wordings", "policies", *MANNERS)
_BY_NAME = frozenset({"pools", "entities", "wordings", "tools"})
_EMPTY: tuple[JsonValue, ...] = (None, "", [], {})
_SHOWN_ENTRIES = 3
_MORE = re.compile(r"\.\.\. and [0-9]+ more")
_ROUNDS = 12
_MOST_NOTES = 25
_LONGEST_NOTE = 300
_ENTRIES = ("ways", "ask", "invalid", "ambiguous", "recover", "profile")


@dataclass(slots=True)
class DomainDraft:
    """What was written so far, and what became of each part."""

    raw: JsonObject
    tools: tuple[Tool, ...]
    name: str
    given: JsonObject = field(default_factory=dict)
    """What was there before; no answer changes it."""
    notes: list[str] = field(default_factory=list)
    ahead: bool = True
    """Whether tools that nobody has described yet will be: what speaks of them is no fault."""

    def merged(self, part: JsonObject) -> JsonObject:
        """Return the document with a part added: entries of its mappings one by one, lists whole.

        Pools and rows that were shown shortened keep what was not shown, entities the fields and views that an answer
        leaves out; entries of a list may be given by their places.
        """
        found = dict(self.raw)
        for key, value in part.items():
            before = found.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                found[key] = {**before, **{name: _joined(key, before.get(name), each) for name, each in value.items()}}
            elif isinstance(before, list) and isinstance(value, dict):
                found[key] = _with_entries(before, value)
            else:
                found[key] = value
        merged: JsonObject = overlaid(found, self.given)
        return merged

    @property
    def world(self) -> JsonObject:
        """What all tools share; pools and rows by their first entries, and how many more there are."""
        shared = {key: self.raw[key] for key in WORLD_KEYS if key in self.raw}
        pools, entities = shared.get("pools"), shared.get("entities")
        if isinstance(pools, dict):
            shared["pools"] = {name: _shortened(each) for name, each in pools.items()}
        if isinstance(entities, dict):
            shared["entities"] = {
                name: {**each, "data": _shortened(each["data"])} if isinstance(each, dict) and "data" in each else each
                for name, each in entities.items()
            }
        return shared

    def faults(self, raw: JsonObject) -> list[Fault]:
        """Return what is wrong with a document at this point of the writing."""
        return faults_of(with_room(raw, self.tools) if self.ahead else raw, self.tools, self.name)[1]

    def mended(self, raw: JsonObject) -> tuple[JsonObject, list[str]]:
        """Return a document without what is wrong in it, and what was dropped.

        A phrase is dropped, else the list entry or the named part around what is wrong; what was given stays.
        """
        dropped: list[str] = []
        for _ in range(_ROUNDS):
            faults = self.faults(raw)
            if not faults:
                break
            places = {phrase_at(fault.path) or _part_around(fault.path) for fault in faults if fault.path}
            dropped += [fault_in_words(fault) for fault in faults][:_MOST_NOTES]
            raw = overlaid(orjson.loads(orjson.dumps(without(raw, places)[0])), self.given)
        return raw, dropped

    def described(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return these tools and all that somebody has described by now."""
        return tuple(dict.fromkeys([*names, *(tool.name for tool in self.tools if not self.lacks(tool.name))]))

    def lacks(self, name: str) -> bool:
        """Tell whether nobody has said yet how people ask for a tool."""
        return not ways_of(self.raw, name)


def _shortened(entries: JsonValue) -> JsonValue:
    """Return the first entries of a list, and in words how many follow."""
    if not isinstance(entries, list) or len(entries) <= _SHOWN_ENTRIES + 1:
        return entries
    return [*entries[:_SHOWN_ENTRIES], f"... and {len(entries) - _SHOWN_ENTRIES} more"]


def _is_shortened(entries: JsonValue) -> bool:
    return isinstance(entries, list) and any(isinstance(each, str) and _MORE.fullmatch(each) for each in entries)


def _whole(before: JsonValue, given: JsonValue) -> JsonValue:
    """Return a list that may have been given back as it was shown: with what was not shown."""
    if not _is_shortened(given):
        return given
    held = before if isinstance(before, list) else []
    own = [each for each in given if not (isinstance(each, str) and _MORE.fullmatch(each)) and each not in held]
    return [*held, *own]


def _joined(key: str, before: JsonValue, given: JsonValue) -> JsonValue:
    """Return one named entry of an answer, with what it leaves out of the entry that was there."""
    if key == "pools":
        return _whole(before, given)
    if key != "entities" or not isinstance(before, dict) or not isinstance(given, dict):
        return given
    joined = {**before, **given}
    for inner in ("fields", "views"):
        if isinstance(before.get(inner), dict) and isinstance(given.get(inner), dict):
            joined[inner] = {**before[inner], **given[inner]}
    if "data" in given:
        joined["data"] = _whole(before.get("data"), given["data"])
    return joined


def _with_entries(before: list[JsonValue], given: JsonObject) -> list[JsonValue]:
    """Return a list with the entries that are given by their places; null takes one out, a further place adds one."""
    held = {str(place): each for place, each in enumerate(before)}
    return [each for each in {**held, **given}.values() if each is not None]


def ways_of(raw: JsonObject, name: str) -> list[JsonValue]:
    """Return the ways that a document has for a tool, whatever else it holds."""
    tools = raw.get("tools")
    tool = tools.get(name) if isinstance(tools, dict) else None
    ways = tool.get("ways") if isinstance(tool, dict) else None
    return ways if isinstance(ways, list) else []


def overlaid(written: JsonValue, given: JsonValue) -> JsonValue:
    """Return what was written, with what was given in its place wherever both say something."""
    if not isinstance(written, dict) or not isinstance(given, dict):
        return written if given in _EMPTY else given
    return {
        **written,
        **{key: overlaid(written[key], value) if key in written else value for key, value in given.items()},
    }


def part_of(answer: JsonObject, keys: Sequence[str], names: Sequence[str]) -> tuple[JsonObject, list[Fault]]:
    """Return what an answer says under these keys, of tools those with these names; and what has no names at all."""
    part = {key: answer[key] for key in keys if key in answer}
    faults = [
        Fault((key,), "must be an object with an entry for each name")
        for key, value in part.items()
        if key in _BY_NAME and not isinstance(value, dict)
    ]
    part = {key: value for key, value in part.items() if key not in _BY_NAME or isinstance(value, dict)}
    if "tools" in part:
        part["tools"] = {name: value for name, value in part["tools"].items() if name in names}
    return part, faults


def faults_of(raw: JsonObject, tools: Sequence[Tool], name: str) -> tuple[Domain | None, list[Fault]]:
    """Return the domain that a document is, and what is wrong with it."""
    domain, faults = read_domain(raw, name)
    if domain is None:
        return None, faults
    return domain, list(open_playbook(domain, tools).faults)


def with_room(raw: JsonObject, tools: Sequence[Tool]) -> JsonObject:
    """Return a document that knows every tool by name, so that what is written first may speak of what comes later."""
    known = raw.get("tools", {})
    return {**raw, "tools": {**{tool.name: {} for tool in tools}, **known}} if isinstance(known, dict) else raw


def fault_in_words(fault: Fault) -> str:
    """Return a fault in words, those of a hostile answer cut."""
    text = f"{pointer(fault.path) or 'the object'}: {fault.what}" + (f" ({fault.remedy})" if fault.remedy else "")
    return text if len(text) <= _LONGEST_NOTE else text[:_LONGEST_NOTE] + "…"


def _part_around(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return the smallest part that can be dropped whole: a way, a task, an entry, a tool, an entity."""
    if path[:1] == ("entities",) and path[2:3] == ("find",):
        return path[:3]
    for end in range(len(path), 2, -1):
        if isinstance(path[end - 1], int) and path[end - 2] in _ENTRIES:
            return path[:end]
    return path[:2] if len(path) > 1 else path
