"""Blanks: texts of calls that hold nothing, where nobody speaks of nothing.

An empty text says that there is none. It comes from somewhere where the schema lists or gives it, where its
description or the request speaks of what is empty, or where a result holds an empty text itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import pointer
from generator.validation.grounding.choices import choices_at
from generator.validation.grounding.language import phrases
from generator.validation.grounding.languages import languages
from generator.validation.grounding.places import Path, ground_in_schema, schemas_at
from generator.validation.grounding.words import LONGEST_TEXT, fold
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.view import CallView, RecordView

_HOLDERS = frozenset({dict, list})
_MOST = 2000
"""Values of one call that are looked at."""


def blanks(record: RecordView) -> Iterator[Finding]:
    """Yield the texts without a letter that a call gives and nothing explains."""
    for call in record.calls:
        for path, value in _blank_values(call):
            tool = call.tool
            if tool is not None and not _is_explained(value, tool, path) and not _is_spoken_of(call, record):
                where = call.arguments_pointer + pointer(path)
                required = _is_required(tool, path)
                yield Finding(where, "nothing explains an empty text here", "error" if required else "note")


def _blank_values(call: CallView) -> Iterator[tuple[Path, str]]:
    """Yield the texts of a call's arguments that are empty or hold spaces alone."""
    arguments = call.arguments or {}
    for name, value in arguments.items():
        if type(value) is str:
            if not value or value.isspace():
                yield (name,), value
        elif type(value) in _HOLDERS:
            yield from _blanks_inside((name,), value)


def _blanks_inside(path: Path, root: object) -> Iterator[tuple[Path, str]]:
    waiting: list[tuple[Path, object]] = [(path, root)]
    for at, value in waiting:
        if type(value) is str:
            if not value or value.isspace():
                yield at, value
        elif len(waiting) < _MOST and isinstance(value, dict):
            waiting += [((*at, key), inner) for key, inner in value.items()]
        elif len(waiting) < _MOST and isinstance(value, list):
            waiting += [((*at, place), inner) for place, inner in enumerate(value)]


def _is_explained(value: str, tool: ToolView, path: Path) -> bool:
    """Say whether the schema lists, gives or speaks of an empty text, or does not know the parameter at all."""
    schemas = schemas_at(tool, path)
    if not schemas or value in choices_at(tool, path) or ground_in_schema(value, tool, path, 0) is not None:
        return True
    told = [schema.get("description") for _, schema in schemas]
    return any(isinstance(text, str) and speaks_of_nothing(text) for text in told)


def speaks_of_nothing(text: str) -> bool:
    """Say whether a text speaks of what is empty, in any language, or quotes an empty text."""
    folded = fold(text[:LONGEST_TEXT])
    return '""' in folded or "''" in folded or any(
        phrases(language, "blank", "words").found_in(folded) for language in languages()
    )  # fmt: skip


def _is_spoken_of(call: CallView, record: RecordView) -> bool:
    """Say whether a request before the call speaks of what is empty, or a result before it holds an empty text."""
    for message in record.messages[: call.turn]:
        content = message.content
        if not isinstance(content, str) or message.role == "assistant":
            continue
        if '""' in content or (message.role != "tool" and speaks_of_nothing(content)):
            return True
    return False


def _is_required(tool: ToolView, path: Path) -> bool:
    """Say whether the schema asks for what stands at a place."""
    required = (schema.get("required") for _, schema in schemas_at(tool, path[:-1]))
    return any(isinstance(names, list) and path[-1] in names for names in required)
