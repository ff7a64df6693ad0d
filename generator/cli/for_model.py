"""The option `--for`: the form of records that a model's chat template renders whole, in place of the options of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator.cli.terminal import say_line
from generator.errors import UsageError
from generator.formats.deepfabric import HF

if TYPE_CHECKING:
    from generator.chat_templates.fitting import Fit
    from generator.chat_templates.passage import Passage

_TRL = "trl"

for_option = click.option(
    "--for",
    "model",
    metavar="MODEL",
    help="Choose format and options for this model: its chat template file (.jinja), tokenizer_config.json or folder, "
    "which is tried with every kind of record; or its name, if templates of its family were tried "
    "(toolgen help templates lists them).",
)
"""The model that records are written for."""


class FormChoice(NamedTuple):
    """The format and the options to write with, and why."""

    target: str
    options: dict[str, Any]
    fit: Fit | None = None

    def passage(self) -> Passage | None:
        """Return the way of records through the chat template, where one is at hand."""
        return None if self.fit is None else self.fit.passage()

    def explain(self, shortened: int = 0) -> None:
        """Tell which form was chosen, if one was, and of how many records text beside calls was dropped."""
        for line in self.fit.lines(shortened) if self.fit is not None else ():
            say_line(line, err=True)


def chosen(model: str | None, target: str | None, options: dict[str, Any], format_option: str) -> FormChoice:
    """Return what the user chose, or what is right for a model.

    Raises:
        UsageError: neither is given, or both and they differ, or no form is right for the model.
    """
    if model is None:
        if target is None:
            raise UsageError(f"give {format_option} NAME, or --for MODEL, which chooses it")
        return FormChoice(target, options)
    if target not in (None, _TRL, HF):
        raise UsageError(
            f"--for: chat templates are given records as {_TRL} or {HF}; leave {format_option} {target} out, "
            f"or --for {model}: other formats have a way of their own to the model"
        )
    if options["variant"]:
        raise UsageError(f"--for chooses the variant: leave --variant {options['variant']} out")
    from generator.chat_templates.fitting import fit

    found = fit(model)
    form = found.form
    if target == HF and form.variant:
        raise UsageError(f"--for {model}: its chat template takes {form.options}, and {HF} holds no {form.variant}")
    more = {
        "variant": form.variant,
        "serialize_parallel": options["serialize_parallel"] or form.serialized,
        "merge_system": options["merge_system"] or form.merged,
    }
    return FormChoice(target or _TRL, {**options, **more}, found)
