"""Job files and options in: one Job, or every mistake in one message."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cli import main
from generator.errors import JobError
from generator.job import Job
from generator.runs.identity import job_document, resolve
from generator.runs.job_file import parse_mix, read_job


def job_file(folder: Path, text: str, name: str = "nightly.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ["--extra-body: this is not JSON", "give a JSON object, as in"]),
        ("[1]", ["--extra-body: this is JSON, but no object"]),
        ('{"a": NaN}', ["--extra-body: this is not JSON"]),
    ],
)
def test_an_extra_body_that_is_no_object_is_refused(text: str, words: list[str]) -> None:
    with pytest.raises(JobError) as caught:
        read_job({"extra_body": text})
    assert [word for word in words if word not in str(caught.value)] == []


def test_an_extra_body_is_read_from_an_option_and_from_files(tmp_path: Path) -> None:
    requested = {"top_k": 20, "chat_template_kwargs": {"enable_thinking": False}}
    assert read_job({"extra_body": json.dumps(requested)}).job.extra_body == requested
    toml = "extra_body = { top_k = 20, chat_template_kwargs = { enable_thinking = false } }"
    assert read_job({}, job_file(tmp_path, toml)).job.extra_body == requested
    with pytest.raises(JobError, match=r"nightly.toml:1: extra_body: it holds what JSON cannot say"):
        read_job({}, job_file(tmp_path, "extra_body = { a = 2026-01-01 }"))


def test_nothing_given_is_the_default_job() -> None:
    requested = read_job({})
    assert requested.job == Job()
    assert (requested.sources, requested.catalog) == ((), None)


def test_options_become_a_job() -> None:
    options = {"tools": ("a.json", "b"), "count": 7, "mix": "parallel=3, simple=1", "locale": "en_US,de_DE,en_US"}
    requested = read_job(options | {"reference_date": "2025-12-31", "metadata": False})
    assert requested.job == Job(
        name="a",
        tools=("a.json", "b"),
        count=7,
        mix={"parallel": 3, "simple": 1},
        locale=("en_US", "de_DE"),
        reference_date=date(2025, 12, 31),
        metadata=False,
    )
    assert requested.sources == ("a.json", "b")


TOML = """
tools = ["tools/weather.json", "-"]
count = 50
reference_date = 2025-12-31
locale = ["de_DE"]
[mix]
parallel = 3
simple = 0.5
"""


def test_a_toml_file_is_read_and_options_win(tmp_path: Path) -> None:
    requested = read_job({"count": 9}, job_file(tmp_path, TOML))
    assert requested.job.count == 9
    assert requested.job.mix == {"parallel": 3, "simple": 0.5}
    assert requested.job.locale == ("de_DE",)
    assert requested.job.reference_date == date(2025, 12, 31)
    assert requested.job.name == "nightly"
    assert requested.sources == (str(tmp_path / "tools/weather.json"), "-")


def test_json_is_known_by_its_content(tmp_path: Path) -> None:
    assert read_job({}, job_file(tmp_path, '\ufeff {"count": 3}', "job.toml")).job.count == 3


def test_a_run_is_repeated_from_its_own_document(tmp_path: Path) -> None:
    job = Job(name="mine", count=5, mix={"simple": 2, "parallel": 1})
    path = job_file(tmp_path, json.dumps(job_document(job, resolve(job, "0123"))), "job.json")
    requested = read_job({}, path)
    assert (requested.job, requested.catalog) == (job, tmp_path / "catalog.json")
    assert requested.resolved == resolve(job, "0123")
    assert read_job({"tools": ("x.json",)}, path).catalog is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("conut = 3", ["nightly.toml:1: unknown key 'conut'", "did you mean count?"]),
        (
            "count = 3\n\n# comment\n  'se ed' = 3\n[mixx]\nsimple = 1",
            ["nightly.toml:4: unknown", "nightly.toml:5: unknown"],
        ),
        ('{"count": 3,\n "sede": 4}', ["nightly.toml:2: unknown key 'sede'; did you mean seed?"]),
        (
            "\n".join(f"key{n} = 1" for n in range(1000)),
            ["nightly.toml:20: unknown", "nightly.toml: 980 more unknown keys"],
        ),
        ("zzzz = 3", ["unknown key 'zzzz'", "the keys are name, tools, count"]),
        (
            "count = 0\nseed = -1\nerror_rate = 2",
            ["nightly.toml:1: count:", "nightly.toml:2: seed:", "nightly.toml:3: error_rate:"],
        ),
        ("count = '5'", ["nightly.toml:1: count: it should be a valid integer", '"5" was given']),
        ("reference_date = 2025-12-31T10:00:00", ["reference_date", "YYYY-MM-DD"]),
        ("reference_date = 'today'", ["reference_date", '"today" was given']),
        ("[mix]\nparalell = 1", ["unknown kind 'paralell'", "did you mean parallel?"]),
        ("[mix]\nsimple = -1", ["nightly.toml:1: mix.simple: it should be greater than or equal to 0"]),
        ("mix = 3", ["nightly.toml:1: mix"]),
        ("locale = 'de_XX'", ["unknown locale 'de_XX'", "did you mean de_"]),
        ("locale = [3]", ["locale"]),
        ("locale = ''", ["locale"]),
        ("tools = 'x'", ["nightly.toml:1: tools"]),
        ("tools = [1]", ["nightly.toml:1: tools"]),
        ("author = 'nobody'", ["nightly.toml:1: author: it should be 'offline' or 'llm'"]),
        ("name = '../up'", ["nightly.toml:1: name"]),
        ("seed = 1\ncount = x", ["nightly.toml: broken TOML", "line 2, column 9"]),
        ("{\n 'a': 1}", ["nightly.toml:2:2: broken JSON"]),
        ("resolved = 3", ["resolved"]),
        ("[" * 5000, ["nightly.toml"]),
        ('{"a":' * 50_000, ["nightly.toml: nested too deep"]),
        ("x" * 1_000_001, ["larger than 1,000,000 bytes"]),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(JobError) as caught:
        read_job({}, job_file(tmp_path, text))
    for word in words:
        assert word in str(caught.value)


def test_bytes_that_are_no_text_are_one_error(tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JobError, match="not UTF-8"):
        read_job({}, tmp_path / "job.toml")


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_file_that_cannot_be_read_is_one_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(JobError, match="cannot be read"):
        read_job({}, tmp_path / name)


def test_every_mistake_of_the_options_is_named_at_once() -> None:
    with pytest.raises(JobError) as caught:
        read_job({"count": 0, "mix": "smple=1,simple=x", "locale": "en_UK", "error_rate": 3.0})
    message = str(caught.value)
    assert len(message.splitlines()) == 4
    for place in ("--count", "--mix", "--locale", "--error-rate"):
        assert place in message


@pytest.mark.parametrize("text", ["simple", "simple=", "simple=x", "simple=-1", "simple=nan", "simple=1,simple=2"])
def test_a_mix_that_is_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="parallel=3,simple=1"):
        parse_mix(text)


@given(st.dictionaries(st.sampled_from(["simple", "multiple", "parallel"]), st.floats(0, 1e6), min_size=1))
def test_a_mix_is_read_as_written(mix: dict[str, float]) -> None:
    assert parse_mix(",".join(f"{kind}={weight!r}" for kind, weight in mix.items())) == mix


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "bundled"),
        ({"tools": ("dir/my tools.json",)}, "my-tools"),
        ({"tools": ("servers/*.json",)}, "run"),
        ({"tools": ("-",)}, "stdin"),
        ({"tools": ("ä.json",)}, "run"),
        ({"tools": ("x" * 300,)}, "x" * 40),
    ],
)
def test_a_run_is_named_after_its_tools(options: dict[str, Any], name: str) -> None:
    assert read_job(options).job.name == name


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mix": ","}, "--mix: it names no kind"),
        ({"locale": " , "}, "--locale: it names no locale"),
        ({"reference_date": "today"}, "--reference-date: a day of the calendar is written as YYYY-MM-DD"),
        ({"reference_date": "2026-02-30"}, "--reference-date: a day of the calendar is written as YYYY-MM-DD"),
        ({"reference_date": "0999-12-31"}, "--reference-date: it should be greater than or equal to 1000-01-01"),
        ({"reference_date": "9000-01-01"}, "--reference-date: it should be less than or equal to 8999-12-31"),
        ({"count": 10**23}, "--count: it should be less than or equal to 1000000000"),
    ],
)
def test_an_option_that_says_nothing_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(JobError) as caught:
        read_job(options)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_functions_and_standard_input_are_no_files_beside_the_job(tmp_path: Path) -> None:
    file = job_file(tmp_path, "tools = ['package.module:function', '-', 'tools.json']")
    requested = read_job({}, file, allow_code=True)
    assert requested.sources == ("package.module:function", "-", str(tmp_path / "tools.json"))


SOURCES = ("mine:tool", "a.b.c:D.e")


@pytest.mark.parametrize("source", SOURCES)
def test_a_file_names_no_code_unless_that_is_allowed(source: str, tmp_path: Path) -> None:
    file = job_file(tmp_path, f"tools = ['tools.json', '{source}']")
    with pytest.raises(JobError, match="names a Python function, whose module would be imported, and so run; give --a"):
        read_job({}, file)
    assert read_job({}, file, allow_code=True).sources == (str(tmp_path / "tools.json"), source)
    assert read_job({"tools": (source,)}, file).sources == (source,)
    assert read_job({"tools": (source,)}).sources == (source,)


@pytest.mark.parametrize(
    "command", [["generate", "--dry-run"], ["generate", "--count", "1", "--out", "run"], ["prompts", "show", "draft"]]
)
def test_a_job_file_runs_no_code_by_itself(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil_module.py").write_text(
        "from pathlib import Path\n"
        "Path('ran').touch()\n"
        "def get_weather(city: str) -> dict:\n"
        "    'Gets the weather of a city.'\n"
    )
    file = job_file(tmp_path, "tools = ['evil_module:get_weather']")
    assert main([*command, "--job", str(file)]) == 2
    assert "--allow-code" in capsys.readouterr().err
    assert not (tmp_path / "ran").exists()
    assert main([*command, "--job", str(file), "--allow-code"]) == 0
    assert (tmp_path / "ran").exists()
    del sys.modules["evil_module"]
