"""The protocols that servers speak: one file each, which says all there is to say of it, and a line in this mapping."""

from __future__ import annotations

from collections.abc import Mapping

from generator.backends.backend import CompletionRequest, ModelOptions
from generator.backends.protocols.azure import AzureChatCompletions
from generator.backends.protocols.chat_completions import ChatCompletions
from generator.backends.protocols.messages import Messages
from generator.backends.protocols.protocol import ServerProtocol
from generator.errors import UsageError
from generator.jsontext import JsonObject

PROTOCOLS: Mapping[str, type[ServerProtocol]] = {
    "openai": ChatCompletions,
    "azure": AzureChatCompletions,
    "anthropic": Messages,
}
"""What makes a protocol, by its name; each run has its own, which may learn how its server wants things said."""

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
