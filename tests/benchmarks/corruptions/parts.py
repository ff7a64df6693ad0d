"""The parts of a record that corruptions change: calls with their tools and results, leaves, and what was said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

Json = Any  # parsed JSON
Path = tuple[Any, ...]
_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
NUMBER = re.compile(r"(?<![A-Za-z0-9_.,:/-])\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,8})?(?![A-Za-z0-9_:/]|[.,-]\d)")
WRITING = frozenset(
    "add assign block book buy cancel change close complete control create delete file forward log mark message move "
    "open order pay place post put redirect remove rename renew reopen report reschedule reserve return save schedule "
    "send set share start stop submit subscribe transfer turn unsubscribe update upload water write".split()
)
READING = frozenset(
    "calculate check compare compute convert estimate fetch find get list look lookup read search show".split()
)


class Call(NamedTuple):
    """A call where it stands, with the definition of its tool and the message that answers it."""

    turn: int
    place: int
    entry: Json
    tool: Json
    result: Json | None

    @property
    def identity(self) -> str:
        return str(self.entry["id"])

    @property
    def name(self) -> str:
        return str(self.entry["function"]["name"])

    @property
    def verb(self) -> str:
        return re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])[A-Z]", lambda m: "_" + m[0], self.name).lower())[0]

    @property
    def arguments(self) -> Json:
        return self.entry["function"]["arguments"]

    @property
    def returned(self) -> Json:
        """What it returned, parsed; None where nothing did."""
        try:
            return None if self.result is None else json.loads(self.result["content"])
        except ValueError:
            return None

    @property
    def failed(self) -> bool:
        return isinstance(self.returned, dict) and isinstance(self.returned.get("error"), dict)

    def answers_with(self, value: Json) -> None:
        """Let it return something else."""
        assert self.result is not None
        self.result["content"] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def calls_of(record: Json) -> list[Call]:
    """Return every call, in order."""
    tools = {each["function"]["name"]: each["function"] for each in record["tools"]}
    results = {each.get("tool_call_id"): each for each in record["messages"] if each["role"] == "tool"}
    return [
        Call(turn, place, entry, tools.get(entry["function"]["name"], {}), results.get(entry["id"]))
        for turn, message in enumerate(record["messages"])
        for place, entry in enumerate(message.get("tool_calls", ()))
    ]


def calls_at_once(record: Json, fewest: int = 2) -> list[list[Call]]:
    """Return the calls of each turn that has several."""
    turns: dict[int, list[Call]] = {}
    for call in calls_of(record):
        turns.setdefault(call.turn, []).append(call)
    return [calls for calls in turns.values() if len(calls) >= fewest]


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield every scalar with its path."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def strings(value: Json) -> Iterator[tuple[Path, str]]:
    """Yield every text with its path."""
    return ((path, leaf) for path, leaf in leaves(value) if isinstance(leaf, str))


def numbers(value: Json) -> Iterator[tuple[Path, float]]:
    """Yield every number with its path."""
    return (
        (path, leaf) for path, leaf in leaves(value) if isinstance(leaf, int | float) and not isinstance(leaf, bool)
    )


def put(value: Json, path: Path, leaf: Json) -> None:
    """Set the leaf at a path."""
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = leaf


def schema_at(call: Call, path: Path) -> Json:
    """Return the schema of an argument's leaf, as far as it can be followed."""
    schema = call.tool.get("parameters", {})
    for key in path:
        schema = schema.get("items", {}) if isinstance(key, int) else schema.get("properties", {}).get(key, {})
        schema = schema if isinstance(schema, dict) else {}
    return schema


def about(call: Call, path: Path) -> str:
    """Return what a parameter is called and described as, in lower case."""
    return f"{path[0]} {schema_at(call, path).get('description', '')}".lower().replace("_", " ")


def asked(record: Json, before: int | None = None) -> str:
    """Return what users said, all of it or before a turn."""
    return "\n".join(each["content"] for each in record["messages"][:before] if each["role"] == "user")


def texts(record: Json, before: int | None = None) -> str:
    """Return everything that is said or returned, before a turn where one is given."""
    return "\n".join(each.get("content") or "" for each in record["messages"][:before])


def request_before(record: Json, turn: int) -> Json | None:
    """Return the last user message before a turn."""
    users = [each for each in record["messages"][:turn] if each["role"] == "user"]
    return users[-1] if users else None


def answer_after(record: Json, turn: int) -> Json | None:
    """Return the assistant's text that closes the turn of a call."""
    for message in record["messages"][turn + 1 :]:
        if message["role"] == "user":
            return None
        if message["role"] == "assistant" and not message.get("tool_calls"):
            return message
    return None


def language(record: Json) -> str:
    """Return the two letters of a record's language; English where nothing says so."""
    return str((record.get("metadata") or {}).get("locale", "en"))[:2]


def word(value: str) -> re.Pattern[str]:
    """Return a pattern that finds a text as whole words, in any case."""
    start = r"(?<!\w)" if value[:1].isalnum() and value[:1].isascii() else ""
    end = r"(?!\w)" if value[-1:].isalnum() and value[-1:].isascii() else ""
    return re.compile(start + re.escape(value) + end, re.IGNORECASE)


def says(text: str, value: Json) -> bool:
    """Say whether a text has a value literally."""
    if isinstance(value, str):
        return len(value) > 1 and word(value).search(text) is not None
    return bool(spans(text, value))


def spans(text: str, number: float) -> list[re.Match[str]]:
    """Return where a text tells a number in digits."""
    return [found for found in NUMBER.finditer(text) if float(found[0].replace(",", "")) == number]


def like(told: str, number: float) -> str:
    """Write a number as another one was written."""
    decimals = len(told.partition(".")[2])
    return f"{number:,.{decimals}f}" if "," in told else f"{number:.{decimals}f}"


def distinguishes(call: Call, path: Path, others: list[Call]) -> bool:
    """Say whether an argument names the thing that a call is about, and tells it from the other calls."""
    leaf = call.arguments
    for key in path:
        leaf = leaf[key]
    alike = [each.arguments.get(path[0]) for each in others if each.name == call.name]
    if alike:
        return all(value is not None and value != call.arguments[path[0]] for value in alike)
    rivals = [other for at, other in strings(call.arguments) if _is_name(call, at, other)]
    return rivals == [leaf]


def _is_name(call: Call, path: Path, leaf: str) -> bool:
    plain = "enum" not in schema_at(call, path) and re.match(r"\d{4}-\d\d|\d\d:", leaf) is None
    return plain and re.search(r"[A-ZÀ-Þ\d一-鿿]", leaf) is not None


def quoted(text: str, value: str) -> bool:
    """Say whether a text stands in a text between quotation marks, letter by letter."""
    marks = r"[\"'“”„«»‘’「」『』‹›]"
    return re.search(rf"{marks}\s?{re.escape(value)}\s?[.!?]?{marks}", text) is not None


def fresh_identity(rng: Random) -> str:
    """Return a new id of a call."""
    return "".join(rng.choice(_LETTERS) for _ in range(9))


def tell_along(record: Json, call: Call, old: Json, new: Json) -> None:
    """Let the result and the answer repeat a changed argument, as they do where a model called the wrong thing."""
    returned = call.returned
    if returned is not None and not call.failed:
        for path, leaf in list(leaves(returned)):
            if leaf == old and type(leaf) is type(old):
                put(returned, path, new) if path else None
        call.answers_with(returned)
    answer = answer_after(record, call.turn)
    if answer is None or not says(answer["content"], old):
        return
    if isinstance(old, str):
        answer["content"] = word(old).sub(lambda _: str(new), answer["content"])
    else:
        for found in reversed(spans(answer["content"], old)):
            answer["content"] = (
                answer["content"][: found.start()] + like(found[0], new) + answer["content"][found.end() :]
            )


def change_argument(record: Json, call: Call, path: Path, new: Json, rng: Random) -> Json:
    """Change one argument; in half of the records the result and the answer follow the call."""
    old = call.arguments
    for key in path:
        old = old[key]
    put(call.arguments, path, new)
    if rng.random() < 0.5:
        tell_along(record, call, old, new)
    return record


def status_of(record: Json, identity: str, status: str | None) -> None:
    """Set the status of a call in the metadata, or forget all about the call."""
    metadata = record.get("metadata") or {}
    if status is not None and "statuses" in metadata:
        metadata["statuses"][identity] = status
    elif status is None:
        for told in ("statuses", "grounding", "evidence"):
            metadata.get(told, {}).pop(identity, None)


def without_calls(record: Json, identities: set[str]) -> Json:
    """Return the record without some calls and their results; turns without a call go as well."""
    kept = []
    for message in record["messages"]:
        if message["role"] == "tool" and message.get("tool_call_id") in identities:
            continue
        if message.get("tool_calls"):
            message["tool_calls"] = [each for each in message["tool_calls"] if each["id"] not in identities]
            if not message["tool_calls"]:
                continue
        kept.append(message)
    record["messages"] = kept
    for identity in identities:
        status_of(record, identity, None)
    return record


def own_words(call: Call, others: list[Call]) -> list[str]:
    """Return the names and ids that a call and its result have and the other calls have not."""
    foreign = " ".join(json.dumps([each.arguments, each.returned], ensure_ascii=False) for each in others).lower()
    mine = {leaf for _, leaf in strings([call.arguments, call.returned]) if len(leaf) > 2}
    return sorted((leaf for leaf in mine if leaf.lower() not in foreign), key=lambda leaf: (-len(leaf), leaf))


def sentences(text: str) -> list[str]:
    """Cut a text into sentences and lines, white space kept, so that they can be joined again."""
    return [part for part in re.split(r"(?<=[^\d][.!?])(?=\s+[^\s\d])|(?<=[。！？])|(?=\n)", text) if part]


def without_mention(answer: str, call: Call, others: list[Call]) -> str | None:
    """Return the answer without the sentences that speak of a call; None where they speak of another one too."""
    mine = own_words(call, others)
    theirs = [own_words(other, [each for each in (*others, call) if each is not other]) for other in others]
    kept, cut = [], False
    for part in sentences(answer):
        if any(says(part, name) for name in mine):
            if any(says(part, name) for names in theirs for name in names):
                return None
            cut = True
        else:
            kept.append(part)
    left = "".join(kept).strip()
    told = all(any(says(left, name) for name in names) for names in theirs)
    return left if cut and told and not any(says(left, name) for name in mine) else None
