"""Job: what may stand in it."""

from __future__ import annotations

from datetime import date
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from generator.authors.author import OfflineAuthor
from generator.authors.llm.author import LLMAuthor
from generator.job import NOT_IN_IDENTITY, Job
from generator.job_choices import JOB_KEYS, AuthorName
from tests.tables import each_row


def test_a_job_survives_its_json() -> None:
    job = Job(name="x", tools=("a", "b"), mix={"simple": 1.5}, locale=("de_DE",), reference_date=date(2025, 3, 4))
    assert Job.model_validate_json(job.model_dump_json()) == job


def test_todays_are_spread_over_the_days_up_to_the_reference_date() -> None:
    last = date(2025, 3, 4)
    todays = [Job(seed=3, reference_date=last, days=10).today_at(index) for index in range(200)]
    assert (min(todays), max(todays), len(set(todays))) == (date(2025, 2, 23), last, 10)
    assert todays == [Job(seed=3, reference_date=last, days=10, count=7).today_at(index) for index in range(200)]
    assert {Job(seed=3, reference_date=last, days=1).today_at(index) for index in range(20)} == {last}


@each_row(
    "fields",
    [
        {"count": 0},
        {"days": 0},
        {"days": 36_601},
        {"count": True},
        {"count": "5"},
        {"count": 2.5},
        {"seed": -1},
        {"seed": 2**53},
        {"author": "lm"},
        {"mix": {"simple": -1}},
        {"mix": {"simple": float("nan")}},
        {"mix": {"simple": float("inf")}},
        {"mix": {"simple": True}},
        {"error_rate": 1.01},
        {"error_rate": float("nan")},
        {"error_rate": True},
        {"locale": ()},
        {"reference_date": 5},
        {"reference_date": "today"},
        {"reference_date": "2026-01-15T10:00:00"},
        {"attempts": 0},
        {"temperature": 2.1},
        {"temperature": -0.1},
        {"temperature": float("nan")},
        {"temperature": True},
        {"top_p": 0},
        {"top_p": 1.1},
        {"top_p": float("inf")},
        {"max_output_tokens": 15},
        {"max_output_tokens": 1_000_001},
        {"max_output_tokens": 99.5},
        {"reasoning_effort": "much"},
        {"extra_body": ["top_k"]},
        {"extra_body": {"a": float("nan")}},
        {"extra_body": {"a": [date(2026, 1, 1)]}},
        {"extra_body": {"a": 2**70}},
        {"extra_body": {"a": "\ud800"}},
        {"metadata": "yes"},
        {"name": "../up"},
        {"name": "a/b"},
        {"name": ""},
        {"name": "x\n"},
        {"name": ".hidden"},
        {"nmae": "x"},
    ],
)
def test_a_wrong_value_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Job(**fields)


def test_what_is_left_out_of_the_identity_exists() -> None:
    assert set(Job.model_fields) > NOT_IN_IDENTITY


def test_every_author_of_a_job_is_there() -> None:
    assert set(get_args(AuthorName)) == {OfflineAuthor.name, LLMAuthor.name}


def test_the_keys_of_a_job_file_are_the_fields_of_a_job() -> None:
    assert tuple(Job.model_fields) == JOB_KEYS
