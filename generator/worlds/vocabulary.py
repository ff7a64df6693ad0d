"""The vocabulary of domain files as tables, made from what compiles it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from generator.schemas.adm_errors import ERROR_TYPES
from generator.values.providers import PROVIDERS
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.sources import SOURCES
from generator.worlds.speech import FORMATS
from generator.worlds.values import OPERATORS


def vocabulary() -> str:
    """Return every source, operator, condition, effect and format, a line each, as Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "## Sources: where a field or a draw comes from"
    for name, (_, settings, what) in SOURCES.items():
        yield f"- `{name}`: {what}{_with(settings)}"
    yield "- `example: true` (draws of a computing tool): one of its worked `examples`: `$x.arguments`, `$x.result`"
    yield f"- Providers of `faker`: {', '.join(PROVIDERS)}"
    yield "\n## Operators in values: `{$name: parts}`"
    yield from _table({name: what for name, (_, _, what) in OPERATORS.items()})
    yield "- `$draw`: a source, drawn once for the record and the arguments"
    yield "\n## Conditions: `[left, operator, right]`, `{any: [[...], [...]]}`, `{not: [...]}`"
    yield from _table({name: what for name, (_, what) in {**CONDITIONS, **UNARY}.items()})
    yield "\n## Effects: the steps of a call"
    for name, (_, settings, what) in EFFECTS.items():
        yield f"- `{name}`: {what}{_with(settings)}"
    yield f"- Error types of `else`: {', '.join(ERROR_TYPES)}"
    yield "\n## Formats of slots: `{value|format}`"
    yield from _table({name: what for name, (_, what) in FORMATS.items()})


def _table(entries: Mapping[str, str]) -> Iterator[str]:
    for name, what in entries.items():
        yield f"- `{name}`: {what}"


def _with(settings: Iterable[str]) -> str:
    names = ", ".join(f"`{name}`" for name in settings)
    return f"; beside it: {names}" if names else ""
