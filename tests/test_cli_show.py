"""`toolgen show`: conversations that people can read, of records that nobody vouches for."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from generator.cli import main
from generator.cli.conversation_text import portray
from generator.formats import FORMATS
from tests import record_examples
from tests.checkout import environment, run_toolgen

Json = Any  # parsed JSON


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file with a record of every kind, indices in their order."""
    made = [make() for make in record_examples.KINDS.values()]
    for index, record in enumerate(made):
        record["metadata"]["index"] = index
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in made))
    return path


def portrait(document: Json) -> str:
    return "\n".join(text.plain for text in portray(document, 1))


def test_a_record_reads_as_a_conversation() -> None:
    shown = portrait(record_examples.parallel_multiple()).splitlines()
    assert shown[0].startswith(" line 1 · index 0 · kind parallel_multiple · author offline")
    assert shown[1] == "tools      get_weather, get_time"
    assert shown[3] == "user       How is the weather in Rome?"
    assert shown[4] == 'assistant  → get_weather {"city": "Rome"}  [' + record_examples.FIRST + "]"
    assert shown[6].startswith('tool       ← get_weather {"temperature": 21.5}  [')
    assert shown[6].endswith(" SUCCESS]")
    assert shown[-1].startswith("assistant  The temperature is 21.5 degrees in Rome")


def test_lines_of_a_text_stand_below_each_other() -> None:
    record = record_examples.irrelevance()
    record["messages"][-1]["content"] = "One.\nTwo."
    assert "assistant  One.\n           Two." in portrait(record)


def test_long_things_are_cut_and_say_so() -> None:
    record = record_examples.simple()
    record["messages"][1]["content"] = "word " * 1000
    record["messages"][2]["tool_calls"][0]["function"]["arguments"] = {"list": list(range(100)), "text": "x" * 1000}
    record["messages"][3]["content"] = orjson.dumps({f"k{n}": n for n in range(100)}).decode()
    shown = portrait(record)
    assert "(3,800 more characters)" in shown
    assert '"… 92 more"' in shown
    assert "(840 more characters)" in shown
    assert '"…": "84 more"' in shown
    assert len(shown) < 4000


def test_a_record_cannot_steer_the_terminal() -> None:
    record = record_examples.simple()
    record["messages"][1]["content"] = "\x1b[2J\x1b]0;owned\x07 \u202eevil [bold]not markup[/bold]"
    record["messages"][2]["tool_calls"][0]["function"]["name"] = "\x9b31m"
    record["metadata"]["kind"] = "x\x1b[31m\ny"
    shown = portrait(record)
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(shown)
    assert "[bold]not markup[/bold]" in shown
    assert "kind x\\x1b[31m y" in shown.splitlines()[0]


def test_it_is_plain_text_where_there_is_no_terminal(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(records)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.count(" line ") == 5


def test_it_is_coloured_on_a_terminal() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard")
    for text in portray(record_examples.simple(), 1):
        console.print(text)
    assert "\x1b[1;36muser" in stream.getvalue()


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        (["-n", "2"], ["simple", "simple"]),
        (["--kind", "parallel"], ["parallel"]),
        (["--index", "3"], ["parallel"]),
        (["--kind", "simple", "-n", "1"], ["simple"]),
    ],
)
def test_the_asked_records_are_shown(
    records: Path, arguments: list[str], kinds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(records), *arguments]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" line ")]
    assert [line.split("kind ")[1].split()[0] for line in heads] == kinds


def test_nothing_found_says_what_was_asked(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(records), "--kind", "simple", "--index", "99"]) == 1
    assert "holds no record of kind simple with index 99" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["openai", "qwen3"])
def test_every_record_format_is_shown(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = FORMATS[name].dump_record
    assert dump is not None
    path = tmp_path / "records.jsonl"
    path.write_bytes(orjson.dumps(dump(record_examples.parallel())))
    assert main(["show", str(path)]) == 0
    assert '→ get_weather {"city": "Oslo"}' in capsys.readouterr().out


def test_bad_lines_are_told_once_and_fail(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records.write_bytes(b'{"torn": \nnull\n' + records.read_bytes())
    assert main(["show", str(records), "-n", "100"]) == 1
    out, err = capsys.readouterr()
    assert out.count(" line ") == len(record_examples.KINDS)
    assert err.count("this line is no record") == 1
    assert "records.jsonl:1: this line is no record" in err
    assert "2 lines are no records" in err


WORDS = st.sampled_from(["messages", "role", "assistant", "tool", "tool_calls", "id", "function", "name", "content"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(ANYTHING, ANYTHING, ANYTHING)
def test_nothing_malformed_breaks_it(messages: Json, tools: Json, metadata: Json) -> None:
    assert portrait({"messages": messages, "tools": tools, "metadata": metadata})


def test_an_unknown_kind_gets_a_suggestion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "records.jsonl").write_bytes(orjson.dumps(record_examples.simple()))
    assert main(["show", str(tmp_path / "records.jsonl"), "--kind", "paralel"]) == 1
    assert "did you mean parallel?" in capsys.readouterr().err


def test_thousands_of_messages_and_calls_are_counted_not_shown() -> None:
    record = record_examples.simple()
    record["messages"][2]["tool_calls"] *= 60
    record["messages"] += record["messages"][-1:] * 300
    shown = [text.plain for text in portray(record, 1)]
    assert shown.count(f"{'...':<11}10 more calls") == 1
    assert shown[-1] == f"{'...':<11}105 more messages"
    assert len(shown) < 300


@pytest.mark.parametrize(
    ("arguments", "indices"),
    [
        (["--tool", "get_time"], {"4"}),
        (["--text", "OSLO"], {"3"}),
        (["--grep", "21.5", "--kind", "simple"], {"0"}),
        (["--tool", "get_time", "--text", "rome"], {"4"}),
    ],
)
def test_records_are_found_by_what_they_call_and_say(
    records: Path, arguments: list[str], indices: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(records), "-n", "100", *arguments]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" line ")]
    found = {line.split("index ")[1].split()[0] for line in heads}
    assert found == {
        str(number)
        for number, make in enumerate(record_examples.KINDS.values())
        if _asked_for(make(), dict(zip(arguments[::2], arguments[1::2], strict=True)))
    }
    assert indices <= found


def _asked_for(record: Json, wanted: dict[str, str]) -> bool:
    messages = json.dumps(record["messages"], ensure_ascii=False).casefold()
    text = wanted.get("--text", wanted.get("--grep", ""))
    called = [call["function"]["name"] for each in record["messages"] for call in each.get("tool_calls") or ()]
    kind = record["metadata"]["kind"]
    return (
        text.casefold() in messages
        and wanted.get("--tool", "x") in [*called, "x"]
        and wanted.get("--kind", kind) == kind
    )


def test_a_tool_that_nobody_calls_gets_a_suggestion(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(records), "--tool", "get_wether", "--text", "zzz"]) == 1
    assert "holds no record that calls get_wether with the text 'zzz'; did you mean get_weather?" in (
        capsys.readouterr().err
    )


def on_a_terminal(command: list[str], **more: str) -> str:
    """What a command prints on a terminal of 80 columns."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment(**more), close_fds=True
    )
    os.close(slave)
    printed = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # the last who had the terminal open left
            break
        if not chunk:
            break
        printed += chunk
    assert process.wait(timeout=240) == 0
    os.close(master)
    return printed.decode()


SHOW = [sys.executable, "-m", "generator", "show"]


def pager(folder: Path) -> str:
    """A pager that says that it was asked."""
    path = folder / "my_pager"
    path.write_text('#!/bin/sh\necho "paged LESS=$LESS"\nexec cat\n')
    path.chmod(0o700)
    return str(path)


def test_a_terminal_gets_the_pager(records: Path, tmp_path: Path) -> None:
    shown = on_a_terminal([*SHOW, str(records)], PAGER=pager(tmp_path), TERM="xterm")
    assert shown.startswith("paged LESS=-FRX")
    assert shown.count(" line ") == 5
    assert "paged" not in on_a_terminal([*SHOW, str(records), "--no-pager"], PAGER=pager(tmp_path), TERM="xterm")


def test_the_pager_of_the_user_keeps_its_options(records: Path, tmp_path: Path) -> None:
    shown = on_a_terminal([*SHOW, str(records)], PAGER=pager(tmp_path), LESS="-S", TERM="xterm")
    assert shown.startswith("paged LESS=-S")


def test_a_pipe_gets_no_pager(records: Path, tmp_path: Path) -> None:
    done = run_toolgen("show", str(records), PAGER=pager(tmp_path))
    assert done.returncode == 0
    assert "paged" not in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.skipif(shutil.which("less") is None, reason="needs less")
def test_less_shows_colours_and_leaves_at_once_what_fits(records: Path) -> None:
    shown = on_a_terminal([*SHOW, str(records), "-n", "1", "--kind", "irrelevance"], PAGER="less", TERM="xterm")
    assert "\x1b[1;36muser" in shown
    assert "\\x1b" not in shown
