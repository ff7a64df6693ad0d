"""What holds for every protocol."""

from __future__ import annotations

import pytest

from generator.backends.model import ModelOptions
from generator.backends.protocols import PROTOCOLS, require_free
from generator.errors import UsageError


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("key", ["model", "messages", "tools", "tool_choice", "stream", "n", "max_tokens", "top_p"])
def test_an_extra_body_cannot_say_again_what_every_request_says(name: str, key: str) -> None:
    with pytest.raises(UsageError, match=f"--extra-body: '{key}' "):
        require_free(PROTOCOLS[name](), ModelOptions("m", 100, extra_body={"top_k": 1, key: 1}))
    require_free(PROTOCOLS[name](), ModelOptions("m", 100, extra_body={"top_k": 1}))
