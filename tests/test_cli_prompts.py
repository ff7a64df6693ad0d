"""`toolgen prompts show` and `generate --dry-run`: what would be sent, with nothing sent."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from shutil import copytree

import pytest

from generator.assets import asset_folder
from generator.cli import main

LLM = ("generate", "--author", "llm", "--model", "m", "--base-url", "http://alice:secret@127.0.0.1:9/v1?key=hidden")


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
    assert main(["prompts", "show", *arguments, "--json"]) == 0
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
    assert main(["prompts", "show", "draft", *mix]) == 0
    assert capsys.readouterr().out.startswith(f"[user]\n{draft['content'][:200]}")


def test_another_scenario_has_other_messages(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = ("--mix", "simple=1")
    shown = [messages(capsys, "draft", *mix, "--scenario", str(index))[0]["content"] for index in range(20)]
    assert len(set(shown)) == 20
    spoken = {line.split(" in an answer")[0] for text in shown for line in text.splitlines() if "might say" in line}
    assert len(spoken) > 5  # personas
    assert len({line for text in shown for line in text.splitlines() if line.startswith("- The message is in")}) > 5


def test_a_step_of_a_conversation_is_shown(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = ("--mix", "coreference=1")
    (later,) = messages(capsys, "draft", *mix, "--step", "2")
    assert "The conversation so far" in later["content"]
    assert "The conversation so far" not in messages(capsys, "draft", *mix)[0]["content"]
    assert main(["prompts", "show", "draft", *mix, "--step", "1"]) == 2
    assert "not draft in step 1" in capsys.readouterr().err


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
    assert main(["prompts", "show", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--author", "llm"], "give --model"),
        (["--author", "llm", "--model", "m"], "no API key: set the environment variable OPENAI_API_KEY"),
        (["--author", "llm", "--model", "m", "--base-url", "localhost:8000"], "give one like http://"),
        (["--author", "llm", "--model", "m", "--base-url", "http://[::1"], "the base URL '***' is none"),
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


def test_the_question_for_a_result_schema_is_of_a_tool(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = [{"name": name, "description": f"Find {name}.", "parameters": {}} for name in ("rooms", "cars")]
    Path("tools.json").write_text(json.dumps(bare))
    (first,) = messages(capsys, "results", "tools.json")
    assert "Find rooms." in first["content"]
    (second,) = messages(capsys, "results", "tools.json", "--tool", "cars")
    assert "Find cars." in second["content"]
    assert '{"result_schema"' in second["content"]
    assert main(["prompts", "show", "results", "tools.json", "--tool", "car"]) == 2
    assert "did you mean cars?" in capsys.readouterr().err
    assert main(["prompts", "show", "results"]) == 2
    assert "every tool has its result schema" in capsys.readouterr().err
