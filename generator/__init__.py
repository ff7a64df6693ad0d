"""toolgen generates tool-calling training sets of which every record passed the full validator.

    tool files ──load──▶ Tool, Catalog ──plan──▶ Scenario ──draft──▶ Draft ──results──▶ ToolResult
      (formats)            (tools)      (scenarios)  ▲   (authors)        (results, values)   │
     job.toml ─────────────▶ Job ────────────────────┘                                        ▼
     exports ◀──dump── run store ◀──add── Record (valid) ◀──check── Record ◀──assemble────────┘
     (formats)          (runs)      └─▶ Rejection (reasons)   (validation)      (assembly)

The public names are these few; each is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generator.formats.tool_files import load_tools
    from generator.record import generate_records
    from generator.records.record import Record
    from generator.tools.tool import Tool
    from generator.validation import validate_record
    from generator.values import synthesize_value

__all__ = ["Record", "Tool", "generate_records", "load_tools", "synthesize_value", "validate_record"]

_HOMES = {
    "Record": "generator.records.record",
    "Tool": "generator.tools.tool",
    "generate_records": "generator.record",
    "load_tools": "generator.formats.tool_files",
    "synthesize_value": "generator.values",
    "validate_record": "generator.validation",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Name the public names, imported or not."""
    return sorted({*globals(), *__all__})
