"""What a wheel and a source archive carry, and that the shipped folders are found in each kind of installation."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from generator import assets
from generator.cli.help import TOPICS, page
from generator.version import VERSION
from tests.checkout import CHECKOUT, run_python
from tests.readmes import TOP, blocks, make_desk

SHIPPED = ("prompts", "tool_specs")
TOP_PAGES = ("README.md", "tests/README.md")
"""Pages of `toolgen help` that stand beside the package in a checkout, in none of the shipped folders."""


def names_in(folder: str) -> set[str]:
    return {str(path.relative_to(CHECKOUT)) for path in (CHECKOUT / folder).rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and an archive of the source, built from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_carries_the_package_its_types_and_the_shipped_folders(built: Path) -> None:
    (wheel,) = built.glob(f"toolgen-{VERSION}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"generator/py.typed", "generator/__main__.py"} <= names
    for folder in SHIPPED:
        assert {f"generator/assets/{name}" for name in names_in(folder)} <= names
    assert {f"generator/assets/{page}" for page in TOP_PAGES} <= names
    assert {topic.path for topic in TOPICS.values() if topic.path.startswith("generator/")} <= names
    assert {f"generator/assets/page/report.{kind}" for kind in ("html", "css", "js")} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} == {"generator", f"toolgen-{VERSION}.dist-info"}


def test_the_wheel_runs_from_any_folder(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "desk").mkdir()
    arguments = ["-m", "generator", "generate", "--count", "5", "--out", "run", "--quiet"]
    done = run_python(*arguments, cwd=tmp_path / "desk", PYTHONPATH=str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "desk" / "run" / "records.jsonl").read_text().splitlines()) == 5


@pytest.mark.slow
def test_a_project_of_its_own_tests_with_the_wheel(built: Path, tmp_path: Path) -> None:
    """The ten lines of the first page, in a project that has installed the wheel and nothing of the checkout."""
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=project, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    installed = [path for path in sys.path if path.endswith("site-packages")]
    (site / "dependencies.pth").write_text("\n".join(installed) + "\n")  # what the wheel needs, as it is installed here
    make_desk(project)
    (test,) = [text for text in blocks(TOP, "python") if "def test_" in text]
    (project / "tests" / "test_calls.py").write_text(test)
    assert str(site) in run(python, "-c", "import generator; print(generator.__file__)")
    assert "20 passed" in run(python, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers")
    toolgen = tmp_path / "venv" / "bin" / "toolgen"
    run(toolgen, "fixtures", "my_tools.json", "-o", "tests/data")
    run(toolgen, "fixtures", "my_tools.json", "-o", "tests/data", "--check")


def test_the_wheel_shows_every_topic(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = "from generator.cli.help import TOPICS, page; print(sum(map(len, map(page, TOPICS))))"
    done = run_python("-c", program, cwd=tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == sum(len(page(topic)) for topic in TOPICS)


def test_the_archive_carries_all_that_building_and_testing_need(built: Path) -> None:
    with tarfile.open(built / f"toolgen-{VERSION}.tar.gz") as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"pyproject.toml", "README.md", "LICENSE", "generator/version.py", "tests/test_packaging.py"} <= names
    for folder in SHIPPED:
        assert names_in(folder) <= names


@pytest.mark.parametrize("folder", SHIPPED)
def test_a_checkout_finds_the_shipped_folders(folder: str) -> None:
    found = assets.asset_folder(folder)
    assert found.is_dir()
    assert any(found.iterdir())


def test_the_project_names_its_parts() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    assert project["name"] == "toolgen"
    assert project["scripts"] == {"toolgen": "generator.cli:main"}
    assert project["entry-points"]["pytest11"] == {"toolgen": "generator.pytest_plugin"}
    assert project["license"] == "Apache-2.0"
    assert (CHECKOUT / "LICENSE").read_text().lstrip().startswith("Apache License")
