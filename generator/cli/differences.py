"""What changed in a record, for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff

from generator.jsontext import JsonValue, dump_pretty

_LONGEST = 20_000
"""Lines of a record that are compared; looking for differences takes time that grows with their square."""
_AROUND = 2


def difference(where: str, before: JsonValue, after: JsonValue, fixes: Sequence[str]) -> str:
    """Return a unified diff of a record in readable JSON, headed by where it stands and what was fixed."""
    head = f"--- {where}\n+++ {where} fixed: {', '.join(fixes)}"
    old, new = dump_pretty(before).splitlines(), dump_pretty(after).splitlines()
    if max(len(old), len(new)) > _LONGEST:
        return f"{head}\n(a record of {len(old):,} lines: too long to compare)"
    return "\n".join([head, *list(unified_diff(old, new, lineterm="", n=_AROUND))[2:]])
