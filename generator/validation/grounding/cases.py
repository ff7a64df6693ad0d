"""Cases: texts that differ from what was said in capitals and small letters alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.validation.grounding.sources import Source
from generator.validation.grounding.words import find_literal, fold
from generator.validation.say import brief
from generator.validation.verdict import Severity

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CODE = re.compile(r"(?=[^\W_]*\d)[^\W_]*[^\W\d_][^\W_]*")
_FILE = re.compile(r"\S*[^\W_]\.[a-z]{1,5}|\S*[/\\]\S*|\S*_\S*", re.IGNORECASE)
_MOST_PLACES = 16
_LONGEST_ACRONYM = 5


def other_case(value: str, sources: Sequence[Source], quoted: Sequence[str]) -> tuple[str, Severity] | None:
    """Tell that a text is said in another case everywhere, and in one that is not free."""
    folded = fold(value)
    if len(folded) != len(value):
        return None
    written = list(_places(folded, sources))
    if not written or any(is_free(value, each, starts) for each, starts in written):
        return None
    said = written[0][0]
    in_quotes = any(said in each for each in quoted)
    severity: Severity = "error" if in_quotes or _is_exact(said) else _degree(value, said)
    return f"is said as {brief(said)}: capitals and small letters are not the same there", severity


def _places(folded: str, sources: Sequence[Source]) -> Iterator[tuple[str, bool]]:
    """Yield how a text is written where it is said, and whether a sentence begins with it."""
    for source in sources:
        if len(source.folded) != len(source.raw) or source.role == "system":
            continue
        at = 0
        for _ in range(_MOST_PLACES):
            found = find_literal(source.folded[at:], folded)
            if found < 0:
                break
            at += found
            yield source.raw[at : at + len(folded)], _begins_sentence(source.raw, at)
            at += len(folded)


def _begins_sentence(raw: str, at: int) -> bool:
    before = raw[:at].rstrip(" \"'“„«(*")
    return not before or before[-1] in ".!?:\n"


def is_free(value: str, said: str, starts: bool) -> bool:
    """Say whether a text may be written so where it was said otherwise: names get capitals, sentences lose theirs."""
    given, heard = _WORD.findall(value), _WORD.findall(said)
    if len(given) != len(heard) or _is_exact(said):
        return _may_be_code(value, said)
    pairs = list(zip(given, heard, strict=True))
    return all(
        _is_free_word(mine, theirs, first=starts and not at) for at, (mine, theirs) in enumerate(pairs)
    ) or _may_be_code(value, said)


def _is_free_word(given: str, said: str, *, first: bool) -> bool:
    if given == said or given == said[0].upper() + said[1:]:
        return True
    if first and given == said[0].lower() + said[1:]:
        return True
    return len(said) > 1 and said.isupper() and not given.isupper() and len(said) > _LONGEST_ACRONYM


def _may_be_code(value: str, said: str) -> bool:
    """Say whether a code that was typed in small letters is given in capitals: lh430, usd."""
    return said.islower() and value.isupper() and (" " not in value) and (
        len(value) <= _LONGEST_ACRONYM or _CODE.search(value) is not None)  # fmt: skip


def _is_exact(said: str) -> bool:
    """Say whether capitals mean something in a text: in codes, paths and names of files."""
    return " " not in said and (_CODE.search(said) is not None or _FILE.fullmatch(said) is not None)


def _degree(value: str, said: str) -> Severity:
    """Say how bad it is: capitals throughout are likely a fault, small letters for a name may be meant."""
    return "warning" if value.isupper() and len(said) > _LONGEST_ACRONYM else "note"
