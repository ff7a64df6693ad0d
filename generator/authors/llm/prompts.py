"""The prompts: editable files, rendered in a sandbox, every variable known at start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.assets import asset_folder
from generator.errors import UsageError
from generator.jsontext import JsonValue, dump_compact
from generator.scenarios.kinds import KINDS
from generator.suggest import did_you_mean

_SPEAKING = frozenset(
    {"tools", "persona", "register", "length", "language", "system", "kind", "conversation", "instructions"}
)
VARIABLES: dict[str, frozenset[str]] = {
    "draft": _SPEAKING | {"calls", "distractors"},
    "request": _SPEAKING,
    "irrelevance": _SPEAKING | {"topic"},
    "reply": frozenset(
        {"conversation", "results", "failed", "abilities", "language", "register", "kind", "instructions"}
    ),
    "repair": frozenset({"problems"}),
}
"""The prompts and the variables each may use; prompts/README.md documents them."""

_OPTIONAL: frozenset[str] = frozenset()
"""Prompts that a folder may leave out, beside those of the kinds."""

KIND_VARIABLES = frozenset({"part", "act", "turn", "parameters", "about", "calls", "claim"})
"""What the instructions of a kind (`kinds/KIND.md`) may use."""

_LARGEST_PROMPT_FILE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates of one folder, ready to render."""

    templates: Mapping[str, Template]
    sources: Mapping[str, str]

    def render(self, name: str, variables: Mapping[str, JsonValue]) -> str:
        """Render one prompt; blank lines at the ends are cut.

        Raises:
            UsageError: the template fails on these variables.
        """
        try:
            return self.templates[name].render(variables).strip()
        except (TemplateError, TypeError, ValueError) as error:
            raise UsageError(f"prompt {name}.md cannot be rendered: {error}") from error


def load_prompts(folder: Path) -> Prompts:
    """Read the prompts of a folder and check that each uses only variables that exist.

    Raises:
        UsageError: a file is missing or too large, its syntax is broken, or it uses an unknown variable.
    """
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )  # the output is text for a model, not HTML
    environment.filters["json"] = dump_compact
    variables = {**VARIABLES, **{instructions_of(kind): KIND_VARIABLES for kind in KINDS}}
    places = {name: _place(folder, name) for name in variables}
    sources = {name: _source(place) for name, place in places.items()}
    for name, source in sources.items():
        _check(environment, places[name], source, variables[name])
    return Prompts({name: environment.from_string(source) for name, source in sources.items()}, sources)


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
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: the prompt cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST_PROMPT_FILE:
        raise UsageError(f"{path}: the prompt is larger than {_LARGEST_PROMPT_FILE:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: the prompt is not UTF-8: {error.reason} at byte {error.start}") from error


def _check(environment: ImmutableSandboxedEnvironment, path: Path, source: str, known: frozenset[str]) -> None:
    try:
        used = meta.find_undeclared_variables(environment.parse(source))
    except TemplateSyntaxError as error:
        raise UsageError(f"{path}:{error.lineno}: {error.message}") from error
    for name in sorted(used - known):
        hint = did_you_mean(name, known) or f"the variables of this prompt are {', '.join(sorted(known))}"
        raise UsageError(f"{path}: unknown variable {name!r}; {hint}")
