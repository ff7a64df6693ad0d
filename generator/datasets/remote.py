"""Data at a URL that fsspec knows: object stores, file servers, another folder.

    TARGET/latest.json          the name of the data that counts, and its files with sizes and digests
    TARGET/builds/<digest>/     the data; the one before it stays, for those who are reading it

Object stores cannot rename, and what is copied over file by file is for a while half of this and half of that. So the
data get a name of their own, made of what is in them, and `latest.json` is written last: a push that is interrupted
before leaves everything as it was, and the next one clears away what it left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import orjson
from pydantic import ValidationError

from generator.boundary import BoundaryModel
from generator.datasets.folder_files import FolderFile
from generator.errors import PushError, UsageError
from generator.extras import missing

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
