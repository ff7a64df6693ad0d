"""Where the program runs from decides what installs an extra there."""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from generator import extras
from generator.errors import UsageError
from generator.extras import installation, missing
from tests.checkout import CHECKOUT

REQUIRES = ['zstandard>=0.23; extra == "zst"', "datasets>=4.7; extra == 'hf'", "click<9", 'pytest; extra == "test"']


class Installed:
    """What `importlib.metadata` knows of an installed program."""

    requires = REQUIRES

    def __init__(self, origin: str) -> None:
        self._origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self._origin or None


@pytest.fixture(autouse=True)
def pip_of_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras.shutil, "which", lambda name: str(Path(sys.executable).with_name(name)))


def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, origin: object) -> None:
    """Let the program be an installed one, from where `origin` says."""
    monkeypatch.setattr(extras, "_PACKAGE", tmp_path / "site-packages" / "generator")
    text = origin if isinstance(origin, str) else json.dumps(origin)
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(text))


def test_a_clone_is_installed_again_with_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(CHECKOUT)
    assert installation("hf") == "pip install -e '.[hf]'"
    monkeypatch.chdir(tmp_path)
    assert installation("hf") == f"pip install -e '{CHECKOUT}[hf]'"


def test_what_came_from_somewhere_is_installed_from_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wheel = tmp_path / "toolgen-1-py3-none-any.whl"
    wheel.touch()
    installed(monkeypatch, tmp_path, {"url": wheel.as_uri(), "archive_info": {}})
    assert installation("zst") == f"pip install '{wheel}[zst]'"
    url = "https://example.com/toolgen"
    installed(monkeypatch, tmp_path, {"url": url, "vcs_info": {"vcs": "git", "commit_id": "abc"}})
    assert installation("hf") == f"pip install 'toolgen[hf] @ git+{url}@abc'"
    installed(monkeypatch, tmp_path, {"url": f"{url}.whl", "archive_info": {}})
    assert installation("hf") == f"pip install 'toolgen[hf] @ {url}.whl'"


@pytest.mark.parametrize("origin", ["", "{", {"url": "file:///no/such/toolgen.whl"}])
def test_what_came_from_nowhere_that_is_left_gets_the_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, origin: object
) -> None:
    installed(monkeypatch, tmp_path, origin)
    assert installation("hf") == "pip install 'datasets>=4.7'"
    assert installation("unheard") == "pip install 'toolgen[unheard]'"


def test_another_pip_on_the_path_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setattr(extras.shutil, "which", lambda name: str(tmp_path / name))
    assert installation("hf") == f"{sys.executable} -m pip install -e '.[hf]'"
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert installation("hf") == f"uv pip install --python {sys.executable} -e '.[hf]'"


def test_the_message_says_what_and_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHECKOUT)
    error = missing("a.zst: needs", "zstandard", "zst", "unpack it yourself")
    assert isinstance(error, UsageError)
    told = "a.zst: needs the package zstandard, which is not installed: run `pip install -e '.[zst]'`"
    assert str(error) == f"{told}, or unpack it yourself"


def test_every_extra_is_installed_as_it_works_here() -> None:
    """No message but this one names an extra by hand."""
    named = re.compile(r"install (-e )?'?(toolgen|\.)\[")
    by_hand = [path for path in (CHECKOUT / "generator").rglob("*.py") if named.search(path.read_text("utf-8"))]
    assert by_hand == []
