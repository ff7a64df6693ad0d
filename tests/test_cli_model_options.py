"""The options of the llm author on the command line: whole runs against servers of every protocol, on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.backends.protocols import PROTOCOLS
from generator.cli import main
from generator.cli.model_options import model_options
from tests.checkout import CHECKOUT
from tests.faults.completion_processes import TOOLS, Served, served
from tests.faults.other_protocols import KEY

LIBRARY = [str(CHECKOUT / path) for path in TOOLS]
KEYS = {"ANTHROPIC_API_KEY": KEY, "AZURE_OPENAI_API_KEY": KEY, "OPENAI_API_KEY": "not-this-one"}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)


def run(out: Path, count: int, *options: str) -> int:
    job = ("--author", "llm", "--model", "m", "--seed", "3", "--mix", "simple=1")
    return main(["generate", *LIBRARY, *job, "--count", str(count), "--out", str(out), "--quiet", *options])


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]


def answers(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line)["answer"] for line in (out / "answers.jsonl").read_text().splitlines()]


def at(server: Served, path: str) -> tuple[str, str]:
    return ("--base-url", server.url.removesuffix("/v1") + path)


def test_every_protocol_can_be_asked_for() -> None:
    @model_options
    def command() -> None: ...

    (option,) = [each for each in command.__click_params__ if each.name == "protocol"]  # type: ignore[attr-defined] - click keeps options there until the command is made
    assert list(option.type.choices) == list(PROTOCOLS)


@pytest.mark.parametrize("path", ["", "/v1", "/v1/"])
def test_a_run_with_the_messages_api(tmp_path: Path, server: Served, path: str) -> None:
    out = tmp_path / "run"
    assert run(out, 4, "--protocol", "anthropic", *at(server, path), "--temperature", "0.5", "--keep-thoughts") == 0
    assert len(records(out)) == 4
    assert [answer["calls"][0]["name"] for answer in answers(out)] == ["submit"] * 8
    assert {answer["thoughts"] for answer in answers(out)} == {"Let me see."}
    assert json.loads((out / "summary.json").read_text())["tokens"]["prompt"] == 8 * 100
    assert KEY.encode() not in b"".join(path.read_bytes() for path in out.iterdir() if path.is_file())


def test_a_messages_server_without_tools_is_asked_for_text(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with served("--refuse", "tools") as server:
        assert run(out, 3, "--protocol", "anthropic", *at(server, "")) == 0
        assert server.requests <= 6 + 3
    assert all(answer.get("text") and "calls" not in answer for answer in answers(out))


def test_the_same_records_come_of_every_protocol(tmp_path: Path, server: Served) -> None:
    """Where the same is answered: the protocol is no part of the job."""
    ways = {
        "openai": ("--base-url", server.url),
        "azure": ("--protocol", "azure", *at(server, "/openai/v1")),
        "deployment": ("--protocol", "azure", *at(server, "/openai/deployments/d?api-version=2024-10-21")),
        "anthropic": ("--protocol", "anthropic", *at(server, "")),
    }
    for name, options in ways.items():
        assert run(tmp_path / name, 4, *options) == 0, name
    made = {name: (tmp_path / name / "records.jsonl").read_bytes() for name in ways}
    assert len(set(made.values())) == 1
    assert run(tmp_path / "azure", 6, *ways["anthropic"]) == 0


def test_azure_is_known_by_its_host(tmp_path: Path, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy on loopback stands for the way to Azure: it is sent the whole URL, and answers in Azure's place."""
    base = "http://name.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    for name, value in {"http_proxy": f"http://127.0.0.1:{server.port}", "no_proxy": "", "NO_PROXY": ""}.items():
        monkeypatch.setenv(name, value)
    out = tmp_path / "run"
    assert run(out, 2, "--base-url", base) == 0
    assert len(records(out)) == 2


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--protocol", "antropic"), 2, ["did you mean anthropic"]),
        (("--protocol", "anthropic", "--temperature", "1.5"), 3, ["refuses an option", "leave --temperature out"]),
        (("--protocol", "anthropic", "--reasoning-effort", "low"), 3, ["leave --reasoning-effort out"]),
        (("--protocol", "anthropic", "--extra-body", '{"top_k": 5}'), 3, ["leave 'top_k' of --extra-body out"]),
        (("--protocol", "anthropic", "--extra-body", '{"system": "x"}'), 2, ["'system' cannot be given"]),
        (("--protocol", "anthropic", "--api-key-env", "OPENAI_API_KEY"), 3, ["401", "the key in OPENAI_API_KEY"]),
        (("--protocol", "azure", "--api-key-env", "OPENAI_API_KEY"), 2, ["is no whole base URL"]),
    ],
)
def test_what_cannot_be_is_one_message(
    tmp_path: Path,
    server: Served,
    options: tuple[str, ...],
    code: int,
    words: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(tmp_path / "run", 2, *options, *at(server, "")) == code
    err = capsys.readouterr().err
    assert [word for word in words if word not in err] == []
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--temperature", "2.5"), "--temperature: it should be less than or equal to 2; 2.5 was given"),
        (("--top-p", "1.5"), "--top-p: it should be less than or equal to 1"),
        (("--max-output-tokens", "4"), "--max-output-tokens: it should be greater than or equal to 16"),
        (("--reasoning-effort", "mdium"), "did you mean medium"),
        (("--extra-body", "top_k=1"), "--extra-body: this is not JSON"),
        (("--extra-body", '{"messages": []}'), "--extra-body: 'messages' cannot be given"),
    ],
)
def test_bad_values_are_told_at_once(
    tmp_path: Path, options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "run", 2, "--base-url", "http://127.0.0.1:9/v1", *options) == 2
    assert message in capsys.readouterr().err
