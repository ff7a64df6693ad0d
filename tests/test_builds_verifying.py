"""Verifying: every sort of damage to a build is found, and named."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.builds.folder import folder_name
from generator.builds.verifying import verify
from generator.errors import UsageError
from tests.build_orders import Desk

SETTINGS = "[splits]\nshares = {train = 0.5, test = 0.5}\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that nothing is wrong with."""
    desk = Desk(tmp_path_factory.mktemp("desk"), settings=SETTINGS, count=8, formats=["trl"])
    desk.build()
    return desk.latest.resolve()


@pytest.fixture
def build(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return Path(shutil.copytree(whole, tmp_path / whole.name, symlinks=True))


def cut(build: Path) -> None:
    os.truncate(build / "records.jsonl", 100)


def lengthened(build: Path) -> None:
    with (build / "records.jsonl").open("ab") as file:
        file.write(b"\n")


def changed(build: Path) -> None:
    path = build / "data/trl/train.jsonl"
    path.write_bytes(path.read_bytes().replace(b"a", b"b", 1))


def linked(build: Path) -> None:
    path = build / "catalog.json"
    path.rename(build.parent / "elsewhere")
    path.symlink_to(build.parent / "elsewhere")


def folder_linked(build: Path) -> None:
    (build / "more").symlink_to(build.parent)


def piped(build: Path) -> None:
    (build / "job.json").unlink()
    os.mkfifo(build / "job.json")


def of_another_build(build: Path) -> None:
    text = (build / "manifest.json").read_text()
    (build / "manifest.json").write_text(text.replace('"name": "nightly"', '"name": "daily"', 1))


SIMPLE: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a file is missing": (lambda build: (build / "records.jsonl").unlink(), "records.jsonl: is missing"),
    "a split is missing": (lambda build: (build / "data/trl/test.jsonl").unlink(), "data/trl/test.jsonl: is missing"),
    "all data are missing": (lambda build: shutil.rmtree(build / "data"), "data/trl/test.jsonl: is missing"),
    "a file is empty": (lambda build: (build / "summary.json").write_bytes(b""), "summary.json: is cut: 0 bytes"),
    "a file is cut": (cut, "records.jsonl: is cut: 100 bytes"),
    "a file is longer": (lengthened, "records.jsonl: is longer than it was"),
    "a byte is another": (changed, "data/trl/train.jsonl: was changed"),
    "there is a file more": (lambda build: (build / "notes.txt").write_text("mine"), "notes.txt: is no file of the"),
    "there is a hidden file": (lambda build: (build / ".x.part").write_text(""), ".x.part: is no file of the build"),
    "a file is a link": (linked, "catalog.json: is a symbolic link"),
    "a link leads out": (folder_linked, "more: is no file of the build"),
    "a file is a pipe": (piped, "job.json: is no file"),
    "the manifest is missing": (lambda build: (build / "manifest.json").unlink(), "manifest.json: is missing"),
    "the manifest is changed": (of_another_build, "manifest.json: is not the one that was published"),
    "the manifest is cut": (lambda build: os.truncate(build / "manifest.json", 50), "manifest.json: is no manifest"),
    "the manifest is empty": (lambda build: os.truncate(build / "manifest.json", 0), "manifest.json: is no manifest"),
}


def test_a_whole_build_has_no_damage(build: Path) -> None:
    assert verify(build) == ()
    (build.parent / "latest").symlink_to(build.name)
    assert verify(build.parent / "latest") == ()


@pytest.mark.parametrize("damage", SIMPLE)
def test_a_damage_is_named(build: Path, damage: str) -> None:
    spoil, told = SIMPLE[damage]
    spoil(build)
    assert any(str(each).startswith(told) for each in verify(build)), [str(each) for each in verify(build)]


def renamed(build: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The build with another manifest, and the name that belongs to it: as somebody would who means to deceive."""
    manifest = json.loads((build / "manifest.json").read_bytes())
    change(manifest)
    text = json.dumps(manifest).encode()
    (build / "manifest.json").write_bytes(text)
    return build.rename(build.with_name(folder_name(build.name.partition("-")[0], text)))


def drop(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest["files"].remove(next(each for each in manifest["files"] if each["path"] == name))


LIES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "more records": (lambda m: m.update(records=9), "manifest.json: tells 9 records, and there are 8"),
    "another kind": (lambda m: m["kinds"]["simple"].update(records=1), "manifest.json: tells 1 records of simple"),
    "another split": (lambda m: m["splits"].update(train=99), "data/trl/train.jsonl: has"),
    "another seed": (lambda m: m["job"].update(seed=5), "job.json: is another job than the manifest tells"),
    "a tool more": (lambda m: m["tools"].update(x=m["tools"]["add_note"]), "catalog.json: has other tools"),
    "another time": (lambda m: m.update(stamp="20200101T000000Z"), "manifest.json: tells of a build of 20200101"),
    "a file left out": (drop("rejections.jsonl"), "rejections.jsonl: is no file of the build"),
    "a split left out": (drop("data/trl/test.jsonl"), "data/trl/test.jsonl: is no file of the build"),
    "a file twice": (lambda m: m["files"].append(m["files"][0]), "catalog.json: stands in the manifest twice"),
    "a file outside": (
        lambda m: m["files"].append({"path": "../x", "sha256": "0", "size": 0}),
        "../x: is no name of a file within a build",
    ),
    "kept records": (lambda m: m.update(kept=3), "manifest.json: tells 8 records, kept and made anew"),
    "an unknown key": (lambda m: m.update(blessed=True), "manifest.json: is no manifest of a build: /blessed"),
    "another version": (lambda m: m.update(manifest=2), "manifest.json: is no manifest of a build: /manifest"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_manifest_that_lies_is_found_out(build: Path, lie: str) -> None:
    change, told = LIES[lie]
    found = verify(renamed(build, change))
    assert any(str(each).startswith(told) for each in found), [str(each) for each in found]


def test_records_out_of_their_order_are_found_out(build: Path) -> None:
    path = build / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[1:], lines[0]]))
    from hashlib import sha256

    def agree(manifest: dict[str, Any]) -> None:
        entry = next(each for each in manifest["files"] if each["path"] == "records.jsonl")
        entry["sha256"] = sha256(path.read_bytes()).hexdigest()

    found = verify(renamed(build, agree))
    assert any("is not in its place" in str(each) for each in found)


def test_the_name_alone_is_no_proof(build: Path) -> None:
    other = build.rename(build.with_name(f"{build.name[:-8]}00000000"))
    assert str(verify(other)[0]).startswith("manifest.json: is not the one that was published")


def test_no_folder_is_no_build(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        verify(tmp_path / "nothing")
