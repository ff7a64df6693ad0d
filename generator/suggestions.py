"""Suggestions: the nearest valid word for one that is not."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean NAME?` for the nearest of the known words, or "" where none is near."""
    from difflib import get_close_matches

    folded = {name.casefold(): name for name in known}
    nearest = get_close_matches(word.casefold(), folded, n=1, cutoff=0.5)
    return f"did you mean {folded[nearest[0]]}?" if nearest else ""
