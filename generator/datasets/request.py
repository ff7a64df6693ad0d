"""The request of a record: what its user says, word by word, so that the same and nearly the same can be found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import blake2b

from generator.formats.conversation import messages_of
from generator.jsontext import JsonObject, dump_canonical

SHINGLE = 3
"""Words in a row that count as one when requests are compared."""
HASH_BYTES = 4
"""Bytes of a hashed shingle."""
_DIGEST_BYTES = 16
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
"""A run of letters and digits; where writing has no spaces, each character."""
_MOST_SHINGLES = 1024
"""Of longer requests the smallest shingles stand for all: which these are, every request with them agrees upon."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user of a record says: equal where all the words are, near where most words in a row are."""

    digest: bytes
    """Sixteen bytes of the words in their order; of the whole record where its user says nothing."""
    shingles: frozenset[int]
    """The words in a row, hashed to 32 bits each; none where there are no words."""

    @staticmethod
    def of(document: JsonObject) -> Request:
        """Return the request of a record in the canonical form, broken or not."""
        texts = list(user_texts(document))
        said = [words for text in texts if (words := words_of(text))]
        if not said:
            whole = dump_canonical(texts or document)
            return Request(blake2b(whole, digest_size=_DIGEST_BYTES, person=b"no words").digest(), frozenset())
        return Request(digest_of(word for words in said for word in words), shingles_of(said))


def likeness(shingles: AbstractSet[int], others: AbstractSet[int]) -> float:
    """Return the Jaccard similarity of shingles, 0 to 1."""
    shared = len(shingles & others)
    return shared / (len(shingles) + len(others) - shared) if shared else 0.0


def user_texts(document: JsonObject) -> Iterator[str]:
    """Yield what each message of the user says."""
    for message in messages_of(document):
        content = message.get("content")
        if message.get("role") == "user" and isinstance(content, str) and content:
            yield content


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order, without marks and without the difference of capitals."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def digest_of(words: Iterable[str]) -> bytes:
    """Return what stands for some words in their order, in sixteen bytes."""
    return blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest()


def shingles_of(said: Iterable[Sequence[str]], length: int = SHINGLE) -> frozenset[int]:
    """Return the words in a row of all texts together, hashed to 32 bits; a text of fewer words is one row."""
    found = {hashed(row) for words in said for row in rows_of(words, length)}
    return frozenset(found if len(found) <= _MOST_SHINGLES else sorted(found)[:_MOST_SHINGLES])


def rows_of(words: Sequence[str], length: int) -> Iterator[Sequence[str]]:
    """Yield each row of so many words; all words where there are fewer."""
    for start in range(max(1, len(words) - length + 1)):
        yield words[start : start + length]


def hashed(words: Iterable[str], size: int = HASH_BYTES) -> int:
    """Return a number of so many bytes that stands for some words in a row, the same everywhere."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=size).digest(), "little")
