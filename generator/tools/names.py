"""Names that both OpenAI and ADM accept, and a reversible way to one for those that are not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from hashlib import blake2b

MAX_NAME = 64
_VALID = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_OTHER = re.compile(r"[^a-zA-Z0-9_-]+")
_DIGEST_SIZE = 4


def is_valid_name(name: object) -> bool:
    """Say whether a name satisfies OpenAI's and ADM's rules (OpenAI data model, 5; ADM, 4.2.2)."""
    return isinstance(name, str) and _VALID.fullmatch(name) is not None


def map_names(originals: Iterable[str]) -> dict[str, str]:
    """Give every name a valid one: valid names keep theirs, and no two share one.

    The result depends on the set of names alone, not on their order.
    """
    names = sorted(set(originals))
    mapped = {name: name for name in names if is_valid_name(name)}
    taken = set(mapped)
    for name in names:
        if name not in mapped:
            mapped[name] = _first_free(_as_valid(name), taken)
            taken.add(mapped[name])
    return mapped


def _as_valid(name: str) -> str:
    """Return the valid name nearest to this one."""
    letters = [letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)]
    plain = _OTHER.sub("_", "".join(letters)).strip("_")
    if not re.search("[a-zA-Z0-9]", plain):
        return f"tool_{_digest(name)}"
    if not plain[0].isalpha():
        plain = "_" + plain.lstrip("-")
    return plain if len(plain) <= MAX_NAME else f"{plain[: MAX_NAME - 2 * _DIGEST_SIZE - 1]}_{_digest(name)}"


def _digest(name: str) -> str:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).hexdigest()


def _first_free(name: str, taken: set[str]) -> str:
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        ending = f"_{count}"
        candidate = name[: MAX_NAME - len(ending)] + ending
    return candidate
