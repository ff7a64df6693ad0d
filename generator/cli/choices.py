"""Choice: an option with few valid values, which names the nearest one for a value that is not."""

from __future__ import annotations

from typing import Any

import click

from generator.suggest import did_you_mean


class Choice(click.Choice[str]):
    """A `click.Choice` of strings whose error message suggests the nearest valid value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the valid value, or fail naming every valid one and the nearest."""
        if value in self.choices:
            return str(value)
        hint = did_you_mean(str(value), self.choices)
        message = f"{value!r} is not one of {', '.join(self.choices)}"
        return self.fail(f"{message}; {hint}" if hint else message, param, ctx)
