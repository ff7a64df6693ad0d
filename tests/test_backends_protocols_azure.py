"""Azure: the same JSON, the key in a header of its own, the version in the query."""

from __future__ import annotations

import pytest

from generator.backends.protocols.azure import AzureChatCompletions
from generator.backends.protocols.chat_completions import ChatCompletions
from generator.backends.server import ServerOptions


@pytest.mark.parametrize(
    ("url", "key", "headers"),
    [
        ("http://x/openai/v1", "secret-1", {"api-key": "secret-1"}),
        ("http://x/openai/v1", "", {}),
        ("http://bob:pass@x/openai/v1", "secret-1", {"api-key": "secret-1", "Authorization": "Basic Ym9iOnBhc3M="}),
    ],
)
def test_the_key_is_sent_once(monkeypatch: pytest.MonkeyPatch, url: str, key: str, headers: dict[str, str]) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", key)
    assert AzureChatCompletions().headers(ServerOptions(base_url=url, protocol="azure").address) == headers


def test_everything_else_is_as_at_openai() -> None:
    own = {name for name in vars(AzureChatCompletions) if not name.startswith("__")}
    assert own == {"headers", "lacks"}
    assert issubclass(AzureChatCompletions, ChatCompletions)
