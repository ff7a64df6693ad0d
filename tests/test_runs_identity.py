"""Identity: everything that decides record i, and nothing else."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from generator.job import Job
from generator.runs import identity
from generator.runs.identity import JobFile, job_document, resolve, versions
from tests.tables import each_row


@each_row(
    "change",
    [
        {"seed": 1},
        {"mix": {"simple": 1}},
        {"error_rate": 0.2},
        {"mask": 0.2},
        {"locale": ("de_DE",)},
        {"reference_date": date(2026, 1, 16)},
        {"days": 1},
        {"attempts": 3},
        {"metadata": False},
        {"model": "m"},
        {"tries": 5},
        {"temperature": 0.1},
        {"top_p": 0.9},
        {"max_output_tokens": 99},
        {"reasoning_effort": "low"},
        {"extra_body": {"top_k": 20}},
        {"freedom": "plan"},
        {"verify": "off"},
        {"verify_model": "other"},
        {"proof": "text"},
        {"results": "model"},
        {"prompts": "0" * 16},
        {"grounding": False},
        {"write_domains": False},
        {"world": True},
    ],
)
def test_what_decides_a_byte_changes_the_identity(change: dict[str, Any]) -> None:
    assert resolve(Job(**change), "c").identity != resolve(Job(), "c").identity


@pytest.mark.parametrize(
    "change",
    [
        {"count": 7},
        {"name": "x"},
        {"tools": ("x",)},
        {"domains": ("x",)},
        {"skip_invalid": True},
        {"compress": "zst"},
        {"shard": 10},
        {"on_conflict": "source"},
    ],
)
def test_what_decides_none_does_not(change: dict[str, Any]) -> None:
    assert resolve(Job(**change), "c").identity == resolve(Job(), "c").identity


def test_every_field_of_a_job_is_judged_above() -> None:
    judged = {"seed", "mix", "error_rate", "locale", "reference_date", "days", "attempts", "metadata", "author"}
    judged |= {"model", "tries", "temperature", "top_p", "max_output_tokens", "reasoning_effort", "extra_body"}
    judged |= {
        "freedom",
        "verify",
        "verify_model",
        "proof",
        "results",
        "prompts",
        "write_domains",
        "grounding",
        "mask",
        "world",
        "max_length",
        "tokenizer_digest",
    }
    beside = {"count", "name", "tools", "domains", "skip_invalid", "on_conflict", "tokenizer", "compress", "shard"}
    assert judged | beside == set(Job.model_fields)


def test_the_catalog_and_the_versions_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    here = resolve(Job(), "c").identity
    assert resolve(Job(), "d").identity != here
    monkeypatch.setattr(identity, "VERSION", "99")
    assert resolve(Job(), "c").identity != here


def test_the_order_of_the_mix_does_not_count() -> None:
    one, other = {"simple": 1.0, "parallel": 2.0}, {"parallel": 2.0, "simple": 1.0}
    assert resolve(Job(mix=one), "c").identity == resolve(Job(mix=other), "c").identity
    assert list(Job(mix=one).mix or {}) == list(Job(mix=other).mix or {})


def test_a_job_document_reads_back() -> None:
    job = Job(mix={"simple": 1}, count=3)
    held = JobFile.model_validate(job_document(job, resolve(job, "c")))
    assert held.job() == job
    assert held.resolved == resolve(job, "c")


def test_versions_name_what_draws_values() -> None:
    assert list(versions()) == ["toolgen", "format", "Faker", "jsonschema_rs"]
    assert "not installed" not in versions().values()
