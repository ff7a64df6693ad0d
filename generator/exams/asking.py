"""Questions put to one model: each turn with the messages before it, a window of them under way, answers kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, TypeVar

from generator.backends.admission import Notify, nobody
from generator.backends.answers import AnswerLog, LoggedBackend
from generator.backends.backend import (
    Backend,
    Completion,
    CompletionRequest,
    ModelOptions,
    RequestRefused,
    Unavailable,
    Verdicts,
)
from generator.backends.budget import Budget, Limits, Price
from generator.backends.http import open_backend
from generator.backends.server import ServerOptions
from generator.errors import BackendError
from generator.exams.questions import HeldOut, turns_to_ask
from generator.exams.results import Asked
from generator.formats.call_notations import is_marked, read_marked
from generator.jsontext import JsonObject

N = TypeVar("N", int, float)
REMEDY = "Try another --model, or look at what its server makes of tools: its chat template and its parser of calls"
_POLL_SECONDS = 0.1
_REFUSED_AT_FIRST = 8
"""Refusals without a single answer after which the server is taken to refuse what every question needs."""
_MESSAGE_KEYS = ("role", "content", "tool_calls", "tool_call_id", "name")
_TOOL_KEYS = ("type", "function")


@dataclass(frozen=True, slots=True)
class Examinee:
    """A model, its server, and how it is told from others of the same name."""

    label: str
    options: ModelOptions
    server: ServerOptions
    price: Price | None = None
    salt: str = ""
    """Keeps its answers apart from those of a model of the same name."""

    @property
    def asked(self) -> Asked:
        """What decides its answers."""
        return Asked(label=self.label, options=self.options.given)


@dataclass(frozen=True, slots=True)
class Sitting:
    """How the questions are put: what they may cost, and what becomes of answers under way at the end."""

    limits: Limits = field(default_factory=Limits)
    grace: float = 8.0
    """Seconds for which an exam that is stopped waits for the answers in flight."""
    notify: Notify = nobody
    keep_thoughts: bool = False


class Question(NamedTuple):
    """One turn to be asked."""

    place: int
    """Of the record in the exam."""
    turn: int


class Progress(NamedTuple):
    """How far the asking is."""

    asked: int
    """Questions to all models."""
    decided: int
    resumed: int
    tokens: int
    estimated: bool
    cost: float | None


class Take(Protocol):
    """What takes an answer: it grades and keeps it."""

    def __call__(self, question: Question, document: JsonObject, completion: Completion) -> None:
        """Take the answer to a question about a record."""
        ...


def request_of(prefix: Sequence[JsonObject], tools: Sequence[JsonObject], examinee: Examinee) -> CompletionRequest:
    """Return the request that asks for the turn behind some messages."""
    messages = tuple(_plain(message, _MESSAGE_KEYS) for message in prefix)
    return CompletionRequest(
        examinee.options, messages, tools=tuple(_plain(tool, _TOOL_KEYS) for tool in tools), salt=examinee.salt
    )


def _plain(held: JsonObject, keys: Sequence[str]) -> JsonObject:
    """Leave out what other people's records hold besides, such as weights or thoughts: no server is asked with it."""
    return held if held.keys() <= set(keys) else {key: held[key] for key in keys if key in held}


class RecoveringBackend:
    """Takes calls out of the thoughts where they stand there alone: some servers take all for a thought."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the backend's answer (see `Backend`)."""
        answer = await self._backend.complete(request)
        if answer.calls or answer.text.strip() or not is_marked(answer.thoughts):
            return answer
        if read_marked(answer.thoughts) is None:
            return answer
        return answer.model_copy(update={"text": answer.thoughts, "recovered": True})


@dataclass(slots=True)
class Account:
    """What became of the questions to one model."""

    unanswered: Counter[str] = field(default_factory=Counter)
    why: str = ""
    """What the server said of the first that was not answered."""
    answered: int = 0
    replayed: int = 0
    prompt: int = 0
    completion: int = 0
    estimated: int = 0
    paid: set[str] = field(default_factory=set)
    """The keys of the requests that are counted: two questions may be one."""

    def used(self, key: str, answer: Completion) -> None:
        """Count an answer."""
        self.answered += 1
        self.replayed += answer.replayed
        if key not in self.paid:
            self.paid.add(key)
            self.prompt += answer.prompt_tokens
            self.completion += answer.completion_tokens
            self.estimated += answer.estimated

    def missed(self, reason: str, message: str) -> None:
        """Count a question that was not answered."""
        self.unanswered[reason] += 1
        self.why = self.why or message


@dataclass(slots=True)
class Asker:
    """Puts the questions of an exam to one model."""

    examinee: Examinee
    records: Sequence[HeldOut]
    take: Take
    verdicts: Verdicts = field(default_factory=lambda: Verdicts(REMEDY))
    account: Account = field(default_factory=Account)

    async def ask(
        self, log: AnswerLog, budget: Budget, sitting: Sitting, stopping: Callable[[], bool], tick: Callable[[], None]
    ) -> None:
        """Put every question; end early, with what is under way kept, where it is to stop.

        Raises:
            BackendError: the server refuses for good, only fails, or answers nothing that could be used.
            LimitError: a limit is reached.
            StorageError: an answer could not be written down.
        """
        server = self.examinee.server
        async with (
            open_backend(server, budget=budget, verdicts=self.verdicts, notify=sitting.notify) as backend,
            LoggedBackend(
                RecoveringBackend(backend), log, sitting.grace, keep_thoughts=sitting.keep_thoughts
            ) as logged,
        ):
            await run_until(self.works(logged, tick), stopping)

    def works(self, backend: Backend, tick: Callable[[], None]) -> list[Awaitable[None]]:
        """Return the workers that share the questions."""
        questions = self._questions()
        return [self._work(questions, backend, tick) for _ in range(self.examinee.server.connections)]

    def _questions(self) -> Iterator[tuple[Question, JsonObject, CompletionRequest]]:
        """Yield every question with its record, which is read once for all of its turns."""
        for place, record in enumerate(self.records):
            document = record.document
            messages, tools = document["messages"], document["tools"]
            turns = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
            for at in turns_to_ask(messages):
                yield Question(place, turns.index(at)), document, request_of(messages[:at], tools, self.examinee)

    async def _work(
        self,
        questions: Iterator[tuple[Question, JsonObject, CompletionRequest]],
        backend: Backend,
        tick: Callable[[], None],
    ) -> None:
        for question, document, request in questions:
            answer = await self.answer(request, backend)
            if answer is not None:
                self.take(question, document, answer)
                if answer.replayed:
                    await asyncio.sleep(0)  # else a long row of kept answers is read before anybody may stop it
            tick()

    async def answer(self, request: CompletionRequest, backend: Backend) -> Completion | None:
        """Return the answer to a request; None where there is none, which is noted."""
        try:
            answer = await backend.complete(request)
        except (Unavailable, RequestRefused) as error:
            self.account.missed(error.reason, str(error))
            self._give_up_who_only_refuses()
            return None
        if answer.said.strip() or answer.calls:
            self.verdicts.used(answer)
        else:
            self.verdicts.unusable(answer, "empty")
        self.account.used(request.key, answer)
        return answer

    def _give_up_who_only_refuses(self) -> None:
        refused = sum(count for reason, count in self.account.unanswered.items() if reason.startswith("refused_"))
        if not self.account.answered and refused >= _REFUSED_AT_FIRST:
            raise BackendError(
                f"{self.examinee.server.masked_url} refuses every question: {self.account.why}. An exam needs a server "
                "that takes tools: see its own documentation for how they are switched on"
            )


async def run_until(workers: Sequence[Awaitable[None]], stopping: Callable[[], bool]) -> None:
    """Run workers to their end, or until they are to stop; what fails in one of them ends all."""
    tasks = [asyncio.ensure_future(worker) for worker in workers]
    try:
        waiting = set(tasks)
        while waiting and not stopping():
            done, waiting = await asyncio.wait(waiting, timeout=_POLL_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def remaining(limits: Limits, budgets: Mapping[str, Budget], price: Price | None) -> Limits:
    """Return what is left of some limits after the budgets of the models that were asked before."""
    spent = list(budgets.values())
    minutes = limits.minutes
    cost = sum(each.limits.price.of(each.spent) for each in spent if each.limits.price is not None)
    return replace(
        limits,
        requests=_left(limits.requests, sum(each.sent for each in spent)),
        tokens=_left(limits.tokens, sum(each.spent.total for each in spent)),
        cost=_left(limits.cost, cost),
        minutes=minutes if minutes is None or not spent else min(each.seconds_left() for each in spent) / 60,
        price=price,
    )


def _left(limit: N | None, spent: N) -> N | None:
    return None if limit is None else limit - spent
