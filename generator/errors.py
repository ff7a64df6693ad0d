"""Every error toolgen raises on purpose, and the exit code of each.

    ToolgenError
    ├── UsageError            2   the operator's mistake: an option, a job, a file that is not there
    │   ├── JobError          2   a job that contradicts itself or the run folder
    │   └── ToolFileError     2   tool definitions that cannot be used; carries every problem found
    ├── DataError             1   data that failed: violations, or fewer records than asked
    ├── BackendError          3   the completion server refuses or only fails
    ├── McpServerError        3   an MCP server cannot be reached or lists no tools
    ├── PushError             3   where data are pushed to refused them, or could not be reached
    ├── LimitError            4   a limit the user set was reached
    ├── StorageError          5   local files or disk
    ├── EngineError           5   a worker process of this machine was lost
    ├── RunLockedError       75   another process works on the same run
    └── ValueSynthesisError   2   no value for a schema
        ├── Unsatisfiable         proven: no value can exist
        └── GaveUp                none found within the bounds

Bad data is not raised: it is yielded as violations (validation) or kept as rejections (runs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

EXIT_CODES: dict[int, str] = {
    0: "good",
    1: "data failed: violations, or fewer records than asked",
    2: "usage or configuration",
    3: "a server failed or refused",
    4: "a limit you set was reached",
    5: "local files or disk",
    75: "locked by another run",
    130: "interrupted (SIGINT)",
    141: "the reader of the output left (SIGPIPE)",
    143: "terminated (SIGTERM)",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input file: where it is, what it is, what to do about it."""

    where: str
    """The file, with `:line:column` for a syntax error or `#/json/pointer` for a definition."""
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.remedy})" if self.remedy else "")


class ToolgenError(Exception):
    """The root of all errors raised on purpose; `str()` is the message for the user."""

    exit_code: ClassVar[int] = 1


class UsageError(ToolgenError):
    """The operator asked for something that cannot be done; nothing was started."""

    exit_code = 2


class JobError(UsageError):
    """A job contradicts itself, its catalog or the folder it should run in."""


class ToolFileError(UsageError):
    """Tool definitions that cannot be used; `problems` lists every one that was found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class DataError(ToolgenError):
    """The data did not pass: violations were found, or fewer records than asked were made."""


class BackendError(ToolgenError):
    """The completion server refused the request for good, or only failed."""

    exit_code = 3


class McpServerError(ToolgenError):
    """An MCP server could not be started or reached, or gave no list of tools."""

    exit_code = 3


class PushError(ToolgenError):
    """Where data are pushed to refused them or could not be reached; what lay there before is as it was."""

    exit_code = 3


class LimitError(ToolgenError):
    """A limit the user set (tokens, time, money) was reached."""

    exit_code = 4


class StorageError(ToolgenError):
    """A local file or disk failed: unwritable folder, disk full, damaged run store."""

    exit_code = 5


class EngineError(ToolgenError):
    """A worker process was lost: killed, or out of memory. What was committed is kept."""

    exit_code = 5


class RunLockedError(ToolgenError):
    """Another process is working on the same run folder."""

    exit_code = 75


class ValueSynthesisError(ToolgenError):
    """No value could be made for a schema."""

    exit_code = 2


class Unsatisfiable(ValueSynthesisError):
    """Proven: no value satisfies the schema.

    `pointer` is the JSON pointer of the contradiction, `keywords` the schema keywords that contradict.
    """

    def __init__(self, message: str, *, pointer: str = "", keywords: Sequence[str] = ()) -> None:
        self.pointer = pointer
        self.keywords = tuple(keywords)
        super().__init__(message)


class GaveUp(ValueSynthesisError):
    """No value was found within the bounds of time and tries; the message says what was tried."""
