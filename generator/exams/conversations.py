"""Whole conversations: the user's words come from the record, the model's calls are executed on the record's world."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from generator.backends.backend import Backend, Completion
from generator.domains.catalog import Catalog
from generator.exams.asking import Asker, request_of
from generator.exams.grades import Grade
from generator.exams.marking import Answer, answer_of, as_canonical, mark
from generator.exams.questions import HeldOut
from generator.exams.results import MOST_STEPS, NO_TURN
from generator.formats.conversation import calls_of, result_of_call
from generator.grading.turns import turns_of
from generator.jsontext import JsonObject
from generator.serving.record_worlds import CallRefused, RecordSession, RecordWorlds, record_id


class Worlds:
    """The worlds of the records of an exam; those that tell the same id are kept apart."""

    def __init__(self, records: Sequence[HeldOut], catalogs: Sequence[Catalog]) -> None:
        groups: list[dict[str, JsonObject]] = []
        self._homes: list[tuple[int, str]] = []
        for record in records:
            document = record.document
            identity = record_id(document)
            home = next((at for at, group in enumerate(groups) if identity not in group), len(groups))
            if home == len(groups):
                groups.append({})
            groups[home][identity] = document
            self._homes.append((home, identity))
        self._worlds = [RecordWorlds(group.values(), catalogs=catalogs) for group in groups]

    def begin(self, place: int) -> RecordSession:
        """Begin the world of the record at this place."""
        home, identity = self._homes[place]
        return self._worlds[home].begin(identity)


@dataclass(slots=True)
class Conversation:
    """One conversation, as far as it has come."""

    place: int
    document: JsonObject
    session: RecordSession
    messages: list[JsonObject] = field(default_factory=list)
    calls: int = 0
    stopped: str = ""
    """Why it ended before its end; "" where it came there."""
    last: Answer | None = None

    def user_speaks(self, words: Iterator[list[JsonObject]]) -> bool:
        """Add what comes next of the record that is not the assistant's; say whether there was anything."""
        said = next(words, None)
        self.messages += said or []
        return said is not None

    def take(self, answer: Answer, most: int) -> None:
        """Take an answer: its calls are executed, and their results follow."""
        self.last = answer
        message = as_canonical(answer.message, self.place, len(self.messages))
        self.messages.append(message)
        calls = calls_of(message)
        self.calls += len(calls)
        if answer.lacking:
            self.stopped = answer.lacking
        elif answer.message.get("tool_calls") and not calls:
            self.stopped = "a call whose arguments are no object cannot be executed"
        elif self.calls > most:
            self.stopped = f"it made more than {most:,} calls (--most-steps)"
        else:
            self.messages += [self._result(call) for call in calls]

    def _result(self, call: JsonObject) -> JsonObject:
        function = call["function"]
        try:
            result = self.session.execute(function["name"], function["arguments"])
        except CallRefused as refused:
            result = refused.result
        return result_of_call(call, result.message_text)

    def grade(self) -> Grade:
        """Grade how the world ended, and the last answer."""
        difference = self.session.difference
        turn = turns_of(self.document)[-1]
        answer = self.last or Answer({"role": "assistant", "content": ""}, lacking="it said nothing")
        last = mark(self.place, self.document, turn, answer)
        ended = not difference and not self.stopped
        outcomes = {"right": ended and last.outcomes["right"], "end_state": not difference}
        outcomes |= {"last_answer": last.outcomes["right"], "stopped": bool(self.stopped)}
        reasons = [reason for reason in (self.stopped, difference) if reason] + list(last.reasons)
        return Grade(self.place, NO_TURN, last.reward if ended else 0.0, outcomes, (), tuple(dict.fromkeys(reasons)))


def users_words(messages: Sequence[JsonObject]) -> Iterator[list[JsonObject]]:
    """Yield what the user says each time, with the system message before the first."""
    said: list[JsonObject] = []
    for message in messages:
        if message["role"] in ("system", "user"):
            said.append(message)
        elif any(each["role"] == "user" for each in said):
            yield said
            said = []
    if any(each["role"] == "user" for each in said):
        yield said


@dataclass(slots=True)
class ConversationAsker(Asker):
    """Holds whole conversations with one model."""

    worlds: Worlds | None = None
    most_steps: int = MOST_STEPS
    close: Callable[[Conversation], None] = lambda conversation: None
    """Is given each conversation that has ended."""

    def works(self, backend: Backend, tick: Callable[[], None]) -> list[Awaitable[None]]:
        """Return the workers that share the records."""
        places = iter(range(len(self.records)))
        return [self._hold_all(places, backend, tick) for _ in range(self.examinee.server.connections)]

    async def _hold_all(self, places: Iterator[int], backend: Backend, tick: Callable[[], None]) -> None:
        for place in places:
            await self._hold(place, backend)
            tick()
            await asyncio.sleep(0)

    async def _hold(self, place: int, backend: Backend) -> None:
        if self.worlds is None:
            return
        held = Conversation(place, self.records[place].document, self.worlds.begin(place))
        words = users_words(held.document["messages"])
        held.user_speaks(words)
        while not held.stopped:
            request = request_of(held.messages, held.document["tools"], self.examinee)
            completion: Completion | None = await self.answer(request, backend)
            if completion is None:
                return  # not answered, which is counted; the same command goes on with it
            held.take(answer_of(completion, held.document["tools"]), self.most_steps)
            if held.messages[-1]["role"] == "assistant" and not held.user_speaks(words):
                break
        self.close(held)
