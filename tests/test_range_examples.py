"""The examples for Slurm, Kubernetes and Airflow (generator/runs/RANGES.md) make parts that merge to the whole."""

from __future__ import annotations

import ast
import copy
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from generator.assets import asset_file
from tests.readmes import make_desk
from tests.test_docs import program

pytestmark = pytest.mark.skipif(os.name != "posix", reason="batch jobs run in a POSIX shell")

COUNT, TASKS = 14, 3


def example(name: str) -> str:
    return asset_file(f"examples/{name}").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a job, its whole run and toolgen on the path."""
    home = make_desk(tmp_path_factory.mktemp("batch"))
    (home / "toolgen.toml").write_text(f'name = "mine"\ntools = ["my_tools.json"]\ncount = {COUNT}\n')
    program(home / "bin")
    run(["toolgen", "generate", "--job", "toolgen.toml", "--out", "one"], home)
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "home"))


def run(command: list[str], home: Path, **more: str) -> None:
    done = subprocess.run(
        command,
        cwd=home,
        env={"PATH": f"{home}/bin:/usr/bin:/bin", "HOME": str(home), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def assert_merged(home: Path, whole: str) -> None:
    for name in ("records.jsonl", "rejections.jsonl"):
        assert (home / whole / name).read_bytes() == (home / "one" / name).read_bytes()


# --- Slurm


def test_bash_can_read_the_script_and_slurm_its_directives() -> None:
    subprocess.run(["bash", "-n", str(asset_file("examples/ranges.sbatch"))], check=True, timeout=60)
    lines = example("ranges.sbatch").splitlines()
    assert lines[0] == "#!/bin/bash"
    directives = [line for line in lines if line.startswith("#SBATCH")]
    assert lines[1 : 1 + len(directives)] == directives, "Slurm reads none behind the first command"
    known = r"#SBATCH --(job-name=\w+|array=\d+-\d+|cpus-per-task=\d+|mem-per-cpu=\d+M|time=\d\d:\d\d:\d\d|requeue)"
    assert all(re.fullmatch(known, line) for line in directives)


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 5], ids=["from 0", "from 5"])
def test_the_tasks_of_the_array_make_parts_that_merge_to_the_whole(home: Path, first: int) -> None:
    script = str(asset_file("examples/ranges.sbatch"))
    for task in range(first, first + TASKS):
        slurm = {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": str(first)}
        run(["bash", script], home, SLURM_ARRAY_TASK_COUNT=str(TASKS), COUNT=str(COUNT), **slurm)
    (merging,) = re.findall(r'--wrap "(.*)"', example("ranges.sbatch"))
    run(["sh", "-c", merging], home)
    assert_merged(home, "runs/whole")


# --- Kubernetes


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": [name for name in properties if name in REQUIRED],
    }


REQUIRED = {"apiVersion", "kind", "metadata", "spec", "template", "containers", "restartPolicy", "name", "image"}
TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0}
NAME: dict[str, Any] = {"type": "string", "pattern": r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63}
QUANTITY: dict[str, Any] = {"type": "string", "pattern": r"^\d+(m|Mi|Gi)?$"}
CONTAINER = _object(
    name=NAME,
    image={"type": "string", "pattern": r"^[\w./-]+:[\w.-]+$"},
    workingDir={"type": "string", "pattern": "^/"},
    env={"type": "array", "items": _object(name={"type": "string", "pattern": r"^[A-Z_]+$"}, value=TEXT)},
    command={"type": "array", "items": TEXT, "minItems": 1},
    resources=_object(requests={"type": "object", "additionalProperties": QUANTITY}),
    volumeMounts={"type": "array", "items": _object(name=NAME, mountPath={"type": "string", "pattern": "^/"})},
)
POD = _object(
    restartPolicy={"enum": ["Never", "OnFailure"]},
    containers={"type": "array", "items": CONTAINER, "minItems": 1},
    volumes={"type": "array", "items": _object(name=NAME, persistentVolumeClaim=_object(claimName=NAME))},
)
INDEXED = {
    "if": {"required": ["backoffLimitPerIndex"]},
    "then": {
        "required": ["completions"],
        "properties": {
            "completionMode": {"const": "Indexed"},
            "template": {"properties": {"spec": {"properties": {"restartPolicy": {"const": "Never"}}}}},
        },
    },
}
JOB = _object(
    apiVersion={"const": "batch/v1"},
    kind={"const": "Job"},
    metadata=_object(name=NAME),
    spec={
        **_object(
            completionMode={"enum": ["Indexed", "NonIndexed"]},
            completions=NUMBER,
            parallelism=NUMBER,
            backoffLimit=NUMBER,
            backoffLimitPerIndex=NUMBER,
            suspend={"type": "boolean"},
            template=_object(spec=POD),
        ),
        **INDEXED,
    },
)
"""What a Job of batch/v1 may hold, as far as the manifest uses it."""


def jobs() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(example("kubernetes-ranges.yaml")))


def test_the_manifest_holds_an_indexed_job_and_one_that_waits() -> None:
    jsonschema.Draft202012Validator.check_schema(JOB)
    parts, merging = jobs()
    for job in (parts, merging):
        jsonschema.validate(job, JOB)
        pod = job["spec"]["template"]["spec"]
        mounted = {mount["name"] for each in pod["containers"] for mount in each["volumeMounts"]}
        assert mounted == {volume["name"] for volume in pod["volumes"]}
    (container,) = parts["spec"]["template"]["spec"]["containers"]
    told = {each["name"]: each["value"] for each in container["env"]}
    assert told["PARTS"] == str(parts["spec"]["completions"])
    assert merging["spec"]["suspend"] is True


BROKEN: Mapping[str, Callable[[dict[str, Any]], object]] = {
    "no kind": lambda job: job.pop("kind"),
    "a key that is none": lambda job: job["spec"].update(paralellism=3),
    "a pod that starts again": lambda job: job["spec"]["template"]["spec"].update(restartPolicy="OnFailure"),
    "not indexed": lambda job: job["spec"].update(completionMode="NonIndexed"),
    "a number for text": lambda job: job["spec"]["template"]["spec"]["containers"][0]["env"][0].update(value=3),
    "a name with capitals": lambda job: job["metadata"].update(name="Parts"),
}


@pytest.mark.parametrize("breaking", BROKEN.values(), ids=list(BROKEN))
def test_the_schema_of_jobs_refuses_what_is_wrong(breaking: Callable[[dict[str, Any]], object]) -> None:
    job = copy.deepcopy(jobs()[0])
    breaking(job)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(job, JOB)


@pytest.mark.slow
def test_the_indices_make_parts_that_merge_to_the_whole(home: Path) -> None:
    parts, merging = (job["spec"]["template"]["spec"]["containers"][0]["command"] for job in jobs())
    for index in range(TASKS):
        run([word.replace("/data", str(home)) for word in parts], home, COUNT=str(COUNT), PARTS=str(TASKS),
            JOB_COMPLETION_INDEX=str(index))  # fmt: skip
    run([word.replace("/data", str(home)) for word in merging], home)
    assert_merged(home, "whole")


# --- Airflow


def constants() -> dict[str, Any]:
    """What the file holds before it builds the DAG."""
    tree = ast.parse(example("airflow_ranges.py"))
    plain = [each for each in tree.body if isinstance(each, ast.Assign)]
    found: dict[str, Any] = {}
    exec(compile(ast.Module(plain, []), "dag", "exec"), found)
    return found


def test_the_ranges_of_the_mapped_tasks_are_all_of_the_job() -> None:
    """Its structure alone, since Airflow is not among the libraries of the tests."""
    held = constants()
    edges = [tuple(map(int, each.split(":"))) for each in held["RANGES"]]
    assert len(edges) == held["PARTS"]
    assert [edges[0][0], *(stop for _, stop in edges)] == [*(start for start, _ in edges), held["COUNT"]]
    calls = [node for node in ast.walk(ast.parse(example("airflow_ranges.py"))) if isinstance(node, ast.Call)]
    told = [ast.literal_eval(each.value) for call in calls for each in call.keywords if each.arg == "task_id"]
    assert told == ["part", "merge"] or told == ["merge", "part"]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("airflow") is None, reason="Airflow is not here")
def test_airflow_takes_the_mapped_tasks(tmp_path: Path) -> None:
    look = (
        "import runpy, sys; dag = runpy.run_path(sys.argv[1])['dag']; dag.validate(); merge = dag.get_task('merge');"
        "print(dag.dag_id, merge.upstream_task_ids, dag.get_task('part').is_mapped)"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(asset_file("examples/airflow_ranges.py"))],
        env={**os.environ, "AIRFLOW_HOME": str(tmp_path), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "toolgen_ranges {'part'} True"


@pytest.mark.slow
def test_the_commands_of_the_mapped_tasks_make_the_whole(home: Path) -> None:
    held = constants()
    assert "{{" not in held["PART"] + held["MERGE"], "Airflow would put something in its place"
    commands = {name: held[name].replace("/opt/toolgen/.venv/bin/", "") for name in ("PART", "MERGE")}
    for part, indices in enumerate(("0:5", "5:9", f"9:{COUNT}")):
        run(["bash", "-c", commands["PART"]], home, COUNT=str(COUNT), RANGE=indices, PART=str(part))
    run(["bash", "-c", commands["MERGE"]], home)
    assert_merged(home, "runs/whole")
