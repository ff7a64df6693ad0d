"""Garbage: when Python looks for objects that hold each other and that nobody else holds.

What a load makes stays for the life of the process, a million small objects: to look through them while they are
made, and again and again while records are made of them, takes longer than the load itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MADE_BETWEEN_LOOKS = 20_000
"""New objects after which a process of our own looks for garbage: those of about twenty records."""


@contextmanager
def not_looked_for() -> Iterator[None]:
    """Look for no garbage in the block, which makes things that stay; one such block may stand in another."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


def take_for_kept() -> None:
    """Never look through what is there now, and less often through the rest: for processes of our own alone."""
    gc.freeze()
    gc.set_threshold(_MADE_BETWEEN_LOOKS, *gc.get_threshold()[1:])
