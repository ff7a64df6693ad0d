"""Completions: what a model has answered, in whatever shape, read as a text and calls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.formats.call_notations import is_marked, read_amid, read_marked, read_plain
from generator.jsontext import JsonObject

LONGEST_TEXT = 200_000
"""Characters of an answer that is read."""
MOST_CALLS = 20_000
"""Calls of an answer that is read."""

_THOUGHT = re.compile(r"\s*<think(?:ing)?>(?:(?!</think).)*</think(?:ing)?>", re.DOTALL)
_ENDS = ("<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<end_of_turn>")


@dataclass(frozen=True, slots=True)
class Completion:
    """A text, calls, or both."""

    text: str = ""
    calls: tuple[Any, ...] = ()
    """The calls as they were given, in any shape that `called` reads."""
    problem: str = ""
    """Why it is no answer, or not one that can be read whole; "" where it is."""


def completion_of(answer: Any) -> Completion:
    """Read what a model has answered; never fails.

    An answer is an assistant message (ours, OpenAI's, Anthropic's content of parts), a response that holds one, an
    object with such attributes, a list of messages of which the first of the assistant counts, or raw text, whose
    calls are read in whichever notation they stand.
    """
    if isinstance(answer, str):
        return _of_text(answer)
    if isinstance(answer, list | tuple):
        return _of_list(answer)
    if isinstance(answer, Mapping):
        return _of_mapping(answer)
    content, calls = getattr(answer, "content", None), getattr(answer, "tool_calls", None)
    if isinstance(content, str | list) or isinstance(calls, list | tuple):
        return _of_parts(content, calls)
    return Completion(problem="there is no answer" if answer is None else "the answer is no message")


def _of_list(answers: list[Any] | tuple[Any, ...]) -> Completion:
    """Read the first message of the assistant in a list, or a list of calls."""
    for message in answers:
        if isinstance(message, Mapping) and message.get("role") == "assistant":
            return _of_mapping(message)
    if answers and all(isinstance(each, Mapping) and "role" not in each for each in answers):
        return _of_parts(None, answers)
    return Completion(problem="there is no answer" if not answers else "the answer holds no assistant message")


def _of_mapping(answer: Mapping[str, Any]) -> Completion:
    choices = answer.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) and "role" not in answer:
        message = choices[0].get("message")
        return _of_mapping(message) if isinstance(message, Mapping) and "choices" not in message else Completion(
            problem="the answer holds no assistant message"
        )  # fmt: skip
    if answer.get("role", "assistant") != "assistant":
        return Completion(problem="the answer is no message of the assistant")
    calls = answer.get("tool_calls")
    if calls is None and isinstance(answer.get("function_call"), Mapping):
        calls = [answer["function_call"]]
    if "content" not in answer and calls is None:
        is_call = any(key in answer for key in ("name", "function"))
        return _of_parts(None, [answer]) if is_call else Completion(problem="the answer says and calls nothing")
    return _of_parts(answer.get("content"), calls)


def _of_parts(content: Any, calls: Any) -> Completion:
    if calls is not None and not isinstance(calls, list | tuple):
        return Completion(problem="the calls of the answer are no list")
    found = list(calls or ())
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping)]
        found += [part for part in parts if part.get("type") in ("tool_use", "tool_call", "function_call")]
        texts = [part.get("text") for part in parts if part.get("type") in ("text", "output_text")]
        content = "\n".join([text for text in texts if isinstance(text, str)])
    if content is not None and not isinstance(content, str):
        return Completion("", tuple(found[:MOST_CALLS]), "the content of the answer is no text")
    if len(found) > MOST_CALLS:
        return Completion(problem=f"the answer has more than {MOST_CALLS:,} calls")
    if found:
        return Completion((content or "").strip(), tuple(found))
    return _of_text(content or "")


def _of_text(text: str) -> Completion:
    """Read a text with the calls that stand in it."""
    if len(text) > LONGEST_TEXT:
        return Completion(problem=f"the answer is longer than {LONGEST_TEXT:,} characters")
    if "<think" in text and (thought := _THOUGHT.match(text)) is not None:
        text = text[thought.end() :]
    text = _without_end(text.strip())
    if is_marked(text):
        spoken = read_marked(text) or read_amid(text)
        if spoken is None:
            return Completion(text, (), "a call in the answer cannot be read")
        return Completion(spoken.text, tuple(spoken.calls[:MOST_CALLS]))
    calls: list[JsonObject] | None = read_plain(text) if text[:1] in ("{", "[", "`") else None
    return Completion("", tuple(calls[:MOST_CALLS])) if calls else Completion(text)


def _without_end(text: str) -> str:
    for end in _ENDS:
        if text.endswith(end):
            return text.removesuffix(end).rstrip()
    return text
