"""Completion: what shells are told, as fast as TAB wants it, and what real shells make of it."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.cli import main
from generator.cli.completion import START_LINES
from generator.formats.recognition import WRITTEN
from generator.kinds import KINDS
from tests import completion_table
from tests.checkout import environment, run_python

COMMAND = f'"{sys.executable}" -m generator'


def completed(line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is offered at the end of a line."""
    words = line.split(" ")
    monkeypatch.setenv("_TOOLGEN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line.replace("=", " = ") if "=" in line else line)
    monkeypatch.setenv("COMP_CWORD", str(len(os.environ["COMP_WORDS"].split()) - (words[-1] != "")))
    assert main([]) == 0
    return list(filter(None, capsys.readouterr().out.splitlines()))


def test_what_is_completed_is_what_the_commands_declare() -> None:
    assert completion_table.TABLE.read_text(encoding="utf-8") == completion_table.text(), (
        "python -m tests.completion_table"
    )


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("toolgen val", ["plain,validate"]),
        ("toolgen show runs/mine --kind parallel_", ["plain,parallel_multiple"]),
        ("toolgen kinds parallel_", ["plain,parallel_multiple"]),
        ("toolgen generate --kin", []),
        ("toolgen show runs/mine --kin", ["plain,--kind"]),
        ("toolgen rule df00", [f"plain,DF00{n}" for n in range(1, 10)]),
        ("toolgen validate x --select TC101,TC10", [f"plain,TC101,TC10{n}" for n in range(1, 10)]),
        ("toolgen export x --format oth", []),
        ("toolgen export x --format tr", ["plain,trl"]),
        ("toolgen export x --format=tr", ["plain,trl"]),
        ("toolgen generate --mix simple=1,parallel_", ["plain,1,parallel_multiple="]),
        ("toolgen generate --locale en_US,de_D", ["plain,en_US,de_DE"]),
        ("toolgen generate my", ["file,my"]),
        ("toolgen generate --job my", ["file,my"]),
        ("toolgen generate --count ", []),
        ("toolgen prompts show domain/w", ["plain,domain/world"]),
        ("toolgen completion b", ["plain,bash"]),
        ("toolgen frobnicate --x", []),
        ("toolgen generate --frobnicate 3 --author o", ["plain,offline"]),
    ],
)
def test_words_are_completed(
    line: str, offered: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = completed(line, capsys, monkeypatch)
    assert [one for one in offered if one not in found] == []
    assert bool(found) == bool(offered)


def test_every_kind_and_format_is_offered(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed("toolgen show x --kind ", capsys, monkeypatch) == [f"plain,{kind}" for kind in KINDS]
    assert {f"plain,{name}" for name in WRITTEN} <= set(completed("toolgen export x --format ", capsys, monkeypatch))


@pytest.mark.parametrize("shell", START_LINES)
def test_the_script_tells_its_line_for_the_start_file(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out, err = capsys.readouterr()
    file, line = START_LINES[shell]
    assert f"# In {file}: {line}" in out.splitlines()[:2]
    assert "_TOOLGEN_COMPLETE" in out
    assert err == ""


def test_no_such_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fsh"]) == 2
    assert "did you mean fish?" in capsys.readouterr().err


def test_a_shell_waits_for_nothing_of_the_product() -> None:
    program = "import sys; from generator.cli import main; code = main([]); print(*sys.modules, file=sys.stderr)"
    asked = {"_TOOLGEN_COMPLETE": "zsh_complete", "COMP_WORDS": "toolgen show x --kind ", "COMP_CWORD": "4"}
    done = run_python("-c", program, **asked)
    assert done.stdout.startswith("plain\nsimple\n")
    loaded = {name for name in done.stderr.split() if name.startswith("generator.")}
    assert loaded - {name for name in loaded if name.startswith("generator.cli")} <= {
        "generator.assets", "generator.errors", "generator.suggestions", "generator.version",
    }  # fmt: skip
    assert not {"pydantic", "rich", "faker", "jsonschema", "orjson"} & set(done.stderr.split())


@pytest.mark.slow
def test_an_answer_takes_less_than_a_fifth_of_a_second_of_the_machine() -> None:
    """The time of the processor, of the fastest of several: how busy the machine is says nothing."""
    asked = {"_TOOLGEN_COMPLETE": "bash_complete", "COMP_WORDS": "toolgen validate x --select T", "COMP_CWORD": "4"}
    spent = []
    for _ in range(5):
        before = os.times()
        assert run_python("-m", "generator", **asked).returncode == 0
        after = os.times()
        spent.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(spent) < 0.2


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a `toolgen` on the path, which says how it was called unless a shell asks it."""
    script = tmp_path / "bin" / "toolgen"
    script.parent.mkdir()
    script.write_text(
        "#!/bin/sh\n"
        f'if [ -n "$_TOOLGEN_COMPLETE" ] || [ "$1" = completion ]; then exec {COMMAND} "$@"; fi\n'
        'echo "CALLED: $*."\n'
    )
    script.chmod(0o700)
    (tmp_path / "my_tools.json").write_text("[]")
    return tmp_path


def surroundings(desk: Path) -> dict[str, str]:
    path = f"{desk / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return environment(PATH=path, HOME=str(desk), TERM="dumb", PS1="READY> ", ZDOTDIR=str(desk))


def typed(shell: list[str], lines: list[str], desk: Path) -> str:
    """What a shell prints on a terminal when these lines are typed, one after the prompt of another."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        shell, stdin=slave, stdout=slave, stderr=slave, env=surroundings(desk), cwd=desk, start_new_session=True
    )
    os.close(slave)
    try:
        return "".join(answered(master, line) for line in ["", *lines])
    finally:
        process.kill()
        process.wait()
        os.close(master)


def answered(master: int, line: str) -> str:
    """Type a line, its completion first, and read to the next prompt."""
    before, tab, after = line.partition("\t")
    printed = ""
    if tab:
        os.write(master, f"{before}\t".encode())
        printed = read_until(master, lambda text: len(text) > len(before) + 1)
        os.write(master, f"{after}\n".encode())
    elif line:
        os.write(master, f"{line}\n".encode())
    return printed + read_until(master, lambda text: is_prompted(text) and (not line or "\n" in text))


def is_prompted(text: str) -> bool:
    return "READY> " in text.rpartition("\n")[2]


def read_until(master: int, is_enough: Callable[[str], bool], seconds: float = 240) -> str:
    deadline, printed = time.monotonic() + seconds, ""
    while not is_enough(printed) and time.monotonic() < deadline:
        if select.select([master], [], [], 0.1)[0]:
            printed += os.read(master, 65536).decode(errors="replace")
    return printed


LINES = {
    "toolgen show x --kind parallel_m\t": "CALLED: show x --kind parallel_multiple.",
    "toolgen export x --format tr\t": "CALLED: export x --format trl.",
    "toolgen tools my_t\t": "CALLED: tools my_tools.json.",
}
SHELLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_what_is_typed(shell: str, desk: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    (desk / ".zshrc").touch()
    lines = [START_LINES[shell][1], *LINES]
    printed = typed(SHELLS[shell], lines, desk)
    assert [called for called in LINES.values() if called not in printed] == [], printed


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes_what_is_typed(desk: Path) -> None:
    script = START_LINES["fish"][1] + "; for line in $argv; complete -C $line; end"
    asked = [
        "toolgen show x --kind parallel_m",
        "toolgen export x --format tr",
        "toolgen tools my_t",
        "toolgen rule TC101",
    ]
    done = subprocess.run(
        ["fish", "--no-config", "-c", script, *asked],
        env=surroundings(desk),
        cwd=desk,
        capture_output=True,
        text=True,
        check=False,
    )
    offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert offered == ["parallel_multiple", "trl", "my_tools.json", "TC101"], done
