"""What is secret stays out of answers; what comes from outside is one line, short, and steers no terminal."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.address import NO_PROXY, Credentials, one_line, proxy_for
from generator.backends.backend import AnsweredCall, Completion
from generator.backends.http import masked, open_backend
from generator.backends.server import ServerOptions
from generator.errors import UsageError
from tests.test_backends_wire import GOOD, REQUEST, talking, whole


@given(st.text(st.characters() | st.sampled_from("\x1b\x00\n\r\u2028\u202e\x9b\ud800")), st.integers(1, 50))
def test_any_text_becomes_a_short_line(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert len(line) <= longest + 1
    assert len(line.splitlines()) <= 1
    assert not set(line) & set("\x1b\x00\u202e\x9b\ud800")


def test_plain_text_is_left_as_it_is() -> None:
    assert one_line("Grüße, 短信 and 🙂", 30) == "Grüße, 短信 and 🙂"
    assert one_line("two\nlines", 30) == "two lines"
    assert one_line("a\x1b[2Jb", 30) == r"a\x1b[2Jb"


def test_a_huge_text_is_cut_before_it_is_worked_on() -> None:
    assert one_line("x" * 50_000_000, 5) == "xxxxx…"


KEY = "sk-proj/4fT9+x0123456789"
CREDENTIALS = Credentials([KEY, "none", "hunter2!"])


@pytest.mark.parametrize(
    "said",
    [
        f"your key is {KEY}",
        f"Bearer {KEY}, {KEY}",
        "sk-proj%2F4fT9%2Bx0123456789",
        json.dumps(KEY).replace("/", "\\/"),
        "".join(f"\\u{ord(character):04x}" for character in KEY),
        "sk-proj\\u002f4fT9\\u002Bx0123456789",
        "hunter2!",
    ],
)
def test_a_credential_that_an_answer_says_back_is_masked(said: str) -> None:
    found = CREDENTIALS.masked_answer(said)
    assert "***" in found
    assert "4fT9" not in found and "hunter2" not in found


def test_a_word_that_stands_for_no_key_stays_in_answers() -> None:
    """Local servers are given any word as their key."""
    for word in ("none", "dummy", "EMPTY", "local"):
        assert Credentials([word]).masked_answer(f"There is {word} of it.") == f"There is {word} of it."
    assert Credentials(["none"]).masked("key none") == "key ***"


@given(st.text())
def test_answers_without_a_credential_are_left_as_they_are(text: str) -> None:
    assert CREDENTIALS.masked_answer(text) == text or "hunter2!" in text


def test_every_text_of_a_completion_is_masked() -> None:
    completion = Completion(
        text=f"a {KEY}",
        calls=(AnsweredCall(name=KEY, arguments=json.dumps({"request": KEY})),),
        finish_reason=KEY,
        refusal=f"no, {KEY}",
    )
    assert "4fT9" not in masked(completion, CREDENTIALS).model_dump_json()


def test_no_credentials_mask_nothing() -> None:
    assert Credentials(["", ""]).masked("text") == "text"


VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(
    ("environment", "url", "variable"),
    [
        ({"HTTPS_PROXY": "http://p:1"}, "https://host/v1", "HTTPS_PROXY"),
        ({"https_proxy": "http://p:1"}, "https://host/v1", "https_proxy"),
        ({"ALL_PROXY": "http://p:1"}, "https://host/v1", "ALL_PROXY"),
        ({"HTTPS_PROXY": "http://p:1"}, "http://host/v1", ""),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "host"}, "https://host/v1", ""),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": ".corp"}, "https://host.corp:8443/v1", ""),
        ({"HTTPS_PROXY": "http://p:1"}, "https://localhost:8000/v1", ""),
        ({"HTTPS_PROXY": "http://p:1"}, "https://127.0.0.2/v1", ""),
        ({"HTTPS_PROXY": "http://p:1"}, "https://[::1]:8000/v1", ""),
        ({}, "https://host/v1", ""),
    ],
)
def test_which_proxy_is_used(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], url: str, variable: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    proxy = proxy_for(url)
    assert proxy.variable == variable
    assert (proxy == NO_PROXY) == (not variable)


def test_user_and_password_travel_apart_and_are_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://alice:p%40ssw0rd@proxy:3128")
    options = ServerOptions(base_url="https://host/v1")
    proxy = options.proxy
    assert (proxy.url, proxy.user, proxy.masked) == (
        "http://proxy:3128",
        ("alice", "p@ssw0rd"),
        "http://***@proxy:3128",
    )
    assert options.clean("via p@ssw0rd and p%40ssw0rd") == "via *** and ***"


@pytest.mark.parametrize("given", ["socks5://p:1", "http://", "http://[::1"])
def test_a_proxy_that_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", given)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(UsageError, match="HTTPS_PROXY"):
        ServerOptions(base_url="https://host/v1").require_usable()


def test_a_proxy_needs_no_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "proxy:3128")
    assert proxy_for("https://host/v1").url == "http://proxy:3128"


def test_a_request_goes_through_the_proxy_with_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy answers itself here: it is asked for the whole URL, and told who asks."""

    async def run() -> list[bytes]:
        async with talking(whole(GOOD)) as (port, heard):
            monkeypatch.setenv("HTTP_PROXY", f"http://bob:s3cret@127.0.0.1:{port}")
            async with open_backend(ServerOptions(base_url="http://host.invalid/v1", tries=1)) as backend:
                assert (await backend.complete(REQUEST)).text == "yes"
            return heard

    (head,) = asyncio.run(run())
    assert head.startswith(b"POST http://host.invalid/v1/chat/completions HTTP/1.1\r\n")
    assert b"Basic Ym9iOnMzY3JldA==" in head
