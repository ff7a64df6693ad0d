"""The folder of a run's batches: the files of each round, what became of them, and what is known of the servers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from generator.backends.backend import Mode
from generator.boundary import BoundaryModel
from generator.disk import disk_errors, require_own, write_own
from generator.errors import StorageError
from generator.jsontext import dump_pretty
from generator.runs.folder import RunFolder
from generator.runs.lock import run_lock

Role = Literal["author", "opinion"]
"""Who is asked: whoever writes the records, or another server for second opinions."""
FileState = Literal["written", "sending", "sent", "collected"]
Held = TypeVar("Held", bound=BoundaryModel)
ROUND = "round.json"
_USERS_ALONE = 0o700
_OTHERWISE = "wait for it to end"


class RequestFile(BoundaryModel):
    """One file of requests, and where it is."""

    name: str
    role: Role
    model: str
    mode: Mode
    """The response mode in which its lines ask."""
    requests: int
    size: int
    """Bytes."""
    mark: str
    """Tells it from any other file ever handed in."""
    state: FileState = "written"
    begun: float = 0.0
    """When it was first tried to hand it in, in seconds since 1970; 0 where it was not."""
    batch: str = ""
    """The server's name of the batch."""
    said: str = ""
    """The server's last word of it."""
    done: int = 0
    answered: int = 0
    """Lines that were answered, when it is collected."""
    refused: tuple[str, ...] = ()
    """Batches not to be taken for its own: made of it and refused as a whole, or found and made of something else."""


class Round(BoundaryModel):
    """One round: what was not answered when it was written."""

    number: int
    files: tuple[RequestFile, ...]

    @property
    def open_files(self) -> tuple[RequestFile, ...]:
        """Those that are not collected."""
        return tuple(file for file in self.files if file.state != "collected")

    @property
    def is_open(self) -> bool:
        """Whether something of it has not come back."""
        return bool(self.open_files)

    @property
    def requests(self) -> int:
        """How many requests it asks."""
        return sum(file.requests for file in self.files)

    def with_file(self, changed: RequestFile) -> Round:
        """Return the same round with one of its files changed."""
        files = tuple(changed if file.name == changed.name else file for file in self.files)
        return self.model_copy(update={"files": files})


class ServerSettings(BoundaryModel):
    """Where a server is; never with a secret in it."""

    base_url: str = ""
    withheld: bool = False
    """Whether the URL holds what may be secret, so that it has to be given each time."""
    protocol: str = ""
    api_key_env: str = ""
    timeout: float = 120.0


class BatchSettings(BoundaryModel):
    """What the commands of a run's batches share, and what was learned of the servers."""

    author: ServerSettings
    opinion: ServerSettings | None = None
    prompts: str = ""
    """The folder of prompts of the user's own."""
    keep_thoughts: bool = False
    price: tuple[float, float] | None = None
    """Of a million tokens of prompts and of answers, where they are not asked for in batches."""
    served: dict[str, tuple[Mode, ...]] = Field(default_factory=dict)
    """The response modes in which a model has answered, by role and model."""
    reworded: dict[str, str] = Field(default_factory=dict)
    """What a server said that wants something in another word, by role."""


@dataclass(frozen=True, slots=True)
class BatchFolder:
    """The paths of the batches of one run."""

    run: RunFolder

    @property
    def path(self) -> Path:
        """The folder."""
        return self.run.batches

    @property
    def failures(self) -> Path:
        """What came back in place of answers."""
        return self.path / "failures.jsonl"

    @property
    def made(self) -> Path:
        """What rounds have made ahead of its turn; all of it can be made again."""
        return self.path / "made.db"

    def make(self) -> None:
        """Make the folder, in one of a run or in an empty one.

        Raises:
            JobError, StorageError: something else lies there, or it cannot be made.
        """
        self.run.make()
        self.run.require_usable()
        _make(self.path)

    def of_round(self, number: int) -> Path:
        """Return the folder of a round."""
        return self.path / f"round-{number:04}"

    def file(self, number: int, file: RequestFile) -> Path:
        """Return the path of a file of requests.

        Raises:
            StorageError: its name leads elsewhere.
        """
        if Path(file.name).name != file.name:
            raise StorageError(f"{self.of_round(number) / ROUND}: damaged, it names a file elsewhere")
        return self.of_round(number) / file.name

    def files(self, round_: Round) -> Iterator[Path]:
        """Yield the paths of the files of a round that are not collected."""
        for file in round_.open_files:
            yield self.file(round_.number, file)

    def make_round(self, number: int) -> Path:
        """Make the folder of a round, without what a killed process may have left there, and return it."""
        folder = self.of_round(number)
        _make(folder)
        with disk_errors(folder):
            for left in sorted(folder.iterdir(), key=lambda path: path.name != ROUND):  # first that there is a round
                require_own(left)
                left.unlink()
        return folder

    def last_round(self) -> Round | None:
        """Return the last round that was written, None where none was."""
        rounds = list(self.rounds())
        return rounds[-1] if rounds else None

    def rounds(self) -> Iterator[Round]:
        """Yield the rounds in their order; one that was begun and never finished is none."""
        number = 1
        while (path := self.of_round(number) / ROUND).exists():
            yield _read(path, Round)
            number += 1

    def save(self, round_: Round) -> None:
        """Write down how a round is, at once and whole."""
        _write(self.of_round(round_.number) / ROUND, round_)

    def remove(self, round_: Round) -> None:
        """Remove the last round, as if it had not been written."""
        self.make_round(round_.number)

    def settings(self) -> BatchSettings | None:
        """Return what the commands share, None before the first round."""
        path = self.path / "settings.json"
        return _read(path, BatchSettings) if path.exists() else None

    def save_settings(self, settings: BatchSettings) -> None:
        """Write down what the commands share."""
        _write(self.path / "settings.json", settings)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let no other command work on these batches while the block runs."""
        with run_lock(self.path / "batch.lock", "run's batches", _OTHERWISE):
            yield


def _make(folder: Path) -> None:
    with disk_errors(folder):
        if os.path.lexists(folder) and (folder.is_symlink() or not folder.is_dir()):
            raise StorageError(f"{folder}: is no folder, and one of the run belongs there; move it away")
        folder.mkdir(_USERS_ALONE, exist_ok=True)


def _write(path: Path, held: BoundaryModel) -> None:
    write_own(path, [dump_pretty(held.model_dump(mode="json")).encode()])


def _read(path: Path, kind: type[Held]) -> Held:
    require_own(path)
    with disk_errors(path):
        text = path.read_bytes()
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise StorageError(
            f"{path}: damaged, it is not what toolgen writes; without {path.parent} the round is asked again"
        ) from error
