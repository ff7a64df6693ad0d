"""When two JSON values are the same: 1 and 1.0 are, true and 1 are not."""

from __future__ import annotations

from generator.jsontext import JsonValue, dump_canonical


def identity(value: JsonValue) -> bytes:
    """Return bytes that equal values share, and only they."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass") + b'"'
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return b"%d" % int(value)
    if isinstance(value, list):
        return b"[" + b",".join(map(identity, value)) + b"]"
    if isinstance(value, dict):
        return b"{" + b",".join(b"%s:%s" % (identity(key), identity(value[key])) for key in sorted(value)) + b"}"
    try:
        return dump_canonical(value)
    except (TypeError, ValueError):
        return repr(value).encode("utf-8", "surrogatepass")
