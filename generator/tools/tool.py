"""Tool: one callable function, in the working form every room shares."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import Field

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, digest
from generator.schemas.pruning import pruned

ResultOrigin = Literal["declared", "domain"]
"""Where a result schema comes from; `domain`: there is none, and the domain makes the results."""


class Change(BoundaryModel):
    """One thing that loading changed in a definition, or could not keep."""

    pointer: str
    """JSON pointer inside the tool's own definition, e.g. `/parameters/properties/city/type`."""
    kind: Literal["changed", "lost"]
    message: str


class Tool(BoundaryModel):
    """One callable function.

    `name` satisfies both OpenAI (data model, 5) and ADM (4.2.2); `parameters` is always an object
    schema of JSON Schema 2020-12 with `properties`; `result_schema` is JSON Schema 2020-12 of any type.
    """

    name: str
    description: str
    parameters: JsonObject
    strict: bool | None = None
    result_schema: JsonObject
    result_origin: ResultOrigin
    source: str = ""
    """Where the definition was read: `file#/json/pointer`."""
    toolset: str = ""
    """Tools of one name live in different toolsets and are never shown together; "" is the common one."""
    domain: str = ""
    """The name of the domain that speaks of it; "" where nothing is known beyond its definition."""
    original_name: str = ""
    """The name before it was mapped to a valid one; equal to `name` where nothing was mapped."""
    changes: tuple[Change, ...] = ()
    extensions: JsonObject = Field(default_factory=dict)
    """Extension and reserved fields (`x_*`, `_metadata` ...), preserved through load and dump."""

    @cached_property
    def shown(self) -> JsonObject:
        """The tool as records show it to the model: `{"type": "function", "function": {...}}`."""
        return self._function(self.shown_parameters)

    @cached_property
    def shown_parameters(self) -> JsonObject:
        """The parameters without what says nothing and costs tokens: definitions that nothing in them refers to."""
        return pruned(self.parameters)

    @property
    def whole(self) -> JsonObject:
        """The tool in the same form with all that its parameters hold."""
        return self._function(self.parameters)

    def _function(self, parameters: JsonObject) -> JsonObject:
        function: JsonObject = {"name": self.name, "description": self.description, "parameters": parameters}
        if self.strict is not None:
            function["strict"] = self.strict
        return {"type": "function", "function": function}

    @cached_property
    def key(self) -> str:
        """The name of the tool within its catalog: stable when its definition changes."""
        return f"{self.toolset}\x1f{self.name}" if self.toolset else self.name

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits of what the model sees: equal definitions have equal fingerprints."""
        return digest(self.shown)
