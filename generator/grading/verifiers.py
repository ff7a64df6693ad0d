"""An environment for `verifiers`: a task for each turn of the assistant, the program that asks it, and its reward.

The library finds environments as packages that export their parts, so that three lines make one:

    from generator.grading.verifiers import OneTurnHarness, RecordTaskset

    __all__ = ["OneTurnHarness", "RecordTaskset"]

`taskset.records` is the file of records, `taskset.id` and `agent.harness.id` the name of that package.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import verifiers.v1 as vf
from openai import AsyncOpenAI, OpenAIError
from verifiers.v1.dialects.chat import message_to_wire

from generator.errors import UsageError
from generator.formats.conversation import calls_of, function_of
from generator.grading.reward import Reward, reward
from generator.grading.turns import document_of, turns_of
from generator.jsontext import JsonObject, dump_compact

__all__ = ["OneTurnHarness", "RecordTask", "RecordTaskset"]


class RecordTasksetConfig(vf.TasksetConfig):  # type: ignore[misc]  # a base without types here
    """Which records the tasks are made of."""

    records: Path
    """A file of records, one a line."""


class RecordData(vf.TaskData):  # type: ignore[misc]  # a base without types here
    """A turn of a record."""

    record: str
    """The JSON text of the record."""
    turn: int
    """Which of its assistant messages is asked for, from 0."""
    tools: str
    """The JSON text of the tools shown."""


class RecordTask(vf.Task[RecordData]):  # type: ignore[misc]  # a base without types here
    """Asks for one turn of a record."""

    @vf.reward  # type: ignore[untyped-decorator]  # without types here
    async def toolgen(self, trace: Any) -> float:
        """Return what the answer is worth, from 0 to 1."""
        return self._graded(trace).value

    @vf.metric  # type: ignore[untyped-decorator]  # without types here
    async def as_good_as_the_record(self, trace: Any) -> float:
        """Return 1.0 where the answer is as good as the record's own."""
        return float(self._graded(trace).value == 1.0)

    def _graded(self, trace: Any) -> Reward:
        answers = trace.assistant_messages
        return reward(self.data.record, self.data.turn, answers[0] if answers else None)


class RecordTaskset(vf.Taskset[RecordTask, RecordTasksetConfig]):  # type: ignore[misc]  # a base without types here
    """A task for each turn of the assistant in a file of records."""

    def load(self) -> Iterator[RecordTask]:
        """Yield the tasks, record by record.

        Raises:
            UsageError: the file cannot be read, or a line is no record.
        """
        path = self.config.records
        try:
            with path.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield from self._tasks(line, f"{path.name}:{number}")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: cannot be read: {error}") from error

    def _tasks(self, line: str, place: str) -> Iterator[RecordTask]:
        document = document_of(line)
        tools = dump_compact(document.get("tools") or [])
        text = dump_compact(document)
        for turn in turns_of(document):
            prompt = [_message(message) for message in turn.prefix]
            data = RecordData(name=f"{place}#{turn.number}", prompt=prompt, record=text, turn=turn.number, tools=tools)
            yield RecordTask(data, self.config.task)


def _message(message: JsonObject) -> JsonObject:
    """Return a message in the shape of the library, whose calls hold name and arguments themselves."""
    if not calls_of(message):
        return {
            key: message[key] for key in ("role", "content", "tool_call_id", "name") if message.get(key) is not None
        }
    calls = [{"id": str(call.get("id")), **_function(function_of(call))} for call in calls_of(message)]
    return {"role": "assistant", "content": message.get("content") or None, "tool_calls": calls}


def _function(function: JsonObject) -> JsonObject:
    arguments = function.get("arguments", {})
    return {
        "name": function.get("name"),
        "arguments": arguments if isinstance(arguments, str) else dump_compact(arguments),
    }


class OneTurnConfig(vf.HarnessConfig):  # type: ignore[misc]  # a base without types here
    """The settings of every harness."""


class OneTurnHarness(vf.Harness[OneTurnConfig]):  # type: ignore[misc]  # a base without types here
    """Asks the model once, with the tools of the record; nothing is executed."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: RecordData,
        tool_interception_url: str | None = None,
    ) -> Any:
        """Send the request of the turn; the library reads the answer on its way back."""
        system, prompt = self.resolve_prompt(data)
        messages = [message_to_wire(message) for message in prompt]
        if system:
            messages.insert(0, {"role": "system", "content": system})
        shown: JsonObject = {"tools": tools} if (tools := orjson.loads(data.tools)) else {}
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0, timeout=None) as client:
            try:
                await client.chat.completions.create(model=ctx.model, messages=messages, **shown)
            except OpenAIError as error:
                return vf.ProgramResult(exit_code=1, stdout="", stderr=str(error))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
