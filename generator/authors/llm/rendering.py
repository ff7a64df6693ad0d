"""Templates of prompts: compiled without computing anything, rendered here or in a process held to its bounds.

python -m generator.authors.llm.rendering    reads {name: source}, then requests, and answers each with a line of JSON
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import subprocess
import sys
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from threading import Lock
from types import TracebackType
from typing import IO

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, meta, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.jsontext import JsonValue, dump_compact

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
