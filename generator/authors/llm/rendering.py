"""A process that renders templates of anybody's: what takes too long or too much ends there, and is one message.

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
from dataclasses import asdict
from threading import Lock
from typing import IO

from generator.authors.llm.templates import PromptTemplate, Trouble
from generator.jsontext import JsonValue

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
