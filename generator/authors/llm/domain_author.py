"""The author of domains: a model writes what is known of a toolset, part by part; each is checked, tried, mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.authors.llm.domain_draft import (
    MANNERS,
    WORLD_KEYS,
    DomainDraft,
    fault_in_words,
    part_of,
    ways_of,
)
from generator.authors.llm.fallback import BadAnswer, FormatFallback, Question, read_object
from generator.authors.llm.prompts import Prompts
from generator.backends.backend import Completion, Unavailable
from generator.domains.reading import Fault
from generator.jsontext import JsonObject, JsonValue
from generator.tools.tool import Tool
from generator.worlds.vocabulary import vocabulary

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
        if part.is_review:
            if best is None or best.faults:
                return False
        elif best is None or best.part == {}:
            draft.notes.append(f"{part.what}: no answer could be used")
            return False
        raw, dropped = draft.mended(draft.merged(best.part))
        for name in part.names:
            if not ways_of(raw, name) and name in raw.get("tools", {}):
                raw = {**raw, "tools": {each: tool for each, tool in raw["tools"].items() if each != name}}
                dropped.append(f"/tools/{name}: no way of asking for it is left")
        raw, more = draft.mended(raw)
        if draft.faults(raw):
            draft.notes.append(f"{part.what}: what is wrong with it could not be left out")
            return False
        draft.notes += [f"{part.what}: dropped {place}" for place in (*dropped, *more)]
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
    """Return the question for errands, and for wishes that cannot be served."""
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
