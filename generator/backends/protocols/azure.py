"""OpenAI's models at Azure: chat completions with the key in a header of its own.

The v1 API (`/openai/v1`) is asked like OpenAI's; the older one (`/openai/deployments/NAME`) by the name of a deployment
and with `?api-version=` in the base URL, which goes with every request as any query does.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from generator.backends.address import ServerAddress
from generator.backends.protocols import PROTOCOLS
from generator.backends.protocols.chat_completions import ChatCompletions

_VERSION = "api-version"


class AzureChatCompletions(ChatCompletions):
    """`POST /chat/completions` with an `api-key`."""

    @staticmethod
    def lacks(address: ServerAddress) -> str:
        """Say what a base URL lacks for which Azure's servers only say "not found"."""
        path, like = urlsplit(address.url).path, PROTOCOLS["azure"].like
        if not path.strip("/"):
            return f"{address.masked_url} is no whole base URL; give one like {like}"
        if "/deployments/" in path and _VERSION not in address.query:
            return (
                f"{address.masked_url} names a deployment, which wants a version: add ?{_VERSION}=2024-10-21, or the "
                f"one that Azure shows for it; {like} wants none"
            )
        return ""

    def headers(self, address: ServerAddress) -> Mapping[str, str]:
        """Return the key, and user and password where the URL holds them."""
        basic = {"Authorization": address.basic} if address.basic else {}
        return basic | ({"api-key": address.key} if address.key else {})
