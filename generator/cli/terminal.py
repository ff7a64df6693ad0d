"""Text from outside on a screen: records, tool files and file names must not be able to steer it.

Every command prints through this module, so that no text reaches a terminal, or the log of a CI that obeys lines,
without having been escaped.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # imported where text is printed in colours, so that --help costs nothing
    from rich.console import Console
    from rich.text import Text

# C0 and C1 controls but tab and newline, separators of lines, bidirectional controls, characters that nobody sees,
# and surrogates, which no encoding can write.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_HASHED_COMMAND = re.compile(r"#(?=#(?:vso|teamcity)?\[)")
"""What Azure Pipelines, GitHub Actions and TeamCity take for a command wherever it stands in a line."""
_COLON_COMMAND = re.compile(r"(?:(?<=\s)|^):(?=:)")
"""What GitHub Actions takes for a command at the start of a line; long lines may be broken at any space."""


def printable(text: str) -> str:
    r"""Return the text with every control character, and what a CI would obey, as escapes (`\x1b`, `\x3a:error`)."""
    return _COLON_COMMAND.sub(r"\\x3a", without_controls(text))


def without_controls(text: str) -> str:
    """Return the text as `printable` does, but let a line be a command of GitHub Actions."""
    return _HASHED_COMMAND.sub(r"\\x23", _STEERING.sub(_escape, text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def printable_json(text: str) -> str:
    """Return a JSON text that says the same, with the characters that `printable` escapes as escapes of JSON."""
    return _HASHED_COMMAND.sub(r"\\u0023", _STEERING.sub(_escape_as_json, text))


def _escape_as_json(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def say(text: str, *, err: bool = False) -> None:
    """Print text for people."""
    click.echo(printable(text), err=err)


def say_line(text: str, *, err: bool = False) -> None:
    """Print text for people as one line, whatever ends of lines it holds."""
    click.echo(printable(text).replace("\n", "\\n"), err=err)


def say_json(text: str) -> None:
    """Print JSON, which ends its last line itself or not."""
    click.echo(printable_json(text.removesuffix("\n")))


def say_command(line: str) -> None:
    """Print a line that a CI is meant to obey."""
    click.echo(without_controls(line).replace("\n", "\\n"))


def pour(lines: Iterable[bytes]) -> None:
    """Write lines of JSON on stdout: as they are, but with escapes where it is a terminal."""
    shown = sys.stdout.isatty()
    for line in lines:
        sys.stdout.buffer.write(printable_json(line.decode()).encode() if shown else line)
    sys.stdout.buffer.flush()


def page(lines: Iterable[Text], *, paged: bool) -> None:
    """Print lines of rich text: by the pager of the user's where they are on a terminal, which takes them as it reads.

    `less` is told to show colours and to leave at once where all fits on the screen, unless $LESS says otherwise.
    """
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not paged or not console.is_terminal or not sys.stdin.isatty():
        for line in lines:
            console.print(line)
        return
    os.environ.setdefault("LESS", "-FRX")
    click.echo_via_pager(_rendered(line, console) for line in lines)


def _rendered(line: Text, console: Console) -> str:
    with console.capture() as capture:
        console.print(line)
    return capture.get()


class Log(logging.Handler):
    """Prints what modules log, warnings and worse, on stderr."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        """Print one message."""
        say_line(f"{record.levelname.lower()}: {record.getMessage()}", err=True)
