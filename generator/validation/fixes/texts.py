"""Fixes of what messages say: content of another type, control tokens, white space between JSON tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

import orjson

from generator.jsontext import JsonObject, JsonValue, dump_compact, read_exactly
from generator.schemas.texts import without_control_tokens
from generator.validation.fixes.fix import Fix, calls_of, messages_of, put_after, say_the_same

_ENDINGS = (
    *(f"<|{word}|>" for word in ("im_end", "endoftext", "eot_id", "eom_id", "end", "end_of_text", "return", "call")),
    "</s>",
    "<end_of_turn>",
    "<eos>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
)
"""Tokens that end a turn, in the templates of several families."""
_EMPTY_THOUGHT = re.compile(r"\A\s*<think>\s*</think>\s*")
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_SPOKEN = ("system", "user", "assistant")


def _content_of_calls(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") == "assistant" and calls_of(message) and message.get("content") is None:
            put_after(message, "content", "", "role")


def _content_from_parts(record: JsonObject) -> None:
    for message in messages_of(record):
        content = message.get("content")
        if message.get("role") in (*_SPOKEN, "tool") and isinstance(content, list) and content:
            texts = [part.get("text") if _is_text_part(part) else part for part in content]
            if all(isinstance(text, str) for text in texts) and any(_is_text_part(part) for part in content):
                message["content"] = "".join(texts)


def _is_text_part(part: JsonValue) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and part.keys() <= {"type", "text", "cache_control"}


def _results_as_text(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") == "tool" and "content" in message and not isinstance(message["content"], str):
            message["content"] = _written(message["content"])


def _written(value: JsonValue) -> JsonValue:
    try:
        return dump_compact(value)
    except TypeError:
        return value


def _numbers_as_text(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in _SPOKEN and isinstance(message.get("content"), bool | int | float):
            message["content"] = _written(message["content"])


def _results_compact(record: JsonObject) -> None:
    for message in messages_of(record):
        content = message.get("content")
        if message.get("role") == "tool" and isinstance(content, str):
            message["content"] = _compact(content)


def _compact(text: str) -> str:
    """Write a JSON text without white space; the text itself where that would change a number or a repeated key."""
    try:
        written = dump_compact(read_exactly(text))
    except (ValueError, TypeError):
        return text
    return written if written != text and say_the_same(text, written) else text


def _endings_cut(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in _SPOKEN and isinstance(message.get("content"), str):
            message["content"] = _without_ending(message["content"])


def _without_ending(text: str) -> str:
    """Cut tokens that end a turn, and the white space about them, from the end of a text."""
    cut = False
    end = _end_of_words(text, len(text))
    while token := next((token for token in _ENDINGS if text.endswith(token, 0, end)), ""):
        cut = True
        end = _end_of_words(text, end - len(token))
    return text[:end] if cut else text


def _end_of_words(text: str, end: int) -> int:
    """Return where the white space begins that ends at `end`."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _cut_from_answers(pattern: re.Pattern[str]) -> Callable[[JsonObject], None]:
    """Make the mend that takes what a pattern finds out of all that the assistant says."""

    def mend(record: JsonObject) -> None:
        for message in messages_of(record):
            if message.get("role") == "assistant" and isinstance(message.get("content"), str):
                message["content"] = pattern.sub("", message["content"])

    return mend


def _tokens_as_words(record: JsonObject) -> None:
    for message in messages_of(record):
        if isinstance(message.get("content"), str):
            message["content"] = without_control_tokens(message["content"])
        for call in calls_of(message):
            function = call.get("function")
            if isinstance(function, dict) and isinstance(function.get("arguments"), dict):
                function["arguments"] = _as_words(function["arguments"])


def _as_words(value: JsonValue) -> JsonValue:
    """Reduce control tokens to words in every text of a value; its keys stay."""
    if isinstance(value, str):
        return without_control_tokens(value)
    if isinstance(value, dict):
        return {key: _as_words(part) for key, part in value.items()}
    return [_as_words(part) for part in value] if isinstance(value, list) else value


def _text_beside_calls_cut(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") == "assistant" and calls_of(message) and isinstance(message.get("content"), str):
            message["content"] = ""


def _content_empty(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in (*_SPOKEN, "tool") and message.get("content") is None:
            put_after(message, "content", "", "role")


def _plain_results_as_json(record: JsonObject) -> None:
    for message in messages_of(record):
        content = message.get("content")
        if message.get("role") == "tool" and isinstance(content, str) and not _is_json(content):
            message["content"] = dump_compact(content)


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


FIXES = (
    Fix("content-of-calls", 'Gives a turn of calls the content "".', ("TC001", "OA004"), _content_of_calls),
    Fix(
        "content-from-parts",
        "Joins content that is a list of text parts.",
        ("OA004", "DF009"),
        _content_from_parts,
    ),
    Fix("results-as-text", "Writes what a tool returned as compact JSON.", ("DF009", "OA008"), _results_as_text),
    Fix("numbers-as-text", "Writes content that is a number or a boolean as text.", ("OA004",), _numbers_as_text),
    Fix("endings-cut", "Cuts the end-of-turn tokens that close a text.", ("Q3001", "TC014"), _endings_cut),
    Fix(
        "empty-thoughts-cut",
        "Cuts an empty thought from the start of an answer.",
        ("Q3003",),
        _cut_from_answers(_EMPTY_THOUGHT),
    ),
    Fix("results-compact", "Takes the white space out of the JSON that a tool returned.", ("TC016",), _results_compact),
    Fix(
        "thoughts-cut",
        "Cuts a thought from the start of an answer.",
        ("Q3003",),
        _cut_from_answers(_THOUGHT),
        loses="the thought",
    ),
    Fix(
        "tokens-as-words",
        "Reduces control tokens to their words, <|im_end|> to im_end, and takes control characters out.",
        ("Q3001", "Q3002", "Q3003", "TC014", "TC019"),
        _tokens_as_words,
        loses="the exact text",
    ),
    Fix(
        "text-beside-calls-cut",
        "Empties the content of a turn of calls.",
        ("TC002",),
        _text_beside_calls_cut,
        loses="what the assistant says before it calls",
    ),
    Fix(
        "content-empty",
        'Gives a message without content the content "".',
        ("OA004", "OA008"),
        _content_empty,
        loses="the sign that a text is missing here",
    ),
    Fix(
        "plain-results-as-json",
        "Writes a result that is plain text as a JSON string.",
        ("DF010",),
        _plain_results_as_json,
        loses="the text as the tool wrote it: it gets quotes",
    ),
)
"""Fixes of what messages say."""
