"""The SARIF report as the models of its specification read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sarif_pydantic import Sarif

from generator.cli import main
from generator.jsontext import dump_line
from generator.validation.rule_reference import every_rule
from tests.record_examples import KINDS

pytestmark = pytest.mark.interop


@pytest.mark.parametrize("broken", [b"", b"nothing\n{}\n3\n"])
def test_the_report_is_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: bytes) -> None:
    path = tmp_path / "my data.jsonl"
    path.write_bytes(b"".join(dump_line(make()) for make in KINDS.values()) + broken)
    assert main(["validate", str(path), "--sarif"]) == (1 if broken else 0)
    report = Sarif.model_validate(json.loads(capsys.readouterr().out))
    (run,) = report.runs
    assert [rule.id for rule in run.tool.driver.rules] == list(every_rule())
    lines = {result.locations[0].physical_location.region.start_line for result in run.results}
    assert lines == ({len(KINDS) + 1, len(KINDS) + 2, len(KINDS) + 3} if broken else set())
