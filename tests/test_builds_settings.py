"""Settings of builds: the tables of a job file, and every mistake with its line and the nearest key."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from generator.builds.settings import model_options, read_build
from generator.errors import JobError
from generator.runs.job_file import read_job

WHOLE = """\
name = "nightly"
tools = ["my_tools.json", "servers/*.json"]
mcp = ["npx my-server", {address = "http://127.0.0.1:8000/mcp", headers = ["Authorization: Bearer $TOKEN"]}]
count = 1000
seed = "date"
formats = ["trl", "openai"]
[server]
base_url = "http://localhost:1/v1"
api_key_env = "MY_KEY"
prompts = "my_prompts"
[limits]
max_minutes = 30
max_tokens = 1000
[splits]
shares = {train = 0.9, test = 0.1}
hold_out = ["get_weather"]
near = 0.7
[gates]
min_records = 900
min_of_kind = {parallel = 50}
[publish]
keep = 3
push = ["memory://x"]
"""


def job_file(folder: Path, text: str) -> Path:
    path = folder / "toolgen.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_table_is_read(tmp_path: Path) -> None:
    asked = read_build(job_file(tmp_path, WHOLE), today=lambda: date(2026, 2, 3))
    settings = asked.settings
    assert (asked.requested.job.seed, asked.dated) == (20260203, True)
    assert [server.address for server in settings.servers] == ["npx my-server", "http://127.0.0.1:8000/mcp"]
    assert settings.servers[1].headers == ("Authorization: Bearer $TOKEN",)
    assert settings.splits.shares == {"train": 0.9, "test": 0.1}
    assert (settings.gates.min_of_kind, settings.publish.keep) == ({"parallel": 50}, 3)
    options = model_options(settings, asked.file)
    assert (options["max_tokens_spent"], options["api_key_env"]) == (1000, "MY_KEY")
    assert options["prompts"] == tmp_path / "my_prompts"


def test_generate_takes_the_same_file_and_leaves_the_tables_aside(tmp_path: Path) -> None:
    requested = read_job({}, job_file(tmp_path, WHOLE), today=lambda: date(2026, 2, 3))
    assert (requested.job.name, requested.job.seed) == ("nightly", 20260203)


MISTAKES = {
    "mixx = 1": ":1: unknown key 'mixx'; did you mean mix?",
    "tools = []\n[gate]\nx = 1": ":2: unknown key 'gate'; did you mean gates?",
    "count = 5\n[gates]\nmin_record = 3": ":3: gates.min_record: unknown key 'min_record'; did you mean min_records?",
    "[publish]\n\nkeep = 0": ":3: publish.keep: it should be greater than or equal to 1; 0 was given",
    "[splits]\nshares = {train = 0.9}": ":2: splits.shares: they are 1 together",
    "[splits]\nnear = 2": ":2: splits.near: it should be less than or equal to 1; 2 was given",
    'formats = ["trll"]': ":1: formats: unknown format 'trll'; did you mean trl?",
    "[gates]\nmin_of_kind = {paralel = 1}": ":2: gates.min_of_kind: unknown kind 'paralel'; did you mean parallel?",
    "[limits]\nmax_cost = -1": ":2: limits.max_cost: it should be greater than 0; -1 was given",
    'mcp = [{adress = "x"}]': ":1: mcp",
    "server = 3": ":1: server:",
    'tools = ["-"]': "tools: a build reads its tools anew",
    "[splits]\nshares = {}": ":2: splits.shares",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(JobError) as raised:
        read_build(job_file(tmp_path, text))
    assert MISTAKES[text] in str(raised.value)


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(JobError) as raised:
        read_build(job_file(tmp_path, "cuont = 1\n[publish]\nkeep = 0\n[gates]\nmin_yield = 3\n"))
    assert len(str(raised.value).splitlines()) == 3


def test_a_key_in_the_place_of_its_variable_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(JobError) as raised:
        read_build(job_file(tmp_path, "[server]\napi_key_env = 123456789\n"))
    assert "123456789" not in str(raised.value)


def test_a_benchmark_that_is_not_there_is_refused(tmp_path: Path) -> None:
    asked = read_build(job_file(tmp_path, "count = 1\n"))
    with pytest.raises(JobError, match="no such file"):
        asked.beside(("bench/*.jsonl",))
