"""Certainty: how sure it is that a value which nothing said explains is wrong, rather than inferred.

Who makes calls knows more than what was said: the state that a city lies in, the sides of a die, which of a list a
wish amounts to. Such a value is doubtful, no more. It is likely wrong where something of its sort was said and no
call took it up, and where nobody can infer it: names, codes, days, and numbers of several digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from generator.validation.grounding.bounds import ground_bound
from generator.validation.grounding.choices import choices_at, examples_at
from generator.validation.grounding.computing import is_computed
from generator.validation.grounding.language import entries
from generator.validation.grounding.languages import languages
from generator.validation.grounding.leaves import Leaf, leaves_of
from generator.validation.grounding.names import kin_said, other_names
from generator.validation.grounding.places import words_at
from generator.validation.grounding.sources import Said, Source, keys_of, speaks_english
from generator.validation.grounding.vouched import is_moment
from generator.validation.grounding.words import STOPWORDS, fold, tokens_of, tokens_of_value
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity
from generator.validation.view import RecordView

_NEUTRAL = (0, 1, -1)
_INFERRED_DIGITS = 2
_NUMBERS = re.compile(r"(?<![\w.:^])\d{1,18}(?:,\d{3})*(?:\.\d{1,18})?(?!\w*\d)(?!\))")
_DIGITS = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_NAMES = re.compile(r"(?<![.!?:\"'“] )(?<!^)(?<=[ (])[A-Z][^\W\d_]+")
_IDENTIFIER = re.compile(r"\S*[@\d/\\#]\S*")
_CURRENT = frozenset("current currently latest today now".split())


def degree_of(leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> Severity:
    """Say how bad it is that nothing explains a value of a record that is read."""
    value = leaf.value
    if leaf.is_key or tool is None:
        return "warning"
    if isinstance(value, bool):
        return "note"
    if isinstance(value, str):
        return "warning" if _is_text_unlikely(value, leaf, tool, said, record) else "note"
    return "warning" if _is_number_unlikely(float(value), leaf, tool, said, record) else "note"


def _requests(said: Said) -> list[Source]:
    return [source for source in said.sources if source.role == "user"]


def _is_text_unlikely(value: str, leaf: Leaf, tool: ToolView, said: Said, record: RecordView) -> bool:
    if value in choices_at(tool, leaf.path) or fold(value) in examples_at(tool, leaf.path):
        return False
    requests, foreign = _requests(said), not speaks_english(said)
    if is_moment(value):
        return not foreign or any(source.days or source.relative_day for source in requests)
    if "@" in value or _IDENTIFIER.fullmatch(value) or foreign:
        return not foreign or "@" in value or (value.isascii() and any(map(str.isdigit, value)))
    if other_names(value):
        return kin_said(value, requests)
    if any(True for _ in left_names(requests, record)):
        return True
    return not _is_part_said(value, requests) and not _is_inferred(value, leaf)


def _is_inferred(value: str, leaf: Leaf) -> bool:
    """Say whether a value is the sort of what is said, which a caller finds: "sheep" where ewes are spoken of."""
    if not (value.isalpha() and value.islower() and len(value) > 2 and isinstance(leaf.path[-1], str)):
        return False
    return not _classifying().isdisjoint(tokens_of_value(leaf.path[-1]))


@cache
def _classifying() -> frozenset[str]:
    """Return the words of parameters that take the sort of a thing."""
    return frozenset(word for code in languages() for word in entries(code, "parameters", "classifying"))


def _is_part_said(value: str, requests: list[Source]) -> bool:
    """Say whether a request says a word of a value: the value may be the fuller name."""
    tokens = [token for token in tokens_of(fold(value)) if token not in STOPWORDS and len(token) > 2]
    return any(token in source.words.tokens_set for token in tokens for source in requests)


def _is_number_unlikely(value: float, leaf: Leaf, tool: ToolView, said: Said, record: RecordView) -> bool:
    requests = _requests(said)
    if left_numbers(tuple(requests), record, in_words=value not in _NEUTRAL) or _is_misread(value, requests):
        return True
    if not speaks_english(said):
        return False
    numbers = sorted({quantity.value for source in requests for quantity in source.quantities})
    if value in _NEUTRAL or is_computed(value, numbers) or _CURRENT & words_at(tool, leaf.path):
        return False
    return len(f"{abs(value):g}".replace(".", "").strip("0")) > _INFERRED_DIGITS


def _is_misread(value: float, requests: list[Source]) -> bool:
    """Say whether a number of several digits is nearly one that is said."""
    said = {float(match[0].replace(",", "")) for source in requests for match in _NUMBERS.finditer(source.start)}
    return any(abs(each) >= _FEWEST_MISREAD and resembles(value, each) for each in said)


_FEWEST_MISREAD = 10


@lru_cache(maxsize=4)
def left_numbers(requests: tuple[Source, ...], record: RecordView, *, in_words: bool) -> tuple[float, ...]:
    """Return the numbers of requests, also those in words, that no call of the record takes up."""
    given = [leaf.value for call in record.calls for leaf in leaves_of(call)]
    numbers = {float(each) for each in given if isinstance(each, int | float) and not isinstance(each, bool)}
    texts = " ".join(str(each) for each in given if isinstance(each, str))
    taken = numbers | {float(each) for each in _DIGITS.findall(texts)}
    left: list[float] = []
    for source in requests:
        said = [float(match[0].replace(",", "")) for match in _NUMBERS.finditer(source.start)]
        if in_words:
            said += [each.value for each in source.quantities if each.value > 1 and each.text.isalpha()]
        open_numbers = [each for each in said if each not in taken]
        if len(open_numbers) * len(taken) <= _MOST_COMPARED:
            open_numbers = [each for each in open_numbers if not _is_accounted_for(each, source, said, taken)]
        left += open_numbers
    return tuple(left)


_MOST_COMPARED = 2000
"""Pairs of numbers, said and given, that are compared by arithmetic; more are compared as they are."""


def _is_accounted_for(number: float, source: Source, said: list[float], taken: set[float]) -> bool:
    if _is_converted(number, source, taken):
        return True
    return any(_is_made_of(other, number, said) for other in taken)


def _is_made_of(given: float, left: float, said: list[float]) -> bool:
    """Say whether a given number that is not said is computed with one that is left, rather than written for it."""
    return given not in said and not resembles(given, left) and any(
        is_computed(given, [left, other]) for other in said[:_MOST_OPERANDS] if other != left
    )  # fmt: skip


_MOST_OPERANDS = 12


def resembles(one: float, other: float) -> bool:
    """Say whether one number may be written for another by mistake: as many digits, most of them in their place."""
    first, second = f"{one:g}", f"{other:g}"
    alike = sum(mine == theirs for mine, theirs in zip(first, second, strict=False))
    return len(first) == len(second) and (
        len(first) == 1 or alike >= max(len(first) - 2, 1) or sorted(first) == sorted(second)
    )


def _is_converted(number: float, source: Source, taken: set[float]) -> bool:
    """Say whether a call gives the number in another unit, or the one beside it that a bound means."""
    beside = [each for each in (number - 1, number + 1) if each in taken]
    if any(ground_bound(each, Said((source,))) is not None for each in beside):
        return True
    keys = {keys_of(each)[0] for each in taken}
    texts = {text for key in keys for _, text in source.conversions.get(key, ())}
    return any(number == quantity.value and f"{quantity.text} {quantity.unit}".strip() in texts
               for quantity in source.quantities)  # fmt: skip


def left_names(requests: Iterable[Source], record: RecordView) -> Iterator[str]:
    """Yield the words with a capital within a sentence of the latest request that no call of the record takes up."""
    latest = next(iter(requests), None)
    if latest is None:
        return
    given = fold(" ".join(str(leaf.value) for call in record.calls for leaf in leaves_of(call)))
    for match in _NAMES.finditer(latest.raw):
        if fold(match[0]) not in given and fold(match[0]) not in STOPWORDS:
            yield match[0]
