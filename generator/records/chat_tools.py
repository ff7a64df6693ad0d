"""Tool definitions as OpenAI's protocol writes them, strict mode included (seeds/003, 4 and 5)."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import field_validator, model_validator

from generator.jsontext import JsonObject
from generator.records.chat_messages import ChatEntity, FunctionName
from generator.schemas.strict import strict_notes
from generator.schemas.validators import schema_problems


class ToolFunction(ChatEntity):
    """A function with its signature (seeds/003, 5)."""

    name: FunctionName
    description: str | None = None
    parameters: JsonObject
    strict: bool | None = False

    @field_validator("parameters")
    @classmethod
    def _parameters_are_object_schema(cls, parameters: JsonObject) -> JsonObject:
        problems = schema_problems(parameters)
        if problems:
            raise ValueError(f"no valid JSON Schema at {problems[0].pointer or '/'}: {problems[0].message}")
        if parameters.get("type") != "object":
            raise ValueError('the parameters of a tool have the type "object"')
        return parameters

    @model_validator(mode="after")
    def _is_strict_where_it_says_so(self) -> Self:
        notes = list(strict_notes(self.parameters)) if self.strict else []
        if notes:
            raise ValueError(f"{notes[0].pointer or '/'}: {notes[0].message}")
        return self


class ToolDefinition(ChatEntity):
    """A function that the assistant may call (seeds/003, 4)."""

    type: Literal["function"]
    function: ToolFunction
