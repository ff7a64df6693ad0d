"""Status: what a result says became of its call, beside errors told by their shape; and the words of results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.languages import english, pairs, phrases
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.view import NO_OBJECT, ResultView

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


class CallStatus(NamedTuple):
    """What a result says became of its call."""

    worked: bool
    is_sure: bool
    """Whether it speaks of the call itself, not of something that was looked up."""
    words: str
    """What it says, as it stands there."""


_ERROR_TEXT = re.compile(r"\s*(?:error|failed|failure|exception)\b\s*[:!-]", re.IGNORECASE)
_LEAST_OF_HTTP_ERRORS, _MOST = 400, 600
_MOST_PARTS, _LONGEST_MESSAGE = 50, 400


def status_of(result: ResultView) -> CallStatus | None:
    """Return what a result says became of its call; None where it does not say."""
    value = result.value
    if isinstance(value, str):
        match = _ERROR_TEXT.match(value)
        return CallStatus(False, True, value[:80]) if match else None
    return _of_object(value, result) if isinstance(value, dict) else None


def _of_object(value: JsonObject, result: ResultView) -> CallStatus | None:
    kinds = frozenset(map(type, value.values()))
    names, told = (_telling_names if len(value) <= _FEW_FIELDS else _telling_names.__wrapped__)(tuple(value))
    found = _of_members(value if bool in kinds else names, value, result)
    if found is None and not kinds.isdisjoint(_NESTED):
        found = _of_parts(value, result)
    return _of_words(value, told, result) if found is None and told else found


def _of_members(names: Iterable[str], value: JsonObject, result: ResultView) -> CallStatus | None:
    """Return what the first field says that says anything; what another says that failed goes before it."""
    found: CallStatus | None = None
    for name in names:
        each = _of_member(name, value[name], value, result)
        if each is not None and (found is None or not each.worked):
            found = each
    return found


_NESTED = (dict, list)


def _of_member(key: str, inner: JsonValue, whole: JsonObject, result: ResultView) -> CallStatus | None:
    kind = type(inner)
    if kind is bool:
        return _of_flag(key, bool(inner), result)
    if isinstance(inner, str):
        return _of_state(key, inner, whole, result) if _may_tell_state(key) else None
    if kind is int and isinstance(inner, int) and _LEAST_OF_HTTP_ERRORS <= inner < _MOST:
        return _of_code(key, inner)
    return None


def _of_parts(value: JsonObject, result: ResultView) -> CallStatus | None:
    """Return what the parts of a deed say that failed; parts of what was looked up are things, not deeds."""
    if looks_up(result):
        return None
    for inner in value.values():
        parts = inner[:_MOST_PARTS] if isinstance(inner, list) else (inner,)
        for part in parts:
            for key, leaf in part.items() if isinstance(part, dict) else ():
                found = _of_member(key, leaf, part, result)
                if found is not None and not found.worked:
                    return found
    return None


def _of_words(value: JsonObject, names: tuple[str, ...], result: ResultView) -> CallStatus | None:
    """Return what a deed says in words alone that did not work."""
    if looks_up(result):
        return None
    for key in names:
        inner = value[key]
        if isinstance(inner, str):
            folded = fold(inner[:_LONGEST_MESSAGE])
            if phrases("en", "outcomes", "denial").found_in(folded):
                return CallStatus(False, False, f"{key}: {inner[:60]}")
    return None


_FEW_FIELDS = 40


@lru_cache(maxsize=1024)
def _telling_names(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of fields that may tell a state or a code, and those of messages; a flag may have any name."""
    states = [name for name in names if _may_tell_state(name) or name.casefold() in _CODES]
    return tuple(states), tuple([name for name in names if name.casefold() in english("results", "messages")])


_CODES = ("status_code", "statuscode", "http_status")


def _of_flag(key: str, value: bool, result: ResultView) -> CallStatus | None:
    folded = key.casefold()
    if folded in english("results", "flags") or _is_deed_of(folded, result):
        if not value and folded not in english("results", "flags") and _is_asked_to_be_false(folded, result):
            return CallStatus(True, True, f"{key}: false")
        return CallStatus(value, True, f"{key}: {str(value).lower()}")
    if folded in english("results", "deed_flags") and not value and not looks_up(result):
        return CallStatus(value, False, f"{key}: {str(value).lower()}")
    if folded in english("results", "failing_flags"):
        return CallStatus(not value, True, f"{key}: {str(value).lower()}")
    return None


def _is_asked_to_be_false(flag: str, result: ResultView) -> bool:
    """Say whether a call was made to undo what a flag tells: `locked` is false where the door was to be unlocked."""
    call = result.call
    if call is None:
        return False
    arguments = call.arguments or NO_OBJECT
    if any(type(value) is bool and _asks_contrary(name, value, flag) for name, value in arguments.items()):
        return True
    words = _words_asked(call.name, arguments)
    return any(_undoings(each) & words for each in forms_of_verb(flag))


def _asks_contrary(name: str, value: bool, flag: str) -> bool:
    """Say whether a call that gives a flag this value wants another one false: `locked` where `unlock` is true."""
    own = forms_of_verb(flag)
    return _is_contrary(name.casefold(), flag) == value and not own.isdisjoint(forms_of_verb(_base(name)))


def _words_asked(name: str, arguments: JsonObject) -> frozenset[str]:
    """Return the stems of the words of a call's name and of its short texts."""
    texts = [value for value in arguments.values() if isinstance(value, str) and len(value) <= _LONGEST_STATE]
    return frozenset(stem(token) for text in (name, *texts) for token in tokens_of_value(text)[:8])


_LONGEST_STATE = 40
_UNDOING = ("un", "dis", "de")


def _is_contrary(name: str, flag: str) -> bool:
    """Say whether one of two flags says that the other one is not."""
    return name.startswith(_UNDOING) != flag.startswith(_UNDOING) and name != flag


def _base(name: str) -> str:
    """Return the name of a flag without the beginning that undoes it."""
    folded = name.casefold()
    return next((folded[len(each) :] for each in _UNDOING if folded.startswith(each)), folded)


@lru_cache(maxsize=1024)
def _undoings(verb: str) -> frozenset[str]:
    """Return the stems of the words that undo a deed, by its stem."""
    told = pairs("en", "results", "undoing")
    named = [words for words, undone in told.items() if stem(undone) == verb]
    return frozenset(stem(each) for each in (*named, *(prefix + verb for prefix in _UNDOING)))


@lru_cache(maxsize=4096)
def _may_tell_state(key: str) -> bool:
    folded = key.casefold()
    return folded == "error" or folded in english("results", "states")


def _of_state(key: str, value: str, whole: JsonObject, result: ResultView) -> CallStatus | None:
    if len(whole) == 1 and value and key.casefold() == "error":
        return CallStatus(False, True, f"{key}: {value[:60]}")
    if len(value) > _LONGEST_STATE:
        return None
    return _of_told_state(key, value, result.call.name if result.call is not None else None)


@lru_cache(maxsize=4096)
def _of_told_state(key: str, value: str, name: str | None) -> CallStatus | None:
    """Return what a state says of a call of a tool."""
    if key.casefold() not in english("results", "states"):
        return None
    state, looks = value.casefold(), name is None or _looks_up(name)
    if _is_deed(state, name):
        return CallStatus(True, not looks, f"{key}: {value}")
    if state in english("results", "failed") or (state.startswith(("not_", "not ")) and not looks):
        return CallStatus(False, not looks, f"{key}: {value}")
    if state in english("results", "succeeded"):
        return CallStatus(True, not looks, f"{key}: {value}")
    return None


def _of_code(key: str, value: int) -> CallStatus | None:
    if key.casefold() in _CODES:
        return CallStatus(False, True, f"{key}: {value}")
    return None


def _is_deed_of(word: str, result: ResultView) -> bool:
    """Say whether a word is the participle of the tool's verb: `deleted` of `delete_file`, `sent` of `send_email`."""
    return _is_deed(word, result.call.name if result.call is not None else None)


def _is_deed(word: str, name: str | None) -> bool:
    if name is None or "_" in word or _looks_up(name):
        return False
    return bool(forms_of_verb(word) & verbs_of(name))


@cache
def verbs_of(name: str) -> frozenset[str]:
    """Return the stems of the words of a tool's name, of which one is its verb."""
    return frozenset(stem(token) for token in tokens_of_value(name)[:8])


@cache
def forms_of_verb(word: str) -> frozenset[str]:
    """Return the stems of a verb in one of its forms: of "sent" those of "sent" and "send"."""
    base = pairs("en", "claims", "irregular").get(word)
    doubled = word.removesuffix("ed") if word.endswith("lled") else ""  # "enrolled" of "enroll", whose stem is "enrol"
    return frozenset({stem(word), *([stem(base)] if base else []), *([doubled] if doubled else [])})


def words_of_looking() -> frozenset[str]:
    """Return the words of tools' names that say that something is looked up."""
    return english("results", "looking")


def looks_up(result: ResultView) -> bool:
    """Say whether a call looks something up, by its tool's name: its result's states are not its own."""
    call = result.call
    return call is None or _looks_up(call.name)


@lru_cache(maxsize=4096)
def _looks_up(name: str) -> bool:
    tokens = tokens_of_value(name)
    return tokens[:1] in _ASKING or not english("results", "looking").isdisjoint(tokens)


_ASKING = (["is"], ["are"], ["was"], ["has"], ["have"], ["does"], ["can"])
"""The first words of tools that answer with yes or no: `is_open`."""


def is_empty(value: JsonValue) -> bool:
    """Say whether a result holds nothing: an empty text or list, or no list that is not."""
    if isinstance(value, dict):
        inner = [each for each in value.values() if isinstance(each, list | dict)]
        return not value or (bool(inner) and not any(inner)) or value.get("found") is False or value.get("total") == 0
    return value is None or value in ("", [])


def text_of(result: ResultView) -> str:
    """Return all that a result says, folded."""
    content = result.message.content
    return fold(content) if isinstance(content, str) else ""
