"""What a model thinks before it answers, told apart from its answer: it may hold drafts, and never counts as one."""

from __future__ import annotations

_TAGS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))
"""How models mark their thoughts where their server does not take them out."""


def split_thoughts(text: str) -> tuple[str, str]:
    """Return what a text answers, and what it thinks.

    A thought that is never closed goes to the end; one whose opening the server kept to itself begins at the start.
    """
    thoughts: list[str] = []
    for opening, closing in _TAGS:
        text, found = _split(text, opening, closing)
        thoughts += found
    return text, "\n".join(filter(None, thoughts))


def _split(text: str, opening: str, closing: str) -> tuple[str, list[str]]:
    plain: list[str] = []
    thoughts: list[str] = []
    at = 0
    while (opened := text.find(opening, at)) >= 0:
        plain.append(text[at:opened])
        closed = text.find(closing, opened)
        if closed < 0:
            thoughts.append(text[opened + len(opening) :].strip())
            at = len(text)
            break
        thoughts.append(text[opened + len(opening) : closed].strip())
        at = closed + len(closing)
    before, closed_alone, answer = ("".join(plain) + text[at:]).rpartition(closing)
    return answer, [before.strip(), *thoughts] if closed_alone else thoughts
