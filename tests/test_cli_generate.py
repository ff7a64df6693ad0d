"""`toolgen generate`: options, job files, what is printed where, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator.cli import main
from tests.run_processes import CHECKOUT, finish, kill, settled, start, wait_for_rows

TOOLS = [
    {
        "name": f"{verb}_{noun}",
        "description": f"{verb.capitalize()} the {noun} of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Name of the city."}},
            "required": ["city"],
        },
    }
    for verb in ("get", "update")
    for noun in ("weather", "population")
]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of four tools, and a working folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "city tools.json").write_text(json.dumps(TOOLS))
    return "city tools.json"


def lines(folder: Path) -> list[bytes]:
    return (folder / "records.jsonl").read_bytes().splitlines()


def test_the_default_folder_names_tools_and_job(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", tools, "--count", "12"]) == 0
    assert main(["generate", tools, "--count", "15", "--seed", "0"]) == 0
    (folder,) = Path("output").iterdir()
    assert folder.name.startswith("city-tools-")
    assert len(folder.name) == len("city-tools-") + 8
    assert len(lines(folder)) == 15
    out, err = capsys.readouterr()
    assert out == ""
    for word in ("made", "plain", "records.jsonl", "toolgen show", "toolgen validate", "toolgen export"):
        assert word in err
    assert main(["generate", tools, "--count", "12", "--seed", "1"]) == 0
    assert len(list(Path("output").iterdir())) == 2


def test_a_finished_run_says_so(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", tools, "--count", "5", "--out", "run"]) == 0
    assert "nothing was left to do" not in capsys.readouterr().err
    assert main(["generate", tools, "--count", "5", "--out", "run"]) == 0
    assert "nothing was left to do" in capsys.readouterr().err


def test_json_prints_the_summary_alone_on_stdout(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", tools, "--count", "5", "--out", "run", "--json", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == json.loads(Path("run/summary.json").read_text())
    assert err == ""


def test_without_tools_the_bundled_ones_are_used_and_it_says_so(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--count", "5", "--out", "run"]) == 0
    assert "the bundled ones are used" in capsys.readouterr().err


def test_a_dry_run_writes_nothing(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(Path().rglob("*"))
    assert main(["generate", tools, "--count", "40", "--dry-run"]) == 0
    text = capsys.readouterr().out
    for word in ("output/city-tools-", "simple", "parallel_multiple", "first          simple", "nothing was written"):
        assert word in text
    assert main(["generate", tools, "--count", "40", "--dry-run", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert sum(kind["records"] for kind in plan["kinds"].values()) == 40
    assert [scenario["index"] for scenario in plan["scenarios"]] == [0, 1]
    assert sorted(Path().rglob("*")) == before


def test_a_run_is_repeated_from_its_job_document(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--mix",
        "parallel=3,simple=1",
        "--error-rate",
        "0.5",
        "--locale",
        "de_DE",
        "--seed",
        "4",
        "--count",
        "20",
    ]
    assert main(["generate", tools, *options, "--out", "run"]) == 0
    Path(tools).unlink()
    assert main(["generate", "--job", "run/job.json", "--out", "again"]) == 0
    assert lines(Path("again")) == lines(Path("run"))
    assert main(["generate", "--job", "run/job.json", "--out", "run"]) == 0
    assert "nothing was left to do" in capsys.readouterr().err


def test_a_changed_catalog_beside_the_job_document_is_noticed(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", tools, "--count", "5", "--out", "run"]) == 0
    path = Path("run/catalog.json")
    path.write_text(path.read_text().replace("of a city", "of a town"))
    assert main(["generate", "--job", "run/job.json", "--out", "again"]) == 2
    assert "not the catalog that job.json was resolved with" in capsys.readouterr().err


def test_a_job_file_holds_every_option(tools: str) -> None:
    Path("nightly.toml").write_text(f'tools = ["{tools}"]\ncount = 10\nseed = 4\nmetadata = false\n[mix]\nsimple = 1\n')
    assert main(["generate", "--job", "nightly.toml", "--out", "run", "--quiet"]) == 0
    found = [json.loads(line) for line in lines(Path("run"))]
    assert [set(record) for record in found] == [{"messages", "tools"}] * 10
    assert main(["generate", tools, *"--seed 4 --no-metadata --mix simple=1 --count 10 --out run".split()]) == 0


def test_resume_continues_or_begins(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", tools, "--count", "5", "--out", "run", "--resume"]) == 0
    assert "no run to resume" in capsys.readouterr().err
    assert main(["generate", tools, "--count", "9", "--out", "run", "--resume"]) == 0
    assert "no run to resume" not in capsys.readouterr().err
    assert len(lines(Path("run"))) == 9


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--count", "0"], 2, ["--count", "0 was given"]),
        (["--count", "many"], 2, ["--count"]),
        (["--seed", "-1"], 2, ["--seed"]),
        (["--jobs", "0"], 2, ["--jobs"]),
        (["--mix", "paralel=1"], 2, ["--mix", "did you mean parallel?"]),
        (["--mix", "simple=0"], 2, ["the mix has no kind"]),
        (["--locale", "en_UK"], 2, ["did you mean en_US?"]),
        (["--reference-date", "tomorrow"], 2, ["--reference-date", "tomorrow"]),
        (["--error-rate", "7"], 2, ["--error-rate"]),
        (["--author", "lm"], 2, ["'lm' is not one of offline, llm", "did you mean llm"]),
        (["--on-conflict", "sources"], 2, ["did you mean source?"]),
        (["--cuont", "4"], 2, ["--cuont", "--count"]),
        (["--job", "none.toml"], 2, ["none.toml: cannot be read"]),
        (["--out", "city tools.json/run"], 5, ["a part of the path is a file"]),
        (["no_such_file.json"], 2, ["no_such_file.json"]),
    ],
)
def test_a_mistake_is_one_clear_message(
    tools: str, options: list[str], code: int, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", tools, *options]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    for word in words:
        assert word in err
    assert not Path("output").exists()


def test_a_mix_of_nothing_that_the_catalog_can_serve_is_refused(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.json").write_text(json.dumps(TOOLS[:1]))
    assert main(["generate", "one.json", "--count", "5", "--mix", "multiple=1"]) == 2
    assert "multiple: it needs two tools that may be shown together" in capsys.readouterr().err


@pytest.mark.parametrize("mix", [[], ["--mix", "multiple=1,simple=1,nested=3"]])
def test_a_kind_that_the_catalog_cannot_serve_gives_its_share_to_the_others(
    tools: str, capsys: pytest.CaptureFixture[str], mix: list[str]
) -> None:
    Path("one.json").write_text(json.dumps(TOOLS[:1]))
    assert main(["generate", "one.json", "--count", "12", "--out", "run", "--verbose", *mix]) == 0
    told = capsys.readouterr().err
    assert told.count("kind multiple gave its share to the others: it needs two tools") == 1
    summary = json.loads(Path("run/summary.json").read_text())
    assert summary["kinds_not_served"].keys() >= {"multiple", "nested"}
    assert len(lines(Path("run"))) == 12


def test_too_few_records_end_with_the_reason(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.json").write_text(json.dumps([{"name": "ping", "description": "Ping the server.", "parameters": {}}]))
    assert main(["generate", "one.json", "--count", "60", "--mix", "simple=1", "--out", "run", "--json"]) == 1
    out, err = capsys.readouterr()
    summary = json.loads(out)
    assert summary["status"] == "incomplete"
    assert f"made        {summary['records']} of 60 records" in err
    assert f"error: {60 - summary['records']} of 60 records could not be made" in err
    assert "fewer different requests than records: simple 60 (about " in err
    assert "No two records of a run have the same request (RUN001)" in err
    assert "the different requests are spent for 1 kind (simple): more tools" in err


def command(tools: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "generator", "generate", str(Path(tools).resolve()), "--count", "100000", *options]


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
    ],
)
@pytest.mark.slow
def test_a_signal_says_how_to_go_on(tools: str, tmp_path: Path, number: int, code: int, word: str) -> None:
    folder = tmp_path / "a run"
    process = start(command(tools, "--out", str(folder), "--jobs", "2"))
    wait_for_rows(process, folder, 50)
    os.killpg(process.pid, number)
    ended, out, err = finish(process)
    assert (ended, out) == (code, "")
    assert re.search(rf"of 100,000 records.*; {word}, everything is kept", err), err
    (again,) = re.findall(r"^go on +(.*)$", err, re.MULTILINE)
    assert again == f"toolgen generate '{Path(tools).resolve()}' --count 100000 --out '{folder}' --jobs 2"
    count = str(settled(folder) + 10)
    assert main(["generate", "--job", f"{folder}/job.json", "--out", str(folder), "--count", count]) == 0
    assert len(lines(folder)) == int(count)


@pytest.mark.slow
def test_a_second_process_is_refused(tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = start(command(tools, "--out", str(tmp_path / "run")))
    wait_for_rows(process, tmp_path / "run", 1)
    code = main(["generate", tools, "--count", "100000", "--out", str(tmp_path / "run")])
    kill(process)
    assert code == 75
    assert f"process {process.pid} is working on this run" in capsys.readouterr().err


def test_help_names_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--help"]) == 0
    text = capsys.readouterr().out
    for word in ("toolgen generate --count 300", "--on-conflict", "143", "locked by another run", "nightly.toml"):
        assert word in text


def test_help_imports_little() -> None:
    code = "import sys; from generator.cli import main; main(['generate', '--help']); print(sorted(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    for module in ("faker", "jsonschema_rs", "openai", "generator.record", "rich.progress"):
        assert f"'{module}'" not in found.stdout
