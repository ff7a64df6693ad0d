"""The prompts: editable files, compiled without computing anything, rendered in a process held to its bounds."""

from __future__ import annotations

import faulthandler
import json
import os
import re
import stat
import subprocess
import sys
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, meta, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.assets import asset_folder
from generator.errors import UsageError
from generator.jsontext import JsonValue, dump_compact
from generator.kinds import KINDS
from generator.suggestions import did_you_mean

LONGEST = 2_000_000
"""Characters that a prompt may come to."""
_GLOBALS = ("range", "dict", "namespace")
_NOT_REPEATABLE = "random"
"""A filter of jinja's that gives another text each time."""
_LONGEST_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a template, and in which line."""

    what: str
    line: int = 1
    python_line: int = 0
    """The line of the code that the template became, where that alone is known; else 0."""


class CannotCompile(Exception):
    """A template that cannot be compiled."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.what)


class PromptTemplate:
    """A template that is ready to be rendered.

    Raises:
        CannotCompile: its text is no template.
    """

    def __init__(self, name: str, source: str) -> None:
        self._file = f"<prompt {name}>"
        environment = _environment()
        try:
            self.variables = _variables(environment, source)
            """What it uses and does not define."""
            code = environment.compile(source, name, self._file)
        except TemplateSyntaxError as error:
            raise CannotCompile(Trouble(error.message or "broken", error.lineno)) from error
        except (RecursionError, MemoryError) as error:
            raise CannotCompile(Trouble("it is nested too deeply")) from error
        except (SyntaxError, ValueError, OverflowError) as error:  # Python refuses what jinja made of it
            raise CannotCompile(Trouble(str(error))) from error
        self._template = Template.from_code(environment, code, environment.globals)

    def render(self, variables: Mapping[str, JsonValue]) -> str | Trouble:
        """Render it, blank lines at the ends cut; return what is wrong where it cannot be, whatever that is."""
        try:
            text = self._template.render(variables).strip()
        except Exception as error:  # noqa: BLE001 - anybody's template raises what it likes: it is one message
            return Trouble(_said(error), self._line(error.__traceback__))
        if len(text) > LONGEST:
            return Trouble(f"it comes to {len(text):,} characters; a prompt has {LONGEST:,} at most")
        return text

    def line_of(self, python_line: int) -> int:
        """Return the line that a line of its code was made of."""
        return self._template.get_corresponding_lineno(python_line)

    def _line(self, traceback: TracebackType | None) -> int:
        """Return the last line that a traceback passes; jinja writes the template's own lines there."""
        found = 1
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self._file:
                found = traceback.tb_lineno
            traceback = traceback.tb_next
        return found


def _environment() -> ImmutableSandboxedEnvironment:
    # The output is text for a model, not HTML. Constant expressions are not computed when a template is compiled,
    # which happens outside all bounds: neither by the optimizer, nor for an output that its context may change.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        optimized=False,
        finalize=_as_it_is,
    )
    environment.filters["json"] = dump_compact
    del environment.filters[_NOT_REPEATABLE]
    environment.globals = {name: environment.globals[name] for name in _GLOBALS}
    return environment


def _variables(environment: ImmutableSandboxedEnvironment, source: str) -> frozenset[str]:
    """Return what `meta.find_undeclared_variables` does, without its optimizer, which computes as well."""
    generator = meta.TrackingCodeGenerator(environment)
    generator.optimizer = None
    generator.visit(environment.parse(source))
    return frozenset(generator.undeclared_identifiers - {*_GLOBALS})


@pass_context
def _as_it_is(_context: Context, value: object) -> object:
    return value


def _said(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it takes more memory than a prompt may"
    if isinstance(error, RecursionError):
        return "it calls itself too often"
    return str(error)[:_LONGEST_MESSAGE] or type(error).__name__


SECONDS = 5
"""The longest that one prompt may take."""
BYTES = 1024**3
"""The memory of the process."""
_AT = re.compile(r'File "<prompt [^"]*>", line (\d+)')


class RenderingProcess:
    """Renders the prompts of one folder, in a process that is started with the first of them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = dict(sources)
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def render(self, name: str, variables: Mapping[str, JsonValue]) -> str | Trouble:
        """Render one prompt, or say why it cannot be."""
        request = json.dumps([name, dict(variables)])
        with self._lock:
            process = self._process or self._start()
            try:
                answer = _ask(process, request)
            except BrokenPipeError:
                answer = ""
            if not answer:
                self._process = None
                return _autopsy(process)
        made = json.loads(answer)
        return made if isinstance(made, str) else Trouble(**made)

    def _start(self) -> subprocess.Popen[str]:
        # In a session of its own, so that a Ctrl-C, after which calls in flight are waited for, leaves it alone.
        # It finds the modules that are found here, not those of the working folder, and is told no secrets.
        known = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        process = subprocess.Popen(  # noqa: S603 - this module, by this interpreter
            [sys.executable, "-P", "-m", __name__],
            env={**known, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="ascii",
            errors="backslashreplace",
            start_new_session=True,
        )
        weakref.finalize(self, _end, process)
        self._process = process
        _tell(process, json.dumps(self._sources))
        return process


def _ask(process: subprocess.Popen[str], request: str) -> str:
    _tell(process, request)
    assert process.stdout is not None  # noqa: S101 - it was asked for
    return process.stdout.readline()


def _tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None  # noqa: S101 - it was asked for
    process.stdin.write(line + "\n")
    process.stdin.flush()


def _autopsy(process: subprocess.Popen[str]) -> Trouble:
    """Say what a process died of."""
    assert process.stderr is not None  # noqa: S101 - it was asked for
    last_words = process.stderr.read()
    code = process.wait()
    _end(process)
    at = _AT.search(last_words)
    if "Timeout (" in last_words:
        return Trouble(f"it takes longer than {SECONDS} seconds", python_line=int(at.group(1)) if at else 0)
    return Trouble(f"the process that renders it died with code {code}")


def _end(process: subprocess.Popen[str]) -> None:
    """Let a process end, as it does where there is nothing more to read."""
    for stream in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):  # what it has not read it will not
            if stream is not None:
                stream.close()
    process.wait()


def serve(requests: IO[str], answers: IO[str], dump: IO[str]) -> None:
    """Answer requests until there are no more."""
    sources = json.loads(requests.readline())
    templates = {name: PromptTemplate(name, source) for name, source in sources.items()}
    for request in requests:
        name, variables = json.loads(request)
        faulthandler.dump_traceback_later(SECONDS, exit=True, file=dump)
        made = templates[name].render(variables)
        faulthandler.cancel_dump_traceback_later()
        answers.write(json.dumps(made if isinstance(made, str) else asdict(made)) + "\n")
        answers.flush()


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on this system: time and the length of what comes out are bounded all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


if __name__ == "__main__":
    _bound_memory()
    serve(sys.stdin, sys.stdout, sys.stderr)


_SPEAKING = frozenset(
    {"tools", "persona", "register", "length", "language", "system", "kind", "conversation", "instructions"}
)
_SEEN = frozenset({"tools", "system", "conversation"})
VARIABLES: dict[str, frozenset[str]] = {
    "draft": _SPEAKING | {"calls", "later", "afterwards", "meant", "invents", "world", "at_hand"},
    "continue": _SEEN | {"calls"},
    "request": _SPEAKING | {"meant"},
    "irrelevance": _SPEAKING | {"topic"},
    "reply": frozenset(
        {
            "conversation",
            "results",
            "failed",
            "system",
            "language",
            "register",
            "length",
            "kind",
            "instructions",
            "meant",
        }
    ),
    "repair": frozenset({"problems"}),
    "results": frozenset({"tools", "system", "today", "conversation", "calls"}),
    "verify/blind": _SEEN,
    "verify/judge": _SEEN | {"kind", "summary"},
    "domain/guide": frozenset({"tables"}),
    "domain/world": frozenset({"guide", "tools"}),
    "domain/tools": frozenset({"guide", "world", "names", "tools"}),
    "domain/tasks": frozenset({"guide", "world", "ways", "count"}),
    "domain/review": frozenset({"guide", "world", "names", "part", "problems", "records", "unsaid"}),
    "domain/repair": frozenset({"problems"}),
}
"""The prompts and the variables each may use; prompts/README.md documents them."""

_OPTIONAL = frozenset(name for name in VARIABLES if "/" in name) | {"results", "continue"}
"""Prompts that a folder may leave out, beside those of the kinds."""

KIND_VARIABLES = frozenset({"part", "act", "turn", "parameters", "about", "calls", "claim", "readings", "language"})
"""What the instructions of a kind (`kinds/KIND.md`) may use."""

_LARGEST_PROMPT_FILE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates of one folder, ready to render."""

    templates: Mapping[str, PromptTemplate]
    sources: Mapping[str, str]
    places: Mapping[str, Path]
    """The file of each, for messages."""
    process: RenderingProcess | None = None
    """Where they are rendered; None for here."""

    def render(self, name: str, variables: Mapping[str, JsonValue]) -> str:
        """Render one prompt; blank lines at the ends are cut.

        Raises:
            UsageError: the template fails on these variables, or takes too much time, memory or room.
        """
        template = self.templates[name]
        text = template.render(variables) if self.process is None else self.process.render(name, variables)
        if isinstance(text, Trouble):
            line = template.line_of(text.python_line) if text.python_line else text.line
            raise UsageError(f"{self.places[name]}:{line}: the prompt cannot be rendered: {text.what}")
        return text


def load_prompts(folder: Path) -> Prompts:
    """Read the prompts of a folder and check that each uses only variables that exist.

    Raises:
        UsageError: a file is missing or too large, its syntax is broken, or it uses an unknown variable.
    """
    variables = {**VARIABLES, **{instructions_of(kind): KIND_VARIABLES for kind in KINDS}}
    places = {name: _place(folder, name) for name in variables}
    sources = {name: _source(place) for name, place in places.items()}
    templates = {name: _compile(places[name], name, sources[name], variables[name]) for name in variables}
    is_ours = folder.resolve() == asset_folder("prompts").resolve()
    return Prompts(templates, sources, places, None if is_ours else RenderingProcess(sources))


def instructions_of(kind: str) -> str:
    """Return the name of the prompt that says what a kind's messages do."""
    return f"kinds/{kind}"


def _place(folder: Path, name: str) -> Path:
    """Return the file of a prompt: a folder of one's own may leave some out, for which the ones here then hold."""
    own = folder / f"{name}.md"
    if name in VARIABLES.keys() - _OPTIONAL or own.exists():
        return own
    return asset_folder("prompts") / f"{name}.md"


def _source(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError(f"{path}: the prompt is no file")
        with path.open("rb") as stream:
            content = stream.read(_LARGEST_PROMPT_FILE + 1)
    except OSError as error:
        raise UsageError(f"{path}: the prompt cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST_PROMPT_FILE:
        raise UsageError(f"{path}: the prompt is larger than {_LARGEST_PROMPT_FILE:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}:{line}: the prompt is not UTF-8: {error.reason} at byte {error.start}") from error


def _compile(path: Path, name: str, source: str, known: frozenset[str]) -> PromptTemplate:
    try:
        template = PromptTemplate(name, source)
    except CannotCompile as error:
        raise UsageError(f"{path}:{error.trouble.line}: {error.trouble.what}") from error
    for unknown in sorted(template.variables - known):
        hint = did_you_mean(unknown, known) or f"the variables of this prompt are {', '.join(sorted(known))}"
        raise UsageError(f"{path}:{_line_of(source, unknown)}: unknown variable {unknown!r}; {hint}")
    return template


def _line_of(source: str, word: str) -> int:
    """Return the first line that says a word."""
    lines = source.splitlines()
    return next((number for number, line in enumerate(lines, start=1) if word in line), 1)
