"""Where a server is, and that what is secret about it stays so."""

import pytest

from generator.backends.address import mask_url, shown_word
from generator.backends.server import ServerOptions
from generator.errors import UsageError
from tests.tables import each_row

URL = "https://alice:p%40ssword@host:8443/v1?api-version=2026&sig=topsecret"


def test_credentials_and_query_travel_apart_from_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", " sk-12345678 ")
    options = ServerOptions(base_url=URL, api_key_env="MY_KEY")
    assert options.address.plain_url == "https://host:8443/v1"
    assert options.address.query == {"api-version": "2026", "sig": "topsecret"}
    assert options.address.authorization == "Basic YWxpY2U6cEBzc3dvcmQ="
    assert options.masked_url == "https://***@host:8443/v1?***"
    assert options.key == "sk-12345678"
    text = f"no: sk-12345678 p@ssword p%40ssword {options.address.authorization} topsecret {URL}"
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


@each_row(
    ("url", "protocol"),
    [
        ("http://localhost:8000/v1", "openai"),
        ("https://api.openai.com/v1", "openai"),
        ("https://name.openai.azure.com/openai/v1", "azure"),
        ("https://NAME.OpenAI.Azure.com/openai/deployments/d?api-version=1", "azure"),
        ("https://name.openai.azure.us/openai/v1", "azure"),
        ("https://name.services.ai.azure.com/models", "azure"),
        ("https://name.cognitiveservices.azure.com/openai/v1", "azure"),
        ("https://name.eastus.inference.ml.azure.com/v1", "openai"),
        ("https://openai.azure.com.example.org/v1", "openai"),
        ("https://name-openai.azure.com/v1", "openai"),
        ("https://example.org/openai.azure.com/v1", "openai"),
        ("https://api.anthropic.com", "anthropic"),
        ("https://api.anthropic.com/v1", "anthropic"),
        ("https://api.anthropic.com.example.org/v1", "openai"),
        ("http://[::1", "openai"),
    ],
)
def test_the_host_tells_the_protocol_unless_it_is_given(url: str, protocol: str) -> None:
    assert ServerOptions(base_url=url).speaks == protocol
    assert ServerOptions(base_url=url, protocol="anthropic").speaks == "anthropic"


def test_each_protocol_has_its_variables_and_its_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "ANTHROPIC", "AZURE_OPENAI"):
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)
        monkeypatch.setenv(f"{name}_API_KEY", f"key of {name}")
    assert ServerOptions(protocol="anthropic").url == "https://api.anthropic.com"
    assert ServerOptions(protocol="anthropic").key == "key of ANTHROPIC"
    assert ServerOptions(base_url="https://x.openai.azure.com/openai/v1").key == "key of AZURE_OPENAI"
    assert ServerOptions(protocol="azure", api_key_env="OPENAI_API_KEY").key == "key of OPENAI"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:2")
    assert ServerOptions(protocol="anthropic").url == "http://localhost:2"
    assert ServerOptions().url == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://x.openai.azure.com/openai/v1")
    assert (ServerOptions().speaks, ServerOptions().url) == ("azure", "https://x.openai.azure.com/openai/v1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no API key: set the environment variable OPENAI_API_KEY"),
        ({"protocol": "anthropic"}, "no API key: set the environment variable ANTHROPIC_API_KEY"),
        ({"base_url": "https://x.openai.azure.com/openai/v1"}, "set the environment variable AZURE_OPENAI_API_KEY"),
        ({"protocol": "azure"}, r"give one like https://NAME\.openai\.azure\.com/openai/v1"),
        ({"protocol": "azure", "base_url": "http://x"}, r"http://x is no whole base URL; give one like https://NAME"),
        (
            {"protocol": "azure", "base_url": "http://x/openai/deployments/d"},
            r"wants a version: add \?api-version=2024-10-21",
        ),
    ],
)
def test_what_is_missing_is_told_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, str], message: str
) -> None:
    for name in ("OPENAI", "ANTHROPIC", "AZURE_OPENAI"):
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    with pytest.raises(UsageError, match=message):
        ServerOptions(**options).require_usable()


def test_a_version_in_the_query_is_no_secret() -> None:
    options = ServerOptions(base_url="http://x/v1?api-version=2024-12-01-preview")
    assert options.clean("api-version=2024-12-01-preview is too old") == "api-version=2024-12-01-preview is too old"
    assert options.credentials.masked_answer("2024-12-01-preview") == "2024-12-01-preview"


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
    assert (options.key_variable, options.address.authorization) == ("MY_KEY", "")


def test_a_key_where_the_url_belongs_is_not_shown() -> None:
    with pytest.raises(UsageError) as caught:
        ServerOptions(base_url="sk-proj-0123456789abcdef").require_usable()
    assert "sk-proj" not in str(caught.value)


@each_row(
    ("text", "shown"),
    [
        ("notaurl", "notaurl"),
        ("http://[::1", "http://[::1"),
        ("localhost:8000/v1", "localhost:8000/v1"),
        ("alice:secret@host:80/v1?sig=topsecret", "***@host:80/v1"),
        ("http://alice:se?cret@[::1", ""),
        ("sk-proj-0123456789abcdef", ""),
    ],
)
def test_what_is_no_url_is_shown_without_its_secrets(text: str, shown: str) -> None:
    assert shown_word(text) == shown
    with pytest.raises(UsageError) as caught:
        ServerOptions(base_url=text).require_usable()
    assert (f"{shown!r} is no base URL" if shown else "it may be a key") in str(caught.value)
    assert "cret" not in str(caught.value)


def test_a_url_without_secrets_is_shown_as_it_is() -> None:
    assert mask_url("http://localhost:8000/v1") == "http://localhost:8000/v1"
