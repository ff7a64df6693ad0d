"""The questions of an exam: every record format is read, the same record is one, and a choice keeps its kinds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from generator.cli import main
from generator.datasets.origin import find_origins
from generator.exams.questions import HeldOut, choose, read_questions, turns_to_ask


def held(kind: str, number: int) -> HeldOut:
    return HeldOut(f"{kind}{number}", "x:1", kind, 1, b"{}", f"{kind}{number}")


RECORDS = [held(kind, number) for kind, count in (("a", 60), ("b", 30), ("c", 2)) for number in range(count)]


@pytest.mark.parametrize(("count", "shares"), [(3, (1, 1, 1)), (2, (1, 1, 0)), (31, (20, 10, 1)), (92, (60, 30, 2))])
def test_a_choice_gives_each_kind_its_share(count: int, shares: tuple[int, ...]) -> None:
    found = Counter(record.kind for record in choose(RECORDS, count, 7))
    assert tuple(found[kind] for kind in "abc") == shares


def test_the_seed_decides_the_choice() -> None:
    assert choose(RECORDS, 10, 1) == choose(RECORDS, 10, 1) != choose(RECORDS, 10, 2)
    assert choose(RECORDS, None, 1) == RECORDS


@pytest.mark.parametrize("form", ["openai", "trl", "hermes", "anthropic", "mistral"])
def test_records_of_other_formats_are_as_many_questions(form: str, tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "other.jsonl"
    assert main(["generate", "--count", "8", "--mix", "parallel=1,simple=1", "--out", str(run), "--quiet"]) == 0
    assert main(["export", str(run), "--format", form, "-o", str(out)]) == 0
    own, other = (read_questions(find_origins(str(path))) for path in (run, out))
    assert (other.turns, len(other.records)) == (own.turns, len(own.records))
    assert not other.bad


def test_a_record_that_stands_there_twice_is_asked_once(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello!"}]
    path = tmp_path / "twice.jsonl"
    path.write_text((json.dumps({"messages": said, "tools": []}) + "\n") * 2, encoding="utf-8")
    found = read_questions(find_origins(str(path)))
    assert (len(found.records), found.twice, found.turns) == (1, 1, 1)


def test_turns_that_answer_nobody_are_not_asked() -> None:
    roles = ("system", "assistant", "user", "assistant", "assistant", "tool", "assistant")
    assert turns_to_ask([{"role": role} for role in roles]) == [3, 6]
