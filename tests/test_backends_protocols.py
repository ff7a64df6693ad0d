"""What a model thinks is told apart from what it answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.backend import ModelOptions
from generator.backends.protocols import PROTOCOLS, KnownProtocol
from generator.backends.protocols.protocol import require_free, split_thoughts
from generator.errors import UsageError
from tests.bounded import bounded
from tests.tables import each_row


@each_row(
    ("text", "answer", "thoughts"),
    [
        ("plain", "plain", ""),
        ("<think>hm</think>{}", "{}", "hm"),
        ("<think>\n\n</think>\n\n{}", "\n\n{}", ""),
        ("a <think>x</think>b<think>y</think>c", "a bc", "x\ny"),
        ('kept back {"a": 1}</think>{}', "{}", 'kept back {"a": 1}'),
        ('<think>never closed {"a": 1}', "", 'never closed {"a": 1}'),
        ('{"a": 1}<think>an afterthought', '{"a": 1}', "an afterthought"),
        ("<think>a <think>b</think>c", "c", "a <think>b"),
        ("<think>a</think> b</think>c", "c", "b\na"),
        ("[THINK]hm[/THINK]{}", "{}", "hm"),
        ("[THINK]hm {}", "", "hm {}"),
        ("a <thinker> thinks", "a <thinker> thinks", ""),
    ],
)
def test_thoughts_are_told_apart(text: str, answer: str, thoughts: str) -> None:
    assert split_thoughts(text) == (answer, thoughts)


@given(st.text(st.sampled_from("<>[]/ab"), max_size=30), st.text(st.sampled_from('{}": ab1'), max_size=30))
def test_what_follows_a_closed_thought_is_the_answer(thought: str, answer: str) -> None:
    assert split_thoughts(f"<think>{thought}</think>{answer}")[0] == answer


@pytest.mark.parametrize("text", ["<think>" * 280_000, "<think></think>" * 130_000, "</think>" * 250_000])
def test_hostile_thoughts_are_read_soon(text: str) -> None:
    with bounded(1.5):
        assert split_thoughts(text)[0] == ""


@each_row("name", PROTOCOLS)
@each_row("key", ["model", "messages", "tools", "tool_choice", "stream", "n", "max_tokens", "top_p"])
def test_an_extra_body_cannot_say_again_what_every_request_says(name: str, key: str) -> None:
    with pytest.raises(UsageError, match=f"--extra-body: '{key}' "):
        require_free(PROTOCOLS[name].kind(), ModelOptions("m", 100, extra_body={"top_k": 1, key: 1}))
    require_free(PROTOCOLS[name].kind(), ModelOptions("m", 100, extra_body={"top_k": 1}))


@pytest.mark.parametrize(("name", "known"), PROTOCOLS.items())
def test_the_entry_of_a_protocol_tells_users_what_to_give(name: str, known: KnownProtocol) -> None:
    assert known.kind.modes
    assert known.key_variable in known.key_in_words
    assert known.base_url_in_words, name
