"""Texts that hold something: `contentMediaType` says what, `contentEncoding` how it is written."""

from __future__ import annotations

import base64
from collections.abc import Callable

from generator.jsontext import JsonValue, dump_compact
from generator.values.draw import Draw, TextMaker
from generator.values.hints import Hint
from generator.values.slots import pool_maker

_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": base64.b64encode,
    "base64url": base64.urlsafe_b64encode,
    "base32": base64.b32encode,
    "base16": base64.b16encode,
}


def content_maker(hint: Hint) -> TextMaker | None:
    """Return a maker of such texts; None where the schema says neither."""
    if not any("contentMediaType" in source or "contentEncoding" in source for source in hint.sources):
        return None
    media, encoding = _said(hint, "contentMediaType"), _said(hint, "contentEncoding")
    if not media and not encoding:
        return None
    note, encode = pool_maker("note"), _ENCODERS.get(encoding)

    def make(draw: Draw) -> str:
        text = _written(media, note(draw))
        return text if encode is None else encode(text.encode()).decode()

    return make


def _said(hint: Hint, keyword: str) -> str:
    said: JsonValue = next((source[keyword] for source in hint.sources if isinstance(source.get(keyword), str)), "")
    return str(said).lower()


def _written(media: str, text: str) -> str:
    if media.endswith("json"):
        return dump_compact({"message": text})
    return f"<p>{text}</p>" if media.endswith(("html", "xml")) else text
