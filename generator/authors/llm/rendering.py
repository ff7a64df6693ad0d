"""Templates of prompts: compiled without computing anything, rendered here or in a process held to its bounds.

python -m generator.authors.llm.rendering    reads {name: source}, then requests, and answers each with a line of JSON
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from types import TracebackType

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, meta, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.bounded_process import SECONDS, BoundedProcess, ProcessDied, serve
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


_AT = re.compile(r'File "<prompt [^"]*>", line (\d+)')


class RenderingProcess:
    """Renders the prompts of one folder, in a process that is started with the first of them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.process = BoundedProcess(__name__, json.dumps(dict(sources)))

    def render(self, name: str, variables: Mapping[str, JsonValue]) -> str | Trouble:
        """Render one prompt, or say why it cannot be."""
        try:
            answer = self.process.ask(json.dumps([name, dict(variables)]))
        except ProcessDied as death:
            return _trouble_of(death)
        made = json.loads(answer)
        return made if isinstance(made, str) else Trouble(**made)


def _trouble_of(death: ProcessDied) -> Trouble:
    at = _AT.search(death.last_words)
    if death.timed_out:
        return Trouble(f"it takes longer than {SECONDS} seconds", python_line=int(at.group(1)) if at else 0)
    return Trouble(f"the process that renders it died with code {death.code}")


def prepare(opening: str) -> Callable[[str], str]:
    """Return what answers a request, given the sources of the prompts."""
    templates = {name: PromptTemplate(name, source) for name, source in json.loads(opening).items()}

    def answer(request: str) -> str:
        name, variables = json.loads(request)
        made = templates[name].render(variables)
        return json.dumps(made if isinstance(made, str) else asdict(made))

    return answer


if __name__ == "__main__":
    serve(prepare)
