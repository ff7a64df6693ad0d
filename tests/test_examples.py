"""The examples for cron, systemd, GitHub Actions and Airflow (generator/assets/examples/README.md) do as they say."""

from __future__ import annotations

import ast
import copy
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import jsonschema
import pytest
import yaml

from generator.assets import asset_file
from tests.checkout import CHECKOUT
from tests.readmes import make_desk
from tests.test_docs import program
from tests.test_reports_metrics import value

pytestmark = pytest.mark.skipif(os.name != "posix", reason="cron, systemd and bash are there alone")

SAID = "build toolgen.toml"
"""The command of the examples."""
SEED = '"date"'
"""The seed of the job that they are run with."""
BARE = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "LOGNAME": "me"}
"""The environment that cron and systemd give, but for HOME."""
METRICS = "toolgen_nightly.prom"
EXAMPLES = ("nightly.crontab", "toolgen-nightly.service", "github-nightly.yml", "airflow_nightly.py")


def example(name: str) -> str:
    return asset_file(f"examples/{name}").read_text(encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with toolgen in a clone, and the folder of a job."""
    (tmp_path / "nightly").mkdir()
    make_desk(tmp_path / "nightly")
    job = f'name = "nightly"\ntools = ["my_tools.json"]\ncount = 6\nseed = {SEED}\n'
    (tmp_path / "nightly" / "toolgen.toml").write_text(job)
    (tmp_path / "nightly" / "secrets.env").write_text("OPENAI_API_KEY=secret\n")
    program(tmp_path / "toolgen" / ".venv" / "bin")
    return tmp_path


def run(command: list[str], home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["env", "-i", *(f"{name}={text}" for name, text in {**BARE, "HOME": str(home), **more}.items()), *command],
        cwd=home / "nightly",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def at_home(text: str, home: Path) -> str:
    """A command line of an example, with the paths of a machine in this folder."""
    places = {
        "/opt/toolgen": str(home / "toolgen"),
        "/var/lib/prometheus/node-exporter": str(home / "nightly"),
        "/srv/nightly": str(home / "nightly"),
    }
    for place, here in places.items():
        text = text.replace(place, here)
    return text


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_builds_and_calls_somebody_on_failure(name: str) -> None:
    text = example(name)
    assert text.count(SAID) == 1
    assert METRICS in text
    assert re.search(r"--on-failure '.*TOOLGEN_EXIT_CODE", text)
    assert not re.search(r"(?i)(key|token|secret|password)\s*=\s*['\"]?[\w-]{16,}", text)


def assert_built(home: Path) -> None:
    assert value(home / "nightly" / METRICS, "toolgen_run_exit_code", data_set="toolgen_nightly") == 0
    assert value(home / "nightly" / METRICS, "toolgen_records_asked") == 6
    assert list((home / "nightly" / "output").rglob("records.jsonl"))


# --- cron


def cron_line(home: Path) -> list[str]:
    """The command of the line, as cron runs it."""
    (line,) = [line for line in example("nightly.crontab").splitlines() if re.match(r"\d", line)]
    *when, command = line.split(" ", 5)
    assert re.fullmatch(r"\d+ \d+ \* \* \*", " ".join(when))
    assert not re.search(r"(?<!\\)%", command)
    return ["/bin/sh", "-c", command.replace(r"\%", "%")]


def test_the_line_of_cron_builds_in_silence(home: Path) -> None:
    done = run(cron_line(home), home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert_built(home)


def test_the_line_of_cron_prints_why_it_fails_and_calls_the_log(home: Path) -> None:
    """cron mails what is printed; `logger` is a stand-in, which nobody's log notices."""
    (home / "nightly" / "my_tools.json").unlink()
    (home / "bin").mkdir()
    (home / "bin" / "logger").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{home}/logged"\n')
    (home / "bin" / "logger").chmod(0o755)
    done = run(cron_line(home), home, PATH=f"{home}/bin:/usr/bin:/bin")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ") and "my_tools.json" in done.stderr
    assert (home / "logged").read_text().startswith("-t\ntoolgen\nexit 2: ")
    assert value(home / "nightly" / METRICS, "toolgen_run_exit_code") == 2


def test_without_its_secrets_the_line_of_cron_does_nothing_and_says_so(home: Path) -> None:
    (home / "nightly" / "secrets.env").unlink()
    done = run(cron_line(home), home)
    assert done.returncode != 0
    assert "secrets.env" in done.stderr
    assert not (home / "nightly" / "output").exists()


# --- systemd

UNITS = ("toolgen-nightly.service", "toolgen-nightly.timer")
DIRECTIVES: dict[str, dict[str, str]] = {
    "Unit": {"Description": ".+", "Wants": r"[\w.-]+", "After": r"[\w.-]+"},
    "Service": {
        "Type": "simple|oneshot|exec", "User": r"[\w-]+", "WorkingDirectory": "/.*", "EnvironmentFile": "-?/.*",
        "ExecStart": "/.+", "KillMode": "control-group|mixed|process|none", "TimeoutStopSec": r"\d+(s|min|h)?",
        "TimeoutStartSec": r"\d+(s|min|h)?", "SuccessExitStatus": r"\d+( \d+)*", "UMask": "0[0-7]{3}", "Nice": r"-?\d+",
        "NoNewPrivileges": "yes|no", "PrivateTmp": "yes|no", "ProtectHome": "yes|no|read-only",
        "ProtectSystem": "yes|full|strict", "ReadWritePaths": "/.*",
    },
    "Timer": {
        "OnCalendar": r"\*-\*-\* \d\d:\d\d:\d\d", "RandomizedDelaySec": r"\d+(s|min|h)?", "Persistent": "true|false",
    },
    "Install": {"WantedBy": r"[\w-]+\.target"},
}  # fmt: skip
"""The directives that the units use, by their sections, and what they take."""


def directives(unit: str) -> Iterator[tuple[str, str, str]]:
    """Section, name and value of each line of a unit."""
    section = ""
    for line in filter(None, map(str.strip, example(unit).splitlines())):
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            name, _, text = line.partition("=")
            yield section, name, text


@pytest.mark.parametrize("unit", UNITS)
def test_every_directive_of_a_unit_is_one(unit: str) -> None:
    for section, name, text in directives(unit):
        assert re.fullmatch(DIRECTIVES[section][name], text), (section, name, text)


def analyzed(home: Path, change: Callable[[str], str] = str) -> str:
    """What systemd says of the units, "" where it has nothing to say."""
    for unit in UNITS:
        (home / unit).write_text(change(example(unit).replace("/opt/toolgen", str(home / "toolgen"))))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *(str(home / unit) for unit in UNITS)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stderr + ("" if done.returncode == 0 else f"exit code {done.returncode}")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_has_nothing_to_say_of_the_units(home: Path) -> None:
    assert analyzed(home) == ""
    assert "Persistant" in analyzed(home, lambda text: text.replace("Persistent", "Persistant"))


def exec_start(home: Path) -> list[str]:
    """The words of the command that systemd starts, without any shell."""
    (line,) = [text for _, name, text in directives("toolgen-nightly.service") if name == "ExecStart"]
    assert not re.search(r"(?<!\$)\$(?!\$)|%|\\", line), "systemd would put something in its place"
    return shlex.split(at_home(line, home).replace("$$", "$"))


class Alarm:
    """A server that hears what is called."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        heard = self.heard

        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                heard.extend(parse_qs(body)["text"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"


@pytest.fixture
def alarm() -> Iterator[Alarm]:
    found = Alarm()
    thread = threading.Thread(target=found.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield found
    found.server.shutdown()
    found.server.server_close()
    thread.join()


def test_the_service_builds_and_logs_json(home: Path) -> None:
    done = run(exec_start(home), home)
    assert (done.returncode, done.stdout) == (0, "")
    assert {json.loads(line)["level"] for line in done.stderr.splitlines()} == {"info"}
    assert_built(home)


@pytest.mark.skipif(shutil.which("curl", path=BARE["PATH"]) is None, reason="curl is not here")
def test_the_service_calls_when_it_fails(home: Path, alarm: Alarm) -> None:
    (home / "nightly" / "my_tools.json").write_text('{"tools": "$(touch pwned)"}')
    done = run(exec_start(home), home, ALERT_URL=alarm.url)
    assert done.returncode == 2
    (told,) = alarm.heard
    assert told.startswith("exit 2: ") and "my_tools.json" in told
    assert not list(home.rglob("pwned"))


# --- GitHub Actions

SCHEMA = json.loads((CHECKOUT / "tests" / "data" / "github_workflow.schema.json").read_text(encoding="utf-8"))


def workflow() -> dict[str, Any]:
    """The workflow, as GitHub reads it: `on` is no truth there."""
    text = re.sub(r"^on:", '"on":', example("github-nightly.yml"), flags=re.MULTILINE)
    loaded = yaml.safe_load(text)
    assert isinstance(loaded, dict)
    return loaded


def test_the_workflow_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(workflow(), SCHEMA)


def _without(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda found: found.pop(key)


BROKEN: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "nothing starts it": _without("on"),
    "no jobs": _without("jobs"),
    "a key that is none": lambda found: found.update(job=found["jobs"]),
    "four fields of cron": lambda found: found["on"]["schedule"][0].update(cron="17 2 * *"),
    "a permission that is none": lambda found: found["permissions"].update(content="read"),
    "no machine": lambda found: found["jobs"]["build"].pop("runs-on"),
    "a step that both uses and runs": lambda found: found["jobs"]["build"]["steps"][0].update(run="true"),
    "a step that does nothing": lambda found: found["jobs"]["build"]["steps"].append({"name": "x"}),
    "an action without a version": lambda found: found["jobs"]["build"]["steps"][0].update(uses="actions/checkout"),
    "values for a step that runs": lambda found: found["jobs"]["build"]["steps"][5].update({"with": {"a": "b"}}),
}


@pytest.mark.parametrize("breaking", BROKEN.values(), ids=list(BROKEN))
def test_the_schema_of_workflows_refuses_what_is_wrong(breaking: Callable[[dict[str, Any]], object]) -> None:
    found = copy.deepcopy(workflow())
    breaking(found)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, SCHEMA)


def test_the_workflow_keeps_secrets_in_the_environment_of_the_step_that_needs_them() -> None:
    (job,) = workflow()["jobs"].values()
    holders = [step for step in job["steps"] if "secrets." in json.dumps(step)]
    assert [step["name"] for step in holders] == ["Build"]
    assert all("${{" not in step.get("run", "") for step in job["steps"]), "what GitHub puts into a script is run"


def build_step(home: Path) -> list[str]:
    (job,) = workflow()["jobs"].values()
    (step,) = [step for step in job["steps"] if step.get("name") == "Build"]
    return ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]


def on_github(home: Path) -> dict[str, str]:
    path = f"{home / 'toolgen' / '.venv' / 'bin'}:{BARE['PATH']}"
    return {"PATH": path, "GITHUB_STEP_SUMMARY": str(home / "step_summary")}


def test_the_step_of_the_workflow_builds(home: Path) -> None:
    done = run(build_step(home), home, **on_github(home))
    assert done.returncode == 0, done.stderr
    assert_built(home)
    assert not (home / "step_summary").exists()


def test_the_step_of_the_workflow_says_on_its_page_why_it_failed(home: Path) -> None:
    (home / "nightly" / "toolgen.toml").write_text("counnt = 3\n")
    done = run(build_step(home), home, **on_github(home))
    assert done.returncode == 2
    assert re.match(r"exit 2: .*counnt.*\n$", (home / "step_summary").read_text())


# --- Airflow

DAG = asset_file("examples/airflow_nightly.py")


def calls(name: str) -> list[ast.Call]:
    tree = ast.parse(example("airflow_nightly.py"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in found if isinstance(call.func, ast.Name) and call.func.id == name]


def options(call: ast.Call) -> dict[str, Any]:
    """The named arguments of a call that are written out."""
    named = {each.arg: each.value for each in call.keywords if each.arg}
    return {name: ast.literal_eval(node) for name, node in named.items() if isinstance(node, ast.Constant | ast.Dict)}


def test_the_dag_is_built_as_it_says() -> None:
    """Its structure alone, since Airflow is not among the libraries of the tests."""
    compile(example("airflow_nightly.py"), str(DAG), "exec")
    (dag,), (task,) = calls("DAG"), calls("BashOperator")
    assert ast.literal_eval(dag.args[0]) == "toolgen_nightly"
    assert options(dag) == {"schedule": "17 2 * * *", "catchup": False, "max_active_runs": 1}
    told = options(task)
    assert (told["task_id"], told["append_env"], told["skip_on_exit_code"]) == ("build", True, 75)
    assert all(re.fullmatch(r"\{\{ conn\..* \}\}", text) for text in told["env"].values())


@pytest.mark.slow
@pytest.mark.skipif(find_spec("airflow") is None, reason="Airflow is not here")
def test_airflow_takes_the_dag(tmp_path: Path) -> None:
    look = (
        "import runpy, sys; dag = runpy.run_path(sys.argv[1])['dag']; task = dag.get_task('build'); dag.validate();"
        "print(dag.dag_id, task.skip_on_exit_code, task.retries, dag.max_active_runs)"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(DAG)],
        env={**os.environ, "AIRFLOW_HOME": str(tmp_path), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "toolgen_nightly [75] 1 1"


def test_the_command_of_the_dag_builds(home: Path) -> None:
    (build,) = [
        node.value.value
        for node in ast.walk(ast.parse(example("airflow_nightly.py")))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    ]
    assert "{{" not in build and "{%" not in build, "Airflow would put something in its place"
    done = run(["bash", "-c", at_home(str(build), home)], home)
    assert done.returncode == 0, done.stderr
    assert_built(home)
