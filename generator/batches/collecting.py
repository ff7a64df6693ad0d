"""Collecting a round: every line that came back becomes a kept answer, or a reason why there is none."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO

import orjson

from generator.authors.llm.session import model_of
from generator.backends.answers import AnswerFile
from generator.backends.backend import (
    Completion,
    RequestRefused,
    Transient,
    TransientFailure,
    Unavailable,
)
from generator.backends.batches.lines import LINES, LineAnswer, id_of
from generator.backends.batches.opening import open_service
from generator.backends.batches.service import Batch, BatchService, persistently
from generator.backends.batches.wanted import MOST_TRIES, Failure
from generator.backends.budget import NO_USAGE, Usage
from generator.backends.http import masked, of_option
from generator.backends.wire import Reply, refusal_of
from generator.batches.folder import RequestFile, Round
from generator.batches.order import Order
from generator.batches.requests import FailureLog, served_key
from generator.batches.submitting import open_round
from generator.disk import disk_errors
from generator.errors import BackendError, UsageError
from generator.jsontext import JsonObject, dump_compact
from generator.runs.lock import run_lock

_OWN_ID = re.compile(rb'\{"custom_id":"([0-9a-f]{32}-\d{1,3})"')
_LONGEST_LINE = 4 * 1024 * 1024
_LIMITED = "token_limit_exceeded"
"""The code of batches that are refused while others of the same account are under way."""


@dataclass(slots=True)
class Collected:
    """What came of collecting."""

    round: Round
    counts: Counter[str] = field(default_factory=Counter)
    """Lines by what they were: `answered`, `doubled`, `unknown`, or why they were not answered."""
    used: Usage = NO_USAGE
    """Tokens of the answers."""
    refused: list[str] = field(default_factory=list)
    """What is to be told of batches that were refused as a whole."""
    may_pass: bool = True
    """Whether these may be taken later, as they are."""
    closed: int = 0
    """Files of which all has come back just now."""
    fatal: BackendError | None = None
    """What a line said for which the run cannot go on."""

    @property
    def waiting(self) -> int:
        """How many batches are under way."""
        return sum(file.state == "sent" for file in self.round.files)

    @property
    def answered(self) -> int:
        """Lines that were answered."""
        return self.counts["answered"]


class _Asked:
    """The lines of a file that was asked, by their ids."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[str, int] = {}
        start = 0
        for line in file:
            if found := _OWN_ID.match(line):
                self._places[found[1].decode()] = start
            start += len(line)
        self.left = set(self._places)
        """The ids of those that nothing came back for so far."""
        self._met: set[str] = set()
        self.strangers = 0
        """Lines that came back and are of no request of the file."""

    def begin(self) -> None:
        """Begin with what came back from its start."""
        self._met.clear()
        self.strangers = 0

    def is_doubled(self, line_id: str) -> bool:
        """Say whether a line with this id has come back before, since the last beginning."""
        if line_id in self._met:
            return True
        self._met.add(line_id)
        return False

    @property
    def is_touched(self) -> bool:
        """Whether anything came back."""
        return len(self.left) < len(self._places)

    def has(self, line_id: str) -> bool:
        """Say whether a line with this id was asked."""
        return line_id in self._places

    def body(self, line_id: str) -> JsonObject:
        """Return what a line asked."""
        self._file.seek(self._places[line_id])
        document: JsonObject = orjson.loads(self._file.readline())
        body = document.get("body", document.get("params"))
        return body if isinstance(body, dict) else {}


class Collecting:
    """Takes the lines that come back for the files of one round."""

    def __init__(self, order: Order, answers: AnswerFile, failures: FailureLog) -> None:
        self._order = order
        self._answers = answers
        self._failures = failures
        self._settings = order.settings()
        self.found = Collected(open_round(order.folder))

    def read(self, file: RequestFile, line: bytes) -> LineAnswer | None:
        """Return what a line says that came back for a file, None where it says nothing of any request."""
        return LINES[self._order.servers.of(file.role).speaks].read(line)

    def take(self, file: RequestFile, asked: _Asked, answer: LineAnswer | None) -> None:
        """Keep what a line says; what is of no request of the file, or comes again, is counted."""
        if answer is None or not asked.has(line_id := id_of(answer.key, answer.tries)):
            self.found.counts["unknown"] += 1
            asked.strangers += 1
            return
        if asked.is_doubled(line_id):
            self.found.counts["doubled"] += 1
            return
        if line_id not in asked.left:
            return  # taken before the connection was cut
        asked.left.discard(line_id)
        if self._answers.answer(answer.key) is not None:
            self.found.counts["answered"] += 1  # kept before a kill, or told at another time
            return
        self._keep_or_fail(file, asked, answer)

    def _keep_or_fail(self, file: RequestFile, asked: _Asked, answer: LineAnswer) -> None:
        """Keep an answer, or note what came instead of one."""
        try:
            self._keep(file, answer, self._completion(file, asked, answer))
        except TransientFailure as error:
            is_last = bool(answer.status) and answer.tries + 1 >= MOST_TRIES  # else the model was never asked
            self._fail(answer.key, answer.tries, error.failure.reason, str(error), final=is_last)
        except Unavailable as error:
            self._fail(answer.key, answer.tries, error.reason, str(error), final=True)
        except RequestRefused as refusal:
            self._refuse(file, answer, refusal, asked.body(id_of(answer.key, answer.tries)))
        except BackendError as error:
            self.found.fatal = self.found.fatal or error
            self._fail(answer.key, answer.tries, f"http_{answer.status}", str(error))

    def _completion(self, file: RequestFile, asked: _Asked, answer: LineAnswer) -> Completion:
        """Return the answer that a line holds, and raise what else it stands for, as a server's reply would."""
        server = self._order.servers.of(file.role)
        if not answer.status:
            raise TransientFailure(Transient(answer.reason, f"the request was not asked: {answer.reason}"))
        if not answer.is_answer:
            raise refusal_of(Reply(answer.status, {}, dump_compact(answer.document).encode()), server)
        body = asked.body(id_of(answer.key, answer.tries))
        protocol = self._order.servers.protocol(file.role, self._settings)
        completion = masked(protocol.read(answer.document, body, len(orjson.dumps(body))), server.credentials)
        failure = self._failures.get(answer.key)
        told: dict[str, object] = {} if failure is None else {"failed": failure.reasons}
        return completion.model_copy(update=told if self._order.session.keep_thoughts else {**told, "thoughts": ""})

    def _keep(self, file: RequestFile, answer: LineAnswer, completion: Completion) -> None:
        self._answers.keep_answer(answer.key, completion.model_dump_json(exclude_defaults=True).encode())
        self.found.counts["answered"] += 1
        self.found.used += Usage(completion.prompt_tokens, completion.completion_tokens)
        key = served_key(file.role, file.model)
        served = self._settings.served.get(key, ())
        if file.mode not in served:
            self._learn(served={**self._settings.served, key: (*served, file.mode)})

    def _refuse(self, file: RequestFile, answer: LineAnswer, refusal: RequestRefused, body: JsonObject) -> None:
        """Note a refusal: another word is wanted, an option is not, or another form of request may do."""
        protocol = self._order.servers.protocol(file.role, self._settings)
        if protocol.reword(refusal, body):
            if file.role not in self._settings.reworded:
                self._learn(reworded={**self._settings.reworded, file.role: str(refusal)})
            self._fail(answer.key, answer.tries, "reworded", str(refusal))
            return
        if not self._settings.served.get(served_key(file.role, file.model)):
            server = self._order.servers.of(file.role)
            error = of_option(refusal, protocol, model_of(self._order.job), server)
            if isinstance(error, BackendError):
                self.found.fatal = self.found.fatal or error
                self._fail(answer.key, answer.tries, refusal.reason, str(refusal))
                return
        self._fail(answer.key, answer.tries, refusal.reason, str(refusal), refusal=refusal)

    def _learn(self, **what: object) -> None:
        self._settings = self._settings.model_copy(update=what)
        self._order.folder.save_settings(self._settings)

    def _fail(
        self,
        key: str,
        tries: int,
        reason: str,
        message: str,
        *,
        final: bool = False,
        refusal: RequestRefused | None = None,
    ) -> None:
        """Note that a try failed."""
        self.found.counts[reason] += 1
        known = self._failures.get(key)
        before = () if known is None else known.reasons
        if len(before) > tries:
            return  # noted before a kill
        failure = Failure(
            reasons=(*before, reason),
            message=message,
            final=final or refusal is not None,
        )
        if refusal is not None:
            form = {"status": refusal.status, "named": refusal.named, "parameters": tuple(sorted(refusal.parameters))}
            failure = failure.model_copy(update={"is_of_form": True, **form})
        self._failures.keep(key, failure)

    def close(self, file: RequestFile, asked: _Asked, said: str, done: int) -> None:
        """Note that nothing more comes back for a file: what did not is lost, and is asked again."""
        for line_id in sorted(asked.left):
            key, _, tries = line_id.partition("-")
            if self._answers.answer(key) is None:
                self._fail(key, int(tries), "lost", "nothing came back for the request")
        answered = file.requests - len(asked.left)
        closed = {"state": "collected", "said": said, "done": done, "answered": answered}
        self.save(file.model_copy(update=closed))
        self.found.closed += 1
        path = self._order.folder.file(self.found.round.number, file)
        with disk_errors(path):
            path.unlink(missing_ok=True)  # all of it can be made again, and it is as large as what comes of it

    def disown(self, file: RequestFile, batch: Batch) -> None:
        """Note that a batch which was found is made of something else: the file's own is looked for again."""
        self.found.counts["of another batch"] += 1
        again = {"state": "sending", "said": "", "done": 0, "batch": "", "refused": (*file.refused, batch.id)}
        self.save(file.model_copy(update=again))

    def save(self, file: RequestFile) -> None:
        """Note how a file is now."""
        self.found.round = self.found.round.with_file(file)
        self._order.folder.save(self.found.round)


@contextmanager
def collecting(order: Order) -> Iterator[Collecting]:
    """Open the answers of a run, to which those of its last round are added."""
    with (
        run_lock(order.folder.run.lock),
        AnswerFile(order.folder.run.answers) as answers,
        FailureLog(order.folder.failures) as failures,
    ):
        yield Collecting(order, answers, failures)


async def collect(order: Order) -> Collected:
    """Fetch what has come back of the last round, and note how the rest of it is.

    Raises:
        UsageError: no round is written.
        BackendError: a server refuses, or only fails; what was fetched is kept.
    """
    with collecting(order) as work:
        for role in sorted({file.role for file in work.found.round.files if file.state == "sent"}):
            async with open_service(order.servers.of(role)) as service:
                for file in work.found.round.files:
                    if file.role == role and file.state == "sent":
                        await _collect_file(order, work, service, file)
        return work.found


async def _collect_file(order: Order, work: Collecting, service: BatchService, file: RequestFile) -> None:
    server = order.servers.of(file.role)
    batch = await persistently(server, lambda: service.look(file.batch))
    if batch.state == "waiting":
        work.save(file.model_copy(update={"said": batch.said, "done": batch.done}))
        return
    if batch.state == "failed":
        _refused(work, file, batch)
        return
    path = order.folder.file(work.found.round.number, file)
    with disk_errors(path), path.open("rb") as handle:
        asked = _Asked(handle)

        async def fetch() -> None:
            asked.begin()
            async for line in service.results(batch):
                if line.strip():
                    work.take(file, asked, work.read(file, line))

        await persistently(server, fetch)
        if not service.marked and asked.strangers and not asked.is_touched:
            work.disown(file, batch)
            return
        work.close(file, asked, batch.said, batch.done)


def _refused(work: Collecting, file: RequestFile, batch: Batch) -> None:
    """Note that a batch was refused as a whole: its file may be handed in again."""
    why = "; ".join(batch.errors[:3]) or "no reason was given"
    more = f"; and {len(batch.errors) - 3:,} more" if len(batch.errors) > 3 else ""
    work.found.refused.append(f"the batch {batch.id} of {file.name} failed its validation: {why}{more}")
    work.found.may_pass = work.found.may_pass and _LIMITED in batch.codes
    again = {"state": "written", "said": batch.said, "mark": secrets.token_hex(len(file.mark) // 2), "begun": 0.0}
    work.save(file.model_copy(update={**again, "batch": "", "refused": (*file.refused, batch.id)}))


def give_up(order: Order) -> None:
    """Give up what has not come back of the last round: it is lost, and is asked again in the next one."""
    round_ = order.folder.last_round()
    if round_ is None or not round_.is_open:
        return
    with collecting(order) as work, ExitStack() as stack:
        for file in round_.open_files:
            work.close(file, _opened(order, round_, file, stack), "given up", 0)


def collect_by_hand(order: Order, outputs: Iterable[Path]) -> Collected:
    """Take what a program wrote into these files; a file of requests that it answers any line of is collected then.

    Raises:
        UsageError: no round is open, or the files hold no line that it asks.
    """
    with collecting(order) as work, ExitStack() as stack:
        files = work.found.round.open_files
        if not files:
            raise UsageError(f"{order.out}: no round is open; `toolgen batch write` writes the next one")
        known = [(file, _opened(order, work.found.round, file, stack)) for file in files]
        for line in chain.from_iterable(map(_lines_of, outputs)):
            _take_by_hand(work, known, line)
        touched = [(file, asked) for file, asked in known if asked.is_touched]
        if not touched:
            raise UsageError(
                "none of the lines is one of this round: give the files that came of "
                + ", ".join(str(order.folder.file(work.found.round.number, file)) for file in files[:3])
            )
        for file, asked in touched:
            work.close(file, asked, "by hand", file.requests - len(asked.left))
        return work.found


def _opened(order: Order, round_: Round, file: RequestFile, stack: ExitStack) -> _Asked:
    path = order.folder.file(round_.number, file)
    with disk_errors(path):
        return _Asked(stack.enter_context(path.open("rb")))


def _take_by_hand(work: Collecting, known: list[tuple[RequestFile, _Asked]], line: bytes) -> None:
    for file, asked in known:
        answer = work.read(file, line)
        if answer is not None and asked.has(id_of(answer.key, answer.tries)):
            work.take(file, asked, answer)
            return
    work.found.counts["unknown"] += 1


def _lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, those left out that are too long for an answer."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file; give what the batch wrote")
    with disk_errors(path), path.open("rb") as file:
        while line := file.readline(_LONGEST_LINE):
            if line.endswith(b"\n") or len(line) < _LONGEST_LINE:
                if line.strip():
                    yield line
                continue
            while (rest := file.readline(_LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
