"""One record's way, and the attempts at one index."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import orjson
import pytest

import generator
from generator.assembly import Provenance
from generator.assets import asset_folder
from generator.authors.author import NoDraft
from generator.authors.llm.draft_checks import plan_fault
from generator.backends.budget import NOTHING_SPENT, Spent
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.engines.engine import EngineOptions
from generator.errors import DataError, JobError
from generator.formats.loading.tool_files import load_tools
from generator.job import EARLIEST_REFERENCE_DATE, LATEST_REFERENCE_DATE, Job
from generator.jsontext import JsonObject
from generator.record import Producer, finish, generate_records, last_request
from generator.records import Draft, DraftCall, Exchange, Record
from generator.run import run_job
from generator.runs.outcome import request_key
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import NOT_PLANNED, Scenario
from generator.validation import check, examine
from generator.validation.verdict import Rejection
from tests.bundled import bundled
from tests.domains_library import tool

CATALOG = bundled()


def _documents(job: Job, count: int) -> Iterator[JsonObject]:
    producer = Producer(job, CATALOG)
    for index in range(count):
        line = producer.produce(index).line
        assert line is not None
        yield orjson.loads(line)


def test_every_record_passes_the_validator_and_is_a_strict_record() -> None:
    for document in _documents(Job(seed=11), 150):
        assert check(document, catalog=CATALOG) == []
        assert Record.model_validate(document).to_dict() == document


def test_a_plan_that_breaks_a_rule_by_itself_is_refused_before_a_model_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job(seed=11, author="llm", model="m", freedom="plan", attempts=1, mix={"coreference": 1})
    producer, made_by = Producer(job, CATALOG, Deaf()), Provenance.of("llm", CATALOG)
    whole = producer.scenario(0)
    assert plan_fault(whole, CATALOG, made_by) is None
    broken = replace(whole, kind="confirm_before_write")
    fault = plan_fault(broken, CATALOG, made_by)
    assert fault is not None
    assert (fault.rule, fault.message[:21]) == ("PL001", "the plan breaks TC114")
    monkeypatch.setattr(Planner, "plan", lambda *_: broken)
    (rejection,) = producer.produce(0).rejections
    assert rejection.violations == (fault,)


class Deaf:
    """An author that is never to be asked."""

    name = "llm"

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        raise AssertionError(scenario.kind)

    def spent(self, scenario: Scenario) -> Spent:
        return NOTHING_SPENT


def test_records_do_not_depend_on_the_count_or_on_one_another() -> None:
    first = Producer(Job(seed=11, count=10), CATALOG)
    second = Producer(Job(seed=11, count=9000), CATALOG)
    assert [first.produce(index).line for index in range(12)] == [second.produce(index).line for index in range(12)]
    assert second.produce(3).line == first.produce(3).line


def test_seeds_give_other_records() -> None:
    assert Producer(Job(seed=1), CATALOG).produce(0).line != Producer(Job(seed=2), CATALOG).produce(0).line


def test_errors_of_tools_reach_the_final_answer() -> None:
    job = Job(seed=5, error_rate=1.0, mix={"simple": 1})
    for document in _documents(job, 60):
        assert "SUCCESS" not in document["metadata"]["statuses"].values()
        assert '"error"' in document["messages"][-2]["content"]


def test_without_metadata_a_record_is_messages_and_tools() -> None:
    for document in _documents(Job(seed=5, metadata=False), 5):
        assert list(document) == ["messages", "tools"]


class _Free:
    """An author whose drafts cost nothing."""

    def spent(self, scenario: Scenario) -> Spent:
        return NOTHING_SPENT


class _Wrong(_Free):
    """An author that proposes what no rule admits."""

    name = "wrong"

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        return Draft(request="Do it.", calls=(DraftCall(name="no_such_tool"),)) if not history else Draft(reply="Done.")


class _Silent(_Free):
    """An author that has nothing to say."""

    name = "silent"

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        raise NoDraft("AU001", "nothing good enough")


@pytest.mark.parametrize(("author", "rules"), [(_Wrong, {"OA"}), (_Silent, {"AU"})])
def test_a_bad_draft_is_a_rejection_never_a_crash(author: type, rules: set[str]) -> None:
    outcome = Producer(Job(seed=5, attempts=3, mix={"simple": 1}), CATALOG, author()).produce(0)
    assert outcome.line is None
    assert [rejection.attempt for rejection in outcome.rejections] == [0, 1, 2]
    found = {violation.rule[:2] for rejection in outcome.rejections for violation in rejection.violations}
    assert rules <= found


def test_the_rejection_of_a_draft_tells_its_request_and_where_it_is_from() -> None:
    producer = Producer(Job(seed=5, attempts=3, mix={"simple": 1}), CATALOG, _Wrong())
    for rejection in producer.produce(0).rejections:
        plan = producer.scenario(0, rejection.attempt)
        (origin,) = rejection.origins
        assert (rejection.request, origin) == ("Do it.", plan.origins[0])
        assert origin.startswith(f"tools/{plan.calls[0].tool.name}/ways/")
    job = Job(seed=5, mix={"sequential": 1, "irrelevance": 1})
    places = {origin.split("/")[0] for index in range(20) for origin in Producer(job, CATALOG).scenario(index).origins}
    assert places == {"tasks", "unserved"}


def test_a_long_request_is_cut_in_its_rejection() -> None:
    exchange = Exchange(Draft(request="a" * 600))
    assert (last_request((exchange, Exchange(Draft(reply="b")))), last_request(())) == ("a" * 500, "")


def test_equal_requests_have_equal_keys_whatever_their_dress() -> None:
    def key(text: str) -> bytes:
        return request_key({"messages": [{"role": "user", "content": text}]})

    assert key("Weather in Oslo?") == key("weather  in oslo")
    assert key("Weather in Oslo?") != key("Weather in Rome?")


def test_the_library_call_gives_exactly_the_count_without_duplicates() -> None:
    records = list(generate_records(CATALOG.tools, count=40, seed=7))
    assert len(records) == 40
    assert all(isinstance(record, Record) for record in records)
    assert len({request_key(record.to_dict()) for record in records}) == 40
    assert [record.to_dict() for record in generate_records(CATALOG.tools, count=40, seed=7)] == [
        record.to_dict() for record in records
    ]


def test_the_library_call_takes_the_options_of_a_job() -> None:
    kinds = {
        record.metadata.kind
        for record in generate_records(CATALOG.tools, count=8, mix={"parallel": 1})
        if record.metadata
    }
    assert kinds == {"parallel"}
    with pytest.raises(JobError):
        next(generate_records(CATALOG.tools, mix={"paralel": 1}))


def test_the_library_call_says_why_a_record_cannot_be_made() -> None:
    lone = CATALOG.tools[0].model_copy(update={"parameters": {"type": "object", "properties": {}}})
    tools = Catalog(tools=(lone,)).tools
    with pytest.raises(DataError, match="could not be made"):
        list(generate_records(tools, count=500, mix={"simple": 1}))


def test_a_coroutine_that_waits_is_not_run_without_a_loop() -> None:
    async def waits() -> None:
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waited"):
        finish(waits())


@pytest.mark.parametrize("day", [EARLIEST_REFERENCE_DATE, date(1600, 2, 29), LATEST_REFERENCE_DATE])
def test_every_reference_date_has_days_around_it(day: date) -> None:
    for document in _documents(Job(seed=3, reference_date=day, error_rate=0.0), 40):
        assert check(document, catalog=CATALOG) == []


def test_a_kind_that_these_tools_cannot_serve_after_all_gives_its_place_to_another() -> None:
    """What is corrected has one value alone, which only planning finds out."""
    way = {"draw": {"n": {"from": [4]}, "to": {"integer": [10, 99_999]}}, "arguments": {"n": "$n", "to": "$to"},
           "requests": ["Count to {to} in steps of {n}."], "replies": {"ok": ["I counted to {r.to}."]},
           "corrections": {"n": ["No, {n}, not {was}."]}}  # fmt: skip
    numbers = {name: {"type": "integer", "description": f"The number {name}."} for name in ("n", "to")}
    counting = tool("count", None, ("n", "to"), **numbers).model_copy(update={"domain": "counting"})
    domain = Domain.model_validate({"domain": 1, "name": "counting", "tools": {"count": {"ways": [way]}}})
    catalog = Catalog(tools=(counting,), domains=(domain,))
    producer = Producer(Job(count=40, mix={"argument_shift": 1.0, "simple": 3.0}), catalog)
    outcomes = [producer.produce(index) for index in range(40)]
    assert all(outcome.line is not None for outcome in outcomes)
    assert {outcome.kind for outcome in outcomes} == {"simple"}
    assert sum(producer.planned_kind(outcome.index) == "argument_shift" for outcome in outcomes) == 10
    asked = Producer(Job(count=40, mix={"argument_shift": 1.0}), catalog).produce(0)
    assert (asked.kind, asked.line) == ("argument_shift", None)


def test_the_world_is_told_only_where_it_is_asked_for() -> None:
    plain, asked = ([*_documents(Job(seed=3, world=world), 40)] for world in (False, True))
    assert not any("world" in each["metadata"] for each in plain)
    for before, after in zip(plain, asked, strict=True):
        assert check(after, catalog=CATALOG) == []
        world = after["metadata"].pop("world")
        assert before == after
        assert (world["initial"] == world["final"]) is (not world["changes"])


def test_a_known_repeat_is_not_made_to_the_end_and_no_byte_depends_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined: list[JsonObject] = []

    def counting(document: JsonObject, **given: Any) -> Any:
        examined.append(document)
        return examine(document, **given)

    tools = load_tools(asset_folder("tool_specs") / "parcels.json")
    job = Job(count=110, seed=5, mix={"sequential": 1.0})
    run_job(job, tools.catalog, tmp_path / "two", engine=EngineOptions(jobs=2))
    monkeypatch.setattr("generator.record.examine", counting)
    report = run_job(job, tools.catalog, tmp_path / "one")
    lines = (tmp_path / "one" / "rejections.jsonl").read_text().splitlines()
    rules = [Rejection.model_validate_json(line).violations[0].rule for line in lines]
    assert rules.count("RUN001") > 20
    wrong = [rule for rule in rules if rule not in ("RUN001", NOT_PLANNED)]
    assert len(examined) == report.summary.records + len(wrong)
    for name in ("records.jsonl", "rejections.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


MOST_FILES = 40
"""Files that a record may lead through on its way, beside those of the rules it is examined by."""


def files_on_the_way(producer: Producer, index: int) -> set[str]:
    """Return the rooms and files of ours of which a function is run to make a record."""
    found: set[str] = set()

    def see(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            found.add(frame.f_code.co_filename)

    sys.setprofile(see)
    try:
        producer.produce(index)
    finally:
        sys.setprofile(None)
    package = Path(generator.__file__).parent
    return {str(Path(each).relative_to(package)) for each in found if each.startswith(f"{package}{os.sep}")}


def test_the_way_of_a_record_is_short() -> None:
    """Once all is imported and compiled, whoever follows a record opens few files before the examiner's."""
    producer = Producer(Job(seed=41), CATALOG)
    for index in range(60):
        producer.produce(index)
    for index in range(60, 120):
        outside = {each for each in files_on_the_way(producer, index) if not each.startswith("validation")}
        assert "assembly.py" in outside
        assert len(outside) <= MOST_FILES
