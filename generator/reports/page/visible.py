"""Texts of strangers made visible: what a page would hide, or turn around, is shown by its number."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls, marks of direction, what has no width, halves of pairs and tags."""


def visible(text: str) -> str:
    """Return the text with each hidden character as ⟨U+XXXX⟩."""
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
