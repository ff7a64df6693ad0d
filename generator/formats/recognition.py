"""Which format a record is in: by what it says, line by line."""

from __future__ import annotations

from typing import NamedTuple

from generator.formats import FORMATS
from generator.formats.format import Format
from generator.formats.record_losses import IDS, forget
from generator.formats.speakers import entries_of, said
from generator.jsontext import JsonObject, JsonValue

READ: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.load_record is not None}
"""The formats that records are read in, by name."""
WRITTEN: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.dump_record is not None}
"""The formats that records are written in, by name."""
_BY_KEY: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "messages",
        ("adm", "ms-swift", "mistral", "openai-finetune", "openai", "anthropic", "qwen3", "deepfabric"),
    ),
    ("conversations", ("llamafactory", "hermes", "toolace")),
    ("text", ("qwen3-text",)),
    ("contents", ("gemini",)),
    ("question", ("bfcl",)),
    ("query", ("xlam",)),
    ("chat", ("glaive",)),
)
"""The formats whose records hold a key, the most telling first."""
_PLAIN_CONVERSATION = ("hermes",)
"""What reads a conversation without tools and calls."""
_READ_ALIKE = ({"openai", "openai-finetune", "mistral"}, {"deepfabric"})


class Recognised(NamedTuple):
    """A document brought to the canonical record, and the name of its format; "" and why where it is in none."""

    form: str
    document: JsonValue
    problem: str = ""


def read_record(document: JsonValue) -> Recognised:
    """Bring a parsed line to the canonical record, in whichever format it is; never fails.

    A line that several formats claim is refused unless they read the same in it.
    """
    if not isinstance(document, dict):
        return Recognised("", document, "a record is a JSON object")
    names = recognise(document)
    if not names:
        return Recognised("", document, _unknown(document))
    first = names[0]
    loaded = _load(first, document)
    others = [name for name in names[1:] if not _alike(loaded, _load(name, document))]
    if others:
        choices = ", ".join([first, *others])
        return Recognised("", document, f"may be a record of {choices}: say which")
    return Recognised(first, loaded)


def recognise(document: JsonObject) -> tuple[str, ...]:
    """Return the names of the formats that a document may be in, the most telling of each key's formats."""
    found: list[str] = []
    for key, names in _BY_KEY:
        if key in document:
            found += _most_telling(document, names) or _plain(key, document)
    return tuple(found)


def _plain(key: str, document: JsonObject) -> tuple[str, ...]:
    is_plain = key == "conversations" and any(said(entry)[0] for entry in entries_of(document))
    return _PLAIN_CONVERSATION if is_plain else ()


def _most_telling(document: JsonObject, names: tuple[str, ...]) -> list[str]:
    """Return the formats of a key that claim the document, without those that read the same as another."""
    matching = [name for name in names if (match := READ[name].matches_record) is not None and match(document)]
    if len(matching) > 1 and matching[0] in _READ_ALIKE[0]:
        matching = [name for name in matching if name == matching[0] or name not in _READ_ALIKE[0]]
    return [name for name in matching if name not in _READ_ALIKE[1]] or matching


def _load(name: str, document: JsonObject) -> JsonObject:
    load = READ[name].load_record
    return document if load is None else load(document)


def _alike(one: JsonObject, other: JsonObject) -> bool:
    return forget(one, (IDS,)) == forget(other, (IDS,))


def _unknown(document: JsonObject) -> str:
    keys = ", ".join(repr(key)[:40] for key in list(document)[:6]) or "nothing"
    return f"is in no format that is known: it has {keys}"
