"""What every request to a model says besides its question."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The model, how long it may answer, and how it is to choose its words.

    What is None is not sent: the server's own default holds then, which some models let nobody change.
    """

    model: str
    max_output_tokens: int
    """The longest answer, thoughts included: what a request may cost follows from it."""
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str | None = None
    extra_body: JsonObject = field(default_factory=dict)
    """What is sent besides, as it stands."""

    @property
    def given(self) -> JsonObject:
        """What is set, by the names of the fields."""
        options = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort,
            "extra_body": self.extra_body or None,
        }
        set_ones = {name: value for name, value in options.items() if value is not None}
        return {"model": self.model, "max_output_tokens": self.max_output_tokens, **set_ones}
