"""Unknowable: values of which nothing was said and which nobody can infer: ids, addresses of mail, people's places.

What a request or a result tells in part (a phone number with the code of its country, a path with a said number in it)
is inferred; so are colours, years and addresses of pages, which anybody may know.
"""

from __future__ import annotations

import re

from generator.validation.grounding.leaves import Leaf
from generator.validation.grounding.opposing import is_name
from generator.validation.grounding.reading.languages import little_words
from generator.validation.grounding.reading.names import MAKING, verb_of
from generator.validation.grounding.reading.role_words import sort_of
from generator.validation.grounding.reading.words import LONGEST_TEXT, STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.sources import Said, speaks_english
from generator.validation.tool_view import ToolView

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_OPAQUE = re.compile(r"[+#]?[A-Za-z\d]{1,60}(?:[-_:#.][A-Za-z\d]{1,60}){0,8}", re.ASCII)
_COLOUR = re.compile(r"#[\dA-Fa-f]{3,8}", re.ASCII)
_FILE = re.compile(r".{1,200}\.[A-Za-z][A-Za-z\d]{1,4}", re.DOTALL)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_SIGNS = re.compile(r"[^A-Za-z\d]+")
_NO_DIGIT = re.compile(r"\D+")
_SHORTEST_CODE = 6
_FEWEST_DIGITS = 3
_OWN_DIGITS = 7
"""The last digits of a phone number, which are the same with any code before them."""
_MOST_TO_INFER_FROM = 1
_NUMBERED = frozenset("id ids number no nr".split())


def is_unknowable(value: str, leaf: Leaf, tool: ToolView | None, said: Said) -> bool:
    """Say whether nobody can know a text of which nothing was said."""
    if "@" in value and any(not _is_told(match[0], said) for match in _MAIL.finditer(value[:LONGEST_TEXT])):
        return True
    return is_opaque(value, said) or (tool is not None and _is_invented(value, leaf, tool, said))


def is_unknown_number(value: float, leaf: Leaf) -> bool:
    """Say whether a number is an id of which nothing was said."""
    words = tokens_of_value(str(leaf.path[-1])) if leaf.path else []
    return bool(words) and words[-1] in _NUMBERED and value == int(value) and abs(value) >= 10 ** (_SHORTEST_CODE - 1)


def is_opaque(value: str, said: Said) -> bool:
    """Say whether a text is a code with digits of which nothing tells."""
    if len(value) < _SHORTEST_CODE or _OPAQUE.fullmatch(value) is None:
        return False
    if _COLOUR.fullmatch(value) or _FILE.fullmatch(value) or _is_same_phone(value, said):
        return False
    return any(
        sum(map(str.isdigit, piece)) >= _FEWEST_DIGITS and not _YEAR.fullmatch(piece) and not _is_told(piece, said)
        for piece in _SIGNS.split(value)
    )


def _is_told(text: str, said: Said) -> bool:
    folded = fold(text)
    return any(folded in source.folded for source in said.sources)


def _is_same_phone(value: str, said: Said) -> bool:
    """Say whether the last digits of a number are said, with whatever signs between them."""
    digits = _NO_DIGIT.sub("", value)[-_OWN_DIGITS:]
    return len(digits) == _OWN_DIGITS and any(
        digits in re.sub(r"(?<=\d)[\s()./-]{1,3}(?=\d)", "", source.start) for source in said.sources
    )


def _is_invented(value: str, leaf: Leaf, tool: ToolView, said: Said) -> bool:
    """Say whether a text is the name of a place or a person where the user says nothing that tells of which."""
    if not leaf.path or not is_name(value) or sort_of(str(leaf.path[-1])) != "words":
        return False
    if not speaks_english(said) or any(source.role == "tool" for source in said.sources):
        return False
    if verb_of(str(tool.function.get("name")))[1] == MAKING:
        return False
    known = {stem(token) for key in ("name", "description") for token in tokens_of_value(str(tool.function.get(key)))}
    words = {word for source in said.sources if source.role == "user" for word in tokens_of(source.start)}
    telling = [word for word in words - STOPWORDS - little_words() if len(word) > 1 and stem(word) not in known]
    return len(telling) <= _MOST_TO_INFER_FROM
