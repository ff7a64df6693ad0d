"""The options of lengths: what counts tokens, and the most of them."""

from __future__ import annotations

import click

tokenizer_option = click.option(
    "--tokenizer",
    metavar="FILE",
    help="The tokenizer.json of your model, or its folder, to count tokens with; without it they are estimated.",
)
"""What counts tokens."""

max_length_option = click.option(
    "--max-length",
    "most",
    type=click.IntRange(1),
    metavar="N",
    help="Leave out records of more tokens than this.",
)
"""The most tokens of a record that is written."""
