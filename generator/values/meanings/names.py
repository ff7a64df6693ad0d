"""The words of field names: `maxResultsCount` and `max-results_count` are three words each.

inflection 0.5.1 would tell 15 of 1,031 words of tools' fields otherwise, `radiu`, `vium` and `gas` as `ga` among them.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BREAK = re.compile(r"[^A-Za-z0-9]+")
_TRAILING_NUMBER = re.compile(r"^([a-z]+?)(\d{1,2})$")
_KEPT_PLURAL = frozenset(
    "address status species series news analysis basis gas bus class business process access dress loss glass "
    "mass boss pass canvas atlas campus census virus radius bonus focus sms gps dns aws ios os is has was this "
    "series physics mathematics economics athletics sports press progress success diagnosis synopsis axis "
    "hypothesis emphasis chess tennis swiss less units https cvss css always plus previous details".split()
)
_IRREGULAR = {"ids": "id", "people": "person", "children": "child", "men": "man", "women": "woman", "movies": "movie",
              "cookies": "cookie", "calories": "calorie", "indices": "index", "matrices": "matrix",
              "vertices": "vertex", "criteria": "criterion", "phenomena": "phenomenon", "cities": "city",
              "mice": "mouse"}  # fmt: skip


@lru_cache(maxsize=8192)
def split_name(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a field or tool name; a trailing small number is a word of its own."""
    words: list[str] = []
    for part in _BREAK.split(name[:200]):
        for word in _CAMEL.split(part):
            numbered = _TRAILING_NUMBER.match(word.lower())
            words.extend(numbered.groups() if numbered else [word.lower()] if word else [])
    return tuple(words)


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """Return the singular of an English noun by its ending; what is no plural comes back as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _KEPT_PLURAL or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    """Say whether a word names several things."""
    return singular(word) != word
