"""The proxy of the environment, and where it is not used."""

from __future__ import annotations

import asyncio

import pytest

from generator.backends.address import NO_PROXY, proxy_for
from generator.backends.http import open_backend
from generator.backends.server import ServerOptions
from generator.errors import UsageError
from tests.test_backends_wire import GOOD, REQUEST, talking, whole

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
