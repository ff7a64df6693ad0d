"""`toolgen prompts show` and `generate --dry-run`: what would be sent, with nothing sent."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from shutil import copytree

import pytest

from generator.assets import asset_folder
from generator.cli import main
from tests.domain_examples import TOOLS, domain

READING = str(asset_folder("tool_specs") / "reading.json")
LLM = (
    "generate",
    READING,
    "--author",
    "llm",
    "--model",
    "m",
    "--base-url",
    "http://alice:secret@127.0.0.1:9/v1?key=hidden",
)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder of the test's own, in a world without a network."""

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("something was sent")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    return tmp_path


def messages(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    capsys.readouterr()
    tools = () if "library.json" in arguments else (READING,)
    assert main(["prompts", "show", *arguments, *tools, "--json"]) == 0
    return list(json.loads(capsys.readouterr().out))


def test_a_dry_run_tells_requests_tokens_and_the_first_messages(
    nowhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*LLM, "--count", "50", "--dry-run", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)["llm"]
    assert plan["requests"] >= 100
    assert 50 * 100 < plan["estimated_prompt_tokens"] < 50 * 5000
    assert plan["messages"] == messages(capsys, "draft", "--scenario", "0")
    assert list(nowhere.iterdir()) == []


def test_a_dry_run_tells_no_secret(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LLM, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "http://***@127.0.0.1:9/v1?***" in out
    assert "secret" not in out
    assert "hidden" not in out
    assert "nothing was sent" in out


def test_the_messages_of_every_prompt_are_shown(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = ("--mix", "parallel=1")
    (draft,) = messages(capsys, "draft", *mix)
    assert "none may need the result of another" in draft["content"]
    (reply,) = messages(capsys, "reply", *mix)
    assert "What the tools answered" in reply["content"]
    assert messages(capsys, "repair", *mix)[0] == draft
    (irrelevance,) = messages(capsys, "irrelevance", "--mix", "irrelevance=1")
    assert "none of the tools below could serve it" in irrelevance["content"]
    assert main(["prompts", "show", "draft", *mix, READING]) == 0
    assert capsys.readouterr().out.startswith(f"[user]\n{draft['content'][:200]}")


def test_what_is_asked_of_written_records_is_shown(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = ("--mix", "parallel=1")
    (judge,) = messages(capsys, "verify/judge", *mix)
    (blind,) = messages(capsys, "verify/blind", *mix)
    (results,) = messages(capsys, "results", *mix)
    assert "\nassistant: " in judge["content"] and "\nresult: " in judge["content"]
    assert "\nuser: " in blind["content"] and "\ncall: " not in blind["content"]
    assert "\n2. " in results["content"] and "Write what each call returns" in results["content"]
    assert main(["prompts", "show", "verify/blind", "--mix", "irrelevance=1", READING]) == 2
    assert "no call is made in that step" in capsys.readouterr().err


def test_another_scenario_has_other_messages(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = ("--mix", "simple=1")
    shown = [messages(capsys, "draft", *mix, "--scenario", str(index))[0]["content"] for index in range(10)]
    assert len(set(shown)) == 10
    spoken = {line.split(".")[0] for text in shown for line in text.splitlines() if " writes to the assistant" in line}
    assert len(spoken) > 3  # personas
    assert len({line for text in shown for line in text.splitlines() if line.startswith("- The message is in")}) > 3


def test_a_step_of_a_conversation_is_shown(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = ("--mix", "coreference=1")
    (later,) = messages(capsys, "draft", *mix, "--step", "2")
    assert "The conversation so far" in later["content"]
    assert "The conversation so far" not in messages(capsys, "draft", *mix)[0]["content"]
    assert main(["prompts", "show", "draft", *mix, "--step", "1", READING]) == 2
    assert "not draft in step 1" in capsys.readouterr().err


def test_calls_that_follow_are_shown_where_the_model_finds_its_own_values(
    nowhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mix = ("--mix", "nested=1", "--seed", "3")
    (draft,) = messages(capsys, "draft", *mix)
    (following,) = messages(capsys, "continue", *mix)
    assert "The calls that follow when those are answered, and which you give then." in draft["content"]
    assert "\nresult: " in following["content"] and "These calls" not in following["content"]
    assert main(["prompts", "show", "continue", *mix, "--freedom", "plan", READING]) == 2
    assert "its prompts are draft in step 0, reply in step 2 and repair, not continue" in capsys.readouterr().err
    (planned,) = messages(capsys, "draft", *mix, "--freedom", "plan")
    assert "The calls to make now, exactly as they are here" in planned["content"]


def test_prompts_of_ones_own_are_shown(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copytree(asset_folder("prompts"), nowhere / "mine")
    (nowhere / "mine" / "draft.md").write_text("As {{ persona }}: {{ calls | json }}")
    (shown,) = messages(capsys, "draft", "--prompts", "mine", "--mix", "simple=1")
    assert shown["content"].startswith("As ")
    assert list((nowhere / "mine").iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["drft"], "did you mean draft"),
        (["irrelevance", "--mix", "simple=1"], "its prompts are draft in step 0, reply in step 1 and repair"),
        (["draft", "--prompts", "nowhere"], "nowhere/draft.md: the prompt cannot be read"),
        (["draft", "--mix", "simpel=1"], "simple"),
    ],
)
def test_what_cannot_be_shown_is_told(
    nowhere: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["prompts", "show", *arguments, READING]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--author", "llm"], "give --model"),
        (["--author", "llm", "--model", "m"], "no API key: set the environment variable OPENAI_API_KEY"),
        (["--author", "llm", "--model", "m", "--base-url", "localhost:8000"], "give one like http://"),
        (["--author", "llm", "--model", "m", "--base-url", "http://[::1"], "'http://[::1' is no base URL"),
        (["--author", "llm", "--model", "m", "--base-url", "http://x/v1", "--attempts", "0"], "attempts"),
    ],
)
def test_what_cannot_be_started_is_told_at_once(
    nowhere: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["generate", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(nowhere.iterdir()) == []


@pytest.fixture
def library(nowhere: Path) -> Path:
    (nowhere / "library.json").write_text(json.dumps(TOOLS))
    return nowhere


ASKED = {
    "domain/world": "the world of these tools",
    "domain/tools": "what these tools do and how people ask for it",
    "domain/tasks": "tasks of several calls, and wishes that cannot be served",
    "domain/review": "read what comes of it, and mend it",
}


@pytest.mark.parametrize("name", ASKED)
def test_the_questions_for_a_domain_are_shown_for_the_tools_given(
    library: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (bare,) = messages(capsys, name, "library.json")
    assert f"# Your task: {ASKED[name]}" in bare["content"]
    (library / "library.domain.json").write_text(json.dumps(domain()))
    (known,) = messages(capsys, name, "library.json")
    assert ("renew_loan" in known["content"].rpartition("# Your task")[2]) is True
    if name == "domain/world":
        assert known == bare
    else:
        assert "Loans of a public library." in known["content"]
        assert "Loans of a public library." not in bare["content"].rpartition("# Your task")[2]
    if name == "domain/review":
        assert "\nuser: " in known["content"] and "call renew_loan" in known["content"]


def test_a_domain_prompt_of_ones_own_is_shown(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copytree(asset_folder("prompts"), library / "mine")
    (library / "mine" / "domain" / "world.md").write_text("Of {{ tools | length }} tools.")
    assert messages(capsys, "domain/world", "library.json", "--prompts", "mine")[0]["content"] == "Of 2 tools."
