"""The words of results: those of their calls, of their tools and of what they bring."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.view import ResultView

MOST_LEAVES = 300


def plain_leaves(result: ResultView) -> Iterator[str]:
    """Yield the leaves of a call and its result that an answer may repeat as they are."""
    arguments = result.call.arguments if result.call is not None else None
    for leaf in (*leaves(arguments, 40), *leaves(result.value, 40)):
        if isinstance(leaf, str | int | float) and not isinstance(leaf, bool):
            text = str(leaf)
            if len(text) > 1:
                yield text


def own_words(result: ResultView, results: list[ResultView]) -> frozenset[str]:
    """Return the words of a call, of its tool and of its result that no other of the results has."""
    others = [other for other in results if other is not result]
    own = words_of(result)
    if all(other.tool_name != result.tool_name for other in others):
        own |= tool_words(result)
    for other in others:
        own -= words_of(other) | tool_words(other)
    return own


def forms_of_text(folded: str) -> frozenset[str]:
    """Return the words of a folded text in each of their forms."""
    tokens = tokens_of(folded)
    return (
        frozenset(tokens)
        | frozenset(map(stem, tokens))
        | {token.rstrip("0").rstrip(".") for token in tokens if "." in token}
    )


def words_of(result: ResultView) -> frozenset[str]:
    """Return the words and numbers of a call's arguments and of its result."""
    arguments = result.call.arguments if result.call is not None else None
    found: set[str] = set()
    for leaf in (*leaves(arguments, MOST_LEAVES), *leaves(result.value, MOST_LEAVES)):
        if isinstance(leaf, bool):
            continue
        text = str(leaf)[:2000]
        for token in (*tokens_of_value(text), *tokens_of(fold(text))):
            if token not in STOPWORDS:
                found.update((token, stem(token), token.lstrip("0") or "0"))
        if match := _CLOCK.search(text):
            found.add(str(int(match[1]) % 12 or 12))
    return frozenset(found)


_CLOCK = re.compile(r"\b([01]\d|2[0-3]):[0-5]\d")


def tool_words(result: ResultView) -> frozenset[str]:
    """Return the words of the tool's name and description, and of the keys of its result."""
    call = result.call
    if call is None:
        return frozenset()
    described = call.tool.function.get("description") if call.tool is not None else None
    texts = [call.name, described[:400] if isinstance(described, str) else ""]
    texts += list(result.value)[:40] if isinstance(result.value, dict) else []
    return _forms_of(texts)


def name_words(result: ResultView) -> frozenset[str]:
    """Return the words of the tool's name, and of the keys of its result."""
    texts = [result.tool_name, *(list(result.value)[:40] if isinstance(result.value, dict) else [])]
    return _forms_of(texts)


def _forms_of(names: list[str]) -> frozenset[str]:
    tokens = [token for name in names for token in tokens_of_value(name) if token not in STOPWORDS]
    return frozenset(form for token in tokens for form in (token, stem(token)))


def leaves(root: JsonValue, most: int) -> Iterator[JsonValue]:
    """Yield the values inside that are neither objects nor lists, up to a number of steps, null left out."""
    waiting = [root]
    while waiting and most:
        most -= 1
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value[:50]
        elif value is not None:
            yield value
