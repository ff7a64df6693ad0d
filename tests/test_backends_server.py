"""Where a server is, and that what is secret about it stays so."""

import pytest

from generator.backends.server import ServerOptions, mask_url
from generator.errors import UsageError

URL = "https://alice:p%40ssword@host:8443/v1?api-version=2026&sig=topsecret"


def test_credentials_and_query_travel_apart_from_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", " sk-12345678 ")
    options = ServerOptions(base_url=URL, api_key_env="MY_KEY")
    assert options.plain_url == "https://host:8443/v1"
    assert options.query == {"api-version": "2026", "sig": "topsecret"}
    assert options.authorization == "Basic YWxpY2U6cEBzc3dvcmQ="
    assert options.masked_url == "https://***@host:8443/v1?***"
    assert options.key == "sk-12345678"
    text = f"no: sk-12345678 p@ssword p%40ssword {options.authorization} topsecret {URL}"
    cleaned = options.clean(text)
    for secret in ("sk-12345678", "p@ssword", "p%40ssword", "YWxpY2U6", "topsecret"):
        assert secret not in cleaned
    assert len(options.clean("long " * 1000)) < 400


def test_the_environment_names_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert ServerOptions().url == "http://localhost:1/v1"
    assert ServerOptions(base_url="http://localhost:2/v1").url == "http://localhost:2/v1"
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert ServerOptions().url == "https://api.openai.com/v1"


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://[::1", "http://h:99999/v1"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="give one like"):
        ServerOptions(base_url=url).require_usable()


def test_a_key_that_no_header_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-\nnew-line")
    with pytest.raises(UsageError, match="MY_KEY") as caught:
        ServerOptions(base_url="http://x/v1", api_key_env="MY_KEY").require_usable()
    assert "new-line" not in str(caught.value)


@pytest.mark.parametrize(
    "key", ["sk-proj-0123456789abcdef", "AKIAIOSFODNN7EXAMPLE", "0123456789abcdef0123456789abcdef", "hunter2"]
)
def test_a_key_where_the_name_of_a_variable_belongs_is_shown_nowhere(key: str) -> None:
    options = ServerOptions(base_url="http://x/v1", api_key_env=key)
    with pytest.raises(UsageError, match="--api-key-env") as caught:
        options.require_usable()
    assert key not in str(caught.value)
    assert key not in options.key_variable
    assert key not in options.clean(f"no such key: {key}")


def test_a_variable_that_is_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "")
    options = ServerOptions(base_url="http://x/v1", api_key_env="MY_KEY")
    options.require_usable()
    assert (options.key_variable, options.authorization) == ("MY_KEY", "")


def test_a_key_where_the_url_belongs_is_not_shown() -> None:
    with pytest.raises(UsageError) as caught:
        ServerOptions(base_url="sk-proj-0123456789abcdef").require_usable()
    assert "sk-proj" not in str(caught.value)


def test_a_url_without_secrets_is_shown_as_it_is() -> None:
    assert mask_url("http://localhost:8000/v1") == "http://localhost:8000/v1"
