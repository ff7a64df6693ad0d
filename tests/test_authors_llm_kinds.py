"""Every kind is written turn by turn with prompts of its own, and what the model writes is checked as it comes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import cache

import orjson

from generator.assets import asset_folder
from generator.authors.author import OfflineAuthor
from generator.authors.llm.author import LLMAuthor
from generator.authors.llm.draft_checks import examiner
from generator.authors.llm.response_formats import FormatFallback, Question
from generator.backends.backend import Completion, Verdicts
from generator.domains.catalog import Catalog
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.kinds import KINDS
from generator.record import Producer
from generator.records import Draft, Exchange
from generator.runs.outcome import Outcome
from generator.scenarios.scenario import Scenario
from tests.bundled import bundled, bundled_prompts
from tests.tables import each_row

PROMPTS = bundled_prompts()


@dataclass
class Knowing(FormatFallback):
    """A fallback whose model answers as the offline author would."""

    asked: list[str] = field(default_factory=list)
    answer: bytes = b""
    verdicts: Verdicts = field(default_factory=Verdicts)

    async def ask(self, question: Question) -> Completion:
        self.asked.append(str(question.messages[-1]["content"]))
        return Completion(text=self.answer.decode(), finish_reason="stop")


class Copying(LLMAuthor):
    """An author who tells its model the offline author's words beforehand."""

    fallback: Knowing

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        draft = OfflineAuthor().write(scenario, history)
        self.fallback.answer = orjson.dumps(draft.model_dump(exclude_none=True))
        return await super().draft(scenario, history)


def _produce(producer: Producer, author: Copying, index: int) -> tuple[Outcome, list[str]]:
    author.fallback.asked.clear()
    return asyncio.run(producer.produce_waiting(index)), author.fallback.asked


@cache
def _few() -> Catalog:
    """Tools that have records of every kind between them, but for the one that needs many."""
    return load_catalog([asset_folder("tool_specs") / f"{name}.json" for name in ("reading", "travel")]).catalog


@each_row("kind", KINDS)
def test_a_model_that_writes_well_yields_a_record_of_each_kind(kind: str) -> None:
    fallback = Knowing()
    catalog = bundled() if kind == "many_tools" else _few()
    author = Copying(fallback, PROMPTS, examiner(catalog, "llm"), tries=1)
    author.fallback = fallback
    producer = Producer(Job(count=40, seed=5, mix={kind: 1.0}), catalog, author)
    for index in range(4):
        outcome, asked = _produce(producer, author, index)
        assert outcome.line is not None, outcome.rejections
        made = orjson.loads(outcome.line)
        said = [m for m in made["messages"] if m["role"] == "user" or (m["role"] == "assistant" and m["content"])]
        assert made["metadata"]["kind"] == kind
        assert len(asked) >= len(said) - sum(message["role"] == "assistant" for message in said)
