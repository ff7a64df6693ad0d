"""`toolgen kinds` lists the kinds with examples, and explains one over a user's own tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.cli import main
from generator.kinds import DEFAULT_MIX, KINDS
from generator.scenarios.phrases import phrases

ONE_TOOL = {
    "name": "toggle_lamp",
    "description": "Switch the lamp on the porch on or off.",
    "inputSchema": {
        "type": "object",
        "properties": {"on": {"type": "boolean", "description": "Whether it is on."}},
        "required": ["on"],
    },
}


@pytest.fixture
def lamp(tmp_path: Path) -> str:
    path = tmp_path / "lamp.json"
    path.write_text(json.dumps({"tools": [ONE_TOOL]}), "utf-8")
    return str(path)


def test_every_kind_is_listed_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kinds"]) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    assert [block.partition(" (")[0] for block in blocks] == list(KINDS)
    for block, kind in zip(blocks, KINDS, strict=True):
        head, _, example = block.partition("\n  user: ")
        lines = [" ".join(head.split()), *f"  user: {example}".replace("\n    ", " ").splitlines()]
        assert KINDS[kind].summary in lines[0]
        assert ("%" in lines[0]) is (kind in DEFAULT_MIX)
        assert lines[1].startswith("  user: ")
        assert lines[-1].startswith("  assistant: ")
        refused = any(f"  user: {said}" in lines for said in phrases()["confirmation"]["no"])
        assert ("  call: " in block) is (KINDS[kind].calls and not refused)


@pytest.mark.slow
def test_the_list_is_data_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kinds", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in entries] == list(KINDS)
    assert all(entry["example"]["metadata"]["kind"] == entry["name"] for entry in entries)


ONE_OF_EACH_FAMILY = ("simple", "irrelevance", "multi_turn", "profile", "ambiguous", "nested", "partial_failure")


@pytest.mark.parametrize(
    "kind", [kind if kind in ONE_OF_EACH_FAMILY else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
)
def test_a_kind_is_explained_with_three_records(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kinds", kind]) == 0
    text = capsys.readouterr().out
    assert " ".join(text.split()).startswith(f"{kind}: {KINDS[kind].summary}")
    assert "\nBlueprint: " in text
    assert "\nCheck: " in text
    assert text.count(f"kind {kind}") == 3


def test_what_tools_cannot_serve_is_told(lamp: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kinds", "multiple", lamp]) == 0
    assert "cannot serve it: it needs two tools that may be shown together" in capsys.readouterr().out
    assert main(["kinds", "simple", lamp]) == 0
    assert "toggle_lamp" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"), [(["simpel"], "did you mean simple"), (["simple", "nowhere.json"], "nowhere.json")]
)
def test_a_wrong_name_is_told(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kinds", *arguments]) == 2
    assert message in capsys.readouterr().err
