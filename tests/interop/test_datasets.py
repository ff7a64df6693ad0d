"""Hugging Face datasets loads an export back equal, with the features that the README declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generator.jsontext import dump_line
from tests.test_docs import blocks

pytestmark = pytest.mark.interop

datasets = pytest.importorskip("datasets", reason="needs the extra `test`")

Json = Any  # parsed JSON


def test_the_readmes_program_loads_every_record_back_equal(
    judged: list[Json], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = [{"messages": record["messages"], "tools": record["tools"]} for record in judged]
    (tmp_path / "train.jsonl").write_bytes(b"".join(map(dump_line, bare)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (program,) = [block for block in blocks("python") if "load_dataset" in block]
    names: dict[str, Any] = {}
    exec(program, names)
    assert list(names["records"]) == bare
