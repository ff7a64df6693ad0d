"""How messages show values of unknown type and size."""

from __future__ import annotations

_SHOWN = 60
_LARGEST_SHOWN = 10**30

_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def kind_of(value: object) -> str:
    """Name the JSON type of a value, with its article."""
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def brief(value: object) -> str:
    """Show a value in a line, whatever its size: text is cut, containers and huge numbers are named.

    Text keeps its own script; what a screen would obey or hide (controls, overrides, tags) is shown as escapes.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        text = repr(value[:_SHOWN])
        return text if len(value) <= _SHOWN else f"{text[:-1]}...{text[-1]}"
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < _LARGEST_SHOWN):
        return str(value)
    return kind_of(value)
