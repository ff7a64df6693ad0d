"""The author of domains: a model writes what is known of a toolset, part by part; each is joined, checked, mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import orjson

from generator.authors.llm.prompts import Prompts
from generator.authors.llm.response_formats import BadAnswer, FormatFallback, Question, read_object
from generator.backends.backend import Completion, Unavailable
from generator.domains.domain import Domain
from generator.domains.reading import Fault, phrase_at, read_domain, without
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.tools import Tool
from generator.worlds.program import compiled_domain, vocabulary

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


def _without_unasked(raw: JsonObject, names: Sequence[str]) -> tuple[JsonObject, list[str]]:
    """Return a document without those of some tools that nobody can ask for, and what to say of them."""
    unasked = [name for name in names if name in raw.get("tools", {}) and not ways_of(raw, name)]
    if not unasked:
        return raw, []
    tools = {name: tool for name, tool in raw["tools"].items() if name not in unasked}
    return {**raw, "tools": tools}, [f"/tools/{name}: no way of asking for it is left" for name in unasked]


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
    said = {key: answer[key] for key in keys if key in answer}
    nameless = _nameless(said)
    part = {key: value for key, value in said.items() if key not in nameless}
    if "tools" in part:
        part["tools"] = {name: value for name, value in part["tools"].items() if name in names}
    return part, [Fault((key,), "must be an object with an entry for each name") for key in nameless]


def _nameless(said: JsonObject) -> list[str]:
    """Return the keys that should hold an entry for each name, and hold something else."""
    return [key for key, value in said.items() if key in _BY_NAME and not isinstance(value, dict)]


def faults_of(raw: JsonObject, tools: Sequence[Tool], name: str) -> tuple[Domain | None, list[Fault]]:
    """Return the domain that a document is, and what is wrong with it."""
    domain, faults = read_domain(raw, name)
    if domain is None:
        return None, faults
    return domain, list(compiled_domain(domain, tools).faults)


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


TOOLS_AT_ONCE = 3
"""Tools that one answer describes."""
_SHOWN_FAULTS = 25
_LONGEST_ECHO = 4_000
"""Characters of an answer without an object that are sent back; a domain is sent back whole, to be mended."""
_MOST_TASKS = 10
_TOOL_KEYS = ("tools", "pools", "wordings", "entities", *MANNERS)
_TASK_KEYS = ("tasks", "unserved", "rules", "wordings", "pools")
_REVIEW_KEYS = ("tools", "tasks", "unserved", "rules", "pools", "wordings", "entities", "context", "policies", *MANNERS)
_READINGS = 2
"""How often what comes of a part is read: a second time where something is still wrong after the first."""
_REVIEW_TRIES = 2
"""A review that makes things worse is told so, once."""
_OBJECT: JsonObject = {"type": "object"}

OnPart = Callable[[str], None]
Keep = Callable[[JsonObject], None]
"""Is given the document after each part, to be written down."""


class Trial(NamedTuple):
    """What came of trying a draft."""

    records: Sequence[str]
    """The conversations that were made of it."""
    problems: Sequence[str]
    """Why others could not be made."""
    unsaid: Sequence[str] = ()
    """By tool, the optional parameters and the values of enumerations that no way says: no fault, but a gap."""


Try = Callable[[DomainDraft, Sequence[str]], Trial]
"""Makes records of some tools of a draft."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of a domain that is asked for."""

    what: str
    asked: str
    keys: tuple[str, ...]
    names: tuple[str, ...] = ()
    """The tools that the answer is to describe."""
    is_review: bool = False
    before: tuple[int, int] = (0, 0)
    """Of a review: how many conversations were made before it, and how many reasons there were against others."""

    def lacking(self, answer: JsonObject) -> list[Fault]:
        """Return what the answer should hold and does not; a review may leave everything as it is."""
        if self.is_review:
            return []
        if not self.names:
            return [] if answer else [Fault((), f"lacks the keys {', '.join(self.keys)}", "write them")]
        return [
            Fault(("tools", name), "has no ways", "describe this tool")
            for name in self.names
            if not ways_of(answer, name)
        ]

    def can_take(self, found: _Found) -> bool:
        """Say whether an answer is worth more than nothing; a review leaves everything as it is if it has faults."""
        return not found.faults if self.is_review else found.part != {}


@dataclass(frozen=True, slots=True)
class _Found:
    """What an answer holds of a part, and what is wrong with it."""

    part: JsonObject
    lacking: list[Fault]
    faults: list[Fault]

    @property
    def rank(self) -> tuple[int, int]:
        """The lower, the more of it can be used."""
        return len(self.lacking), len(self.faults)


class DomainAuthor:
    """Asks a model for the parts of one toolset's domain."""

    def __init__(
        self,
        fallback: FormatFallback,
        prompts: Prompts,
        try_out: Try,
        *,
        tries: int = 3,
        on_part: OnPart = lambda text: None,
    ) -> None:
        self._fallback = fallback
        self._prompts = prompts
        self._try_out = try_out
        self._tries = tries
        self._on_part = on_part
        self.asked = 0
        """Questions that were put."""

    async def write(self, tools: Sequence[Tool], name: str, existing: JsonObject, keep: Keep) -> DomainDraft:
        """Write what a domain lacks for these tools; what exists stays.

        Args:
            tools: the tools that the domain shall speak of.
            name: its name.
            existing: the document as far as it is there, without faults; {} for none.
            keep: is given the document after each part that was written.
        """
        draft = DomainDraft({"domain": 1, "origin": "model", **existing}, tuple(tools), name, existing)
        if not existing.get("entities") and not await self._world(draft, keep):
            return draft
        missing = sorted(
            (tool for tool in tools if draft.lacks(tool.name)), key=lambda tool: tool.name not in finding(draft)
        )
        for start in range(0, len(missing), TOOLS_AT_ONCE):
            await self._tools(draft, missing[start : start + TOOLS_AT_ONCE], keep)
        self._close(draft, keep)
        if not draft.raw.get("tasks") and len(tools) > 1 and draft.raw.get("tools"):
            await self._tasks(draft, keep)
        return draft

    async def _world(self, draft: DomainDraft, keep: Keep) -> bool:
        """Ask for what all tools share; there is no use in asking for the tools without it."""
        is_taken = await self._write(draft, _Part("the world", world_question(self._prompts, draft.tools), WORLD_KEYS))
        if is_taken:
            keep(draft.raw)
        return is_taken

    async def _tools(self, draft: DomainDraft, tools: Sequence[Tool], keep: Keep) -> None:
        """Ask for some tools, try them, and have what comes of them read once."""
        names = tuple(tool.name for tool in tools)
        asked = tools_question(self._prompts, draft, tools)
        if not await self._write(draft, _Part(", ".join(names), asked, _TOOL_KEYS, names)):
            return
        await self._review(draft, ", ".join(names), names)
        keep(draft.raw)

    async def _review(self, draft: DomainDraft, what: str, names: tuple[str, ...]) -> None:
        """Have what comes of tools, or of the tasks, read and mended; what makes things worse is not taken."""
        for reading in range(_READINGS):
            trial = self._try_out(draft, names)
            if reading and not trial.problems:
                return
            asked = review_question(self._prompts, draft, names, trial)
            before = (len(trial.records), len(trial.problems))
            part = _Part(f"{what} (read again)", asked, _REVIEW_KEYS, names, is_review=True, before=before)
            raw = draft.raw
            if not await self._write(draft, part):
                draft.notes.append(f"{part.what}: left as it was, since no answer made it better")
            if draft.raw == raw:
                return

    def _worse(self, draft: DomainDraft, held: JsonObject, part: _Part) -> list[Fault]:
        """Return what a review would spoil."""
        raw = draft.merged(held)
        if not part.is_review or raw == draft.raw:
            return []
        records, problems, _ = self._try_out(replace(draft, raw=raw), part.names)
        if len(records) >= part.before[0] and len(problems) <= part.before[1]:
            return []
        what = f"{len(records)} conversations can be made of it, where it were {part.before[0]}"
        return [Fault((), what), *(Fault((), problem) for problem in problems)]

    def _close(self, draft: DomainDraft, keep: Keep) -> None:
        """Drop what speaks of tools that nobody has described in the end."""
        draft.ahead = False
        raw, dropped = draft.mended(draft.raw)
        draft.notes += [f"dropped {place}" for place in dropped]
        if raw != draft.raw:
            draft.raw = raw
            keep(raw)

    async def _tasks(self, draft: DomainDraft, keep: Keep) -> None:
        if await self._write(draft, _Part("tasks", tasks_question(self._prompts, draft), _TASK_KEYS)):
            keep(draft.raw)
            if draft.raw.get("tasks"):
                await self._review(draft, "tasks", ())
                keep(draft.raw)

    async def _write(self, draft: DomainDraft, part: _Part) -> bool:
        """Ask for one part until it can be used; what stays wrong in it after the last try is dropped."""
        self._on_part(part.what)
        opening: JsonObject = {"role": "user", "content": part.asked}
        messages: tuple[JsonObject, ...] = (opening,)
        best: _Found | None = None
        for repetition in range(min(_REVIEW_TRIES, self._tries) if part.is_review else self._tries):
            self.asked += 1
            question = Question(messages, _OBJECT, False, f"{part.what} {repetition}")
            try:
                completion = await self._fallback.ask(question)
            except Unavailable:
                continue  # nobody answered: there is nothing to mend
            found, problems = self._read(completion, draft, part)
            if found is not None and (best is None or found.rank < best.rank):
                best = found
            if not problems:
                break
            messages = (opening, *self._repair(completion, problems, whole=found is not None))
        return self._take(draft, best, part)

    def _read(self, completion: Completion, draft: DomainDraft, part: _Part) -> tuple[_Found | None, list[str]]:
        """Return what an answer holds, and everything that is wrong with it in words."""
        verdicts = self._fallback.verdicts
        try:
            answer = read_object(completion)
        except BadAnswer as error:
            verdicts.unusable(completion, error.reason, str(error))
            return None, [str(error)]
        held, misfits = part_of(answer, part.keys, draft.described(part.names) if part.is_review else part.names)
        faults = [*misfits, *draft.faults(draft.merged(held))]
        faults = faults or self._worse(draft, held, part)
        found = _Found(held, part.lacking(held), faults)
        problems = [fault_in_words(fault) for fault in (*found.lacking, *faults)]
        if found.lacking:
            verdicts.unusable(completion, "wrong_shape", problems[0])
        else:
            verdicts.used(completion)
        return found, problems

    def _repair(self, completion: Completion, problems: Sequence[str], *, whole: bool) -> tuple[JsonObject, ...]:
        """Return what goes back to the model; an answer that holds no object is not worth its tokens."""
        text = self._prompts.render("domain/repair", {"problems": list(problems[:_SHOWN_FAULTS])})
        said = next((call.arguments for call in completion.calls), completion.text)
        said = said if whole else said[:_LONGEST_ECHO]
        echo: tuple[JsonObject, ...] = ({"role": "assistant", "content": said},) if said.strip() else ()
        return (*echo, {"role": "user", "content": text})

    def _take(self, draft: DomainDraft, best: _Found | None, part: _Part) -> bool:
        """Add the best of the answers to the draft; what stays wrong in it is dropped, and noted."""
        if best is None or not part.can_take(best):
            if not part.is_review:
                draft.notes.append(f"{part.what}: no answer could be used")
            return False
        raw, dropped = draft.mended(draft.merged(best.part))
        raw, unasked = _without_unasked(raw, part.names)
        raw, more = draft.mended(raw)
        if draft.faults(raw):
            draft.notes.append(f"{part.what}: what is wrong with it could not be left out")
            return False
        draft.notes += [f"{part.what}: dropped {place}" for place in (*dropped, *unasked, *more)]
        draft.notes += [f"{part.what}: nothing is known of {name}" for name in part.names if not ways_of(raw, name)]
        draft.raw = raw
        return not part.names or any(ways_of(raw, name) for name in part.names)


def world_question(prompts: Prompts, tools: Sequence[Tool]) -> str:
    """Return the question for the world of some tools."""
    return _question(prompts, "world", tools=[_shown(tool) for tool in tools])


def tools_question(prompts: Prompts, draft: DomainDraft, tools: Sequence[Tool]) -> str:
    """Return the question for some tools of a draft."""
    names = [tool.name for tool in draft.tools]
    return _question(prompts, "tools", world=draft.world, names=names, tools=[_shown(tool) for tool in tools])


def review_question(prompts: Prompts, draft: DomainDraft, names: Sequence[str], trial: Trial) -> str:
    """Return the question whether what was made of some tools is good."""
    known = draft.raw.get("tools", {})
    part = {"tools": {name: known[name] for name in names if name in known}}
    if not names:
        part = {key: draft.raw[key] for key in ("tasks", "unserved", "rules") if draft.raw.get(key)}
    return _question(
        prompts,
        "review",
        world=draft.world,
        names=list(names),
        problems=list(trial.problems),
        unsaid=list(trial.unsaid),
        records=list(trial.records),
        part=part,
    )


def tasks_question(prompts: Prompts, draft: DomainDraft) -> str:
    """Return the question for tasks, and for wishes that cannot be served."""
    ways: JsonObject = {
        name: {
            "can": tool.get("can"),
            "arguments": [way.get("arguments") for way in tool.get("ways", [])],
            "result": tool.get("result"),
        }
        for name, tool in draft.raw.get("tools", {}).items()
    }
    return _question(prompts, "tasks", world=draft.world, ways=ways, count=min(_MOST_TASKS, 2 + len(draft.tools)))


def _question(prompts: Prompts, name: str, **variables: JsonValue) -> str:
    guide = prompts.render("domain/guide", {"tables": vocabulary()})
    return prompts.render(f"domain/{name}", {"guide": guide, **variables})


def _shown(tool: Tool) -> JsonObject:
    result = tool.result_schema if tool.result_origin == "declared" else None
    return {"name": tool.name, "description": tool.description, "parameters": tool.shown_parameters, "result": result}


def finding(draft: DomainDraft) -> set[str]:
    """Return the tools by which others' ids are looked up: what is tried of the others needs them."""
    entities = draft.raw.get("entities", {})
    finds = [entity.get("find") for entity in entities.values()]
    return {find["call"] for find in finds if isinstance(find, dict) and isinstance(find.get("call"), str)}


def requests_needed(tools: Sequence[Tool], existing: JsonObject) -> int:
    """Return how many questions writing a domain takes at the least."""
    missing = [tool for tool in tools if not ways_of(existing, tool.name)]
    parts = -(-len(missing) // TOOLS_AT_ONCE)
    return (not existing.get("entities")) + 2 * parts + 2 * (not existing.get("tasks") and len(tools) > 1)
