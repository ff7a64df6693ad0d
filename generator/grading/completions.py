"""Completions: what a model has answered, in whatever shape, read as a text and calls by name and arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from generator.formats.call_notations import is_marked, read_amid, read_marked, read_plain
from generator.jsontext import JsonObject, JsonValue, read_exactly
from generator.validation.line_text import repeated_keys

_NAMES = ("name", "tool_name", "tool")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "kwargs")
_LONGEST = 2_000_000
"""Characters of arguments given as text; longer ones are not read."""
LONGEST_TEXT = 200_000
"""Characters of an answer that is read."""
MOST_CALLS = 20_000
"""Calls of an answer that is read."""

_THOUGHT = re.compile(r"\s*<think(?:ing)?>(?:(?!</think).)*</think(?:ing)?>", re.DOTALL)
_ENDS = ("<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<end_of_turn>")


@dataclass(frozen=True, slots=True)
class Called:
    """A call as it was read."""

    name: str
    """The name of the tool; "" where the call has none."""
    arguments: JsonObject | None
    """The arguments as an object; None where they are none, and `problem` says why."""
    problem: str = ""


def called(call: Any) -> Called:
    """Read a call: ours or OpenAI's, a mapping of name and arguments, or an object with such attributes.

    Arguments may be an object or its text. What is no call is read as one without a name; nothing is raised.
    """
    function = _part(call, ("function",))
    holder = call if function is None or isinstance(function, str) else function
    name = function if isinstance(function, str) else _part(holder, _NAMES)
    if not isinstance(name, str) or not name:
        return Called("", None, "it names no tool")
    return _with_arguments(name, _part(holder, _ARGUMENTS))


def _part(holder: Any, names: Sequence[str]) -> Any:
    """Return what an object or a mapping has under the first of some names that it has; None for nothing."""
    if isinstance(holder, Mapping):
        return next((holder[name] for name in names if holder.get(name) is not None), None)
    if holder is None or isinstance(holder, str | bytes | int | float | list | tuple):
        return None
    found = (getattr(holder, name, None) for name in names)
    return next((part for part in found if part is not None and not callable(part)), None)


def _with_arguments(name: str, given: Any) -> Called:
    if type(given) is dict:
        return Called(name, given)
    if given is None:
        return Called(name, {})
    if isinstance(given, Mapping):
        return Called(name, dict(given))
    if isinstance(given, str):
        return _from_text(name, given)
    return Called(name, None, "its arguments are no object")


def _from_text(name: str, text: str) -> Called:
    if len(text) > _LONGEST:
        return Called(name, None, f"its arguments are longer than {_LONGEST:,} characters")
    if not text.strip():
        return Called(name, {})  # some servers write nothing where there is nothing to give
    try:
        value = read_exactly(text)
        if text.count(":") > 1 and (repeated := _repeated(text, value)):
            return Called(name, None, f"its arguments name the key {repeated!r} twice")
    except (ValueError, TypeError, RecursionError):  # lone surrogates and what nests too deeply are no JSON either
        return Called(name, None, "its arguments are not the text of JSON")
    return Called(name, value) if isinstance(value, dict) else Called(name, None, "its arguments are no object")


def _repeated(text: str, value: JsonValue) -> str:
    """Return a key that is named twice; "" where there is none."""
    found = repeated_keys(text.encode(), orjson.dumps(value))
    return found[0].key if found else ""


def calls_in(given: Any) -> list[Any]:
    """Return the calls of whatever holds them: a list, a message, one call; none of what holds none."""
    if given is None:
        return []
    if isinstance(given, list | tuple):
        return list(given)
    if isinstance(given, Mapping):
        holds_calls = "tool_calls" in given or "role" in given
        return calls_in(given.get("tool_calls")) if holds_calls else [given]
    return calls_in(given.tool_calls) if hasattr(given, "tool_calls") else [given]


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
    choice = _first_choice(answer)
    if choice is not None:
        message = choice.get("message")
        return _of_mapping(message) if isinstance(message, Mapping) and "choices" not in message else Completion(
            problem="the answer holds no assistant message"
        )  # fmt: skip
    if answer.get("role", "assistant") != "assistant":
        return Completion(problem="the answer is no message of the assistant")
    calls = _calls_of(answer)
    if "content" not in answer and calls is None:
        is_call = any(key in answer for key in ("name", "function"))
        return _of_parts(None, [answer]) if is_call else Completion(problem="the answer says and calls nothing")
    return _of_parts(answer.get("content"), calls)


def _calls_of(message: Mapping[str, Any]) -> Any:
    """Return the calls of a message, or its only call in the older form; None where it has no place for any."""
    calls = message.get("tool_calls")
    if calls is None and isinstance(message.get("function_call"), Mapping):
        return [message["function_call"]]
    return calls


def _first_choice(answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the first choice of a whole reply; None for what is a message itself."""
    choices = answer.get("choices")
    if "role" in answer or not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return None
    return choices[0]


def _of_parts(content: Any, calls: Any) -> Completion:
    if not isinstance(calls, list | tuple | None):
        return Completion(problem="the calls of the answer are no list")
    found = list(calls or ())
    if isinstance(content, list):
        content, inside = _read_blocks(content)
        found += inside
    if not isinstance(content, str | None):
        return Completion("", tuple(found[:MOST_CALLS]), "the content of the answer is no text")
    if len(found) > MOST_CALLS:
        return Completion(problem=f"the answer has more than {MOST_CALLS:,} calls")
    if found:
        return Completion((content or "").strip(), tuple(found))
    return _of_text(content or "")


def _read_blocks(blocks: list[Any]) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the text of a content in blocks, and the calls among them."""
    parts = [part for part in blocks if isinstance(part, Mapping)]
    texts = [part.get("text") for part in parts if part.get("type") in ("text", "output_text")]
    calls = [part for part in parts if part.get("type") in ("tool_use", "tool_call", "function_call")]
    return "\n".join([text for text in texts if isinstance(text, str)]), calls


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
