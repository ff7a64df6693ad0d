"""Entities: what travels beside records (requests, responses, streams, ADM's structures), by rules of the same make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from generator.jsontext import JsonValue
from generator.validation.rules import DOCUMENT_RULE
from generator.validation.shape import unstorable
from generator.validation.verdict import Violation

_NAMES = ("openai-request", "openai-response", "openai-stream", "adm-tool", "adm-call", "adm-result")


def judge(entity: str, document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in one value of an entity, whatever JSON it is; `entity` is the name of its format."""
    from generator.validation.entities.judging import JUDGES  # its tables take long to read, and few commands need them

    unstored = list(unstorable(document))
    if unstored:
        yield DOCUMENT_RULE.violation(unstored[0], "error")
    else:
        yield from JUDGES[entity](document)


ENTITIES: dict[str, Callable[[JsonValue], Iterator[Violation]]] = {name: partial(judge, name) for name in _NAMES}
"""What judges one value of each entity, by the name of its format; it can be sent to other processes."""
