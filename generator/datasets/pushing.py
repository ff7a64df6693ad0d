"""Pushing: a folder of data brought to the Hugging Face Hub, or to wherever a URL of fsspec leads.

Whoever reads there sees the data as it was or as it is, never a part. On the hub one commit holds all of it, and takes
away what is no longer in the folder; a data set that is not there is made, for its owner's eyes alone, and a card is
written where there is none. Elsewhere:

    TARGET/latest.json          the name of the data that counts, and its files with sizes and digests
    TARGET/builds/<digest>/     the data; the one before it stays, for those who are reading it

Object stores cannot rename, and what is copied over file by file is for a while half of this and half of that. So the
data get a name of their own, made of what is in them, and `latest.json` is written last: a push that is interrupted
before leaves everything as it was, and the next one clears away what it left.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from pydantic import ValidationError

from generator.boundary import BoundaryModel
from generator.datasets.folder import card_of_files
from generator.disk import disk_errors, is_part
from generator.errors import PushError, UsageError
from generator.extras import missing
from generator.runs.folder import RunFolder

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_Answer = TypeVar("_Answer")

HUB = "hf://"
TOKEN = "HF_TOKEN"  # noqa: S105 - the name of the variable that holds it
_ENDPOINT = "HF_ENDPOINT"
_TARGET = re.compile(r"hf://datasets/([\w.-]+/[\w.-]+)(?:@([\w./-]+))?/?")
_CARD = "README.md"
_FIRST_BRANCH = "main"
_NOT_OURS = {".gitattributes"}
"""What the hub keeps for itself."""
_TRIES = 4
_LONGEST_WAIT = 60
_PASSING = {408, 429, 500, 502, 503, 504}
_REMEDIES = {
    401: f"the token in {TOKEN} is none that it knows",
    403: f"the token in {TOKEN} may not write there",
    404: f"there is no such data set or branch, or the token in {TOKEN} may not see it",
    429: "it asks to wait; push again later",
}
POINTER = "latest.json"
_BUILDS = "builds"
_PART = ".part"
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://(?!$)")
_SECRET = re.compile(r"://[^/@]*:[^/@]*@")
_OF_BUCKETS = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "obs", "r2"}
"""Stores without folders, whose clients would make the bucket of a misspelt URL for want of one."""
_FORMAT = 1
_LARGEST_POINTER = 64 * 1024 * 1024
_NAME = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a folder: its name there, with `/` between folders, and what is in it."""

    name: str
    path: Path
    size: int
    sha256: str


def files_of(folder: Path) -> list[FolderFile]:
    """Return the files of a folder in the order of their names, without temporary ones.

    Raises:
        UsageError: there is none, something in the folder is a link, or it is a run's, which holds more than data.
        StorageError: a file cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder to push")
    if RunFolder(folder).database.exists() or RunFolder(folder).is_run:
        raise UsageError(f"{folder}: is the folder of a run, which holds more than data; export it, and push that")
    root = folder.resolve()
    with disk_errors(folder):
        files = [_file(root, path) for path in sorted(root.rglob("*")) if not (_is_folder(path) or is_part(path))]
    if not files:
        raise UsageError(f"{folder}: holds no file to push")
    return files


def files_of_run(run: RunFolder, published: Iterable[str]) -> list[FolderFile]:
    """Return the published files of a run, by their names, and those by which it is told and made again.

    Raises:
        StorageError: a file cannot be read.
    """
    names = {*published, *(path.name for path in (run.summary, run.job, run.catalog))}
    root = run.path.resolve()
    with disk_errors(run.path):
        return [_file(root, root / name) for name in sorted(names)]


def _is_folder(path: Path) -> bool:
    return stat.S_ISDIR(path.lstat().st_mode)


def _file(root: Path, path: Path) -> FolderFile:
    if not stat.S_ISREG(path.lstat().st_mode):
        raise UsageError(f"{path}: is a link, or no file at all, and is not followed; put a copy in its place")
    with path.open("rb") as stream:
        return FolderFile(
            path.relative_to(root).as_posix(), path, path.stat().st_size, file_digest(stream, "sha256").hexdigest()
        )


@dataclass(frozen=True, slots=True)
class _Place:
    """A data set, and the branch of it."""

    name: str
    branch: str


def check_hub(target: str) -> None:
    """Refuse what names no data set, and where the package or the token is missing.

    Raises:
        UsageError: so it is.
    """
    _place(target)
    try:
        import huggingface_hub  # noqa: F401 - the question is whether it is there
    except ImportError as error:
        raise missing(f"{target}: needs", "huggingface_hub", "hf") from error
    if not os.environ.get(TOKEN):
        raise UsageError(f"{target}: set {TOKEN} to a token that may write there; it is read from nowhere else")


def _place(target: str) -> _Place:
    found = _TARGET.fullmatch(target)
    if found is None:
        raise UsageError(f"{target}: names no data set; give hf://datasets/OWNER/NAME, with @BRANCH if wanted")
    return _Place(found[1], found[2] or _FIRST_BRANCH)


def push_to_hub(title: str, files: Sequence[FolderFile], target: str) -> str:
    """Make the files the data set that the target names, in one commit, and return the commit's URL.

    Args:
        title: what a card is headed with, where one has to be written.
        files: the files of the data set.
        target: `hf://datasets/OWNER/NAME`, with `@BRANCH` if wanted.

    Raises:
        PushError: the hub refused, failed again and again, or could not be reached; nothing was changed.
    """
    from huggingface_hub import HfApi

    place = _place(target)
    api = HfApi(endpoint=os.environ.get(_ENDPOINT) or None, token=os.environ[TOKEN])
    with _hub_errors(target):
        # Together, since what is there may have changed: a commit may count of which nothing was heard.
        return _patiently(lambda: _commit(api, place, title, files, _names_there(api, place)))


def _names_there(api: HfApi, place: _Place) -> list[str]:
    """Return the names of the files in the data set, which is made where it is not there, and so is its branch."""
    api.create_repo(place.name, repo_type="dataset", private=True, exist_ok=True)
    if place.branch != _FIRST_BRANCH:
        api.create_branch(place.name, branch=place.branch, repo_type="dataset", exist_ok=True)
    found = api.dataset_info(place.name, revision=place.branch)
    return [each.rfilename for each in found.siblings or ()]


def _commit(api: HfApi, place: _Place, title: str, files: Sequence[FolderFile], there: Sequence[str]) -> str:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    operations: list[Any] = [CommitOperationAdd(file.name, file.path) for file in files]
    named = {file.name for file in files}
    if _CARD not in named and _CARD not in there:
        operations.append(CommitOperationAdd(_CARD, card_of_files(title, sorted(named)).encode()))
    gone = set(there) - named - _NOT_OURS - {_CARD}
    operations += [CommitOperationDelete(name) for name in sorted(gone)]
    message = f"{len(files):,} files of {title}"
    done = api.create_commit(place.name, operations, commit_message=message, repo_type="dataset", revision=place.branch)
    return str(done.commit_url)


def _patiently(ask: Callable[[], _Answer]) -> _Answer:
    """Ask the hub, again where it fails for the moment."""
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

    waits = wait_exponential_jitter(initial=1, max=_LONGEST_WAIT)
    again = Retrying(stop=stop_after_attempt(_TRIES), wait=waits, retry=retry_if_exception(_is_passing), reraise=True)
    return again(ask)


def _status(error: BaseException) -> int | None:
    """Return the status of an answer; None where there was no answer."""
    found = getattr(getattr(error, "response", None), "status_code", None)
    return found if isinstance(found, int) else None


def _is_passing(error: BaseException) -> bool:
    """Say whether asking again may help: an answer says so, or none came."""
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of whichever client it uses

    status = _status(error)
    return status in _PASSING if status is not None else isinstance(error, HTTPError | ConnectionError | TimeoutError)


@contextmanager
def _hub_errors(target: str) -> Iterator[None]:
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of whichever client it uses

    try:
        yield
    except (HTTPError, OSError) as error:
        status = _status(error)
        if status is None:
            raise PushError(f"{target}: the hub cannot be reached: {error}; push again") from error
        remedy = _REMEDIES.get(status) or " ".join(str(error).split())[:300]
        raise PushError(f"{target}: the hub answers {status}: {remedy}; nothing was changed") from error


class _Entry(BoundaryModel):
    """A file of the data that counts."""

    size: int
    sha256: str


class Pointer(BoundaryModel):
    """What `latest.json` says: which data count."""

    format: int
    path: str
    files: dict[str, _Entry]


def check_remote(target: str) -> None:
    """Refuse what is no URL, holds a password, or is of a kind that nothing here reaches.

    Raises:
        UsageError: so it is; the message says what to install where that would help.
    """
    scheme = _SCHEME.match(target)
    if scheme is None or "::" in target:
        raise UsageError(f"{target}: is no target; give hf://datasets/OWNER/NAME, or a URL, e.g. s3://bucket/folder")
    if _SECRET.search(target):
        raise UsageError(f"{scheme[0]}: a URL holds no password: it would be told; use the environment")
    try:
        import fsspec
    except ImportError as error:
        raise missing(f"{target}: needs", "fsspec", "remote") from error
    try:
        fsspec.get_filesystem_class(scheme[1])
    except ImportError as error:
        raise UsageError(f"{target}: needs a package that is not installed: {error}") from error
    except ValueError as error:
        raise UsageError(f"{target}: fsspec knows no {scheme[1]}://; see `fsspec.available_protocols()`") from error


def push_to_remote(files: Sequence[FolderFile], target: str) -> str:
    """Bring files to a target, and return the URL of the folder in which they lie.

    Raises:
        PushError: the target refused or failed; what counted there before counts still.
    """
    import fsspec

    with _remote_errors(target):
        system, root = fsspec.core.url_to_fs(target.rstrip("/"), use_listings_cache=False)
        remote = _Remote(system, root)
        pointer = _pointer_to(files)
        before = remote.pointer()
        if before != pointer or not remote.is_whole(pointer):
            remote.clear({pointer.path, *([before.path] if before else [])})
            remote.upload(files, pointer)
            remote.point_to(pointer)
        remote.clear({pointer.path, *([before.path] if before else [])})
    return f"{target.rstrip('/')}/{pointer.path}"


def files_at(target: str) -> list[str]:
    """Return the URLs of the files that count at a target, by their names; none where nothing was brought there.

    Raises:
        UsageError: it is no URL that can be reached from here. PushError: it failed, or something else is there.
    """
    import fsspec

    check_remote(target)
    with _remote_errors(target):
        system, root = fsspec.core.url_to_fs(target.rstrip("/"), use_listings_cache=False)
        pointer = _Remote(system, root).pointer()
    return [f"{target.rstrip('/')}/{pointer.path}/{name}" for name in sorted(pointer.files)] if pointer else []


def _pointer_to(files: Sequence[FolderFile]) -> Pointer:
    entries = {file.name: _Entry(size=file.size, sha256=file.sha256) for file in files}
    told = "".join(f"{name}\0{entry.sha256}\n" for name, entry in sorted(entries.items()))
    return Pointer(format=_FORMAT, path=f"{_BUILDS}/{sha256(told.encode()).hexdigest()[:16]}", files=entries)


class _Remote:
    """A folder of a file system that fsspec reaches."""

    def __init__(self, system: Any, root: str) -> None:
        self._system = system
        self._root = root
        named = system.protocol
        self._has_buckets = not _OF_BUCKETS.isdisjoint([named] if isinstance(named, str) else named)

    def _at(self, *names: str) -> str:
        return "/".join([self._root, *names])

    def pointer(self) -> Pointer | None:
        """Return what counts there; None where nothing does.

        Raises:
            PushError: a file of that name is there and says something else.
        """
        path = self._at(POINTER)
        try:
            with self._system.open(path, "rb") as stream:
                text = stream.read(_LARGEST_POINTER)
        except FileNotFoundError:
            return None
        try:
            pointer = Pointer.model_validate(orjson.loads(text))
        except (ValidationError, orjson.JSONDecodeError) as error:
            raise PushError(f"{path}: is no file of toolgen, which would replace it; give another target") from error
        if not _NAME.fullmatch(pointer.path.removeprefix(f"{_BUILDS}/")):
            raise PushError(f"{path}: leads to {pointer.path}, which is none of toolgen's; give another target")
        return pointer

    def is_whole(self, pointer: Pointer) -> bool:
        """Say whether all files that count are there in their sizes."""
        return all(self._size(pointer.path, name) == entry.size for name, entry in pointer.files.items())

    def _size(self, *names: str) -> int | None:
        try:
            return int(self._system.info(self._at(*names))["size"])
        except FileNotFoundError:
            return None

    def upload(self, files: Sequence[FolderFile], pointer: Pointer) -> None:
        """Bring the files to where they will lie, and see that each arrived whole."""
        for file in files:
            path = self._at(pointer.path, file.name)
            if not self._has_buckets:
                self._system.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._system.put_file(str(file.path), path)
            size = self._size(pointer.path, file.name)
            if size != file.size:
                raise PushError(f"{path}: arrived with {size} of {file.size} bytes; push again")

    def point_to(self, pointer: Pointer) -> None:
        """Let the data count: from here on they are what is read."""
        text = orjson.dumps(pointer.model_dump(mode="json"), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        part = self._at(f".{POINTER}{_PART}")
        self._system.pipe_file(part, text)
        self._system.mv(part, self._at(POINTER))

    def clear(self, kept: set[str]) -> None:
        """Remove data that neither count nor did before: what interrupted pushes left, and what is older."""
        builds = self._at(_BUILDS)
        if not self._system.exists(builds):
            return
        for path in self._system.ls(builds, detail=False):
            name = path.rstrip("/").rpartition("/")[2]
            if _NAME.fullmatch(name) and f"{_BUILDS}/{name}" not in kept:
                self._system.rm(self._at(_BUILDS, name), recursive=True)


@contextmanager
def _remote_errors(target: str) -> Iterator[None]:
    """Turn whatever a file system or its client raises into one PushError: each client has exceptions of its own."""
    try:
        yield
    except PushError:
        raise
    except Exception as error:
        what = str(error) or type(error).__name__
        raise PushError(f"{target}: {what}; what lay there before is as it was, push again") from error


def check_target(target: str) -> None:
    """Refuse a target that nothing could be pushed to; nothing is asked of the network.

    Raises:
        UsageError: it is no target, or what reaches it is not installed, or the hub's token is not set.
    """
    if target.startswith(HUB):
        check_hub(target)
    else:
        check_remote(target)


def push(folder: Path, target: str) -> str:
    """Bring all files of a folder to a target, and return where they lie.

    Args:
        folder: the data; links in it are refused, and so is a run's folder, which holds more than data.
        target: `hf://datasets/OWNER/NAME`, with `@BRANCH` if wanted, or a URL that fsspec knows, as `s3://bucket/x`.

    Raises:
        UsageError: as `check_target` says; or there is nothing to push.
        PushError: the target refused, or could not be reached; what lay there before is as it was.
        StorageError: a file of the folder could not be read.
    """
    check_target(target)
    files = files_of(folder)
    if target.startswith(HUB):
        return push_to_hub(folder.resolve().name, files, target)
    return push_to_remote(files, target)
