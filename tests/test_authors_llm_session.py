"""A run with a model has it write the domains that are missing, once, and records say so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.authors.llm.session import with_domains
from generator.domains.catalog import Catalog
from generator.domains.reading import read_domain
from generator.runs.folder import read_catalog
from generator.tools import Tool
from generator.validation import validate_record
from tests.domain_examples import TOOLS, domain, tools
from tests.faults.completion_processes import Served, run_llm, served, start_llm
from tests.run_processes import finish, kill

QUIET = ("--quiet", "--mix", "simple=2,nested=1")
COUNT = 6


@pytest.fixture
def library(tmp_path: Path) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS))
    return str(path)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]


def test_the_model_writes_the_domain_once_and_records_say_so(tmp_path: Path, library: str, server: Served) -> None:
    out, before = tmp_path / "run", server.requests
    assert run_llm(out, server, COUNT, library, *QUIET) == (0, "", "")
    paid = server.requests - before
    (known,) = read_catalog(out / "catalog.json").domains
    assert (known.origin, set(known.tools)) == ("model", {"list_loans", "renew_loan"})
    made = records(out)
    assert len(made) == COUNT
    assert {record["metadata"]["domain"] for record in made} == {"model"}
    assert [violation for record in made for violation in validate_record(record)] == []
    lines = (out / "records.jsonl").read_bytes()
    assert run_llm(out, server, COUNT, library, *QUIET)[0] == 0
    for path in [*out.glob("records*"), *out.glob("run.db*")]:
        path.unlink()
    assert run_llm(out, server, COUNT, library, *QUIET)[0] == 0
    assert (out / "records.jsonl").read_bytes() == lines
    assert server.requests - before == paid


@pytest.mark.parametrize("options", [(), ("--keep-thoughts",)])
def test_thoughts_are_kept_with_the_answers_and_never_in_records(
    tmp_path: Path, library: str, options: tuple[str, ...]
) -> None:
    out = tmp_path / "run"
    with served("--fault", "think", "--share", "1") as thinking:
        assert run_llm(out, thinking, 3, library, *QUIET, "--no-domains", "--mix", "simple=1", *options)[0] == 0
    kept = [json.loads(line)["answer"] for line in (out / "answers.jsonl").read_text().splitlines()]
    assert [answer.get("thoughts") for answer in kept] == ['{"a": 1} hmm' if options else None] * 6
    assert b"hmm" not in (out / "records.jsonl").read_bytes()


def test_another_model_gives_the_second_opinion_where_one_is_named(tmp_path: Path, library: str) -> None:
    options = (*QUIET, "--no-domains", "--mix", "simple=1", "--verify", "judge")
    with served() as asked:
        assert run_llm(tmp_path / "same", asked, 2, library, *options)[0] == 0
        assert asked.told()["counts"]["model_m"] == 6
        assert run_llm(tmp_path / "other", asked, 2, library, *options, "--verify-model", "other")[0] == 0
        assert (asked.told()["counts"]["model_m"], asked.told()["counts"]["model_other"]) == (10, 2)


def test_another_server_gives_the_second_opinion_where_one_is_named(tmp_path: Path, library: str) -> None:
    options = (*QUIET, "--no-domains", "--mix", "simple=1", "--verify", "judge")
    with served() as asked, served() as second:
        out = tmp_path / "run"
        where = ("--verify-base-url", second.url, "--verify-model", "other")
        assert run_llm(out, asked, 2, library, *options, *where)[0] == 0
        assert (asked.requests, second.requests) == (4, 2)
        assert second.told()["counts"]["model_other"] == 2
    told = json.loads((out / "summary.json").read_text())["second_opinions"]
    assert told == {"agreed": {"judge": 2}, "disagreed": 0, "tokens": 300}
    assert all(record["metadata"]["second_opinion"] == ["judge"] for record in records(out))


def test_a_key_for_no_other_server_is_refused(tmp_path: Path, library: str, server: Served) -> None:
    code, _, err = run_llm(tmp_path / "run", server, 2, library, "--verify-api-key-env", "K")
    assert code == 2
    assert "--verify-api-key-env is the key of another server: give --verify-base-url too" in err


def test_without_domains_nothing_is_asked_for_them(tmp_path: Path, library: str, server: Served) -> None:
    out = tmp_path / "run"
    assert run_llm(out, server, 3, library, *QUIET, "--no-domains", "--mix", "simple=1")[0] == 0
    assert [one.origin for one in read_catalog(out / "catalog.json").domains] == []
    assert {record["metadata"]["domain"] for record in records(out)} == {"derived"}


@pytest.mark.slow
def test_a_run_that_is_cut_short_while_domains_are_written_goes_on(tmp_path: Path, library: str) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    with served() as server:
        assert run_llm(whole, server, COUNT, library, *QUIET)[0] == 0
        paid = server.requests
    with served("--latency", "0.1") as server:
        assert run_llm(cut, server, COUNT, library, *QUIET, "--max-requests", "2")[0] == 4
        assert records(cut) == []
        process = start_llm(cut, server, COUNT, library, *QUIET)
        server.wait_for_requests(3)
        kill(process)
        process = start_llm(cut, server, COUNT, library, *QUIET)
        server.wait_for_requests(4)
        process.terminate()
        assert finish(process)[0] in (143, 0)
        assert run_llm(cut, server, COUNT, library, *QUIET)[0] == 0
        assert server.requests <= paid + 1 + 16
    assert (cut / "records.jsonl").read_bytes() == (whole / "records.jsonl").read_bytes()
    assert (cut / "catalog.json").read_bytes() == (whole / "catalog.json").read_bytes()


def test_a_model_that_writes_no_domain_leaves_the_derived_ones(tmp_path: Path, library: str) -> None:
    with served("--fault", "refusal", "--share", "1") as server:
        code, _, err = run_llm(tmp_path / "run", server, 3, library, *QUIET)
        assert code == 3, err
        assert server.requests <= 50
    assert read_catalog(tmp_path / "run" / "catalog.json").domains == ()


def catalog(**toolsets: list[Tool]) -> Catalog:
    return Catalog(
        tools=tuple(tool.model_copy(update={"toolset": name}) for name, held in toolsets.items() for tool in held)
    )


def test_tools_are_given_the_domain_of_their_toolset_and_no_other() -> None:
    known, faults = read_domain({"origin": "model", **domain()}, "model-a")
    assert known is not None and not faults
    extra = tools()[0].model_copy(update={"name": "other"})
    found = with_domains(catalog(a=[*tools(), extra], b=tools()), [known])
    assert [(tool.toolset, tool.name, tool.domain) for tool in found.tools] == [
        ("a", "list_loans", "model-a"),
        ("a", "renew_loan", "model-a"),
        ("a", "other", ""),
        ("b", "list_loans", ""),
        ("b", "renew_loan", ""),
    ]
    assert found.domains == (known,)
    assert found.given_digest == catalog(a=[*tools(), extra], b=tools()).digest


def test_tools_that_have_a_domain_keep_it() -> None:
    own, _ = read_domain(domain(), "library")
    written, _ = read_domain({"origin": "model", **domain()}, "model")
    assert own is not None and written is not None
    spoken = Catalog(tools=tuple(tool.model_copy(update={"domain": "library"}) for tool in tools()), domains=(own,))
    assert {tool.domain for tool in with_domains(spoken, [written]).tools} == {"library"}
