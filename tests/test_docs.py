"""The pages are true: every command and every program in them runs as printed, and every link leads somewhere."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
import pytest
import yaml

from generator.cli import main
from generator.cli.help import TOPICS
from generator.cli.shell import COMMANDS, toolgen
from generator.domains.domain import Domain
from generator.formats import FORMATS
from generator.kinds import KINDS
from generator.runs.folder import RunFolder
from generator.serving.running import serve_records
from generator.version import VERSION
from tests import domain_examples
from tests.checkout import CHECKOUT, environment, pytest_arguments, run_python
from tests.faults.batch_server import BatchServer, batches_served
from tests.faults.completion_processes import served
from tests.readme_tables import EXAMPLES, RANGES
from tests.readmes import IN_CHECKOUT_ALONE, TOP, blocks, blocks_of, headings, links, make_desk, pages, text_of
from tests.tables import each_row

LONGEST_README = 12_000
LANGUAGES = {"sh", "bash", "console", "json", "yaml", "toml", "crontab", "python", "ini"}
ELSEWHERE = {
    "load_dataset\n\nfeatures = ": "tests/interop/test_datasets.py",
    "from trl import": "tests/interop/test_trl.py",
    "from generator.ray import": "tests/interop/test_ray.py",
    "Build the data set every night": "tests/test_examples.py",
    "Make the parts of a data set": "tests/test_range_examples.py",
}
"""Programs of the pages that need other projects' libraries, by words of theirs, and the file that runs them."""


def installs(block: str) -> bool:
    return "-m venv" in block


def commands(page: str) -> list[str]:
    """The shell blocks of a page, but for those that install."""
    return [block for block in blocks(page, "sh") if not installs(block)]


def program(folder: Path) -> Path:
    """A `toolgen` that runs the checkout, whatever the environment, the tests' Python, and a stand-in for vLLM."""
    path = folder / "toolgen"
    folder.mkdir(parents=True)
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -m generator "$@"\n')
    path.chmod(0o755)
    (folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (folder / "python").chmod(0o755)
    (folder / "vllm").write_text(
        f'#!/bin/sh\nPYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -m tests.faults.run_batch "$@"\n'
    )
    (folder / "vllm").chmod(0o755)
    return path


def run_block(block: str, desk: Path, **more: str) -> None:
    """Run the commands of a block in a folder: plain ones in this process, since each new one costs a second."""
    for line in block.replace("\\\n", " ").splitlines():
        code, err = (in_process if PLAIN.fullmatch(line) else in_shell)(line, desk, more)
        assert code == 0, f"{line}\n{err}"


PLAIN = re.compile(r"toolgen [^|><&;$`*~]*")
"""A command that needs no shell."""


def in_process(line: str, desk: Path, more: dict[str, str]) -> tuple[int, str]:
    err = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()), redirect_stderr(err):
        patch.chdir(desk)
        for name, value in {"PATH": searched(desk), **more}.items():
            patch.setenv(name, value)
        code = main(shlex.split(line)[1:])
    return code, err.getvalue()


def searched(desk: Path) -> str:
    return os.pathsep.join([str(desk / "bin"), os.environ["PATH"]])


def in_shell(line: str, desk: Path, more: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        ["sh", "-e", "-c", line],
        cwd=desk,
        env=environment(**{"PATH": searched(desk), **more}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def first_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the pages in it, where the commands of the first page have run."""
    folder = make_desk(tmp_path_factory.mktemp("desk"))
    program(folder / "bin")
    for block in commands(TOP):
        run_block(block, folder)
    return folder


@pytest.fixture
def desk(first_desk: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(first_desk, tmp_path / "desk"))


def test_the_first_page_is_short() -> None:
    assert len(text_of(TOP).encode()) <= LONGEST_README


@each_row("page", pages())
def test_every_block_of_a_page_is_in_a_language_that_is_tried(page: str) -> None:
    assert {block.language for block in blocks_of(page)} <= LANGUAGES
    assert text_of(page).count("\n```") + text_of(page).startswith("```") == 2 * len(blocks_of(page))


@each_row("page", pages())
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    for link in links(page):
        if re.match(r"https://", link):
            continue
        target, _, anchor = link.partition("#")
        there = (CHECKOUT / page).parent / target if target else CHECKOUT / page
        assert there.resolve().is_relative_to(CHECKOUT), link
        assert there.is_file(), link
        assert not anchor or anchor in headings(str(there.resolve().relative_to(CHECKOUT))), link


def test_every_page_is_a_topic_of_help() -> None:
    assert sorted(topic.path for topic in TOPICS.values()) == sorted(set(pages()) - set(IN_CHECKOUT_ALONE))


def test_every_page_is_reached_from_the_first_one() -> None:
    linked = {target.partition("#")[0] for target in links(TOP)}
    assert {topic.path for topic in TOPICS.values()} - linked == {TOP}


@each_row("page", pages())
def test_every_page_begins_with_what_it_is_about(page: str) -> None:
    title, about, *_ = [line for line in text_of(page).splitlines() if line and not line.startswith("<!--")]
    assert re.match(r"# \w", title)
    assert re.match(r"[A-Z`t]", about)


def test_the_first_page_shows_a_record_as_it_is_exported(first_desk: Path) -> None:
    shown = json.loads(blocks(TOP, "json")[0])
    lines = (first_desk / "train.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 40
    assert shown in [json.loads(line) for line in lines]


LONG = {"generator/batches/README.md", "generator/serving/README.md", "generator/scenarios/README.md"}
"""Pages whose commands take seconds."""
PAGES = [
    pytest.param(page, marks=pytest.mark.slow) if page in LONG else page
    for page in pages()
    if page != TOP and commands(page)
]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run_as_printed(page: str, desk: Path) -> None:
    for block in commands(page):
        run_block(block, desk)


ASKED = [(page, block) for page in pages() for block in blocks(page, "console")]
MODELS = [(page, block) for page, block in ASKED if not block.startswith("toolgen evaluate")]
EXAMS = [(page, block) for page, block in ASKED if block.startswith("toolgen evaluate")]


@pytest.mark.parametrize(("page", "block"), MODELS, ids=[page for page, _ in MODELS])
def test_the_commands_with_a_model_run_as_printed(page: str, block: str, desk: Path) -> None:
    writes_domain = block.startswith("toolgen domain")
    in_batches = block.startswith("toolgen batch")
    with batches_served(BatchServer()) if in_batches else served() as server:
        command = block.replace("http://localhost:8000/v1", server.url).replace("--count 5000", "--count 12").strip()
        assert server.url in command
        # The tools and the kinds of which the stand-in for a model knows how to write.
        if writes_domain:
            (desk / "my_tools.json").write_text(json.dumps(domain_examples.TOOLS), encoding="utf-8")
        else:
            command += " --mix simple=2,multiple=1,parallel=1,irrelevance=1"
        run_block(command, desk, OPENAI_API_KEY="")
    made = desk / ("written.domain.yaml" if writes_domain else "runs/model/records.jsonl")
    assert len(made.read_text(encoding="utf-8").splitlines()) >= 12


@pytest.mark.parametrize(("page", "block"), EXAMS, ids=[page for page, _ in EXAMS])
def test_the_commands_of_an_exam_run_as_printed(page: str, block: str, desk: Path) -> None:
    with serve_records(desk / "runs/mine") as server:
        assert "http://localhost:8000/v1" in block
        run_block(block.replace("http://localhost:8000/v1", server.base_url).strip(), desk, OPENAI_API_KEY="")
    exam = json.loads((desk / "exams/tuned/exam.json").read_text(encoding="utf-8"))
    assert exam["models"][0]["figures"]["metrics"]["right"]["share"] == 1
    assert (desk / "exam.html").is_file()


@each_row("page", pages())
def test_the_files_of_a_page_can_be_read(page: str) -> None:
    for text in blocks(page, "json"):
        json.loads(text)
    for text in blocks(page, "yaml") if page not in (EXAMPLES, RANGES) else ():
        Domain.model_validate(yaml.safe_load(text))
    for text in blocks(page, "toml"):
        tomllib.loads(text)


def test_the_whole_domain_file_has_no_problem(desk: Path) -> None:
    (text,) = blocks("generator/domains/README.md", "yaml")
    (desk / "whole.domain.yaml").write_text(text, encoding="utf-8")
    run_block("toolgen domain --check whole.domain.yaml my_tools.json", desk)


def test_the_run_folder_holds_what_its_page_lists(first_desk: Path) -> None:
    listed = set(re.findall(r"^\| `([\w.]+)` \|", text_of("generator/runs/README.md"), re.MULTILINE))
    run = first_desk / "runs" / "mine"
    lock = RunFolder(run).lock.name
    elsewhere = {RunFolder(run).answers.name, RunFolder(run).dropped.name}
    assert {path.name for path in run.iterdir()} - {lock} == listed - elsewhere, "none answers, nothing is dropped"


def night(line: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the command of a line of crontab as cron does: a bare environment, sh, `%` for a new line but for `\\%`."""
    command = line.split(" ", 5)[5]
    assert not re.search(r"(?<!\\)%", command)
    bare = ["env", "-i", "PATH=/usr/bin:/bin", f"HOME={home}", "SHELL=/bin/sh", "LOGNAME=me"]
    return subprocess.run(
        [*bare, "/bin/sh", "-c", command.replace(r"\%", "%")],
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_the_nightly_line_builds_under_cron_what_the_job_asks_for(tmp_path: Path) -> None:
    (line,) = blocks(TOP, "crontab")[0].splitlines()
    here = tmp_path / "nightly"
    here.mkdir()
    make_desk(here)
    program(tmp_path / "toolgen" / ".venv" / "bin")
    (here / "toolgen.toml").write_text('name = "nightly"\ntools = ["my_tools.json"]\ncount = 12\nseed = "date"\n')
    for _ in range(2):  # the second time nothing changed, unless midnight passed
        done = night(line, tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    manifest = json.loads((here / "output" / "nightly" / "latest" / "manifest.json").read_bytes())
    assert manifest["seed_of_the_day"] and manifest["stamp"].startswith(str(manifest["job"]["seed"]))
    assert len((here / "output" / "nightly" / "latest" / "records.jsonl").read_bytes().splitlines()) == 12


def test_the_nightly_line_says_why_it_fails(tmp_path: Path) -> None:
    (line,) = blocks(TOP, "crontab")[0].splitlines()
    program(tmp_path / "toolgen" / ".venv" / "bin")
    (tmp_path / "nightly").mkdir()
    done = night(line, tmp_path)
    assert done.returncode == 2
    assert "toolgen.toml" in done.stderr


PROGRAMS = [(page, text) for page in pages() for text in blocks(page, "python")]
LONG_PROGRAMS = {"generator/TESTING.md", "generator/serving/README.md"}
RUN_HERE = [
    pytest.param(page, text, id=page, marks=[pytest.mark.slow] if page in LONG_PROGRAMS else [])
    for page, text in PROGRAMS
    if not any(words in text for words in ELSEWHERE)
]


@pytest.mark.parametrize(("page", "text"), RUN_HERE)
def test_the_programs_run_as_printed(page: str, text: str, desk: Path) -> None:
    (desk / "test_program.py").write_text(text, encoding="utf-8")
    run = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *pytest_arguments()] if "def test_" in text else []
    done = run_python(*run, "test_program.py", cwd=desk)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_runs_elsewhere_is_run_there() -> None:
    for words, file in ELSEWHERE.items():
        (page,) = [page for page, text in PROGRAMS if words in text]
        assert page in (CHECKOUT / file).read_text(encoding="utf-8")


def test_the_test_is_ten_lines_long() -> None:
    (test,) = [text for text in blocks(TOP, "python") if "def test_" in text]
    assert len([line for line in test.splitlines() if line]) == 10


def test_every_format_that_is_written_is_explained() -> None:
    written = {name for name, known in FORMATS.items() if known.dump_record or known.dump_tools}
    told = text_of("generator/formats/README.md") + text_of("generator/formats/loading/README.md")
    assert set(re.findall(r"^\| `([\w-]+)`", told, re.MULTILINE)) >= written


def test_the_first_page_tells_figures_that_all_figures_hold() -> None:
    section = text_of(TOP).split("## Measured")[1].split("\n## ")[0]
    told = re.findall(r"^\| .* \| `python .* \|$", section, re.MULTILINE)
    assert told
    assert [row for row in told if row not in text_of("tests/README.md").splitlines()] == []


def test_the_table_of_rooms_names_every_room_and_nothing_else() -> None:
    section = text_of("generator/README.md").split("## Rooms")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*)$", section, re.MULTILINE)
    named = {name for first, _ in rows for name in re.findall(r"`([\w/.]+)`", first)}
    package = CHECKOUT / "generator"
    assert {f"{each.parent.name}/" for each in package.glob("*/__init__.py")} | {"assets/"} <= named
    beside = {name for row in rows for name in re.findall(r"`([\w/.]+[/.][\w/.]*)`", " ".join(row))}
    found = {str(each.relative_to(package)) for each in package.rglob("*")}
    found |= {str(each.relative_to(CHECKOUT)) for each in (CHECKOUT / "prompts").iterdir()}
    missing = [name for name in beside if not any(f"/{each}".endswith(f"/{name.rstrip('/')}") for each in found)]
    assert not missing


def test_the_pages_count_the_kinds_rightly() -> None:
    for page in (TOP, "generator/CHANGELOG.md"):
        assert re.findall(r"\b(\d+) \[?kinds", text_of(page)) == [str(len(KINDS))]


def test_the_dependency_table_is_the_projects() -> None:
    section = text_of("generator/README.md").split("## Dependencies")[1].split("\n## ")[0]
    explained = {name.lower() for name in re.findall(r"^\| ([\w-]+) \|", section, re.MULTILINE)} - {"package"}
    listed = re.search(
        r"^dependencies = \[(.*?)^\]", (CHECKOUT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE
    )
    assert listed is not None
    assert {name.lower() for name in re.findall(r'"([\w-]+)', listed[1])} == explained


def test_the_changelog_begins_with_this_version_in_the_form_of_keep_a_changelog() -> None:
    text = text_of("generator/CHANGELOG.md")
    versions = re.findall(r"^## \[(.+?)\] - (\d{4}-\d\d-\d\d|unreleased)$", text, re.MULTILINE)
    assert versions[0][0] == VERSION
    assert len(versions) == len(re.findall(r"^## ", text, re.MULTILINE))
    assert len({version for version, _ in versions}) == len(versions)
    parts = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Known limits"}
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= parts


@each_row("name", list(COMMANDS))
def test_the_summary_of_a_command_is_its_own(name: str) -> None:
    command = toolgen.get_command(click.Context(toolgen), name)
    assert command is not None
    assert command.get_short_help_str(limit=200) == COMMANDS[name].summary


def test_the_test_command_is_the_one_ci_runs() -> None:
    ci = (CHECKOUT / ".ci" / "run").read_text()
    assert "-e '.[test]'" in ci
    assert any("-e '.[test]'" in block and "-m pytest" in block for block in blocks("tests/README.md", "sh"))
    assert "-m pytest" in ci


@pytest.mark.slow
def test_the_first_command_does_all_its_set_up(tmp_path: Path) -> None:
    """The first block, from a copy of the checkout without anything that is ignored."""
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if files.returncode:
        pytest.skip("needs a git checkout, to know which files belong to it")
    for name in filter(None, files.stdout.split("\0")):
        if (CHECKOUT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, tmp_path / name)
    (block,) = [text for text in blocks(TOP, "sh") if installs(text)]
    first = next(text for text in blocks(TOP, "sh") if not installs(text)).splitlines()[0]
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        ["sh", "-ec", f"{block.replace('python3.11', sys.executable)}\n.venv/bin/{first}"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (records,) = tmp_path.glob("runs/first/records.jsonl")
    assert len(records.read_text().splitlines()) == 300
