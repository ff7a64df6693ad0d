"""Methods: tools that do several things by an enum parameter; its value becomes the verb of the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.authors.offline.descriptions import Chunk, Sentence
from generator.authors.offline.fields import Field
from generator.authors.offline.verbs import base_form, sort_of
from generator.authors.offline.words import article, is_uncounted, singular, split_identifier, spoken, word_set
from generator.jsontext import JsonObject

_NAMES = word_set("method action operation command mode task")
_VAGUE = word_set("operation operations detail details information resource resources tool tools action actions data")
_QUALITIES = word_set("pending draft latest current active")


def method_of(fields: Mapping[str, Field], arguments: JsonObject) -> tuple[Field, str] | None:
    """Return the field whose value says what to do, with that value, or None."""
    for name, field in fields.items():
        if field.enum and name in arguments and split_identifier(name)[-1:] and split_identifier(name)[-1] in _NAMES:
            value = arguments[name]
            if isinstance(value, str) and base_form((split_identifier(value) or ("",))[0]):
                return field, value
    return None


def sentence_for(sentence: Sentence, value: str, fields: Mapping[str, Field]) -> Sentence:
    """Rewrite a description for one method: `get_files` on "information on a pull request" gets the files of it."""
    verb, *rest = split_identifier(value)
    verb = base_form(verb)
    if rest and rest[0] in _QUALITIES and len(rest) == 1 and sentence.chunks:
        chunks = _by_verb(sentence.chunks, verb)
        kept = [word for word in chunks[0].words if word.lower() not in ("a", "an", "the")]
        chunks[0] = Chunk(chunks[0].preposition, ("the", rest[0], *kept))
        return Sentence(verb, sort_of(verb), tuple(chunks))
    chunks = _by_verb(sentence.chunks, verb) if not rest else _by_object(sentence.chunks, verb, rest, fields)
    return Sentence(verb, sort_of(verb), tuple(chunks))


def _is_vague(chunks: Sequence[Chunk]) -> bool:
    """Say whether an object is only "information" or "operations"."""
    return bool(chunks) and (not chunks[0].words or any(word.lower() in _VAGUE for word in chunks[0].words))


def _by_verb(chunks: Sequence[Chunk], verb: str) -> list[Chunk]:
    """Return what follows a verb that is all the method says: the object of the description."""
    following = list(chunks)
    if _is_vague(following) and len(following) > 1:
        following[1] = Chunk("", _singled(following[1].words))
        following = following[1:]
    if following and verb not in ("create", "add"):
        kept = [word for word in following[0].words if word.lower() != "new"]
        if kept and kept[0].lower() in ("a", "an"):
            kept[0] = article(" ".join(kept[1:]))
        following[0] = Chunk("", tuple(kept))
    return following


def _by_object(chunks: Sequence[Chunk], verb: str, rest: list[str], fields: Mapping[str, Field]) -> list[Chunk]:
    """Return what follows a verb that has an object of its own: "the files" and what they are of."""
    following = [chunk for chunk in chunks[1:] if chunk.words]
    owner: tuple[str, ...] = ()
    if _is_vague(chunks):
        if following and following[0].preposition in ("on", "about", "for", "of"):
            owner = following.pop(0).words
    elif chunks and verb not in ("create", "add") and any(field.kind == "id" for field in fields.values()):
        owner = chunks[0].words
    if owner and singular(owner[-1].lower()) != singular(rest[-1]):
        following.insert(0, Chunk("of", owner))
    return [Chunk("", _object(verb, rest)), *following]


def _object(verb: str, rest: list[str]) -> tuple[str, ...]:
    """Give the object its article: "a project", "the labels"."""
    words = spoken(rest).split()
    if rest[0] in ("a", "an", "the", "all", "by"):
        return tuple(words)
    new = verb in ("create", "add", "make", "open") and singular(rest[-1]) == rest[-1] and not is_uncounted(rest[-1])
    return (("a" if new else "the"), *words)


def _singled(words: tuple[str, ...]) -> tuple[str, ...]:
    """Turn "discussion comments" into "a discussion comment"."""
    if words and words[0].lower() in ("a", "an", "the"):
        return words
    return ("a", *words[:-1], singular(words[-1].lower())) if words else words
