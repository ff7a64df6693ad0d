"""What a server's refusal says, in every shape in which servers say it, and means: again, in another way, or stop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

import orjson

from generator.backends.backend import RequestRefused, Transient, TransientFailure, Unavailable
from generator.backends.rates import LONGEST_WAIT, wait_in_headers, wait_in_words
from generator.backends.server import ServerOptions
from generator.backends.wire import Reply
from generator.errors import BackendError
from generator.jsontext import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """The message of an error, the codes and types that it names, and the keys of the body that it blames."""

    text: str
    codes: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()


def read_error(reply: Reply) -> ErrorMessage:
    """Read the body of an error."""
    text = reply.content.decode("utf-8", "replace")
    try:
        document: JsonValue = orjson.loads(reply.content)
    except orjson.JSONDecodeError:
        return ErrorMessage(text)
    document = document[0] if isinstance(document, list) and document else document
    error = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(error, dict):
        return ErrorMessage(error if isinstance(error, str) else text)
    message = error.get("message", error.get("detail"))
    codes = frozenset(value for key in ("code", "type") if isinstance(value := error.get(key), str))
    return ErrorMessage(message if isinstance(message, str) and message else text, codes, frozenset(_parameters(error)))


def _parameters(error: JsonObject) -> Iterator[str]:
    """Yield the keys that an error blames: by `param`, or by the places of FastAPI's details."""
    if isinstance(named := error.get("param"), str) and named:
        yield named.rpartition(".")[2]
    message = error.get("message")
    details = error.get("detail", message.get("detail") if isinstance(message, dict) else None)
    for detail in details if isinstance(details, list) else ():
        place = detail.get("loc") if isinstance(detail, dict) else None
        yield from (part for part in (place if isinstance(place, list) else ()) if isinstance(part, str))


_REFUSALS_OF_FORM = frozenset({400, 404, 422, 501})
_MAY_PASS = frozenset({408, 409, 425, 429})
_REMEDIES = {
    401: "check the key in {key}",
    402: "the account has nothing left to pay with",
    403: "the key may not use this model",
    404: "check --base-url (it usually ends in /v1) and --model",
}
_ELSEWHERE = "it sends elsewhere, and a key is never sent after it: give the right address with --base-url"
_REQUEST_WORDS = ("context length", "context_length", "context size", "context window", "too long", "content_filter")
"""What servers say of one request that they cannot take, where the next may be taken."""
_REQUEST_CODES = frozenset({"content_filter", "context_length_exceeded"})
_FORM_WORDS = re.compile(r"(?<![a-z])(?:response_format|json_|schema|tool|function|grammar|format)")
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance")
_QUOTA_WORDS = (
    "exceeded your current quota",
    "insufficient credit",
    "insufficient balance",
    "insufficient_quota",
    "credit balance is too low",
)
"""What servers say where no wait helps: there is nothing left to pay with. Some say it of a minute's share as well."""


def refusal_of(reply: Reply, options: ServerOptions) -> Exception:
    """Return the exception that a reply with another status than 200 stands for."""
    status, error = reply.status, read_error(reply)
    codes, text = error.codes, options.clean(error.text or _phrase(status))
    lowered = text.lower()
    soon = wait_in_headers(reply.headers) is not None or wait_in_words(text) is not None
    if not codes.isdisjoint(_QUOTA_CODES) or (not soon and any(word in lowered for word in _QUOTA_WORDS)):
        return BackendError(f"{options.masked_url} says that its quota is used up: HTTP {status}: {text}")
    if status in _MAY_PASS or (status >= 500 and status != 501):
        return _for_now(reply, text, options)
    of_this_one = any(word in lowered for word in _REQUEST_WORDS) or not codes.isdisjoint(_REQUEST_CODES)
    if status == 413 or (status in _REFUSALS_OF_FORM and of_this_one):
        return Unavailable(f"http_{status}", f"HTTP {status}: {text}")
    named = _FORM_WORDS.search(lowered) is not None
    if status in _REFUSALS_OF_FORM and (status != 404 or named):
        return RequestRefused(status, f"HTTP {status}: {text}", named=named, parameters=error.parameters)
    remedy = _ELSEWHERE if 300 <= status < 400 else _REMEDIES.get(status, "check --base-url and --model")
    remedy = remedy.format(key=options.key_variable)
    return BackendError(f"{options.masked_url} refused the request for good: HTTP {status}: {text} ({remedy})")


def _for_now(reply: Reply, text: str, options: ServerOptions) -> Exception:
    wait = wait_in_headers(reply.headers)
    wait = wait_in_words(text) if wait is None else wait
    if wait is not None and wait > LONGEST_WAIT:
        return BackendError(
            f"{options.masked_url} asks to wait {wait:,.0f} s (HTTP {reply.status}); run the command again then"
        )
    return TransientFailure(Transient(f"http_{reply.status}", f"HTTP {reply.status}: {text}", wait))


def way_out(refusal: RequestRefused, options: Mapping[str, str]) -> str:
    """Return what to do where a server refuses an option of the user's; "" where it is none of these.

    Args:
        refusal: what the server says.
        options: what was given and sent, as the user gave it, by the words that say it to the server.
    """
    option = next((option for key, option in options.items() if _blames(refusal, key)), "")
    if option == _NEEDED:
        return f"give another {option}"
    return f"leave {option} out, or give what it takes" if option else ""


_NEEDED = "--max-output-tokens"


def _blames(refusal: RequestRefused, key: str) -> bool:
    """A list of keys is exact; a message may quote anything, so one that speaks of the form is not about an option."""
    if refusal.parameters or refusal.named:
        return key in refusal.parameters
    return re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", str(refusal)) is not None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"
