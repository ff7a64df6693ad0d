"""Refusals: calls that a world answers with an error."""

from __future__ import annotations

from collections.abc import Callable

from generator.jsontext import JsonValue
from generator.schemas.adm.schema import ERROR_TYPES
from generator.worlds.compiler import Compiler, Path
from generator.worlds.rows import Scope


class Refused(Exception):
    """A call that the world refuses: an error type of ADM, and what the tool says."""

    def __init__(self, error_type: str, message: str) -> None:
        self.error_type = error_type
        self.message = message
        super().__init__(message)


NOT_FOUND = {"RESOURCE_NOT_FOUND": "Nothing like that was found."}
NOT_POSSIBLE = {"INVALID_STATE": "This is not possible."}


def compile_refusal(
    spec: JsonValue, path: Path, compiler: Compiler, default: dict[str, str]
) -> Callable[[Scope], Refused]:
    """Compile `{ERROR_TYPE: message}`; what is not said is taken from the default."""
    ((error_type, message),) = default.items()
    if isinstance(spec, dict) and len(spec) == 1:
        ((error_type, message),) = spec.items()
    elif spec is not None:
        compiler.faults.add(path, "an error is {ERROR_TYPE: message}")
    if error_type not in ERROR_TYPES:
        compiler.faults.unknown(path, "error type", error_type, ERROR_TYPES)
    text = compiler.parts.text(str(message), (*path, error_type), compiler)
    return lambda scope: Refused(error_type, text(scope) or NOT_POSSIBLE["INVALID_STATE"])
