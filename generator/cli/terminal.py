"""Text from outside on a screen: records, tool files and file names must not be able to steer it.

Every command prints through this module, so that no text reaches a terminal, or the log of a CI that obeys lines,
without having been escaped.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from generator.cli.log_lines import STDERR, LogFormat, LogOfOthers, log_line

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


_LABELS = {
    "error": "red",
    "warning": "yellow",
    "NOT CHECKED": "yellow",
    "skipped": "yellow",
    "lost": "yellow",
    "note": "cyan",
    "merged": "cyan",
}
_LABEL = re.compile(rf"^(?:[A-Z]+\d+ )?({'|'.join(_LABELS)})(?=[:,])", re.MULTILINE)
"""What a line starts with that is to be seen at once, behind the code of its rule or not."""
_COMMAND = re.compile(r"`[^`\n]+`")
_HELD = "\ue000"
"""Stands for a space at which no line is broken."""
_NARROWEST = 20
_USUAL = 80
NOTHING: Mapping[str, Any] = {}
PIPED = 100
"""Columns of what is laid out where no terminal says how many it has."""


def is_coloured(*, err: bool = False) -> bool:
    """Say whether a stream takes colours: a terminal does, NO_COLOR and FORCE_COLOR decide otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(err=err) and os.environ.get("TERM") != "dumb"


def is_terminal(*, err: bool = False) -> bool:
    """Say whether somebody looks at a stream."""
    return (sys.stderr if err else sys.stdout).isatty()


def columns_of(*, err: bool = False) -> int:
    """Return how many columns there are to write in."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return max(_NARROWEST, int(told))
    if not is_terminal(err=err):
        return PIPED
    with suppress(OSError, ValueError):  # a stream that says it is a terminal and has no size
        return max(_NARROWEST, os.get_terminal_size((sys.stderr if err else sys.stdout).fileno()).columns or _USUAL)
    return _USUAL


def say(text: str, *, err: bool = False) -> None:
    """Print text for people as it stands."""
    if not (err and _logged(text)):
        _print(printable(text), err=err)


def say_line(text: str, *, err: bool = False) -> None:
    """Print text for people as one line, whatever ends of lines it holds; a terminal breaks it between words."""
    if err and _logged(text):
        return
    line = printable(text).replace("\n", "\\n")
    _print(folded(line, columns_of(err=err)) if is_terminal(err=err) else line, err=err)


def tell(text: str, *, err: bool = False, event: str = "", **fields: Any) -> None:
    """Print prose: on a terminal broken between words, the rest of a line indented; elsewhere as it stands.

    Where stderr is written as JSON, `event` says in one word what it is about, and the fields are kept.
    """
    if not (err and _logged(text, event, fields)):
        _print(fitted(printable(text), err=err), err=err)


def is_logged() -> bool:
    """Say whether stderr is written as JSON, for programs."""
    return STDERR.form == "json"


def _logged(text: str, event: str = "", fields: Mapping[str, Any] = NOTHING, level: str = "") -> bool:
    """Write what is said as a line of JSON where it is to be one, and say whether it is."""
    if is_logged():
        click.echo(printable_json(log_line(text, event, fields, level)), err=True, color=False)
    return is_logged()


def fitted(text: str, deeper: int = 2, *, err: bool = False) -> str:
    """Return text as it is printed: on a terminal broken between words, elsewhere as it stands."""
    return folded(text, columns_of(err=err), deeper) if is_terminal(err=err) else text


def folded(text: str, columns: int, deeper: int = 2) -> str:
    """Break the lines of a text between words; what goes on stands deeper, and commands in backticks stay whole."""
    return "\n".join(part for line in text.split("\n") for part in _folded(line, columns, deeper))


def _folded(line: str, columns: int, deeper: int) -> Iterator[str]:
    """Yield the parts of one line; a word that fits in none, as a path, is left to the terminal, to be copied whole."""
    if len(line) <= columns:
        yield line
        return
    words = _COMMAND.sub(lambda command: command[0].replace(" ", _HELD), line.lstrip(" ")).split(" ")
    begin = min(len(line) - len(line.lstrip(" ")), columns // 2)
    indent = min(begin + deeper, columns // 2)
    part, used = " " * begin + words[0], begin + len(words[0])
    for word in words[1:]:
        used = (used - 1) % columns + 1 if used else 0
        if used + 1 + len(word) <= columns or len(word) > columns - indent:
            part, used = f"{part} {word}", used + 1 + len(word)
        else:
            yield part.rstrip().replace(_HELD, " ")
            part, used = " " * indent + word, indent + len(word)
    yield part.replace(_HELD, " ")


def _print(shown: str, *, err: bool) -> None:
    coloured = is_coloured(err=err)
    click.echo(_LABEL.sub(_colour, shown) if coloured else shown, err=err, color=coloured)


def _colour(label: re.Match[str]) -> str:
    return click.style(label[0], fg=_LABELS[label[1]], bold=True)


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
    rest = iter(lines)
    for first in rest:  # a pager that is given nothing prints an empty screen
        click.echo_via_pager(_rendered(line, console) for line in chain([first], rest))


def _rendered(line: Text, console: Console) -> str:
    with console.capture() as capture:
        console.print(line)
    return capture.get()


class Log(logging.Handler):
    """Prints what modules log on stderr: warnings and worse, and all else where it is written as JSON."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one message."""
        level, message = record.levelname.lower(), record.getMessage()
        if record.levelno >= logging.WARNING or is_logged():
            logged = _logged(message, "log", {"logger": record.name}, level)
            if not logged:
                say_line(f"{level}: {message}", err=True)


def write_log_as(form: LogFormat) -> None:
    """Write stderr from now on as text, or as JSON: then what other projects log and warn of becomes lines of it, too.

    The modules' messages go through this module's own gate, since they may quote a server or a file.
    """
    STDERR.form = form
    own, root = logging.getLogger("generator"), logging.getLogger()
    log = next((each for each in own.handlers if isinstance(each, Log)), None)
    if log is None:
        log = Log()
        own.addHandler(log)
    for each in [each for each in root.handlers if isinstance(each, LogOfOthers)]:
        root.removeHandler(each)
    if form == "json":
        root.addHandler(LogOfOthers(log))
    own.setLevel(logging.INFO if form == "json" else logging.NOTSET)
    logging.captureWarnings(form == "json")
