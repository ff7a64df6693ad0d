"""What a server says of an error, in every shape in which servers say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from generator.backends.wire import Reply
from generator.jsontext import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Told:
    """The message of an error, the codes and types that it names, and the keys of the body that it blames."""

    text: str
    codes: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()


def read_error(reply: Reply) -> Told:
    """Read the body of an error."""
    text = reply.content.decode("utf-8", "replace")
    try:
        document: JsonValue = orjson.loads(reply.content)
    except orjson.JSONDecodeError:
        return Told(text)
    document = document[0] if isinstance(document, list) and document else document
    error = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(error, dict):
        return Told(error if isinstance(error, str) else text)
    message = error.get("message", error.get("detail"))
    codes = frozenset(value for key in ("code", "type") if isinstance(value := error.get(key), str))
    return Told(message if isinstance(message, str) and message else text, codes, frozenset(_parameters(error)))


def _parameters(error: JsonObject) -> Iterator[str]:
    """Yield the keys that an error blames: by `param`, or by the places of FastAPI's details."""
    if isinstance(named := error.get("param"), str) and named:
        yield named.rpartition(".")[2]
    message = error.get("message")
    details = error.get("detail", message.get("detail") if isinstance(message, dict) else None)
    for detail in details if isinstance(details, list) else ():
        place = detail.get("loc") if isinstance(detail, dict) else None
        yield from (part for part in (place if isinstance(place, list) else ()) if isinstance(part, str))
