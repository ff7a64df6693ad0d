"""The pytest plugin: a mark and a fixture give valid records; what they are asked wrongly is one message."""

from __future__ import annotations

import re
import subprocess
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from generator.pytest_plugin import read_seed
from tests.checkout import pytest_arguments, run_python

TOOLS = """
TOOL = {"name": "get_weather", "description": "Get the current weather for a specific city.", "inputSchema": {
    "type": "object", "required": ["city"],
    "properties": {"city": {"type": "string", "description": "Name of the city"}}}}
"""
CONSUMER = f"""
import pytest
from generator import validate_record
from generator.errors import JobError, ToolFileError
{TOOLS}
def test_records(tool_records):
    records = tool_records(TOOL, count=4, seed=1, mix={{"simple": 1}})
    assert [validate_record(record) for record in records] == [[]] * 4
    assert records == tool_records([TOOL], count=4, seed=1, mix={{"simple": 1}})
    assert records != tool_records([TOOL], count=4, seed=2, mix={{"simple": 1}})
    assert [record.metadata.kind for record in records] == ["simple"] * 4

def test_kinds_have_equal_shares(tool_records):
    kinds = [record.metadata.kind for record in tool_records(TOOL, count=8, kinds=["parallel", "simple"])]
    assert kinds.count("parallel") == kinds.count("simple") == 4

def test_bad_arguments(tool_records):
    with pytest.raises(ToolFileError):
        tool_records({{"name": 5}})
    with pytest.raises(JobError, match="did you mean domain"):
        tool_records(TOOL, domian="x.domain.yaml")

def test_the_bundled_tools(tool_records):
    assert len(tool_records(count=2)) == 2
"""
MARKED = f"""
import pytest
{TOOLS}
def calls_of(record):
    return [call for message in record.messages for call in getattr(message, "tool_calls", None) or ()]

@pytest.mark.toolgen(tools=TOOL, count=3, seed=7, kinds=["parallel", "simple"])
def test_function(record):
    assert record.metadata.kind in ("parallel", "simple")

@pytest.mark.toolgen(TOOL, count=2, kinds=["simple"])
class TestClass:
    def test_method(self, record):
        calls_of(record)[0].function.arguments.clear()

    def test_gets_a_copy(self, record):
        assert calls_of(record)[0].function.arguments

    @pytest.mark.toolgen(TOOL, count=1, kinds=["parallel"], metadata=False)
    def test_its_own(self, record):
        assert record.metadata is None

    def test_takes_none(self):
        pass

@pytest.fixture
def calls(record):
    return calls_of(record)

@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.toolgen(tools=[TOOL], count=1, kinds="simple")
def test_beside_another(calls, strict):
    assert len(calls) == 1
"""


def run_pytest(folder: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest over one file in a process of its own, with no plugin but ours: others take seconds to load."""
    alone = ("-p", "generator.pytest_plugin", *arguments)
    return run_with_plugins(folder, text, *alone, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")


def run_with_plugins(folder: Path, text: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run pytest over one file in a process of its own, with every plugin that is installed."""
    (folder / "test_consumer.py").write_text(text)
    return run_python("-m", "pytest", "-p", "no:cacheprovider", *arguments, cwd=folder, **more)


def collected(folder: Path, text: str, *arguments: str) -> list[str]:
    done = run_pytest(folder, text, "--collect-only", "-q", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


def test_the_fixture_gives_valid_records(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, CONSUMER, "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_the_mark_runs_a_test_for_each_record(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, MARKED, "-q", "--strict-markers")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 passed" in done.stdout


@pytest.mark.slow
def test_the_ids_tell_kind_and_number_and_can_be_chosen_by(tmp_path: Path) -> None:
    assert collected(tmp_path, MARKED) == [
        "test_function[parallel-0000]",
        "test_function[simple-0001]",
        "test_function[parallel-0002]",
        "TestClass::test_method[simple-0000]",
        "TestClass::test_method[simple-0001]",
        "TestClass::test_gets_a_copy[simple-0000]",
        "TestClass::test_gets_a_copy[simple-0001]",
        "TestClass::test_its_own[parallel-0000]",
        "TestClass::test_takes_none",
        "test_beside_another[simple-0000-True]",
        "test_beside_another[simple-0000-False]",
    ]
    assert collected(tmp_path, MARKED, "-k", "parallel and function") == [
        "test_function[parallel-0000]",
        "test_function[parallel-0002]",
    ]


@pytest.mark.slow
def test_the_workers_of_xdist_agree_on_the_records(tmp_path: Path) -> None:
    done = run_with_plugins(tmp_path, MARKED, *pytest_arguments(), "-n", "2", "--strict-markers")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 passed" in done.stdout


SEEDED = f"""
import pytest
{TOOLS}
@pytest.mark.toolgen(tools=TOOL, count=1, seed=7, kinds=["simple"])
def test_mark(record, tool_records):
    assert record == tool_records(TOOL, 1, EXPECTED, kinds=["simple"])[0]
    assert record.metadata.seed == tool_records(TOOL, 1, 99, kinds=["simple"])[0].metadata.seed
"""


@pytest.mark.slow
def test_the_seed_of_the_command_line_replaces_all_and_is_told(tmp_path: Path) -> None:
    told = "toolgen: all records are made with seed 12 (--toolgen-seed)"
    done = run_pytest(tmp_path, SEEDED.replace("EXPECTED", "12"), "--toolgen-seed", "12")
    assert (done.returncode, told in done.stdout) == (0, True), done.stdout
    without = run_pytest(tmp_path, SEEDED.replace("EXPECTED", "7"))
    assert "1 failed" in without.stdout  # the second assertion: 99 is another seed
    assert re.search(r"^> +assert record\.metadata\.seed ==", without.stdout, re.MULTILINE)
    assert told not in without.stdout


@pytest.mark.parametrize("seed", ["x", "-1", "1.5", "", "9007199254740992", "9" * 5000, "¹"])
def test_a_bad_seed_is_none(seed: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is no seed: give a whole number from 0 to 9007199254740991"):
        read_seed(seed)
    assert read_seed("9007199254740991") == 9007199254740991


def test_a_bad_seed_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "", "--toolgen-seed=-1")
    assert done.returncode == 4
    assert "argument --toolgen-seed: '-1' is no seed: give a whole number" in done.stderr
    assert "Traceback" not in done.stderr


MISTAKES = {
    "tools=TOOL, cuont=3": "unknown argument 'cuont'; did you mean count?",
    "tools=TOOL, author='llm'": "unknown argument 'author'; there are tools, count,",
    "TOOL, 20": "only the tools are given without a name",
    "TOOL, tools=TOOL": "only the tools are given without a name",
    "tools='nowhere.json'": "nowhere.json: no such file or folder",
    "tools={'name': 5}": "argument 1",
    "tools=TOOL, kinds=['paralel']": "kinds: unknown kind 'paralel'; did you mean parallel?",
    "tools=TOOL, kinds=['simple', 'nested']": "these tools cannot serve what is asked for: nested: it needs",
    "tools=TOOL, kinds=[]": "kinds: it names none",
    "tools=TOOL, kinds=7": "kinds: unknown kind 7",
    "tools=TOOL, kinds=['simple'], mix={'simple': 1}": "kinds and mix both say which kinds to make",
    "tools=TOOL, count=0": "count: it should be greater than or equal to 1",
    "tools=TOOL, count='20'": "count: it should be a valid integer",
    "tools=TOOL, seed=-1": "seed: it should be greater than or equal to 0",
    "tools=TOOL, domain=5": "domain: 5 is no domain file",
    "tools=TOOL, domain='no.domain.yaml'": "no.domain.yaml: cannot be read",
}


def test_mistakes_are_told_at_collection_with_the_test_and_no_traceback(tmp_path: Path) -> None:
    for number, arguments in enumerate(MISTAKES):
        text = f"import pytest\n{TOOLS}\n@pytest.mark.toolgen({arguments})\ndef test_it(record): ...\n"
        (tmp_path / f"test_mistake_{number}.py").write_text(text)
    (tmp_path / "test_none.py").write_text("import pytest\n@pytest.mark.toolgen()\ndef test_it(): ...\n")
    done = run_pytest(tmp_path, "")
    assert done.returncode == 2
    for number, message in enumerate(MISTAKES.values()):
        assert f"test_mistake_{number}.py::test_it: @pytest.mark.toolgen: " in done.stdout
        assert message in done.stdout
    assert "test_none.py::test_it: @pytest.mark.toolgen: the test has no argument `record`" in done.stdout
    assert "During handling" not in done.stdout
    assert done.stdout.count("ERROR collecting") == len(MISTAKES) + 1
    assert "generator/" not in done.stdout and "Traceback" not in done.stdout


OF_UNITTEST = f"""
import pytest, unittest
{TOOLS}
@pytest.mark.toolgen(TOOL, count=2, kinds=["simple"])
class TestOfUnittest(unittest.TestCase):
    def test_it(self): ...
"""


def test_the_mark_is_refused_where_nothing_can_take_a_record(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, OF_UNITTEST)
    assert "1 error" in done.stdout and "passed" not in done.stdout
    assert "TestOfUnittest::test_it: @pytest.mark.toolgen: a test of unittest takes no record" in done.stdout
    assert "pytest_plugin.py" not in done.stdout


def test_tools_are_found_from_the_root_where_pytest_is_started_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "my_tools.json").write_text(
        '{"name": "get_time", "description": "Tells the time of a city.", "inputSchema": {"type": "object",'
        ' "properties": {"city": {"type": "string"}}, "required": ["city"]}}'
    )
    (tmp_path / "deep").mkdir()
    text = """
import pytest
@pytest.mark.toolgen("my_tools.json", count=1, kinds=["simple"])
def test_it(record, tool_records):
    assert record == tool_records(["my_tools.json"], 1, kinds=["simple"])[0]
"""
    done = run_pytest(tmp_path / "deep", text)
    assert done.returncode == 0, done.stdout


IDLE = """
import sys

def test_nothing_was_imported():
    ours = {name for name in sys.modules if name.split(".")[0] == "generator"}
    assert ours == {"generator", "generator.job_choices", "generator.pytest_plugin"}
"""


def test_the_plugin_costs_nothing_where_it_is_not_used(tmp_path: Path) -> None:
    done = run_with_plugins(tmp_path, IDLE, *pytest_arguments(), "--toolgen-seed", "3")
    assert done.returncode == 0, done.stdout
