"""Values of options that say what is wrong with them: one of a few words, or a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.suggestions import did_you_mean


class Choice(click.Choice[str]):
    """A `click.Choice` of strings whose error message suggests the nearest valid value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the valid value, or fail naming every valid one and the nearest."""
        if value in self.choices:
            return str(value)
        hint = did_you_mean(str(value), self.choices)
        message = f"{value!r} is not one of {', '.join(self.choices)}"
        return self.fail(f"{message}; {hint}" if hint else message, param, ctx)


class FilePath(click.ParamType[Path]):
    """The path of a file or folder; the empty text of an unset shell variable is none."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, or fail where the text is empty."""
        return Path(value) if str(value) else self.fail("the path is empty", param, ctx)
