"""What a protocol says of itself: where requests go, the JSON that asks them, and how to read what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Protocol

from generator.backends.address import ServerAddress
from generator.backends.backend import (
    Completion,
    CompletionRequest,
    Mode,
    ModelOptions,
    RequestRefused,
    Transient,
    TransientFailure,
)
from generator.backends.budget import count_tokens
from generator.errors import UsageError
from generator.jsontext import JsonObject, JsonValue, dump_compact


class ServerProtocol(Protocol):
    """How one kind of server is spoken to during one run."""

    modes: ClassVar[tuple[Mode, ...]]
    """The ways of asking that it can word, from the firmest to the most portable."""
    options: ClassVar[Mapping[str, str]]
    """The options of the command line that a user may change, by the words that say them to the server."""

    @staticmethod
    def lacks(address: ServerAddress) -> str:
        """Return what a base URL lacks that such a server must have, in words; "" where it is whole."""
        ...

    def path(self, address: ServerAddress) -> str:
        """Return where requests go, below the base URL."""
        ...

    def headers(self, address: ServerAddress) -> Mapping[str, str]:
        """Return the headers that every request carries, its key among them."""
        ...

    def body(self, request: CompletionRequest) -> JsonObject:
        """Return the JSON that asks this question."""
        ...

    def reword(self, refusal: RequestRefused, body: JsonObject) -> bool:
        """Take up another word for the same where the server asks for it; say whether there is one to try."""
        ...

    def read(self, document: JsonValue, body: JsonObject, size: int) -> Completion:
        """Return what a server's answer holds; `body` is what was asked, `size` its bytes.

        Raises:
            TransientFailure: the document is no answer.
        """
        ...


def no_answer(document: JsonValue) -> TransientFailure:
    """Return what an answer is that calls itself good and holds none; the error that it may hold is told."""
    error = document.get("error") if isinstance(document, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    why = f": {said}" if isinstance(said, str) else ""
    return TransientFailure(Transient("no_choice", f"the server's answer holds no choice{why}", billed=True))


def text_of(arguments: JsonValue) -> str:
    """Return arguments that came as JSON as the text that they are elsewhere.

    Raises:
        TransientFailure: they are nested deeper than JSON is written here.
    """
    try:
        return dump_compact(arguments)
    except TypeError as error:  # orjson reads what is nested deeper than it writes
        message = "the server's answer is nested too deep"
        raise TransientFailure(Transient("too_deep", message, billed=True)) from error


def counted(answer: Completion, prompt: JsonValue, said: JsonValue, asked: JsonObject, size: int) -> Completion:
    """Return an answer with the tokens that it took: those that the server counts where they can be true.

    Args:
        answer: the answer without them.
        prompt: what the server says of the prompt.
        said: what it says of the answer.
        asked: the parts of the request that hold its prompt.
        size: bytes of the request.
    """
    answered = len((answer.text + answer.thoughts).encode("utf-8", "replace"))
    answered += sum(len(call.arguments) for call in answer.calls)
    tokens = count_tokens(prompt, said, answered, asked, size)
    usage = {"prompt_tokens": tokens.usage.prompt, "completion_tokens": tokens.usage.completion}
    return answer.model_copy(update={**usage, "estimated": tokens.estimated})


_TAGS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))
"""How models mark their thoughts where their server does not take them out."""


def split_thoughts(text: str) -> tuple[str, str]:
    """Return what a text answers, and what it thinks.

    A thought that is never closed goes to the end; one whose opening the server kept to itself begins at the start.
    """
    thoughts: list[str] = []
    for opening, closing in _TAGS:
        text, found = _split(text, opening, closing)
        thoughts += found
    return text, "\n".join(filter(None, thoughts))


def _split(text: str, opening: str, closing: str) -> tuple[str, list[str]]:
    plain: list[str] = []
    thoughts: list[str] = []
    at = 0
    while (opened := text.find(opening, at)) >= 0:
        plain.append(text[at:opened])
        closed = text.find(closing, opened)
        if closed < 0:
            thoughts.append(text[opened + len(opening) :].strip())
            at = len(text)
            break
        thoughts.append(text[opened + len(opening) : closed].strip())
        at = closed + len(closing)
    before, closed_alone, answer = ("".join(plain) + text[at:]).rpartition(closing)
    return answer, [before.strip(), *thoughts] if closed_alone else thoughts


_ANYTHING = ModelOptions("", 1, 1.0, 1.0, "low")
_NEVER = {"stream": "answers are read whole", "n": "one answer is read"}


def require_free(protocol: ServerProtocol, model: ModelOptions) -> None:
    """Refuse an extra body that says again, or against it, what every request says.

    Raises:
        UsageError: it does; the message says which key.
    """
    system: JsonObject = {"role": "system", "content": "."}
    requests = [CompletionRequest(_ANYTHING, (system,), mode=mode) for mode in protocol.modes]
    own = {key for request in requests for key in protocol.body(request)}
    for key in model.extra_body:
        if key in protocol.options:
            raise UsageError(f"--extra-body: {key!r} has its own option: give {protocol.options[key]}")
        if key in own or key in _NEVER:
            why = _NEVER.get(key, "toolgen says it in every request")
            raise UsageError(f"--extra-body: {key!r} cannot be given ({why}): leave it out")
