"""`toolgen validate --format` of what is no record: one value in each line, from any source, told like records."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.cli import main
from generator.validation.entities import ENTITIES
from tests.entity_examples import VALID, copied

Json = Any  # parsed JSON


def written(path: Path, *values: Json) -> Path:
    path.write_bytes(b"".join(orjson.dumps(value) + b"\n" for value in values))
    return path


def violations(capsys: pytest.CaptureFixture[str]) -> list[Json]:
    return [orjson.loads(line) for line in capsys.readouterr().out.splitlines()]


def slightly_odd(form: str) -> Json:
    """A value in which only a warning is found."""
    value = copied(VALID[form][0])
    if form == "openai-stream":
        value[1]["model"] = "another"
    elif form == "openai-request":
        value["temperature"] = 2.5
    elif form == "openai-response":
        del value["usage"]
    else:
        part = value if form == "adm-tool" else value[form.removeprefix("adm-")]
        part["unknown"] = 1
    return value


@pytest.mark.parametrize("form", list(ENTITIES))
def test_values_are_checked_line_by_line(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "values.jsonl", *VALID[form])
    assert main(["validate", str(path), "--format", form]) == 0
    with path.open("ab") as file:
        file.write(b"not json\n5\n")
    capsys.readouterr()
    assert main(["validate", str(path), "--format", form, "--json"]) == 1
    *found, last = violations(capsys)
    count = len(VALID[form])
    assert {each["line"] for each in found} == {count + 1, count + 2}
    assert all(each["severity"] in ("error", "warning") for each in found)
    assert last["summary"]["records"] == count + 2


@pytest.mark.parametrize("form", list(ENTITIES))
def test_warnings_alone_are_good_but_with_strict(form: str, tmp_path: Path) -> None:
    path = written(tmp_path / "values.jsonl", slightly_odd(form))
    assert main(["validate", str(path), "--format", form]) == 0
    assert main(["validate", str(path), "--format", form, "--strict"]) == 1


def test_the_rules_are_told_by_their_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    request = copied(VALID["openai-request"][0])
    request["messages"][2]["tool_calls"][0]["function"]["name"] = "fly"
    path = written(tmp_path / "requests.jsonl", request)
    assert main(["validate", str(path), "--format", "openai-request", "--json"]) == 1
    (found, _) = violations(capsys)
    assert found["rule"] == "OA014"
    assert found["message"].startswith("unknown_tool_call")
    assert found["pointer"] == "/messages/2/tool_calls/0/function/name"
    assert main(["validate", str(path), "--format", "openai-request", "--ignore", "OA014"]) == 0
    assert main(["rule", "OA113"]) == 0
    assert main(["rules", "--select", "OA1,ADM3"]) == 0


def test_stdin_archives_and_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = orjson.dumps(VALID["openai-stream"][0]) + b"\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["validate", "-", "--format", "openai-stream"]) == 0
    path = tmp_path / "streams.jsonl.gz"
    path.write_bytes(gzip.compress(text * 3))
    assert main(["validate", str(path), "--format", "openai-stream", "--jobs", "2"]) == 0
