"""`toolgen help`: the topics, a page in a pipe and on terminals of any width, and names that are none."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from generator.cli import help as help_command
from generator.cli import main
from generator.cli.help import TOPICS, layout, page
from tests.readmes import headings
from tests.tables import each_row


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["help", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_topics_are_listed_with_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert re.findall(r"^  (\S+) +(\S.*)$", out, re.MULTILINE) == [
        (name, topic.summary) for name, topic in TOPICS.items()
    ]
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("topic", list(TOPICS))
def test_a_page_in_a_pipe_is_plain_text(capsys: pytest.CaptureFixture[str], topic: str) -> None:
    code, out, err = run(capsys, topic)
    assert (code, err) == (0, "")
    assert out.startswith("# ")
    assert "\x1b" not in out
    assert "<!--" not in out
    assert "](" not in re.sub(r"```.*?```|`[^`\n]*`|\]\(https:", "", out, flags=re.DOTALL)
    assert len(re.findall(r"^#+ ", out, re.MULTILINE)) >= len(headings(TOPICS[topic].path))


def test_a_link_to_another_page_names_its_topic() -> None:
    told = page("start")
    assert "(`toolgen help domains`)" in told
    assert re.findall(r"\]\(\S+?\.md", told) == []
    named = set(re.findall(r"`toolgen help ([a-z-]+)`", "".join(map(page, TOPICS))))
    assert named <= set(TOPICS)


@each_row("width", [40, 60, 100, 300])
@each_row("topic", ["start", "formats", "rules", "runs"])
def test_a_page_on_a_terminal_loses_no_word(topic: str, width: int) -> None:
    console = Console(width=width, force_terminal=True, color_system=None, record=True)
    with console.capture() as capture:
        layout(page(topic), console)
    shown = capture.get()
    assert max(map(len, shown.splitlines())) <= min(width, 100)
    told = "".join(filter(str.isalnum, shown))
    words = re.sub(r"^```\w*$|^\|.*\|$", "", page(topic), flags=re.MULTILINE)
    assert [word for word in re.findall(r"\w+", words) if word.replace("_", "") not in told] == []


@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize("topic", ["formats", "servers", "kinds", "rules"])
def test_a_table_on_a_terminal_loses_no_cell(topic: str, width: int) -> None:
    console = Console(width=width, force_terminal=True, color_system=None)
    with console.capture() as capture:
        layout(page(topic), console)
    shown = "".join(filter(str.isalnum, capture.get()))
    firsts = re.findall(r"^\| `?([\w-]+)`?", page(topic), re.MULTILINE)
    assert len(firsts) > 3
    assert [cell for cell in firsts if "".join(filter(str.isalnum, cell)) not in shown] == []
    assert "\N{HORIZONTAL ELLIPSIS}" not in capture.get()


def test_a_terminal_gets_a_page_laid_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(help_command.sys.stdout, "isatty", lambda: True)
    code, out, err = run(capsys, "fixes")
    assert (code, err) == (0, "")
    assert "```" not in out
    assert "toolgen fix --list" in re.sub(r"\x1b\[[\d;]*m", "", out)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("doamins", "did you mean domains?"),
        ("KINDS", "did you mean kinds?"),
        ("grounded", "did you mean grounding?"),
        ("exprot", "did you mean export?"),
        ("../LICENSE", "the topics are start, "),
        ("", "the topics are start, "),
        ("\x1b[2J", "the topics are start, "),
    ],
)
def test_an_unknown_topic_is_answered_by_the_nearest(capsys: pytest.CaptureFixture[str], given: str, told: str) -> None:
    code, out, err = run(capsys, given)
    assert (code, out) == (2, "")
    assert err.startswith("error: no such topic: ")
    assert told in err
    assert "\x1b" not in err


def test_the_name_of_a_command_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "export")
    assert (code, err) == (0, "")
    assert out.startswith("Usage: ")
    assert "toolgen export [OPTIONS]" in out and "--format NAME" in out
