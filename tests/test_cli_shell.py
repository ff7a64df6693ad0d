"""The shell of the command line: help, versions, suggestions, and one message and exit code for every error."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import click
import pytest

from generator.cli import main, shell
from generator.cli.option_types import Choice
from generator.cli.terminal import printable
from generator.errors import (
    EXIT_CODES,
    BackendError,
    DataError,
    LimitError,
    Problem,
    RunLockedError,
    StorageError,
    ToolFileError,
    UsageError,
)
from generator.suggestions import did_you_mean
from generator.version import VERSION
from tests.checkout import CHECKOUT, environment, run_toolgen

COMMANDS = list(shell.COMMANDS)
TOOLS = f"'{CHECKOUT}/tool_specs/weather.json'"


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `toolgen show` raise this error."""

    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setitem(shell.COMMANDS, "show", shell.Target(f"{__name__}:_standing_in", "x"))
    monkeypatch.setattr(sys.modules[__name__], "_standing_in", command, raising=False)


def test_help_names_every_command_example_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out, err = capsys.readouterr()
    assert all(f"  {name} " in out for name in COMMANDS)
    assert all(f"{code}  {meaning}" in out for code, meaning in EXIT_CODES.items())
    assert out.count("\n  toolgen ") >= 5
    assert err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"toolgen {name} " in out.split("Examples:")[1]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"toolgen {VERSION}\n"


def test_without_a_command_it_shows_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Commands:" in err


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (["genrate"], "did you mean generate?"),
        (["frobnicate"], f"the commands are {', '.join(COMMANDS)}"),
        (["generate", "--cuont", "3"], "--count"),
        (["export", ".", "--fromat", "openai"], "--format"),
        (["export", ".", "--format", "opneai", "-o", "x"], "did you mean openai?"),
        (["--versoin"], "--version"),
    ],
)
def test_what_is_unknown_gets_the_nearest_that_is_known(
    arguments: list[str], suggestion: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert suggestion in err
    assert err.splitlines()[-1].startswith("try: toolgen")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DataError("bad data"), 1),
        (UsageError("bad option"), 2),
        (BackendError("server"), 3),
        (LimitError("limit"), 4),
        (StorageError("disk"), 5),
        (RunLockedError("locked"), 75),
        (OSError(errno.ENOSPC, "No space left on device", "f.jsonl"), 5),
        (KeyboardInterrupt(), 130),
    ],
)
def test_each_error_has_its_message_and_code(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(error, monkeypatch)
    assert main(["show"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert code in EXIT_CODES


def test_every_problem_of_a_tool_file_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(ToolFileError([Problem("a.json:1:2", "broken", "mend it"), Problem("b.json#/x", "odd")]), monkeypatch)
    assert main(["show"]) == 2
    assert capsys.readouterr().err == "error: a.json:1:2: broken (mend it)\nerror: b.json#/x: odd\n"


def test_an_error_cannot_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(UsageError("tool \x1b[2J\x07 \u202e"), monkeypatch)
    main(["show"])
    assert capsys.readouterr().err == "error: tool \\x1b[2J\\x07 \\u202e\n"


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    raising(ZeroDivisionError("a bug"), monkeypatch)
    with pytest.raises(ZeroDivisionError):
        main(["show"])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently there")
def test_a_reader_that_leaves_gets_no_traceback(tmp_path: Path) -> None:
    line = '{"messages":[{"role":"user","content":"' + "x" * 1000 + '"}],"tools":[]}\n'
    (tmp_path / "many.jsonl").write_text(line * 2000)
    script = f'"{sys.executable}" -m generator show many.jsonl -n 2000 | head -n 1; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "141"
    assert done.stderr == ""


def test_the_program_runs_as_a_module_and_never_fails_on_an_encoding() -> None:
    done = run_toolgen("漢字", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert done.returncode == 2
    assert "\\u6f22\\u5b57" in done.stderr


def test_each_choice_of_the_commands_suggests() -> None:
    context = click.Context(shell.toolgen)
    for name in COMMANDS:
        command = shell.toolgen.get_command(context, name)
        assert command is not None
        plain = [p.name for p in command.params if isinstance(p.type, click.Choice) and not isinstance(p.type, Choice)]
        assert plain == []


@pytest.mark.parametrize(
    ("word", "found"),
    [("paralel", "did you mean parallel?"), ("SIMPLE", "did you mean simple?"), ("zzz", ""), ("", "")],
)
def test_suggestions(word: str, found: str) -> None:
    assert did_you_mean(word, ["simple", "parallel", "multiple"]) == found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nhere é 漢 😀", "plain\ttext\nhere é 漢 😀"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\rb\x7f\x9b", "a\\x0db\\x7f\\x9b"),
        ("\u2066x\u2069\ud800", "\\u2066x\\u2069\\ud800"),
    ],
)
def test_control_characters_become_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_the_entry_point_is_the_function_of_the_shell() -> None:
    assert 'toolgen = "generator.cli:main"' in (CHECKOUT / "pyproject.toml").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("closing", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "arguments",
    [
        "--version",
        pytest.param(f"tools {TOOLS}", marks=pytest.mark.slow),
        pytest.param(f"generate {TOOLS} --count 2 --json", marks=pytest.mark.slow),
    ],
    ids=["version", "tools", "generate"],
)
def test_any_closed_streams_are_no_error(tmp_path: Path, closing: str, arguments: str) -> None:
    command = f'exec "{sys.executable}" -m generator {arguments} {closing}'
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_run_needs_no_stream(tmp_path: Path) -> None:
    test_any_closed_streams_are_no_error(tmp_path, "<&- >&- 2>&-", f"generate {TOOLS} --count 2 --json")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs /dev/full")
@pytest.mark.parametrize("stream", [">", "2>"])
def test_streams_that_take_nothing_are_one_error(tmp_path: Path, stream: str) -> None:
    command = f'exec "{sys.executable}" -m generator generate {TOOLS} --count 2 --json {stream} /dev/full'
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 5
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--out", "--job"])
def test_an_empty_path_is_refused(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["generate", option, ""]) == 2
    assert list(tmp_path.iterdir()) == []
