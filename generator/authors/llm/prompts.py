"""The prompts: editable files, rendered in a sandbox, every variable known at start.

The shipped ones are rendered here, one's own in a process of their own, which is given so much time and memory and
no more: a template may be anybody's.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator.assets import asset_folder
from generator.authors.llm.rendering import CannotCompile, PromptTemplate, RenderingProcess, Trouble
from generator.errors import UsageError
from generator.jsontext import JsonValue
from generator.kinds import KINDS
from generator.suggestions import did_you_mean

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

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process as texts, which are made ready there."""
        return partial(_ready, is_ours=self.process is None), (dict(self.sources), dict(self.places))

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
    places = {name: _place(folder, name) for name in _variables()}
    sources = {name: _source(place) for name, place in places.items()}
    return _ready(sources, places, is_ours=folder.resolve() == asset_folder("prompts").resolve())


def _ready(sources: Mapping[str, str], places: Mapping[str, Path], *, is_ours: bool) -> Prompts:
    variables = _variables()
    templates = {name: _compile(places[name], name, source, variables[name]) for name, source in sources.items()}
    return Prompts(templates, sources, places, None if is_ours else RenderingProcess(sources))


def _variables() -> dict[str, frozenset[str]]:
    """Return what every prompt may use."""
    return {**VARIABLES, **{instructions_of(kind): KIND_VARIABLES for kind in KINDS}}


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
