"""Replay: the turns of records, found by the conversation before them in one look, however many records there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple

from generator.formats.conversation import calls_of, find_misshapen, messages_of
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.serving.answers import Answer, Call, Source
from generator.serving.messages import Trail


class _Turn(NamedTuple):
    """A turn of a record's assistant; `made`: how many of its calls the conversation has already."""

    record: int
    number: int
    made: int
    text: str
    calls: tuple[Call, ...]


@dataclass(slots=True)
class Replay:
    """The turns of the assistant in records, by the digest of what was said before each."""

    names: list[str] = field(default_factory=list)
    """The id of each record."""
    _settings: list[tuple[bytes, bytes]] = field(default_factory=list)
    """Of each record, the digests of the system's words and of the names of its tools."""
    _turns: list[_Turn] = field(default_factory=list)
    _whole: dict[bytes, int | list[int]] = field(default_factory=dict)
    _calls: dict[bytes, int | list[int]] = field(default_factory=dict)

    def add(self, document: JsonObject) -> bool:
        """Take in the turns of a canonical record; False where it has not the shape of one."""
        if find_misshapen({"tools": [], **document}) is not None:
            return False
        number = len(self.names)
        metadata = document.get("metadata")
        told = metadata.get("id") if isinstance(metadata, dict) else None
        self.names.append(told if isinstance(told, str) and told else f"record-{number}")
        trail = Trail()
        places: list[tuple[bytes, bytes, _Turn]] = []
        messages, said = messages_of(document), 0
        for at, message in enumerate(messages):
            if message["role"] == "assistant":
                places += _places(trail, _Turn(number, said, 0, message["content"], _calls(message)), messages[at:])
                said += 1
            trail.add(message)
        self._settings.append((trail.system, names_digest(document.get("tools", ()))))
        for whole, calls, turn in places:
            self._turns.append(turn)
            _put(self._whole, whole, len(self._turns) - 1)
            _put(self._calls, calls, len(self._turns) - 1)
        return True

    def find(self, trail: Trail, tools: Sequence[JsonObject]) -> Iterator[Answer]:
        """Yield what records say next, best first: those that the request continues, to the word and the result.

        Of several, records with the same system message and the same tools come first. Where no record has all that
        was said, those count that have all but the results, if they all go on in the same way.
        """
        whole, calls = trail.keys()
        if whole in self._whole:
            yield from (self._answer(turn, "whole") for turn in self._ranked(self._whole[whole], trail, tools))
        elif calls in self._calls:
            found = self._ranked(self._calls[calls], trail, tools)
            if len({_said(turn) for turn in found}) == 1:
                yield self._answer(found[0], "calls")

    def _answer(self, turn: _Turn, match: str) -> Answer:
        source = Source(match, self.names[turn.record], turn.number)  # type: ignore[arg-type]  # one of the two words
        return Answer(turn.text, turn.calls, source)

    def _ranked(self, kept: int | list[int], trail: Trail, tools: Sequence[JsonObject]) -> list[_Turn]:
        """Return the turns that fit best: begun anew rather than in the middle, in the same setting."""
        if isinstance(kept, int):
            return [self._turns[kept]]
        asked = names_digest(tools)

        def rank(turn: _Turn) -> tuple[bool, bool, bool]:
            system, names = self._settings[turn.record]
            return turn.made > 0, names != asked, system != trail.system

        found = sorted((self._turns[place] for place in kept), key=rank)
        return [turn for turn in found if rank(turn) == rank(found[0])]


def _put(kept: dict[bytes, int | list[int]], key: bytes, place: int) -> None:
    before = kept.get(key)
    if before is None:
        kept[key] = place
    elif isinstance(before, int):
        kept[key] = [before, place]
    else:
        before.append(place)


def _said(turn: _Turn) -> tuple[JsonValue, ...]:
    return turn.text, *((call.name, call.arguments) for call in turn.calls)


def _calls(message: JsonObject) -> tuple[Call, ...]:
    return tuple(_call(call) for call in calls_of(message))


def _call(call: JsonObject) -> Call:
    identity = call["id"] if is_call_id(call["id"]) else _as_call_id(call["id"])
    return Call(identity, call["function"]["name"], dump_compact(call["function"]["arguments"]))


def _as_call_id(identity: str) -> str:
    return blake2b(identity.encode("utf-8", "replace"), digest_size=5).hexdigest()[:9]


def _places(trail: Trail, turn: _Turn, rest: list[JsonObject]) -> Iterator[tuple[bytes, bytes, _Turn]]:
    """Yield the digests before a turn, and within one of several calls: a client may take them one by one."""
    yield *trail.keys(), turn
    calls = calls_of(rest[0])
    results: dict[str, JsonObject] = {}
    for message in rest[1:]:
        if message["role"] != "tool":
            break
        results[message["tool_call_id"]] = message
    for made in range(1, len(calls) if len(results) == len(calls) else 0):
        part = trail.copy()
        part.add({**rest[0], "tool_calls": calls[:made]})
        part.follow(results[call["id"]] for call in calls[:made])
        yield *part.keys(), turn._replace(made=made, text="", calls=turn.calls[made:])


def names_digest(tools: Iterable[JsonValue]) -> bytes:
    """Return the digest of the names of tools, whatever their order."""
    names = sorted(str(tool["function"]["name"]) for tool in tools)
    return blake2b("\0".join(names).encode("utf-8", "replace"), digest_size=8).digest()


def cut_to_one(answer: Answer) -> Answer:
    """Return the answer with its first call alone, where one is allowed at a time."""
    return replace(answer, calls=answer.calls[:1])
