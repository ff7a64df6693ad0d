"""Trials make records of the tools of a draft, tell why others cannot be made, and never fail themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.authors.llm.domain_author import DomainDraft
from generator.authors.llm.session import LLMSession
from generator.backends.budget import Budget, Limits
from generator.backends.server import ServerOptions
from generator.domain_writing import Written, answers_beside, existing_domain, keep, name_of, try_out, write_domain
from generator.errors import BackendError, LimitError, ToolFileError
from generator.formats.loading.domain_files import read_domain_file
from generator.formats.loading.sources import Reader
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.jsontext import JsonValue
from tests.bundled import bundled_prompts
from tests.domain_examples import TOOLS, domain, tools
from tests.faults.completion_processes import Served, served

NAMES = ("list_loans", "renew_loan")


def draft(**changes: Any) -> DomainDraft:
    return DomainDraft(domain(**changes), tuple(tools()), "library")


def test_the_records_are_conversations_over_the_tools_asked_about() -> None:
    records, problems, _ = try_out(draft(), ["renew_loan"])
    assert records
    assert all(problem.startswith(("renew_loan (", "/tools/renew_loan")) for problem in problems)
    for record in records:
        lines = record.splitlines()
        assert any(line.startswith("call renew_loan {") for line in lines)
        assert any(line.startswith("user: ") for line in lines)
        assert any(line.startswith("result {") for line in lines)
        assert lines[-1].startswith("assistant: ")


def test_the_same_draft_is_tried_in_the_same_way() -> None:
    assert try_out(draft(), NAMES) == try_out(draft(), NAMES)


def test_what_cannot_be_made_is_told_with_its_tool_and_how_often() -> None:
    spoiled = domain()
    way = spoiled["tools"]["renew_loan"]["ways"][0]
    way["draw"]["l"] = {"row": "loan", "where": [["title", "=", "No such book"]]}
    records, problems, _ = try_out(draft(tools=spoiled["tools"]), ["renew_loan"])
    assert records == []
    assert problems
    rehearsed = [problem for problem in problems if problem.startswith("/tools/renew_loan/ways")]
    assert any("no loan fulfils the conditions" in problem for problem in rehearsed)
    refused = [problem for problem in problems if problem not in rehearsed]
    assert all(problem.startswith("renew_loan") and problem.endswith(" times)") for problem in refused)
    assert try_out(draft(tools=spoiled["tools"]), ["list_loans"])[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"tools": {}},
        {"tools": []},
        {"domain": 2},
        {"tools": {"list_loans": {}}},
        {"tools": {"other": {}}},
    ],
)
def test_a_draft_of_which_nothing_can_be_made_has_no_records(changes: dict[str, Any]) -> None:
    records, problems, _ = try_out(draft(**changes), NAMES)
    assert records == []
    assert bool(problems) == (changes == {"tools": {"list_loans": {}}})


def test_what_is_looked_up_by_a_tool_that_comes_later_is_no_fault() -> None:
    half = domain()
    del half["tools"]["list_loans"], half["tasks"]
    problems = try_out(DomainDraft(half, tuple(tools()), "l"), NAMES)[1]
    assert not any("nobody can know" in problem for problem in problems)


def test_the_tasks_are_tried_where_no_tool_is_named() -> None:
    records, problems, _ = try_out(draft(), [])
    assert records and not any(problem.startswith("/") for problem in problems)
    spoiled = domain()
    spoiled["tasks"][0]["draw"]["l"] = {"row": "loan", "where": [["title", "=", "No such book"]]}
    assert any(problem.startswith("/tasks/0: fails") for problem in try_out(draft(tasks=spoiled["tasks"]), [])[1])


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("It is {r.hash}.", "assistant says a whole hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709'"),
        ("It is {r.hash|cut:7}.", ""),
        ('It is {{"title": "{r.title}"}}.', "assistant says raw JSON"),
    ],
)
def test_hashes_and_raw_json_in_prose_are_told(said: str, problem: str) -> None:
    spoiled = domain()
    tool = spoiled["tools"]["renew_loan"]
    tool["result"] = {"hash": "da39a3ee5e6b4b0d3255bfef95601890afd80709", "title": "$it.title"}
    tool["ways"][0]["replies"] = {"ok": [said]}
    told = [each for each in try_out(draft(tools=spoiled["tools"], tasks=[]), ["renew_loan"])[1] if "assistant" in each]
    assert bool(told) is bool(problem) and all(each.startswith(problem) for each in told)


def test_what_no_way_of_a_tool_says_is_told_and_is_no_problem() -> None:
    poor = domain()
    poor["tools"]["list_loans"]["ways"][1]["draw"]["s"] = {"from": ["overdue"]}
    trial = try_out(draft(tools=poor["tools"]), NAMES)
    assert trial.unsaid == ['list_loans: status="active"']
    assert not any("ever says" in problem for problem in trial.problems)
    assert try_out(draft(tools=poor["tools"]), []).unsaid == try_out(draft(), NAMES).unsaid == []


PROMPTS = bundled_prompts()
JOB = Job(name="domain", author="llm", model="m")


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def write(path: Path, server: Served, **limits: Any) -> Written:
    live = LLMSession(ServerOptions(base_url=server.url, timeout=60.0), PROMPTS, budget=Budget(Limits(**limits)))
    return write_domain(tools(), path, JOB, live, lambda part: None)


def read(path: Path) -> JsonValue:
    problems: list[Any] = []
    (found,) = read_domain_file(path, Reader(), problems)
    assert problems == []
    return found.value


EXPECTED = {"origin": "model", **domain()}


@pytest.mark.parametrize("name", ["library.domain.yaml", "library.domain.json", "other.yaml"])
def test_the_file_is_written_and_a_second_run_asks_nothing_and_leaves_it(
    tmp_path: Path, server: Served, name: str
) -> None:
    path, before = tmp_path / name, server.requests
    written = write(path, server)
    assert (written.asked, server.requests - before) == (5, 5)
    assert read(path) == written.draft.raw == EXPECTED
    assert {each.name for each in tmp_path.iterdir()} == {name, f"{name.partition('.')[0]}.answers.jsonl"}
    first = path.read_bytes()
    assert write(path, server).asked == 0
    assert path.read_bytes() == first
    path.unlink()
    assert write(path, server).asked == 5
    assert server.requests - before == 5
    assert path.read_bytes() == first


@pytest.mark.parametrize("after", [1, 2, 3])
def test_what_was_cut_short_costs_only_what_is_new(tmp_path: Path, server: Served, after: int) -> None:
    path, before = tmp_path / "library.domain.yaml", server.requests
    with pytest.raises(LimitError):
        write(path, server, requests=after)
    assert path.exists()
    assert existing_domain(path, tools())["entities"] == domain()["entities"]
    write(path, server)
    assert server.requests - before == 5
    assert read(path) == EXPECTED


def test_what_exists_is_kept_with_its_comments_where_nothing_lacks(tmp_path: Path, server: Served) -> None:
    path, before = tmp_path / "library.domain.json", server.requests
    path.write_text(json.dumps(domain(), indent=3))
    write(path, server)
    assert path.read_text() == json.dumps(domain(), indent=3)
    assert server.requests == before


def test_what_lacks_is_added_to_what_exists(tmp_path: Path, server: Served) -> None:
    path, before = tmp_path / "library.domain.json", server.requests
    own = domain(about="My own library.")
    del own["tools"]["renew_loan"]
    own["tools"]["list_loans"]["ways"][0]["requests"] = ["What did I take home?"]
    del own["tasks"]
    path.write_text(json.dumps(own))
    write(path, server)
    found = read(path)
    assert isinstance(found, dict)
    assert server.requests - before == 4
    assert {key: found[key] for key in ("about", "entities")} == {key: own[key] for key in ("about", "entities")}
    assert found["tools"] == {**own["tools"], "renew_loan": domain()["tools"]["renew_loan"]}
    assert found["tasks"] == domain()["tasks"]


def test_what_was_written_is_loaded_with_its_tools(tmp_path: Path, server: Served) -> None:
    (tmp_path / "library.json").write_text(json.dumps(TOOLS))
    write(tmp_path / "library.domain.yaml", server)
    loaded = load_catalog([tmp_path / "library.json"])
    assert loaded.skipped == ()
    assert [one.origin for one in loaded.catalog.domains] == ["model"]
    assert {tool.domain for tool in loaded.catalog.tools} == {loaded.catalog.domains[0].name}


def test_a_server_that_refuses_leaves_what_was_written(tmp_path: Path, server: Served) -> None:
    path = tmp_path / "library.domain.yaml"
    with pytest.raises(LimitError):
        write(path, server, requests=1)
    first = path.read_bytes()
    with served("--fault", "401") as refusing, pytest.raises(BackendError):
        write(path, refusing)
    assert path.read_bytes() == first


BAD: dict[str, tuple[str, str]] = {
    "no YAML": ("{", "library.domain.yaml:1"),
    "a list": ("- 1\n", "is no domain file"),
    "two documents": ("domain: 1\n---\ndomain: 1\n", "one document"),
    "an unknown key": ("domain: 1\nentites: {}\n", "library.domain.yaml:2#/entites: unknown key 'entites'"),
    "a wrong type": ("domain: 1\ntools: []\n", "library.domain.yaml:2#/tools: "),
    "nothing where tools belong": ("domain: 1\ntools:\n", "library.domain.yaml:2#/tools: "),
    "a tool that was not given": (
        "tools:\n  lend: {can: lend}\n",
        "library.domain.yaml:2#/tools/lend: unknown tool 'lend'",
    ),
    "a look-up by such a tool": (
        "entities:\n  loan:\n    fields: {id: {integer: [1, 9]}}\n    find: {call: lend}\n",
        "/entities/loan/find/call: unknown tool 'lend'",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_wrong_is_told_before_anything_is_asked(tmp_path: Path, server: Served, name: str) -> None:
    path, before = tmp_path / "library.domain.yaml", server.requests
    text, message = BAD[name]
    path.write_text(text)
    with pytest.raises(ToolFileError) as caught:
        write(path, server)
    assert message in str(caught.value)
    assert path.read_text() == text
    assert server.requests == before


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolFileError):
        existing_domain(tmp_path, tools())
    assert existing_domain(tmp_path / "none.yaml", tools()) == {}


TRICKY = [
    *("yes", "no", "on", "null", "~", "", "1e3", "0o17", "0x1F", "1_000", "2026-01-15", "12:30", "=", "<<"),
    *("- a", "a: b", "{x}", "#c", "'", '"', "|", "\n", " a", "a ", "\x00", "\x85", "\u2028", "\ufeff"),
    *(".inf", "+1", "1.", ".5", "!t", "&a", "*a"),
]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(TRICKY)
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, min_size=1, max_size=4), st.sampled_from([".yaml", ".json"]))
@example({"<<": {"a": "1e3"}, "k": ["0o17", "1.", "+1"]}, ".yaml")
@settings(deadline=None, max_examples=300)
def test_every_value_is_read_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, value: dict[str, JsonValue], suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"round{suffix}"
    keep(value, path)
    assert read(path) == value


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.domain.yaml", "a"), ("a.b.domain.json", "a.b"), ("a.yaml", "a"), ("domain.yaml", "domain"), ("a.b", "a")],
)
def test_a_domain_has_the_name_of_its_file(file: str, name: str) -> None:
    assert name_of(Path("x") / file) == name
    assert answers_beside(Path("x") / file) == Path("x") / f"{name}.answers.jsonl"
