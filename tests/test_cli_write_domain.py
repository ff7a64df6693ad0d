"""`toolgen domain TOOLS --model M -o FILE` against a real server on loopback: what it says, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.cli import main
from tests.domain_examples import TOOLS
from tests.faults.completion_processes import Served, served


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library.json").write_text(json.dumps(TOOLS))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], server: Served, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    asking = ("--model", "m", "--base-url", server.url)
    code = main(["domain", "library.json", *asking, *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


OUT = ("-o", "library.domain.yaml")


def test_a_domain_is_written_and_can_be_checked_and_used(
    library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, server, *OUT)
    assert (code, out.splitlines()) == (
        0,
        ["written     library.domain.yaml: 2 of 2 tools, 5 questions", "answers     library.answers.jsonl"],
    )
    assert err.splitlines() == [
        "asking for the world",
        "asking for list_loans, renew_loan",
        "asking for list_loans, renew_loan (read again)",
        "asking for tasks",
        "asking for tasks (read again)",
    ]
    assert main(["domain", "--check", "library.domain.yaml", "--rounds", "4", "--fewest", "2"]) == 0
    assert main(["domain", "--list", "library.json", "--rounds", "2", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out.partition("\n[")[2].join(["[", ""]))
    assert {each["origin"] for each in listed} == {"model"}
    before = server.requests
    assert run(capsys, server, *OUT)[1].startswith("written     library.domain.yaml: 2 of 2 tools, 0 questions")
    assert server.requests == before


def test_a_dry_run_tells_the_cost_and_asks_and_writes_nothing(
    library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = server.requests
    code, out, _ = run(capsys, server, *OUT, "--dry-run")
    told = json.loads(out)
    assert (code, told["requests"], server.requests) == (0, 5, before)
    assert told["estimated_prompt_tokens"] > 5 * 1000
    assert told["estimated_completion_tokens"] > 0
    assert [path.name for path in library.iterdir()] == ["library.json"]


def test_a_server_that_refuses_ends_it_with_3(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served("--fault", "401") as refusing:
        code, _, err = run(capsys, refusing, *OUT)
    assert code == 3
    assert "HTTP 401" in err and "Traceback" not in err


def test_a_limit_ends_it_with_4_and_the_same_command_goes_on(
    library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = server.requests
    code, _, err = run(capsys, server, *OUT, "--max-requests", "2")
    assert (code, server.requests - before) == (4, 2)
    assert "--max-requests 2 is reached" in err
    assert (library / "library.domain.yaml").exists()
    code, out, _ = run(capsys, server, *OUT)
    assert (code, server.requests - before) == (0, 5)
    assert "2 of 2 tools" in out


def test_a_model_that_answers_nothing_usable_ends_it_with_1_and_says_of_which_tools(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served("--fault", "refusal", "--share", "1") as refusing:
        code, out, err = run(capsys, refusing, *OUT, "--attempts", "2")
        assert refusing.requests == 2
    assert code == 1
    assert "note: the world: no answer could be used" in out
    assert "no domain for list_loans, renew_loan" in err
    assert "move library.answers.jsonl away" in err
    assert not (library / "library.domain.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give the file to write: -o"),
        ((*OUT, "--check", "x.yaml"), "give one of"),
        ((*OUT, "--max-cost", "5"), "--price-in"),
        ((*OUT, "--attempts", "0"), "--attempts"),
        ((*OUT, "--temperature", "3"), "--temperature: it should be less than or equal to 2; 3.0 was given"),
        ((*OUT, "--temperature", "hot"), "'hot' is not a valid float"),
        ((*OUT, "--top-p", "0"), "--top-p: it should be greater than 0"),
        ((*OUT, "--max-output-tokens", "1"), "--max-output-tokens: it should be greater than or equal to 16"),
        ((*OUT, "--reasoning-effort", "hihg"), "did you mean high"),
        ((*OUT, "--extra-body", "{"), "--extra-body: this is not JSON"),
        ((*OUT, "--extra-body", '{"stream": true}'), "--extra-body: 'stream' cannot be given"),
        ((*OUT, "--extra-body", '{"top_p": 1}'), "--extra-body: 'top_p' has its own option: give --top-p"),
        ((*OUT, "--answers", "run"), "--answers is for runs"),
        ((*OUT, "--prompts", "nowhere"), "nowhere/draft.md: the prompt cannot be read"),
        ((*OUT, "--base-url", "localhost:1"), "give one like http://"),
        ((*OUT, "nowhere.json"), "nowhere.json"),
        (("-o", "bad.yaml"), "bad.yaml:2#/tools/lend: unknown tool 'lend'"),
        (("-o", "bad.yaml", "--dry-run"), "bad.yaml:2#/tools/lend: unknown tool 'lend'"),
        (("-o", "."), "it is no regular file"),
    ],
)
def test_bad_input_is_told_at_once(
    library: Path, server: Served, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    (library / "bad.yaml").write_text("tools:\n  lend: {can: lend}\n")
    before = server.requests
    code, out, err = run(capsys, server, *arguments)
    assert (code, server.requests) == (2, before), (out, err)
    assert message in err
    assert "Traceback" not in err
    assert {path.name for path in library.iterdir()} == {"library.json", "bad.yaml"}


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(
    library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = server.requests
    code, _, err = run(capsys, server, "-o", "no/such/folder/library.domain.yaml")
    assert (code, server.requests) == (5, before)
    assert "no/such/folder" in err and "Traceback" not in err
