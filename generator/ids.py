"""Call ids: exactly nine characters of [a-zA-Z0-9] (DeepFabric, rule 2), unique within a record."""

from __future__ import annotations

import re
from random import Random

CALL_ID_LENGTH = 9
CALL_ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")


def is_call_id(text: object) -> bool:
    """Say whether `text` is a compliant call id; a trailing newline is not forgiven."""
    return isinstance(text, str) and _CALL_ID.fullmatch(text) is not None


def draw_call_ids(count: int, stream: Random) -> tuple[str, ...]:
    """Draw `count` distinct call ids from the record's own stream."""
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids["".join(stream.choices(CALL_ID_ALPHABET, k=CALL_ID_LENGTH))] = None
    return tuple(ids)
