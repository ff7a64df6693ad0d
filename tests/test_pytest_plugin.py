"""The pytest plugin: its fixture gives valid records, equal ones for equal arguments."""

from __future__ import annotations

from pathlib import Path

from tests.checkout import pytest_arguments, run_python

CONSUMER = """
import pytest
from generator import validate_record
from generator.errors import ToolFileError

TOOL = {"name": "get_weather", "description": "Get the current weather for a specific city.", "inputSchema": {
    "type": "object", "required": ["city"],
    "properties": {"city": {"type": "string", "description": "Name of the city"}}}}

def test_records(tool_records):
    records = tool_records(TOOL, count=4, seed=1, mix={"simple": 1})
    assert [validate_record(record) for record in records] == [[]] * 4
    assert records == tool_records([TOOL], count=4, seed=1, mix={"simple": 1})
    assert records != tool_records([TOOL], count=4, seed=2, mix={"simple": 1})
    assert [record.metadata.kind for record in records] == ["simple"] * 4

def test_bad_tools(tool_records):
    with pytest.raises(ToolFileError):
        tool_records({"name": 5})
"""


def test_the_fixture_gives_valid_records(tmp_path: Path) -> None:
    (tmp_path / "test_consumer.py").write_text(CONSUMER)
    done = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", *pytest_arguments(), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
