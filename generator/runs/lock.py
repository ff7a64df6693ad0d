"""The lock that one process holds at a time: who holds it, since when, and what a process left that is gone.

The system's own lock of a file is what counts: it ends with its process, however that ends. The text in the file tells
others who holds it. Where a file system has no such locks, a second file stands for them, made by one process alone;
what a process left there that is gone, or of another start of the machine, is taken.
"""

from __future__ import annotations

import errno
import logging
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from generator.boundary import BoundaryModel
from generator.disk import disk_errors, open_own, require_own
from generator.errors import RunLockedError

_LONGEST = 4096
"""Bytes of a lock file that are read."""
_LONGEST_COMMAND = 200
_TRIES = 3
"""How often a file of a process that is gone is taken away, before others are let do their work."""
_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STARTED = 19
"""Which field of `/proc/PID/stat` behind the name is when the process began, in ticks since the machine did."""

log = logging.getLogger(__name__)


class Holder(BoundaryModel):
    """Who holds a lock, as the lock file says it."""

    pid: int
    host: str
    since: str
    """Date and time in UTC, to the second."""
    command: str
    boot: str = ""
    """What tells one start of the machine from the next, "" where the system does not say."""
    started: str = ""
    """When the process began, by the machine's count, since numbers of processes come again; "" where unknown."""

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, since {self.since} ({self.command})"

    @property
    def is_gone(self) -> bool:
        """Say whether the process surely is no more; of another machine's nobody here knows."""
        if self.host != socket.gethostname():
            return False
        if self.boot != _boot():
            return True
        return self.pid < 1 or not _is_alive(self.pid) or self.started != _started(self.pid)


def _ourselves() -> Holder:
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else ""
    name = "toolgen" if program in ("__main__.py", "") else program
    return Holder(
        pid=os.getpid(),
        host=socket.gethostname(),
        since=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        command=shlex.join([name, *sys.argv[1:]])[:_LONGEST_COMMAND],
        boot=_boot(),
        started=_started(os.getpid()),
    )


def _boot() -> str:
    return _BOOT.read_text(encoding="ascii").strip() if _BOOT.is_file() else ""


def _started(pid: int) -> str:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return fields[_STARTED] if len(fields) > _STARTED else ""


if sys.platform == "win32":
    import msvcrt

    _BYTE = 1 << 30  # a byte far behind the text, since Windows locks bytes against reading too

    def _try_lock(file: IO[bytes]) -> None:
        file.seek(_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _is_alive(pid: int) -> bool:
        return True  # to ask there with `os.kill` would end it
else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_alive(pid: int) -> bool:
        try:
            os.kill(pid, 0)  # asks, and sends nothing
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        return True


_OTHERWISE = "wait for it to end, or give --out another folder"


@contextmanager
def run_lock(path: Path, what: str = "run", otherwise: str = _OTHERWISE) -> Iterator[None]:
    """Hold a lock while the block runs; what a process left there that is gone is taken.

    Args:
        path: the lock file, in the folder that it guards; it stays, and is empty when the lock was given back.
        what: what is being worked on, for the message.
        otherwise: what whoever is refused may do.

    Raises:
        RunLockedError: another process holds it; the message tells which, on which machine, since when.
        StorageError: the lock file cannot be made.
    """
    with os.fdopen(open_own(path, os.O_RDWR), "r+b", buffering=0) as file:
        try:
            _try_lock(file)
        except (BlockingIOError, PermissionError) as error:
            raise RunLockedError(_refusal(path, _read(file), what, otherwise)) from error
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                with disk_errors(path):
                    raise
            log.warning("%s: locks are not to be had on this file system; %s stands for one", path, claim_of(path).name)
            with _claimed(path, what, otherwise), _named(path, file):
                yield
            return
        with _named(path, file):
            yield


@contextmanager
def _named(path: Path, file: IO[bytes]) -> Iterator[None]:
    """Have the lock file say who holds it, and nothing when the block ends."""
    if (left := _read(file)) is not None:
        log.info("%s: left by %s, which did not end as it should; taken", path, left)
    with disk_errors(path):
        _write(file, _ourselves())
    try:
        yield
    finally:
        with disk_errors(path):
            file.truncate(0)


def _write(file: IO[bytes], holder: Holder) -> None:
    file.seek(0)
    file.truncate()
    file.write(holder.model_dump_json().encode())


def _read(file: IO[bytes]) -> Holder | None:
    """Return whom the file names; None where it is empty, or holds something else."""
    file.seek(0)
    try:
        return Holder.model_validate_json(file.read(_LONGEST))
    except (ValidationError, OSError):
        return None


def _refusal(path: Path, holder: Holder | None, what: str, otherwise: str) -> str:
    who = "another process" if holder is None else f"process {holder.pid}"
    more = "" if holder is None else f" (on {holder.host}, since {holder.since}: {holder.command})"
    return f"{path.parent}: {who} is working on this {what}{more}; {otherwise}"


def claim_of(path: Path) -> Path:
    """Return the file that stands for the lock where the file system has none."""
    return path.with_name(f".{path.name}.held.part")


@contextmanager
def _claimed(path: Path, what: str, otherwise: str) -> Iterator[None]:
    """Hold the lock by the file that stands for it, which one process alone can make."""
    claim = claim_of(path)
    require_own(claim)
    for _ in range(_TRIES):
        if _make(claim):
            break
        _take_away(claim, path, what, otherwise)
    else:
        raise RunLockedError(_refusal(path, None, what, otherwise))
    try:
        yield
    finally:
        with disk_errors(claim):
            claim.unlink(missing_ok=True)


def _make(claim: Path) -> bool:
    """Make the file, whole from its first moment where there are hard links, and say whether it was not there."""
    own = claim.with_name(f".{os.getpid()}{claim.name}")
    text = _ourselves().model_dump_json().encode()
    with disk_errors(claim):
        own.unlink(missing_ok=True)
        own.write_bytes(text)
        try:
            os.link(own, claim)
        except FileExistsError:
            return False
        except OSError:
            return _make_anew(claim, text)
        finally:
            own.unlink()
    return True


def _make_anew(claim: Path, text: bytes) -> bool:
    try:
        with claim.open("xb") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def _take_away(claim: Path, path: Path, what: str, otherwise: str) -> None:
    """Take the file of a process away that is gone.

    Raises:
        RunLockedError: it is there still, or of another machine, of which nobody here knows.
    """
    try:
        with claim.open("rb") as file:
            holder, seen = _read(file), os.fstat(file.fileno()).st_ino
    except FileNotFoundError:
        return
    if holder is None or not holder.is_gone:
        remedy = f"{otherwise}; where it is no more, remove {claim}"
        raise RunLockedError(_refusal(path, holder, what, remedy))
    log.info("%s: left by %s, which is gone; taken", claim, holder)
    aside = claim.with_name(f".{os.getpid()}{claim.name}")
    claim.rename(aside)
    if aside.stat().st_ino != seen:  # somebody was faster, and this is theirs
        aside.rename(claim)
        raise RunLockedError(_refusal(path, None, what, otherwise))
    aside.unlink()
