"""The Responses API: which conversations are remembered, and that the oldest are forgotten first."""

from __future__ import annotations

import orjson
import pytest

from generator.serving.items import Conversations
from generator.serving.refusals import Refusal
from generator.serving.replay import Replay
from generator.serving.service import Service
from tests.served_records import Json


def message(text: str) -> Json:
    return {"role": "user", "content": text}


def known(kept: Conversations, names: str) -> str:
    def is_known(name: str) -> bool:
        try:
            return kept.of(name) != ()
        except Refusal:
            return False

    return "".join(filter(is_known, names))


def test_the_oldest_conversations_are_forgotten_first() -> None:
    kept = Conversations(most=3)
    for name in "abcd":
        kept.keep(name, [message(name)])
    assert known(kept, "abcd") == "bcd"
    kept.keep("b", [message("again")])  # it is the newest now
    kept.keep("e", [message("e")])
    assert known(kept, "abcde") == "bde" and kept.of("b") == (message("again"),)


def test_long_conversations_make_room_within_bounds() -> None:
    kept = Conversations(most_characters=300)
    for name in "abc":
        kept.keep(name, [message("x" * 100)])
    assert known(kept, "abc") == "bc"
    kept.keep("d", [message("x" * 400)])  # none alone is larger than all may be
    assert known(kept, "abcd") == "bc"
    kept.keep("b", [message("x" * 400)])  # nor does an older state of it stay
    assert known(kept, "bc") == "c"
    for number in range(1000):
        kept.keep(str(number), [message("x" * 50)])
    assert known(kept, "c") == "" and kept.of("999")


def test_a_response_that_was_forgotten_or_not_stored_is_told() -> None:
    service = Service(Replay(), conversations=Conversations(most=1))

    def ask(text: str, **more: Json) -> str:
        return str(orjson.loads(service.responses({"model": "m", "input": text, **more}).body)["id"])

    first = ask("hi")
    second = ask("go on", previous_response_id=first)
    unstored = ask("never mind", store=False)
    assert ask("go on", previous_response_id=second)
    for gone in (first, second, unstored, 5, ["x"]):
        with pytest.raises(Refusal, match="not found") as refused:
            ask("go on", previous_response_id=gone)
        assert (refused.value.status, refused.value.code) == (400, "previous_response_not_found")
