"""Extension and reserved field names of ADM (ADM, 5.2.2): preserved through load and dump."""

from __future__ import annotations

EXTENSION_PREFIXES = ("x_", "x-", "vendor_", "later_", "grid_", "_adm_")
RESERVED_NAMES = frozenset({"_version", "_extensions", "_metadata", "_deprecated", "_experimental"})


def is_extension(name: str) -> bool:
    """Say whether a field is an extension or reserved by ADM; `x-`, OpenAPI's and MCP's prefix, counts as well."""
    return name.startswith(EXTENSION_PREFIXES) or name in RESERVED_NAMES
