"""What is made ahead of its turn is kept as it is; what cannot be trusted is made again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from generator.runs.made import Examined, MadeAhead, brief_of, holds_record, remove_made
from generator.runs.outcome import Outcome
from generator.runs.read_back import ForeignRecord
from generator.validation.verdict import Rejection, Violation

REJECTED = Rejection(
    index=7, attempt=0, kind="simple", tools=("a",), violations=(Violation(rule="LM003", pointer="", message="no"),)
)
RECORD = Outcome(
    7, 1, "simple", b"{}\n", b"12345678", ("a",), (("a", "SUCCESS"),), (REJECTED,), coverage=(("tool", "a"),),
    metadata=b"{}", requests=(b"",), planned=("a",), request="Please?", origins=("a/b",),
)  # fmt: skip
NOTHING = Outcome(8, 47, "simple", None, b"", (), ())
LEFT_OFF = Outcome(9, 3, "simple", None, b"12345678", (), (), planned=("a",), request="Please?")


def read(line: bytes, metadata: bytes = b"") -> Outcome:
    """What the line of `RECORD` says, without what is told beside it."""
    return replace(RECORD, rejections=(), requests=(), planned=(), request="", origins=(), metadata=metadata)


def foreign(line: bytes, metadata: bytes = b"") -> Outcome:
    raise ForeignRecord("it breaks a rule")


def kept(path: Path | None) -> MadeAhead:
    return MadeAhead(path, "mine", read)


@pytest.mark.parametrize("outcome", [RECORD, NOTHING, LEFT_OFF], ids=["record", "nothing", "left off"])
def test_what_was_made_comes_back_as_it_was(outcome: Outcome, tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    with kept(path) as made:
        made.keep(0, outcome)
    with kept(path) as made:
        found = made.outcome(outcome.index, 0)
        assert found == outcome
        assert found is not None and (found.request, found.origins) == (outcome.request, outcome.origins)
        assert made.brief(outcome.index, 0) == brief_of(outcome)
        assert made.rejections(outcome.index, 0) == outcome.rejections
        assert made.outcome(outcome.index, 1) is None and made.brief(outcome.index, 1) is None
    assert holds_record(path) is (outcome.line is not None)
    assert path.stat().st_mode & 0o077 == 0


def test_what_is_settled_is_forgotten(tmp_path: Path) -> None:
    with kept(tmp_path / "made.db") as made:
        made.keep(0, RECORD)
        made.keep(0, NOTHING)
        made.forget_below(8)
        assert made.brief(7, 0) is None and made.brief(8, 0) is not None


def test_a_record_that_is_none_of_the_job_is_made_again(tmp_path: Path) -> None:
    with kept(tmp_path / "made.db") as made:
        made.keep(0, RECORD)
    with MadeAhead(tmp_path / "made.db", "mine", foreign) as made:
        assert made.outcome(7, 0) is None


def _of_another_job(path: Path) -> None:
    with MadeAhead(path, "another", read):
        pass


def _changed(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("UPDATE made SET line = ?", (b'{"x": 1}\n',))


def _of_another_form(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TRIGGER mine AFTER INSERT ON made BEGIN DELETE FROM made; END")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "it is of another job": _of_another_job,
    "a line was changed": _changed,
    "it holds a trigger": _of_another_form,
    "it is no database": lambda path: path.write_bytes(b"mine" * 5000),
    "it is cut": lambda path: path.write_bytes(path.read_bytes()[:20_000]),
    "it is gone": remove_made,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_cannot_be_trusted_is_made_again(name: str, tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    with kept(path) as made:
        made.keep(0, RECORD)
    DAMAGES[name](path)
    with kept(path) as made:
        assert made.outcome(7, 0) is None
        made.keep(0, RECORD)
    with kept(path) as made:
        assert made.outcome(7, 0) == RECORD


def test_a_line_is_examined_once_in_a_process() -> None:
    looked: list[str] = []

    def examine(line: bytes, metadata: bytes = b"") -> Outcome:
        looked.append("examined")
        return read(line, metadata)

    def recognise(line: bytes, metadata: bytes = b"") -> Outcome:
        looked.append("recognised")
        return read(line, metadata)

    known = Examined()
    for line in (b"{}\n", b"{}\n", b'{"x": 1}\n'):
        known.recognising(examine, recognise)(line, b"")
    assert looked == ["examined", "recognised", "examined"]
