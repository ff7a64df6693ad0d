"""Chat templates rendered as `transformers` does, in a process held to its bounds of time, memory and output.

python -m generator.chat_templates.rendering    reads a template, then documents, and answers each with a line of JSON
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from jinja2 import Template, TemplateError, TemplateSyntaxError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.bounded_process import SECONDS, BoundedProcess, ProcessDied, serve
from generator.chat_templates.template import ChatTemplate
from generator.jsontext import JsonObject, JsonValue

LONGEST = 4_000_000
"""Characters that a rendering may come to."""
_LONGEST_MESSAGE = 200
_CLOCK = datetime(2026, 1, 15, 12, tzinfo=UTC)
"""What a template that asks for the time is told: renderings are repeatable."""


class Refusal(NamedTuple):
    """Why a template does not render a document; a final one holds for whatever it is given."""

    why: str
    is_final: bool = False


class Renderer:
    """Renders documents through one template."""

    def __init__(self, template: ChatTemplate) -> None:
        self._process = BoundedProcess(__name__, json.dumps([template.text, template.tokens]))

    def render(self, document: JsonObject) -> str | Refusal:
        """Return the text of a record, without a prompt for more, or why there is none."""
        try:
            answer = self._process.ask(json.dumps([document["messages"], document["tools"]]))
        except ProcessDied as death:
            why = f"takes longer than {SECONDS} seconds" if death.timed_out else f"ends its process, code {death.code}"
            return Refusal(why, is_final=True)
        made = json.loads(answer)
        return made if isinstance(made, str) else Refusal(*made)


class _Generation(Extension):
    """The tag `generation`, which marks what is trained on and writes what is inside."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 declares it so

    def parse(self, parser: Parser) -> nodes.Node:
        """Read the tag and what is inside."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

    def _inside(self, caller: Callable[[], str]) -> str:
        return caller()


def _raise(message: str) -> None:
    raise TemplateError(message)


def _to_json(value: JsonValue, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def environment() -> ImmutableSandboxedEnvironment:
    """Return the environment in which `transformers` renders chat templates, its clock stopped."""
    # The output is text for a model, not HTML.
    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, autoescape=False, extensions=[_Generation, loopcontrols]
    )
    made.filters["tojson"] = _to_json
    made.globals["raise_exception"] = _raise
    made.globals["strftime_now"] = _CLOCK.strftime
    return made


def _prepare(opening: str) -> Callable[[str], str]:
    """Return what answers a request, given the template."""
    text, tokens = json.loads(opening)
    template = _compiled(text)

    def answer(request: str) -> str:
        if isinstance(template, Refusal):
            return json.dumps(template)
        messages, tools = json.loads(request)
        return json.dumps(_rendered(template, messages=messages, tools=tools, **tokens))

    return answer


def _compiled(text: str) -> Template | Refusal:
    try:
        return environment().from_string(text)
    except TemplateSyntaxError as error:
        return Refusal(f"is no template: line {error.lineno}: {error.message}"[:_LONGEST_MESSAGE], is_final=True)
    except Exception as error:  # noqa: BLE001 - Python refuses what jinja made of it in ways of its own
        return Refusal(f"cannot be compiled: {_said(error)}", is_final=True)


def _rendered(template: Template, **variables: JsonValue) -> str | Refusal:
    try:
        text = template.render(documents=None, add_generation_prompt=False, **variables)
    except Exception as error:  # noqa: BLE001 - anybody's template raises what it likes: it is one message
        return Refusal(_said(error), is_final=isinstance(error, MemoryError | OverflowError))
    if len(text) > LONGEST:
        return Refusal(f"comes to {len(text):,} characters; {LONGEST:,} are read at most", is_final=True)
    return text


def _said(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "calls itself without end"
    if isinstance(error, MemoryError):
        return "takes more memory than it may"
    said = " ".join(str(error).split())[:_LONGEST_MESSAGE].rstrip(".") or type(error).__name__
    if isinstance(error, SecurityError):
        return f"does what transformers forbids: {said}"
    return f'stops with "{said}"' if isinstance(error, TemplateError) else f"fails: {said}"


if __name__ == "__main__":
    serve(_prepare)
