"""A name in words: what stands in for a description that is missing."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")


@lru_cache(maxsize=8192)
def name_in_words(name: str) -> str:
    """Return the words of a name: `getUserID` and `get_user_id` become `get user ID` and `get user id`.

    A name without a letter or digit is returned as it is.
    """
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in _WORD.findall(name)]
    return " ".join(words) or name
