"""Texts cut or lengthened to the length that is asked for."""

from __future__ import annotations

from generator.values.draw import Draw


def fitted(text: str, shortest: int, longest: int | None, draw: Draw) -> str:
    """Cut a text at a word where it is too long, lengthen it where it is too short."""
    if longest is not None and len(text) > longest:
        cut = text[:longest]
        shorter = cut.rsplit(" ", 1)[0].rstrip(" ,.;:")
        text = shorter if len(shorter) >= max(shortest, longest // 2) else cut
    if len(text) < shortest and shortest - len(text) > 2000:
        draw.spend(shortest // 100)
        text = (text + " and so on").ljust(shortest, ".")
    while len(text) < shortest:
        text += "".join(draw.random.choices("abcdefghjkmnpqrstuvwxyz23456789", k=min(8, shortest - len(text))))
    return text
