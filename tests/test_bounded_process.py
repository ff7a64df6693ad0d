"""A process that answers lines, ends where it must, and begins anew."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from generator.bounded_process import BoundedProcess, ProcessDied, answer_all

RENDERER = "generator.chat_templates.rendering"


def test_every_line_is_answered_in_its_order(tmp_path: Path) -> None:
    answers = io.StringIO()
    with (tmp_path / "dump").open("w") as dump:
        answer_all(lambda first: lambda line: first.strip() + line.strip(), io.StringIO("a\nb\nc\n"), answers, dump)
    assert answers.getvalue() == "ab\nac\n"


def test_a_process_that_died_is_told_and_started_anew() -> None:
    process = BoundedProcess(RENDERER, '["{{ messages }}", {}]')
    assert process.ask('["x", []]') == '"x"\n'
    with pytest.raises(ProcessDied) as caught:
        process.ask("no JSON")
    assert (caught.value.code, caught.value.timed_out) == (1, False)
    assert "JSONDecodeError" in caught.value.last_words
    assert process.ask('["y", []]') == '"y"\n'


def test_one_that_never_began_is_told() -> None:
    with pytest.raises(ProcessDied, match="code 1"):
        BoundedProcess("generator.no_such_module", "").ask("")


@pytest.mark.slow
def test_one_that_takes_too_long_is_ended() -> None:
    endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    with pytest.raises(ProcessDied) as caught:
        BoundedProcess(RENDERER, f'["{endless}", {{}}]').ask('["x", []]')
    assert caught.value.timed_out
