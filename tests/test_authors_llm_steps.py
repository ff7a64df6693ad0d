"""Kinds with calls that follow: the model finds its own values, and what happened decides how it goes on."""

from __future__ import annotations

import asyncio
from functools import cache

import orjson
import pytest

from generator.authors.llm.author import LLMAuthor
from generator.authors.llm.prompts import load_prompts
from generator.assets import asset_folder
from generator.job import Job
from generator.pipeline import Producer, examiner
from tests.kind_records import bundled
from tests.test_authors_llm_kinds import Copying, Knowing

PROMPTS = load_prompts(asset_folder("prompts"))
KINDS = ("nested", "sequential", "multi_turn", "coreference")


@pytest.mark.parametrize("kind", KINDS)
def test_x(kind: str) -> None:
    ladder = Knowing()
    author = Copying(ladder, PROMPTS, examiner(bundled(), "llm"), tries=1)
    author.ladder = ladder
    producer = Producer(Job(count=40, seed=5, author="llm", mix={kind: 1.0}), bundled(), author)
    good = bad = 0
    for index in range(60):
        outcome = asyncio.run(producer.produce_waiting(index))
        good += outcome.line is not None
        for r in outcome.rejections:
            for v in r.violations:
                if v.rule not in ("PL001",):
                    bad += 1
                    print(index, r.attempt, v.rule, v.message)
    print(kind, good, bad)
    assert 0
