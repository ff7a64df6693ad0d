"""The forms in which records can be written for a chat template, from the one that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.formats.deepfabric import AS_TEXT, TRL
from generator.formats.writing import Shaping
from generator.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class Form:
    """What is done to records: arguments as JSON text, calls one at a time, the system message in the user's words."""

    text_arguments: bool = False
    serialized: bool = False
    merged: bool = False

    @property
    def variant(self) -> str:
        """The variant of the format; "" for its first."""
        return AS_TEXT if self.text_arguments else ""

    @property
    def shaping(self) -> Shaping:
        """How records are written in this form."""
        return Shaping(TRL, serialize_parallel=self.serialized, variant=self.variant, merge_system=self.merged)

    def written(self, record: JsonObject) -> JsonObject:
        """Return a canonical record as it is written in this form."""
        return self.shaping.write(self.prepared(record))

    def prepared(self, record: JsonObject) -> JsonObject:
        """Return the canonical record that is written in this form."""
        return self.shaping.prepare(record)

    @property
    def options(self) -> str:
        """The options of `toolgen export` that write it."""
        return " ".join(["--format trl", *self._options()])

    def _options(self) -> Iterator[str]:
        if self.text_arguments:
            yield f"--variant {AS_TEXT}"
        if self.serialized:
            yield "--serialize-parallel"
        if self.merged:
            yield "--merge-system"

    @property
    def words(self) -> str:
        """What it is, in words."""
        arguments = "as JSON text" if self.text_arguments else "as objects"
        calls = "one at a time" if self.serialized else "together"
        system = "put before the first user message" if self.merged else "kept"
        return f"arguments {arguments}, parallel calls {calls}, the system message {system}"


FORMS: tuple[Form, ...] = tuple(
    Form(text, serialized, merged) for merged in (False, True) for serialized in (False, True) for text in (False, True)
)
"""The forms in order: how arguments stand changes no conversation; a system message that is merged changes its texts,
and one call at a time what is learnt."""
