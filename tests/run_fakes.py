"""Producers that are fast and known, in place of the real one; processes find them by their names."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from generator.domains.catalog import Catalog
from generator.engines.engine import IsTaken
from generator.job import Job
from generator.jsontext import dump_line
from generator.runs.outcome import Outcome
from generator.runs.read_back import ForeignRecord
from generator.scenarios.planner import Planner
from generator.tools import Tool
from generator.validation.verdict import Rejection, Violation

KINDS = ("simple", "parallel", "irrelevance")

CATALOG = Catalog(
    tools=(
        Tool(
            name="get_weather",
            description="Tell the weather of a city.",
            parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            result_schema={"type": "object"},
            result_origin="domain",
        ),
        Tool(
            name="get_time",
            description="Tell the time in a city.",
            parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            result_schema={"type": "object"},
            result_origin="domain",
        ),
    )
)


def _hash(*parts: object) -> int:
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=6).digest(), "big")


def rejection(index: int, attempt: int, kind: str) -> Rejection:
    violation = Violation(rule="DF002", pointer="/messages/1", message="bad id")
    return Rejection(index=index, attempt=attempt, kind=kind, tools=("get_weather",), violations=(violation,))


class FakeProducer:
    """About one attempt in five is rejected, and about one record in ten repeats an earlier request."""

    def __init__(
        self, job: Job, catalog: Catalog, *, planner: Planner | None = None, is_taken: IsTaken | None = None
    ) -> None:
        self.job = job
        self.catalog = catalog

    def request(self, index: int, attempt: int) -> int:
        draw = _hash(self.job.seed, index, attempt)
        return draw % max(1, index) if draw % 10 == 0 else draw

    def fails(self, index: int, attempt: int) -> bool:
        return _hash("fails", self.job.seed, index, attempt) % 5 == 0

    def kind(self, index: int, attempt: int) -> str:
        return KINDS[index % len(KINDS)]

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        rejections = []
        for attempt in range(first_attempt, self.job.attempts):
            kind = self.kind(index, attempt)
            if not self.fails(index, attempt):
                return self.kept(index, attempt, kind, tuple(rejections))
            rejections.append(rejection(index, attempt, kind))
        nothing = Outcome(index, self.job.attempts - 1, self.kind(index, 0), None, b"", (), ())
        return replace(nothing, rejections=tuple(rejections))

    def kept(self, index: int, attempt: int, kind: str, rejections: tuple[Rejection, ...]) -> Outcome:
        request = self.request(index, attempt)
        messages = [{"role": "user", "content": f"request {request}"}, {"role": "assistant", "content": "x" * 500}]
        line = dump_line({"messages": messages, "tools": [], "metadata": {"index": index, "attempt": attempt}})
        key = request.to_bytes(8, "big")
        statuses = () if kind == "irrelevance" else (("get_weather", "SUCCESS"),)
        said = f"request {request}"
        return Outcome(index, attempt, kind, line, key, ("get_weather", "get_time"), statuses, rejections, request=said)

    def read_record(self, line: bytes, metadata: bytes = b"") -> Outcome:
        try:
            told = json.loads(line)["metadata"]
            outcome = self.kept(told["index"], told["attempt"], self.kind(told["index"], told["attempt"]), ())
        except (ValueError, KeyError, TypeError) as error:
            raise ForeignRecord(str(error)) from error
        if outcome.line != line:
            raise ForeignRecord("it was never made")
        return outcome

    def planned(self, index: int, attempt: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), ()

    def recognise(self, line: bytes, metadata: bytes = b"") -> Outcome:
        return self.read_record(line, metadata)


class SlowProducer(FakeProducer):
    """Takes two milliseconds for a record."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        time.sleep(0.002)
        return super().produce(index, first_attempt)


class PoorProducer(FakeProducer):
    """Knows but three requests: from the fourth index on, everything is a duplicate."""

    def request(self, index: int, attempt: int) -> int:
        return index % 3

    def fails(self, index: int, attempt: int) -> bool:
        return False


class ScarceProducer(FakeProducer):
    """Knows but thirty requests, which are spent soon; now and then a later attempt is of another kind."""

    def request(self, index: int, attempt: int) -> int:
        return _hash("scarce", self.job.seed, index, attempt) % 30

    def kind(self, index: int, attempt: int) -> str:
        return KINDS[(index + attempt // 2) % len(KINDS)]


class MortalProducer(FakeProducer):
    """Kills its own process at index 200, as the system does when memory ends."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        if index == 200 and not (flag := Path(os.environ["TOOLGEN_TEST_FLAG"])).exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().produce(index, first_attempt)


class FaultyProducer(FakeProducer):
    """Raises at index 50."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        if index == 50:
            raise LookupError("a defect at index 50")
        return super().produce(index, first_attempt)


FAKE, SLOW, POOR, MORTAL, FAULTY = FakeProducer, SlowProducer, PoorProducer, MortalProducer, FaultyProducer
SCARCE = ScarceProducer
