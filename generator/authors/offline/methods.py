"""Methods: tools that do several things by an enum parameter; its value becomes the verb of the request."""

from __future__ import annotations

from collections.abc import Mapping

from generator.authors.offline.descriptions import Chunk, Sentence
from generator.authors.offline.fields import Field
from generator.authors.offline.verbs import base_form, sort_of
from generator.authors.offline.words import is_uncounted, singular, split_identifier, spoken, word_set
from generator.jsontext import JsonObject

_NAMES = word_set("method action operation command mode task")
_VAGUE = word_set("operation operations detail details information resource resources tool tools action actions data")


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
    words = split_identifier(value)
    verb, rest = base_form(words[0]), words[1:]
    chunks = list(sentence.chunks)
    vague = bool(chunks) and (not chunks[0].words or any(word.lower() in _VAGUE for word in chunks[0].words))
    if not rest:
        if vague and len(chunks) > 1:
            chunks[1] = Chunk("", _singled(chunks[1].words))
            chunks = chunks[1:]
        if chunks and verb not in ("create", "add"):
            chunks[0] = Chunk("", tuple(word for word in chunks[0].words if word.lower() != "new"))
        return Sentence(verb, sort_of(verb), tuple(chunks))
    object_words = _object(verb, rest, sentence)
    kept = [chunk for chunk in chunks[1:] if chunk.words]
    if vague and kept and kept[0].preposition in ("on", "about", "for", "of"):
        same = singular(kept[0].words[-1].lower()) == singular(rest[-1])
        kept = kept[1:] if same else [Chunk("of", kept[0].words), *kept[1:]]
    elif (
        not vague and chunks and any(field.kind == "id" for field in fields.values()) and verb not in ("create", "add")
    ):
        kept = (
            [Chunk("of", chunks[0].words), *kept]
            if singular(chunks[0].words[-1].lower()) != singular(rest[-1])
            else kept
        )
    return Sentence(verb, sort_of(verb), (Chunk("", object_words), *kept))


def _object(verb: str, rest: tuple[str, ...], sentence: Sentence) -> tuple[str, ...]:
    """Give the object its article: "a project", "the labels"."""
    if rest[0] in ("a", "an", "the", "all", "by"):
        return tuple(spoken(rest).split())
    new = verb in ("create", "add", "make", "open") and singular(rest[-1]) == rest[-1] and not is_uncounted(rest[-1])
    spoken_rest = spoken(rest).split()
    return (("a" if new else "the"), *spoken_rest)


def _singled(words: tuple[str, ...]) -> tuple[str, ...]:
    """Turn "discussion comments" into "a discussion comment"."""
    if words and words[0].lower() in ("a", "an", "the"):
        return words
    return ("a", *words[:-1], singular(words[-1].lower())) if words else words
