"""Parameters of one name and meaning in several tools: what one call was about, the next can be about as well."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from generator.jsontext import JsonObject, JsonValue
from generator.tools.tool import Tool

_THINGS = re.compile(
    r"(?:^|_)(?:id|number|no|code|sku|city|location|place|country|address|company|hotel|airport|station|file|path"
    r"|repo|project|team|account|user|username|customer|order|product|event|flight|recipe|movie|book|song|artist"
    r"|room|device|playlist|contact|topic|symbol|ticker)(?:_name)?$"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KEPT = 32
"""Partners kept for each parameter of a tool, so that an index over thousands of tools stays small."""


class SharedParameters:
    """Which tools of a toolset take the same thing under the same name."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = tools

    def partners(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return parameter and partner tool, for everything this tool shares with another."""
        tool = self._tools[key]
        return tuple(
            (name, other)
            for name in shareable(tool.parameters)
            for other in self._takers.get((tool.toolset, name), ())
            if other != key
        )

    @cached_property
    def leads(self) -> tuple[str, ...]:
        """The tools that share something with another."""
        return tuple(key for key in self._tools if self.partners(key))

    @cached_property
    def _takers(self) -> dict[tuple[str, str], tuple[str, ...]]:
        found: dict[tuple[str, str], list[str]] = {}
        for key, tool in self._tools.items():
            for name in shareable(tool.parameters):
                takers = found.setdefault((tool.toolset, name), [])
                if len(takers) < _KEPT:
                    takers.append(key)
        return {place: tuple(keys) for place, keys in found.items()}


def shareable(parameters: JsonObject) -> tuple[str, ...]:
    """Return the required parameters that name or identify a thing which a later request can refer to."""
    required = parameters.get("required", ())
    return tuple(
        name
        for name, schema in parameters.get("properties", {}).items()
        if name in required and _THINGS.search(_HUMP.sub("_", name).lower()) and _is_plain_text(schema)
    )


def _is_plain_text(schema: JsonValue) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "string" and not {"enum", "const"} & schema.keys()
