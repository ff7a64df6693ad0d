"""What is secret about a server, kept out of messages and answers, and what it says made fit for one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from urllib.parse import quote, unquote

MASK = "***"
_SHORTEST_IN_MESSAGES = 4
"""Characters; masking shorter ones would only garble messages."""
_SHORTEST_IN_ANSWERS, _PLAINLY_SECRET = 8, 16
"""Characters; a local server is given a key like `none` or `dummy`, which is a word of the language as well."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|/)")


class Credentials:
    """The secrets of one server, in the forms in which a server may say them back."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._forms = {form for secret in secrets for form in (secret, unquote(secret), quote(secret, safe=""))}

    def masked(self, text: str) -> str:
        """Mask every secret in a message."""
        return self._in_messages(text)

    def masked_answer(self, text: str) -> str:
        """Mask in an answer what can be nothing but a secret, even where it is written with escapes."""
        masked = self._in_answers(text)
        if "\\" in masked and (plain := _ESCAPE.sub(_unescaped, masked)) != masked:
            cleared = self._in_answers(plain)
            return cleared if cleared != plain else masked
        return masked

    @cached_property
    def _in_messages(self) -> Callable[[str], str]:
        return _masking(form for form in self._forms if len(form) >= _SHORTEST_IN_MESSAGES)

    @cached_property
    def _in_answers(self) -> Callable[[str], str]:
        return _masking(filter(_can_be_nothing_else, self._forms))


def _masking(secrets: Iterable[str]) -> Callable[[str], str]:
    """Longest first, so that no part of one is left where another was masked."""
    ordered = sorted(secrets, key=lambda each: (-len(each), each))
    if not ordered:
        return lambda text: text
    pattern = re.compile("|".join(map(re.escape, ordered)))
    return lambda text: pattern.sub(MASK, text)


def _can_be_nothing_else(secret: str) -> bool:
    mixed = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
    return len(secret) >= _PLAINLY_SECRET or (len(secret) >= _SHORTEST_IN_ANSWERS and mixed)


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else "/"


# Controls, direction overrides, what is invisible, line ends that are not whitespace everywhere, and half characters.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def one_line(text: str, longest: int) -> str:
    r"""Return the text in one line, cut where it is long, with control characters written as escapes (`\x1b`)."""
    head = text[: longest * 8]  # more than enough, and little work where a text is huge
    line = _CONTROL.sub(_escaped, " ".join(head.split()))
    return line if len(line) <= longest and len(head) == len(text) else line[:longest] + "…"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
