"""OpenAI's models at Azure: chat completions with the key in a header of its own.

The v1 API (`/openai/v1`) is asked like OpenAI's; the older one (`/openai/deployments/NAME`) by the name of a deployment
and with `?api-version=` in the base URL, which goes with every request as any query does.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.backends.protocols.chat_completions import ChatCompletions
from generator.backends.server import ServerOptions


class AzureChatCompletions(ChatCompletions):
    """`POST /chat/completions` with an `api-key`."""

    def headers(self, options: ServerOptions) -> Mapping[str, str]:
        """Return the key, and user and password where the URL holds them."""
        basic = {"Authorization": options.basic} if options.basic else {}
        return basic | ({"api-key": options.key} if options.key else {})
