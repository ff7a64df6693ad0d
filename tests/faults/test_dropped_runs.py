"""Runs of a model whose store was dropped: known to be over, and nothing that was paid for is asked for again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.completion_processes import run_llm, served

RUN = ("--max-concurrency", "16", "--verify", "off", "--drop-store")


def names(out: Path) -> set[str]:
    return {path.name for path in out.iterdir()}


@pytest.mark.slow
def test_without_answers_a_run_is_over_and_says_what_can_be_done(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with served() as server:
        assert run_llm(out, server, 10, *RUN)[0] == 0
        assert names(out).isdisjoint({"run.db", "answers.jsonl"})
        paid, before = server.requests, (out / "records.jsonl").read_bytes()
        code, _, err = run_llm(out, server, 10, *RUN)
        assert (code, server.requests) == (0, paid)
        assert "settled already" in err
        assert run_llm(out, server, 10, *RUN, "--compress", "gz")[0] == 0
        assert run_llm(out, server, 10, *RUN)[0] == 0
        code, _, err = run_llm(out, server, 15, *RUN)
        assert (code, server.requests) == (2, paid)
        assert "its 10 records are finished, 15 are asked for" in err
        assert "a model would be asked and paid again" in err
        assert (out / "records.jsonl").read_bytes() == before
        (out / "records.jsonl").write_bytes(before.replace(b"user", b"uses", 1))
        code, _, err = run_llm(out, server, 10, *RUN)
        assert (code, server.requests) == (2, paid)
        assert "they are no longer as they were published" in err


@pytest.mark.slow
def test_with_its_answers_a_run_goes_on_and_pays_for_what_is_new_alone(tmp_path: Path) -> None:
    out, whole = tmp_path / "run", tmp_path / "whole"
    with served() as server:
        assert run_llm(out, server, 10, *RUN, "--keep-answers")[0] == 0
        assert "answers.jsonl" in names(out)
        assert "run.db" not in names(out)
        paid = server.requests
        assert run_llm(out, server, 10, *RUN, "--keep-answers")[0] == 0
        assert server.requests == paid
        assert run_llm(out, server, 16, *RUN, "--keep-answers")[0] == 0
        more = server.requests - paid
    with served() as server:
        assert run_llm(whole, server, 16, *RUN)[0] == 0
        assert server.requests == paid + more
    assert (out / "records.jsonl").read_bytes() == (whole / "records.jsonl").read_bytes()
