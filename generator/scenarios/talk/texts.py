"""Texts with wordings to draw: `(a|b)` draws one of them, `{name}` an entry of a pool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from random import Random

_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")


def upper_first(text: str) -> str:
    """Raise the first letter, unless the first word is a web address or an e-mail address."""
    first = text.split(" ", 1)[0]
    return text if "/" in first or "@" in first else text[:1].upper() + text[1:]


def fill(text: str, random: Random, pools: Mapping[str, tuple[str, ...]]) -> str:
    """Draw the wordings and the pool values of a text."""
    chosen = _CHOICE.sub(lambda match: random.choice(match[1].split("|")), text)
    return upper_first(_SLOT.sub(lambda match: random.choice(pools[match[1]]), chosen))


def count_forms(text: str, pools: Mapping[str, tuple[str, ...]]) -> int:
    """Return in how many forms a text can be said: the product of its wordings and of the pools it draws from."""
    wordings = prod(len(match[1].split("|")) for match in _CHOICE.finditer(text))
    return wordings * prod(len(pools[match[1]]) for match in _SLOT.finditer(text))
