"""The author of domains: a model writes what is known of a toolset, part by part; each is checked, tried, mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import orjson

from generator.authors.llm.extract import BadAnswer
from generator.authors.llm.ladder import Ladder, Question, read_object
from generator.authors.llm.prompts import Prompts
from generator.backends.backend import Unavailable
from generator.domains.domain import Domain
from generator.domains.dropping import phrase_at, without
from generator.domains.faults import Fault
from generator.domains.reading import read_domain
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.tools.tool import Tool
from generator.worlds.playbook import open_playbook
from generator.worlds.reference import vocabulary

TOOLS_AT_ONCE = 3
"""Tools that one answer describes."""
_SHOWN_FAULTS = 25
_MOST_TASKS = 10
_WORLD_KEYS = ("about", "me", "context", "pools", "entities", "wordings", "policies")
_OBJECT: JsonObject = {"type": "object"}

OnPart = Callable[[str], None]
Try = Callable[["Draft", Sequence[str]], tuple[list[str], list[str]]]
"""Makes records of some tools of a draft; gives the conversations, and why others could not be made."""


@dataclass(slots=True)
class Draft:
    """A domain on its way: what was written so far, and what became of each part."""

    raw: JsonObject
    tools: tuple[Tool, ...]
    name: str
    notes: list[str] = field(default_factory=list)

    def merged(self, part: JsonObject) -> JsonObject:
        """Return the document with a part added: entries of its mappings one by one, lists whole."""
        found = dict(self.raw)
        for key, value in part.items():
            before = found.get(key)
            found[key] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
        return found

    @property
    def world(self) -> JsonObject:
        """What all tools share; pools by their first entries."""
        shared = {key: self.raw[key] for key in _WORLD_KEYS if key in self.raw}
        pools = shared.get("pools")
        if isinstance(pools, dict):
            shared["pools"] = {name: list(each)[:3] if isinstance(each, list) else each for name, each in pools.items()}
        return shared


def faults_of(raw: JsonObject, tools: Sequence[Tool], name: str) -> tuple[Domain | None, list[Fault]]:
    """Return the domain that a document is, and what is wrong with it."""
    domain, faults = read_domain(raw, name)
    if domain is None:
        return None, faults
    return domain, list(open_playbook(domain, tools).faults)


class DomainWriter:
    """Asks a model for the parts of one toolset's domain."""

    def __init__(
        self, ladder: Ladder, prompts: Prompts, try_out: Try, *, tries: int = 3, on_part: OnPart = lambda text: None
    ) -> None:
        self._ladder = ladder
        self._prompts = prompts
        self._try_out = try_out
        self._tries = tries
        self._on_part = on_part
        self._guide = prompts.render("domain/guide", {"tables": vocabulary()})
        self.asked = 0
        """Questions that were put."""

    async def write(
        self, tools: Sequence[Tool], name: str, existing: JsonObject, keep: Callable[[JsonObject], None]
    ) -> Draft:
        """Write what a domain lacks for these tools; what exists stays.

        Args:
            tools: the tools that the domain shall speak of.
            name: its name.
            existing: the document as far as it is there; {} for none.
            keep: is given the document after each part, to be written down.
        """
        draft = Draft({"domain": 1, "origin": "model", **existing}, tuple(tools), name)
        if "entities" not in existing:
            world = self._render("world", tools=[_shown(tool) for tool in tools])
            await self._part(draft, world, "the world", _WORLD_KEYS, keep)
        missing = [tool for tool in tools if tool.name not in draft.raw.get("tools", {})]
        for start in range(0, len(missing), TOOLS_AT_ONCE):
            await self._tools(draft, missing[start : start + TOOLS_AT_ONCE], keep)
        if not draft.raw.get("tasks") and len(tools) > 1:
            await self._tasks(draft, keep)
        draft.raw["tools"] = {
            tool.name: draft.raw["tools"][tool.name] for tool in tools if tool.name in draft.raw["tools"]
        }
        keep(draft.raw)
        return draft

    def _render(self, name: str, **variables: JsonValue) -> str:
        return self._prompts.render(f"domain/{name}", {"guide": self._guide, **variables})

    async def _tools(self, draft: Draft, tools: Sequence[Tool], keep: Callable[[JsonObject], None]) -> None:
        """Ask for some tools, try them, and have what comes of them read once."""
        names = [tool.name for tool in tools]
        asked = self._render(
            "tools",
            world=draft.world,
            names=[tool.name for tool in draft.tools],
            tools=[_shown(tool) for tool in tools],
        )
        keys = ("tools", "pools", "wordings", "entities")
        if not await self._part(draft, asked, ", ".join(names), keys, keep):
            return
        records, problems = self._try_out(draft, names)
        review = self._render(
            "review", world=draft.world, names=names, problems=problems, records=records,
            part={"tools": {name: draft.raw["tools"][name] for name in names if name in draft.raw["tools"]}},
        )  # fmt: skip
        await self._part(draft, review, f"{', '.join(names)} (read again)", keys, keep, is_review=True)

    async def _tasks(self, draft: Draft, keep: Callable[[JsonObject], None]) -> None:
        ways = {
            name: {
                "can": tool.get("can"),
                "arguments": [way.get("arguments") for way in tool.get("ways", [])],
                "result": tool.get("result"),
            }
            for name, tool in draft.raw.get("tools", {}).items()
        }
        asked = self._render("tasks", world=draft.world, ways=ways, count=min(_MOST_TASKS, 2 + len(draft.tools)))
        await self._part(draft, asked, "tasks", ("tasks", "unserved", "rules", "wordings", "pools"), keep)

    async def _part(
        self,
        draft: Draft,
        asked: str,
        what: str,
        keys: Sequence[str],
        keep: Callable[[JsonObject], None],
        *,
        is_review: bool = False,
    ) -> bool:
        """Ask for one part until it can be used; what stays wrong in it after the last try is dropped."""
        self._on_part(what)
        messages: tuple[JsonObject, ...] = ({"role": "user", "content": asked},)
        best: tuple[JsonObject, list[Fault]] | None = None
        for repetition in range(1 if is_review else self._tries):
            answer, said, problem = await self._answer(messages, f"{what} {repetition}")
            problems = [problem] if problem else []
            if answer is not None:
                part = {key: answer[key] for key in keys if key in answer}
                _, faults = faults_of(draft.merged(part), draft.tools, draft.name)
                if best is None or len(faults) < len(best[1]):
                    best = (part, faults)
                if not faults:
                    break
                problems = [
                    f"{pointer(fault.path)}: {fault.what}" + (f" ({fault.remedy})" if fault.remedy else "")
                    for fault in faults
                ]
            repair = self._prompts.render("domain/repair", {"problems": problems[:_SHOWN_FAULTS]})
            messages = (messages[0], {"role": "assistant", "content": said}, {"role": "user", "content": repair})
        return self._taken(draft, best, what, keep, is_review=is_review)

    def _taken(
        self,
        draft: Draft,
        best: tuple[JsonObject, list[Fault]] | None,
        what: str,
        keep: Callable[[JsonObject], None],
        *,
        is_review: bool,
    ) -> bool:
        if best is None or (is_review and best[1]):
            if not is_review:
                draft.notes.append(f"{what}: no answer could be used")
            return False
        raw, dropped = mended(draft.merged(best[0]), draft.tools, draft.name)
        draft.notes += [f"{what}: dropped {place}" for place in dropped]
        draft.raw = raw
        keep(raw)
        return True

    async def _answer(self, messages: tuple[JsonObject, ...], salt: str) -> tuple[JsonObject | None, str, str]:
        """Return the object of an answer, its text, and what is wrong where there is none."""
        self.asked += 1
        try:
            completion = await self._ladder.ask(Question(messages, _OBJECT, False, salt))
        except Unavailable as error:
            return None, "", str(error)
        said = next((call.arguments for call in completion.calls), completion.text)
        try:
            return read_object(completion), said, ""
        except BadAnswer as error:
            return None, said, str(error)


def _shown(tool: Tool) -> JsonObject:
    result = tool.result_schema if tool.result_origin == "declared" else None
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters, "result": result}


_ROUNDS = 12


def mended(raw: JsonObject, tools: Sequence[Tool], name: str) -> tuple[JsonObject, list[str]]:
    """Return a document without what is wrong in it: a phrase, else the list entry or the named part around it."""
    dropped: list[str] = []
    for _ in range(_ROUNDS):
        _, faults = faults_of(raw, tools, name)
        if not faults:
            break
        places = {phrase_at(fault.path) or _part_around(fault.path) for fault in faults}
        dropped += [f"{pointer(path)}: {fault.what}" for fault in faults if (path := fault.path)][:_SHOWN_FAULTS]
        raw = orjson.loads(orjson.dumps(without(raw, {place for place in places if place})[0]))
    return raw, dropped


def _part_around(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return the smallest part that can be dropped whole: a way, a task, an entry, a tool, an entity."""
    for end in range(len(path), 2, -1):
        if isinstance(path[end - 1], int) and path[end - 2] in (
            "ways",
            "ask",
            "invalid",
            "ambiguous",
            "recover",
            "profile",
        ):
            return path[:end]
    return path[:2] if len(path) > 1 else path


def requests_needed(tools: Sequence[Tool], existing: JsonObject) -> int:
    """Return how many questions writing a domain takes at the least."""
    missing = [tool for tool in tools if tool.name not in existing.get("tools", {})]
    parts = -(-len(missing) // TOOLS_AT_ONCE)
    return ("entities" not in existing) + 2 * parts + (not existing.get("tasks") and len(tools) > 1)
