"""Pushing: all of the old data or all of the new, wherever a push is cut off, and one message for what is refused."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import fsspec
import orjson
import pytest
import yaml

from generator.cli import main
from generator.datasets.pushing import POINTER, Pointer, _Remote, check_target, push
from generator.errors import PushError, UsageError
from tests.scripted_hub import CUT, TOKEN, ScriptedHub, scripted_hub

Json = Any  # parsed JSON
TARGET = "hf://datasets/me/tools"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "made", "one")


def write(folder: Path, text: str) -> Path:
    (folder / "data" / "trl").mkdir(parents=True, exist_ok=True)
    (folder / "data" / "trl" / "train.jsonl").write_text(f'{{"text": "{text}"}}\n')
    (folder / "data" / "trl" / "test.jsonl").write_text(f'{{"text": "not {text}"}}\n')
    (folder / "manifest.json").write_text("{}")
    (folder / ".records.jsonl.part").write_text("left by a killed process")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".part")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedHub]:
    with scripted_hub() as served:
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setattr(time, "sleep", lambda _: None)  # between tries
        yield served


def test_a_folder_becomes_a_private_data_set_with_a_card(hub: ScriptedHub, folder: Path) -> None:
    assert push(folder, TARGET).startswith(f"{hub.url}/datasets/me/tools/commit/")
    files = hub.data_sets["me/tools"]["main"]
    card = files.pop("README.md").decode()
    assert {**contents(folder), ".gitattributes": b""} == files
    assert hub.private == {"me/tools": True}
    splits = [{"split": name, "path": [f"data/trl/{name}.jsonl"]} for name in ("test", "train")]
    assert yaml.safe_load(card.split("---")[1])["configs"] == [{"config_name": "trl", "data_files": splits}]


def test_a_later_push_replaces_all_and_keeps_a_card_written_by_hand(hub: ScriptedHub, folder: Path) -> None:
    push(folder, TARGET)
    hub.data_sets["me/tools"]["main"]["README.md"] = b"by hand"
    (folder / "data" / "trl" / "test.jsonl").unlink()
    (folder / "more.json").write_text("5")
    push(folder, TARGET)
    assert hub.data_sets["me/tools"]["main"] == {**contents(folder), ".gitattributes": b"", "README.md": b"by hand"}
    (folder / "README.md").write_text("of the folder")
    push(folder, TARGET)
    assert hub.data_sets["me/tools"]["main"]["README.md"] == b"of the folder"


def test_a_branch_is_made_and_the_others_stay(hub: ScriptedHub, folder: Path) -> None:
    push(folder, TARGET)
    before = dict(hub.data_sets["me/tools"]["main"])
    push(write(folder, "two"), f"{TARGET}@nightly")
    assert hub.data_sets["me/tools"]["main"] == before
    assert hub.data_sets["me/tools"]["nightly"]["data/trl/train.jsonl"] == b'{"text": "two"}\n'


@pytest.mark.parametrize("step", ["create", "info", "preupload", "commit"])
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (401, "answers 401: the token in HF_TOKEN is none that it knows"),
        (403, "answers 403: the token in HF_TOKEN may not write there"),
        (404, "answers 404: there is no such data set"),
        (429, "answers 429: it asks to wait"),
        (500, "answers 500: "),
        (CUT, "cannot be reached: "),
    ],
)
def test_what_the_hub_refuses_is_one_message_and_changes_nothing(
    hub: ScriptedHub, folder: Path, step: str, fault: int, message: str
) -> None:
    push(folder, TARGET)
    before = dict(hub.data_sets["me/tools"]["main"])
    hub.faults[step] = [fault] * 100
    with pytest.raises(PushError, match=f"^{TARGET}: the hub {message}") as caught:
        push(write(folder, "two"), TARGET)
    assert TOKEN not in str(caught.value)
    assert hub.data_sets["me/tools"]["main"] == before


@pytest.mark.parametrize("step", ["create", "info", "preupload", "commit"])
@pytest.mark.parametrize("fault", [429, 500, 503, CUT])
def test_what_passes_is_asked_again(hub: ScriptedHub, folder: Path, step: str, fault: int) -> None:
    hub.faults[step] = [fault, fault]
    push(folder, TARGET)
    assert contents(folder).items() <= hub.data_sets["me/tools"]["main"].items()
    assert hub.seen.count(step) == 3


def test_a_commit_that_counts_and_is_not_heard_of_is_made_again(hub: ScriptedHub, folder: Path) -> None:
    hub.after_commit = [CUT]
    push(folder, TARGET)
    assert contents(folder).items() <= hub.data_sets["me/tools"]["main"].items()


def test_another_token_is_told_and_not_printed(
    hub: ScriptedHub, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_another")
    assert main(["push", str(folder), TARGET]) == 3
    told = capsys.readouterr()
    assert "401" in told.err
    assert "hf_another" not in told.err + told.out


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("hf://me/model", "names no data set"),
        ("hf://datasets/me", "names no data set"),
        ("hf://datasets/me/x/../y", "names no data set"),
        (TARGET, "set HF_TOKEN"),
        ("somewhere", "is no target"),
        ("memory://", "is no target"),
        ("simplecache::memory://x", "is no target"),
        ("nope://x", "fsspec knows no nope://"),
        ("s3://me:secret@bucket/x", "^s3://: a URL holds no password"),
    ],
)
def test_what_is_no_target_is_refused_before_anything(
    target: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    with pytest.raises(UsageError, match=message) as caught:
        check_target(target)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("module", "target", "message"),
    [
        ("huggingface_hub", TARGET, r"huggingface_hub, which is not installed: run .*\[hf\]"),
        ("fsspec", "memory://x", r"fsspec, which is not installed: run .*\[remote\]"),
        ("gcsfs", "gs://bucket/x", "needs a package that is not installed: .*gcsfs"),
    ],
)
def test_what_is_not_installed_is_named(
    module: str, target: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=message):
        check_target(target)


def test_what_is_no_folder_of_data_is_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.db").touch()
    for path, message in [("nowhere", "no such folder"), ("empty", "no file"), ("run", "of a run")]:
        with pytest.raises(UsageError, match=message):
            push(tmp_path / path, "memory://refused")
    (folder / "link").symlink_to("/etc/hostname")
    with pytest.raises(UsageError, match="link: is a link, or no file at all"):
        push(folder, "memory://refused")
    assert not fsspec.filesystem("memory").exists("/refused")


def remote(tmp_path: Path, scheme: str) -> str:
    if scheme == "file":
        return (tmp_path / "remote").as_uri()
    return f"memory://{tmp_path.name}/remote"


def read(target: str) -> dict[str, bytes]:
    """What a reader finds who goes by the pointer; each file is held against its size and digest."""
    system, root = fsspec.core.url_to_fs(target)
    pointer = Pointer.model_validate(orjson.loads(system.cat_file(f"{root}/{POINTER}")))
    found = {name: system.cat_file(f"{root}/{pointer.path}/{name}") for name in pointer.files}
    told = {name: (entry.size, entry.sha256) for name, entry in pointer.files.items()}
    assert {name: (len(text), sha256(text).hexdigest()) for name, text in found.items()} == told
    return found


def builds(target: str) -> set[str]:
    system, root = fsspec.core.url_to_fs(target)
    return {path.rpartition("/")[2] for path in system.ls(f"{root}/builds", detail=False)}


@pytest.mark.parametrize("scheme", ["file", "memory"])
def test_a_folder_is_pushed_and_the_one_before_stays(tmp_path: Path, folder: Path, scheme: str) -> None:
    target = remote(tmp_path, scheme)
    places = [push(write(folder, text), target).rpartition("/")[2] for text in ("one", "two", "three")]
    assert read(target) == contents(folder)
    assert builds(target) == set(places[1:])
    assert push(folder, f"{target}/").rpartition("/")[2] == places[2]  # nothing new
    assert push(write(folder, "two"), target).rpartition("/")[2] == places[1]
    assert read(target) == contents(folder)


STEPS = ["makedirs", "put_file", "info", "pipe_file", "mv", "rm", "ls", "open"]


class Pulled(BaseException):
    """Stands for a process that is killed."""


@pytest.mark.parametrize("scheme", ["file", "memory"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [OSError("the network is gone"), Pulled()])
def test_a_push_cut_off_anywhere_leaves_all_or_the_old_and_the_next_clears_up(
    tmp_path: Path, folder: Path, scheme: str, step: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = remote(tmp_path, scheme)
    push(write(folder, "zero"), target)
    push(folder_before := write(folder, "one"), target)
    before = contents(folder_before)
    after = contents(write(folder, "two"))
    kind = type(fsspec.core.url_to_fs(target)[0])
    for place in range(4):
        with monkeypatch.context() as patch:
            patch.setattr(kind, step, failing(getattr(kind, step), place, error))
            with suppress(PushError, Pulled):
                push(folder, target)
        assert read(target) in (before, after)
    push(folder, target)
    assert read(target) == after
    assert len(builds(target)) <= 2
    push(write(folder, "three"), target)
    assert len(builds(target)) == 2
    assert not [path for path in fsspec.core.url_to_fs(target)[0].find(target) if path.endswith(".part")]


def failing(call: Any, place: int, error: BaseException) -> Any:
    """The same call, which fails from one of its uses on."""
    left = [place]

    def fails(*arguments: Any, **more: Any) -> Any:
        if left[0] == 0:
            raise error
        left[0] -= 1
        return call(*arguments, **more)

    return fails


def test_what_arrives_cut_off_does_not_count(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = remote(tmp_path, "memory")
    push(folder, target)
    before = contents(folder)
    kind = type(fsspec.filesystem("memory"))
    whole = kind.put_file

    def cut(self: Any, source: str, path: str, **more: Any) -> None:
        whole(self, source, path, **more)
        self.pipe_file(path, self.cat_file(path)[:-1])

    with monkeypatch.context() as patch:
        patch.setattr(kind, "put_file", cut)
        with pytest.raises(PushError, match=r"arrived with 19 of 20 bytes; push again"):
            push(write(folder, "two"), target)
    assert read(target) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"not JSON", "is no file of toolgen"),
        (b'{"format": 1, "path": "x"}', "is no file of toolgen"),
        (b'{"format": 1, "path": "builds/../..", "files": {}}', "which is none of toolgen's"),
    ],
)
def test_what_others_keep_there_is_left_alone(tmp_path: Path, folder: Path, text: bytes, message: str) -> None:
    target = remote(tmp_path, "memory")
    system = fsspec.filesystem("memory")
    system.pipe_file(f"{target}/latest.json", text)
    system.pipe_file(f"{target}/builds/mine/notes.txt", b"mine")
    with pytest.raises(PushError, match=message):
        push(folder, target)
    system.rm_file(f"{target}/latest.json")
    push(folder, target)
    assert system.cat_file(f"{target}/builds/mine/notes.txt") == b"mine"


def test_a_file_system_that_only_reads_is_one_message(folder: Path) -> None:
    with pytest.raises(PushError, match=r"^data://x/y: "):
        push(folder, "data://x/y")


def test_the_command_prints_where_the_data_lie(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = remote(tmp_path, "file")
    assert main(["push", str(folder), target]) == 0
    place = capsys.readouterr().out.strip()
    assert contents(Path(place.removeprefix("file://"))) == contents(folder)
    assert main(["push", str(tmp_path / "nowhere"), target]) == 2


@pytest.mark.slow
def test_a_bucket_gets_all_or_keeps_the_old(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a server of S3 on this machine, by the package that talks to the real one."""
    s3fs = pytest.importorskip("s3fs")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir("bucket")
        target = "s3://bucket/tools"
        places = [push(write(folder, text), target) for text in ("one", "two", "three")]
        assert read(target) == contents(folder)
        assert builds(target) == {place.rpartition("/")[2] for place in places[1:]}
        before = contents(folder)
        with monkeypatch.context() as patch:
            patch.setattr(_Remote, "point_to", failing(None, 0, OSError("gone")))
            with pytest.raises(PushError, match="gone"):
                push(write(folder, "four"), target)
        assert read(target) == before
        push(folder, target)
        assert read(target) == contents(folder)
        assert len(builds(target)) == 2
        with pytest.raises(PushError, match=r"^s3://nowhere/tools: "):
            push(folder, "s3://nowhere/tools")
    finally:
        server.stop()
