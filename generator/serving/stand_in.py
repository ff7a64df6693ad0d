"""The stand-in: what the assistant says where a request continues no record; seeded, so that equal requests agree.

No model reads the request. A tool is called whose words it shares, with arguments drawn from the tool's domain file, or
made by its schema; values that the request states in so many words take their place. Results are told in the words of
the domain, or as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import orjson

from generator.domains.plain_requests import resolved
from generator.errors import ValueSynthesisError
from generator.ids import draw_call_ids
from generator.job_choices import DEFAULT_REFERENCE_DATE, DEFAULT_SEED
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.random_streams import derive_seed, stream
from generator.scenarios.phrases import phrases
from generator.schemas.validators import SchemaValidator, validator_for
from generator.serving.answers import Answer, Call
from generator.serving.asking import Asked
from generator.serving.domain_words import DomainWords, words_of
from generator.serving.refusals import Refusal
from generator.serving.wants import MOST_WANTS, Said, Want, is_joined, one_by_one, wants_of
from generator.values import Context, synthesize_value

_NOT_NOW = "I would need one of my tools for that, and I am not to call any now."
_LONGEST_TOLD = 2000
_MOST_PROPERTIES = 100
"""Properties of one tool for which the request is searched."""
_LONGEST_CUT = 4000
"""Characters of a request that are searched for several things."""


class _Words:
    """The words that a tool and its requests share: those of its name count double."""

    def __init__(self, function: JsonObject, known: DomainWords) -> None:
        name = function["name"]
        self.name = words_of(name.replace("_", " ").replace("-", " "))
        self._told = words_of(str(function.get("description") or "")) | known.asks_for(name)

    def shared(self, words: set[str]) -> int:
        """Return how much a request and the tool have in common."""
        return 2 * len(words & self.name) + len(words & self._told)


def _chooser(asked: Asked, known: DomainWords) -> Callable[[str], str | None]:
    """Return what names the one tool that a clause asks for with a word of its name, None where there is not one."""
    tools = {tool["function"]["name"]: _Words(tool["function"], known) for tool in asked.tools}

    def chosen(clause: str) -> str | None:
        words = words_of(clause)
        scores = {name: own.shared(words) for name, own in tools.items()}
        best = max(scores, key=scores.__getitem__)
        alone = sum(score == scores[best] for score in scores.values()) == 1
        return best if alone and words & tools[best].name else None

    return chosen


@dataclass(frozen=True, slots=True)
class StandIn:
    """Answers requests that continue no record."""

    seed: int = DEFAULT_SEED
    words: DomainWords = field(default_factory=DomainWords)

    def answer(self, asked: Asked, index: int = 0) -> Answer:
        """Return one turn: calls of tools that were sent, or a text.

        Raises:
            Refusal: a call or a JSON text is demanded, and no value that the schema accepts was found.
        """
        seed = derive_seed(self.seed, "served", asked.digest, index)
        name = self._chosen(asked, seed)
        if name is not None:
            return self._calls(asked, name, seed)
        if asked.json_schema is not None:
            return Answer(_json_text(asked.json_schema, seed))
        return Answer(self._text(asked, seed))

    def _chosen(self, asked: Asked, seed: int) -> str | None:
        """Return the tool to call; None where the assistant speaks."""
        if asked.named is not None:
            return asked.named
        if not _may_call(asked):
            return None
        words = words_of(_last_request(asked))
        scores = [
            (_Words(tool["function"], self.words).shared(words), tool["function"]["name"]) for tool in asked.tools
        ]
        best = max(score for score, _ in scores)
        if best == 0 and asked.choice == "auto":
            return None
        return str(stream(seed, "tool").choice([name for score, name in scores if score == best]))

    def _calls(self, asked: Asked, name: str, seed: int) -> Answer:
        """Return the calls that the request asks for; one alone where no more may be made at a time."""
        request = _last_request(asked)
        wants = [Want(name, request)] if asked.one_call else self._wants(asked, name, request, seed)
        made = dict.fromkeys((want.tool, dump_compact(self._called(asked, want, seed))) for want in wants)
        ids = draw_call_ids(len(made), stream(seed, "call id"))
        return Answer("", tuple(Call(each, *call) for each, call in zip(ids, made, strict=True)))

    def _wants(self, asked: Asked, name: str, request: str, seed: int) -> list[Want]:
        """Return what the request asks for: of several tools, or of one for several things that it lists."""
        apart = wants_of(request[:_LONGEST_CUT], _chooser(asked, self.words)) if asked.named is None else []
        wants = apart if len(apart) > 1 else [Want(name, request)]
        return [Want(want.tool, text) for want in wants for text in self._listed(want, seed)][:MOST_WANTS]

    def _listed(self, want: Want, seed: int) -> list[str]:
        if not is_joined(want.text):
            return [want.text]
        said = Said(want.text, DEFAULT_REFERENCE_DATE)
        return one_by_one(want.text[:_LONGEST_CUT], self.words.mentioned(want.tool, said, seed))

    def _called(self, asked: Asked, want: Want, seed: int) -> JsonObject:
        return self._arguments(asked.tool(want.tool) or {}, Said(want.text, DEFAULT_REFERENCE_DATE), seed)

    def _arguments(self, function: JsonObject, said: Said, seed: int) -> JsonObject:
        """Return arguments that the parameters accept.

        Raises:
            Refusal: none are known.
        """
        name, parameters = function["name"], function["parameters"]
        validator = validator_for(parameters)
        drawn = self.words.arguments(name, said, seed)
        if drawn is None or not validator.is_valid(drawn):
            context = Context(name=name, description=str(function.get("description") or ""))
            try:
                drawn = synthesize_value(parameters, seed=seed, context=context)
            except ValueSynthesisError as error:
                message = f"no arguments for {name} are known that its parameters accept: {error}"
                raise Refusal(400, message, "invalid_function_parameters", "tools") from error
        return _grounded(drawn, parameters, validator, said)

    def _text(self, asked: Asked, seed: int) -> str:
        """Return what is said: of the results, or that nothing can be done."""
        random = stream(seed, "reply")
        results = _results(asked)
        if results:
            return " ".join(self.words.reply(name, content, seed) or _plainly(content) for name, content in results)
        if asked.tools and asked.choice == "none":
            return _NOT_NOW
        declining = phrases()["declining"]["deed" if asked.tools else "without_tools"]
        return str(random.choice(declining)).format(deed="do that")


def _grounded(drawn: JsonObject, parameters: JsonObject, validator: SchemaValidator, said: Said) -> JsonObject:
    """Return the arguments with values of the request in place of such that it does not state, as far as they fit."""
    declared = parameters.get("properties")
    properties = list(declared.items())[:_MOST_PROPERTIES] if isinstance(declared, dict) else []
    used = {str(value) for value in drawn.values() if said.stands(value)}
    for name, schema in properties:
        shape = resolved(schema, parameters)
        is_settled = said.stands(drawn[name]) if name in drawn else "enum" not in shape
        if is_settled:
            continue
        for value in said.candidates(name, shape):
            changed = {**drawn, name: value}
            if str(value) not in used and validator.is_valid(changed):
                used.add(str(value))
                drawn = changed
                break
    return drawn


def _json_text(schema: JsonValue, seed: int) -> str:
    try:
        return dump_compact(synthesize_value(schema, seed=seed))
    except ValueSynthesisError as error:
        message = f"no value is known that the schema of the answer accepts: {error}"
        raise Refusal(400, message, param="response_format") from error


def _may_call(asked: Asked) -> bool:
    """Say whether a call may be made; where it is left open, results are to be told first."""
    if not asked.tools or asked.choice == "none":
        return False
    return asked.choice != "auto" or not _results(asked)


def _last_request(asked: Asked) -> str:
    said = (message.get("content") for message in reversed(asked.messages) if message["role"] == "user")
    found = next(said, "")
    return found if isinstance(found, str) else dump_compact(found)


def _results(asked: Asked) -> list[tuple[str, JsonValue]]:
    """Return the results at the end of the conversation, in the order of their calls, each with its tool."""
    contents: dict[str, JsonValue] = {}
    for message in reversed(asked.messages):
        if message["role"] != "tool":
            calls = message.get("tool_calls") or () if contents else ()
            return [(call["function"]["name"], contents[call["id"]]) for call in calls if call["id"] in contents]
        contents[message["tool_call_id"]] = _value(message.get("content"))
    return []


def _value(content: JsonValue) -> JsonValue:
    try:
        return orjson.loads(content) if isinstance(content, str) else content
    except orjson.JSONDecodeError:
        return content


def _plainly(content: JsonValue) -> str:
    """Tell a result as it is."""
    error = content.get("error") if isinstance(content, dict) else None
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return f"That did not work: {_cut(message)}"
    if isinstance(content, dict) and content:
        return f"Here is what came back: {_cut(', '.join(_fields(content)))}."
    return f"Here is what came back: {_cut(content)}." if content not in (None, "", [], {}) else "Nothing came back."


def _fields(content: JsonObject) -> Iterator[str]:
    for key, value in content.items():
        yield f"{key.replace('_', ' ')}: {value if isinstance(value, str) else dump_compact(value)}"


def _cut(value: JsonValue) -> str:
    text = value if isinstance(value, str) else dump_compact(value)
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}..."
