"""Nothing from outside steers a screen or the log of a CI, whichever command prints it and from wherever it comes."""

from __future__ import annotations

import ast
import json
import logging
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cli import main, screen, terminal
from generator.cli.terminal import printable, printable_json, without_controls
from generator.jsontext import dump_compact
from tests.checkout import CHECKOUT
from tests.readmes import make_desk
from tests.record_examples import Json, simple

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\U000e0000-\U000e007f]")
COMMAND = re.compile(r"(?m)^\s*::|##\[|##vso\[|##teamcity\[")
HOSTILE = (
    "\n::error::mine\n ::add-mask::x \x1b]8;;http://evil\x1b\\link\x07 \x9b2J \u202egpj.exe "
    "##[add-path]/x ##vso[a]\r \u2028"
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::mine", r"\x3a:error::mine"),
        ("a\n  ::stop-commands::x", "a\n  \\x3a:stop-commands::x"),
        ("std::vector<a::b>", "std::vector<a::b>"),
        ("at 12:30: ##[error] and ##vso[x]", r"at 12:30: \x23#[error] and \x23#vso[x]"),
        ("# title ## part [1]", "# title ## part [1]"),
        ("\x1b]8;;http://evil\x07", r"\x1b]8;;http://evil\x07"),
        ("gpj\u202e\u2028\U000e0041\ud800", r"gpj\u202e\u2028\U000e0041\ud800"),
    ],
)
def test_what_would_be_obeyed_is_shown(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.sampled_from(": \n\t#[av\x1b\x9b\u202e\U000e0041")))
def test_no_text_steers(text: str) -> None:
    shown = printable(text)
    assert not STEERING.search(shown)
    assert not COMMAND.search(shown)
    assert not STEERING.search(without_controls(text))


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_says_the_same(value: Any) -> None:
    written = printable_json(dump_compact(value))
    assert not STEERING.search(written)
    assert not COMMAND.search(written)
    assert json.loads(written) == value


def test_every_command_prints_through_the_terminal() -> None:
    """`click.echo` and `print` are called in one place, so that nothing is printed as it came."""
    for path in (CHECKOUT / "generator" / "cli").rglob("*.py"):
        calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        printing = {ast.unparse(call) for call in calls} & {"click.echo", "click.secho", "print", "sys.stdout.write"}
        assert not printing or path.name == "terminal.py", f"{path}: {printing}"


def hostile_tool() -> Json:
    parameters = {"type": "object", "properties": {f"city{HOSTILE}": {"type": "string", "description": HOSTILE}}}
    return {
        "name": f"get{HOSTILE}",
        "description": f"Gets {HOSTILE}.",
        "parameters": parameters,
        f"x{HOSTILE}": HOSTILE,
    }


def hostile_record() -> Json:
    record = simple()
    for message in record["messages"]:
        if "tool_calls" in message:
            message["tool_calls"][0]["function"]["arguments"][HOSTILE] = HOSTILE
            message["tool_calls"][0]["id"] = HOSTILE
        else:
            message["content"] += HOSTILE
    record["tools"][0]["function"]["description"] += HOSTILE
    record["metadata"].update({"kind": HOSTILE, "author": HOSTILE, HOSTILE: HOSTILE})
    return record


COMMANDS: dict[str, Callable[[str, str], list[str]]] = {
    "tools": lambda tools, records: ["tools", tools],
    "tools, going on": lambda tools, records: ["tools", tools, "--skip-invalid"],
    "tools as JSON": lambda tools, records: ["tools", tools, "--skip-invalid", "--json"],
    "generate": lambda tools, records: ["generate", tools],
    "generate by a job": lambda tools, records: ["generate", "--job", tools],
    "validate": lambda tools, records: ["validate", records],
    "validate with tools": lambda tools, records: ["validate", records, "--tools", tools],
    "validate as written": lambda tools, records: ["validate", records, "--mode", "written"],
    "validate as JSON": lambda tools, records: ["validate", records, "--json"],
    "validate as SARIF": lambda tools, records: ["validate", records, "--sarif"],
    "show": lambda tools, records: ["show", records],
    "show no record": lambda tools, records: ["show", tools],
    "show a kind": lambda tools, records: ["show", records, "--kind", HOSTILE],
    "show a tool": lambda tools, records: ["show", records, "--tool", HOSTILE, "--text", HOSTILE],
    "show a text": lambda tools, records: ["show", records, "--text", "\x1b"],
    "domain": lambda tools, records: ["domain", "--list", tools],
    "domain of itself": lambda tools, records: ["domain", "--check", tools, tools],
    "domain as JSON": lambda tools, records: ["domain", "--list", tools, "--json"],
    "kinds of tools": lambda tools, records: ["kinds", "simple", tools, "--skip-invalid"],
    "prompts": lambda tools, records: ["prompts", "show", "draft", tools],
    "fix": lambda tools, records: ["fix", records, "--diff", "--unsafe"],
    "convert": lambda tools, records: ["convert", tools, "--to", "openai"],
    "convert to a file": lambda tools, records: ["convert", records, "--to", "openai", "-o", f"{records}.out"],
    "export": lambda tools, records: ["export", records, "--format", "openai", "-o", f"{records}.out"],
    "rule": lambda tools, records: ["rule", HOSTILE],
    "rules": lambda tools, records: ["rules", "--select", HOSTILE],
    "kinds": lambda tools, records: ["kinds", HOSTILE],
    "no command": lambda tools, records: [HOSTILE],
    "no option": lambda tools, records: ["validate", f"--{HOSTILE}"],
    "no choice": lambda tools, records: ["validate", records, "--format", HOSTILE],
    "no file": lambda tools, records: ["validate", HOSTILE],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_lets_a_file_steer(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / HOSTILE.replace("/", "-")
    folder.mkdir()
    tools, records = folder / "a\u202enosj.json", folder / "b\x1b[2J.jsonl"
    tools.write_text(json.dumps([hostile_tool()]))
    records.write_text(json.dumps(hostile_record()) + "\n")
    main(COMMANDS[name](str(tools), str(records)))
    out, err = capfd.readouterr()
    assert out + err
    for shown in (out, err):
        assert not STEERING.search(shown), ascii(shown)
        assert not COMMAND.search(shown), ascii(shown)


def test_annotations_are_the_only_commands(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / f"b{HOSTILE.replace('/', '-')}.jsonl"
    records.write_text(json.dumps(hostile_record()) + "\n")
    assert main(["validate", str(records), "--github", "--mode", "written"]) == 1
    out = capfd.readouterr().out
    assert not STEERING.search(out)
    for line in out.splitlines():
        assert re.match(r"::(error|warning) file=[^,:]*,line=1,title=[A-Z0-9]+::[A-Z0-9]+ |::notice title=", line)
        assert "##[" not in line
        assert "##vso[" not in line


def test_a_name_that_is_no_unicode_is_told_in_every_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    records = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")
    Path(records).write_text(json.dumps(hostile_record()) + "\n")
    for report in ("--json", "--sarif", "--github", "--statistics"):
        assert main(["validate", records, report]) == 1
        out = capfd.readouterr().out
        assert "ff.jsonl" in out.lower() or report == "--statistics"


def test_records_are_escaped_on_a_terminal_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = tmp_path / "a.jsonl"
    record = simple()
    record["messages"][1]["content"] = HOSTILE
    records.write_text(json.dumps(record, ensure_ascii=False) + "\n")
    command = ["convert", str(records), "--to", "trl"]
    main(command)
    piped = capfd.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(command)
    shown = capfd.readouterr().out
    assert STEERING.search(piped)
    assert not STEERING.search(shown)
    assert json.loads(piped) == json.loads(shown)


def test_what_modules_log_is_escaped(capfd: pytest.CaptureFixture[str]) -> None:
    main(["--version"])
    logging.getLogger("generator.authors.llm.response_formats").warning("the server refuses (%s)", HOSTILE)
    err = capfd.readouterr().err
    assert err.startswith("warning: the server refuses (")
    assert err.count("\n") == 1
    assert not STEERING.search(err)
    assert not COMMAND.search(err)


@pytest.mark.parametrize(
    "command",
    [
        ["tools", "{}"],
        ["tools", "{}", "--json"],
        ["tools", "{}", "--on-conflict", "source"],
        ["tools", "{}", "--to", "mcp"],
        ["kinds", "simple", "{}"],
        ["generate", "{}", "--dry-run"],
        ["generate", "--count", "1", "--out", "run", "{}"],
        ["export", "{}", "--format", "hf", "-o", "{}.hf"],
        ["validate", "{}", "--tools", "{}"],
        ["fix", "{}", "-o", "{}.jsonl"],
    ],
)
def test_a_name_that_is_no_unicode_is_no_bug(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"\xff.json")
    parameters = {"type": "object", "properties": {"city": {"type": "string", "description": "Name of a city"}}}
    Path(name).write_text(
        json.dumps({"name": "get_weather", "description": "Gets the weather of a city.", "parameters": parameters})
    )
    assert main([word.replace("{}", name) for word in command]) in (0, 1, 2)
    out, err = capfd.readouterr()
    (out + err).encode()


SHOWN = [
    "tools my_tools.json", "tools my_tools.json --verbose", "domain --check my_tools.domain.yaml my_tools.json",
    "domain --list my_tools.json", "validate run", "validate bad.jsonl", "rules", "rule TC101", "help",
    "fix run -o fixed.jsonl", "kinds parallel my_tools.json", "show run -n 5", "export run --format trl -o out.jsonl",
    "export run --trainer axolotl -o out.jsonl", "convert run --to openai -o out.jsonl",
    "generate my_tools.json --count 30 --dry-run", "generate my_tools.json --count 12 --seed 3 --out other{columns}",
    "generate my_tools.json --mix parallell=1", "init my_tools.json -o {columns}.toml", "export run --format nonsense",
]  # fmt: skip
"""What people look at on a terminal; the help of options is laid out by click."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the first page, a run, and records of which one is broken."""
    folder = make_desk(tmp_path_factory.mktemp("narrow"))
    tools, run = str(folder / "my_tools.json"), str(folder / "run")
    assert main(["generate", tools, "--count", "12", "--out", run, "--quiet"]) == 0
    records = (folder / "run" / "records.jsonl").read_text().splitlines()
    (folder / "bad.jsonl").write_text("\n".join([records[0], records[1].replace('"id": "', '"id": "_'), "{"]))
    return folder


@pytest.mark.parametrize("command", SHOWN)
def test_a_narrow_terminal_breaks_lines_between_words_and_loses_none(
    command: str, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
    for module in (terminal, screen):
        monkeypatch.setattr(module, "is_terminal", lambda *, err=False: True)
    monkeypatch.setenv("NO_COLOR", "1")
    words = {}
    for columns in (60, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(command.format(columns=columns).split()) in (0, 1, 2)
        told = "".join(capsys.readouterr())
        assert [line for line in told.splitlines() if len(line) > columns and breakable(line, columns)] == []
        alike = told.replace(f"other{columns}", "other").replace(f"{columns}.toml", "")
        words[columns] = set(re.findall(r"\w+", alike))
    assert words[120] - words[60] <= {"tool"}, "the heading of the first column alone is left out of a list of entries"


def breakable(line: str, columns: int) -> bool:
    """Say whether a line could be broken: what is to be copied, a command or a long word, is left whole."""
    return "toolgen " not in line and max(map(len, line.split())) <= columns // 2
