"""Second opinion: a model that has not written a record says whether it holds.

Blind, it sees what the assistant saw before its calls, and must arrive at the same ones. As a judge it reads the whole
record and says whether the request is plausible, the calls do what was asked, the results make sense, the answer is
true and the kind is what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from pydantic import BaseModel, ConfigDict, ValidationError

from generator.authors.author import Opinion
from generator.authors.llm.prompts import Prompts
from generator.authors.llm.response_formats import (
    BadAnswer,
    Envelope,
    Model,
    Question,
    calls_envelope,
    judgement_envelope,
    read_object,
    without_absent,
)
from generator.backends.backend import Completion, Unavailable
from generator.backends.budget import Spending
from generator.job_choices import Verify
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.kinds import KINDS
from generator.records import Draft, DraftCall, Exchange
from generator.scenarios.scenario import Scenario
from generator.tools import Tool
from generator.validation import check
from generator.validation.grounding.arguments.sources import ASSERTED
from generator.validation.grounding.reading.words import fold, stem, tokens_of
from generator.validation.verdict import DISAGREES, DOUBTS, UNHEARD, Violation

_FREE_TEXT = 4
"""Words from which on a text is one's own, and need not be the other's to the letter."""
_SHARED = 0.5
"""The share of its words that it must have in common."""
_ABBREVIATION = 3
"""Letters that an abbreviation has at most: the "St" of "Station" and of "Street"."""
_PLURALS = ("s", "es")
_SECONDS = re.compile(r"(?<=\d\d:\d\d):00(?:\.0+)?|(?<=:\d\d)(?:z|\+00:00)$")
_DIGITS = re.compile(r"\d+")
_AROUND = " .,;:!?\"'"


def disagreement(
    mine: Sequence[DraftCall], theirs: Sequence[DraftCall], tools: Sequence[Tool], later: Sequence[DraftCall] = ()
) -> str:
    """Say in what two sets of calls differ in meaning; "" where they do not. Their order means nothing.

    What I call `later` in answer to the same words they may call at once.
    """
    schemas = {tool.name: tool.parameters for tool in tools}
    left, missing = _paired(mine, theirs, schemas)
    if missing or _paired(later, left, schemas)[0]:
        return f"{_shown(mine)} against {_shown(theirs)}"
    return ""


def _paired(
    mine: Sequence[DraftCall], theirs: Sequence[DraftCall], schemas: Mapping[str, JsonObject]
) -> tuple[list[DraftCall], bool]:
    """Return those of their calls that none of mine is the same as, and whether one of mine has no such twin."""
    left, missing = list(theirs), False
    for call in mine:
        twin = next((each for each in left if _is_same(call, each, schemas.get(call.name, {}))), None)
        if twin is None:
            missing = True
        else:
            left.remove(twin)
    return left, missing


def _shown(calls: Sequence[DraftCall]) -> str:
    return "; ".join(f"{call.name} {dump_compact(call.arguments)}" for call in calls) or "no call"


def _is_same(mine: DraftCall, theirs: DraftCall, schema: JsonObject) -> bool:
    if mine.name != theirs.name:
        return False
    properties = schema.get("properties", {})
    return all(
        _means(_given(mine, key, properties), _given(theirs, key, properties)) or _quotes(mine, theirs, key)
        for key in {*mine.arguments, *theirs.arguments}
    )


def _quotes(mine: DraftCall, theirs: DraftCall, key: str) -> bool:
    """Say whether one gives as said what the other translates: most of the words that are its evidence."""
    value = theirs.arguments.get(key)
    if not isinstance(value, str) or not isinstance(mine.arguments.get(key), str) or not (plain := _plain(value)):
        return False
    quoted = (_plain(each.said) for each in mine.evidence if each.argument == key)
    return any(plain in said and len(plain) >= _SHARED * len(said) for said in quoted)


def _given(call: DraftCall, key: str, properties: JsonObject) -> JsonValue:
    """Return an argument; what is left out is its default, else nothing, as an empty one is."""
    declared = properties.get(key)
    default = declared.get("default") if isinstance(declared, dict) else None
    value = call.arguments.get(key, default)
    return None if value in ("", [], {}, False) else value


def _means(mine: JsonValue, theirs: JsonValue) -> bool:
    match mine, theirs:
        case (bool(), _) | (_, bool()):
            return mine is theirs
        case str(), str():
            return _same_text(mine, theirs)
        case list(), list():
            return len(mine) == len(theirs) and all(map(_means, mine, theirs))
        case dict(), dict():
            return all(_means(mine.get(key), theirs.get(key)) for key in {*mine, *theirs})
    return bool(mine == theirs)


def _same_text(mine: str, theirs: str) -> bool:
    first, second = _plain(mine), _plain(theirs)
    if first == second or _same_words(tokens_of(first), tokens_of(second)):
        return True
    ours, others = ({stem(word) for word in tokens_of(text) if word.isalpha()} for text in (first, second))
    if min(len(ours), len(others)) < _FREE_TEXT or _DIGITS.findall(first) != _DIGITS.findall(second):
        return False
    return len(ours & others) >= _SHARED * min(len(ours), len(others))


def _same_words(ours: list[str], others: list[str]) -> bool:
    """Say whether two texts have the same words in their order, but for plurals and for words that one abbreviates."""
    return bool(ours) and len(ours) == len(others) and all(map(_same_word, ours, others))


def _same_word(mine: str, theirs: str) -> bool:
    short, long = sorted((mine, theirs), key=len)
    if short == long or not (short.isalpha() and long.isalpha()):
        return short == long
    is_short_for = 1 < len(short) <= _ABBREVIATION and len(long) >= 2 * len(short) and long.startswith(short)
    return is_short_for or long.removeprefix(short) in _PLURALS


def _plain(text: str) -> str:
    return " ".join(_SECONDS.sub("", fold(text)).replace("_", " ").split()).strip(_AROUND)


BLIND, JUDGE = "blind", "judge"
_TRIES = 2


class _Judgement(BaseModel):
    """What a judge answers: reasons first, then whether each holds."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    reasons: str = ""
    request: bool
    calls: bool
    results: bool
    answer: bool
    kind: bool


_DOUBTS = {
    "request": "nobody would ask for this",
    "calls": "the calls are not what was asked for",
    "results": "the results make no sense",
    "answer": "the answer does not say what the results say",
    "kind": "it is no record of its kind",
}


class SecondOpinion:
    """Asks a model about records that passed every rule."""

    def __init__(self, model: Model, prompts: Prompts, verify: Verify) -> None:
        self._model = model
        self._prompts = prompts
        self._verify = verify

    async def opinion(
        self, scenario: Scenario, history: tuple[Exchange, ...], document: JsonObject, grounding: JsonObject
    ) -> Opinion:
        """Return the opinion on a record; nobody is asked where nothing asks for one.

        Raises:
            BackendError: the server refuses for good.
        """
        spending = Spending()
        asked: list[str] = []
        found: list[Violation] = []
        for number in self._doubtful(history, document, grounding):
            asked = [BLIND]
            found += await self._blind(scenario, history, number, spending)
        if not found and (scenario.judged or self._verify in ("judge", "both")):
            asked.append(JUDGE)
            found += await self._judged(scenario, history, spending)
        return Opinion(tuple(asked), tuple(found), spending.close().as_opinion())

    def _doubtful(self, history: tuple[Exchange, ...], document: JsonObject, grounding: JsonObject) -> list[int]:
        if self._verify == "judge":
            return []
        everything = self._verify in ("blind", "both") or has_doubts(document)
        return list(_turns(history, document, grounding, everything=everything))

    async def _blind(
        self, scenario: Scenario, history: tuple[Exchange, ...], number: int, spending: Spending
    ) -> list[Violation]:
        """Have the calls of one step found anew by what went before them."""
        envelope = calls_envelope(scenario.tools)
        prompt = blind_prompt(self._prompts, scenario, history, number)
        answer = await self._ask(prompt, envelope, f"{scenario.seed}.blind.{number}", spending)
        theirs = None if answer is None else _draft(answer, scenario)
        if theirs is None:
            return [Violation(rule=UNHEARD, pointer="", message="no second opinion could be had")]
        differs = disagreement(history[number].draft.calls, theirs.calls, scenario.tools, _later(history, number))
        if not differs:
            return []
        return [Violation(rule=DISAGREES, pointer="", message=f"a second opinion calls otherwise: {differs}")]

    async def _judged(self, scenario: Scenario, history: tuple[Exchange, ...], spending: Spending) -> list[Violation]:
        """Have the whole record judged."""
        prompt = judge_prompt(self._prompts, scenario, history)
        answer = await self._ask(prompt, judgement_envelope(), f"{scenario.seed}.judge", spending)
        try:
            judgement = _Judgement.model_validate(answer)
        except ValidationError:
            return [Violation(rule=UNHEARD, pointer="", message="no second opinion could be had")]
        return [
            Violation(rule=DOUBTS, pointer="", message=f"a second opinion says that {what}: {judgement.reasons}")
            for name, what in _DOUBTS.items()
            if not getattr(judgement, name)
        ]

    async def _ask(self, prompt: str, envelope: Envelope, salt: str, spending: Spending) -> JsonObject | None:
        """Return the object that is answered; None where no try yields one."""
        for repetition in range(_TRIES):
            messages = ({"role": "user", "content": prompt},)
            question = Question(messages, envelope.schema, envelope.strict, salt=f"{salt}.{repetition}")
            try:
                completion = await self._model.ask(question)
            except Unavailable as error:
                spending.failed(error.failed)
                spending.unusable(error.reason)
                return None
            answer = self._read(completion, envelope, spending)
            if answer is not None:
                return answer
        return None

    def _read(self, completion: Completion, envelope: Envelope, spending: Spending) -> JsonObject | None:
        try:
            answer = read_object(completion, envelope.schema["required"])
        except BadAnswer as error:
            spending.unusable(error.reason, completion)
            self._model.verdicts.unusable(completion, error.reason, str(error))
            return None
        spending.used(completion)
        self._model.verdicts.used(completion)
        return answer


def has_doubts(document: JsonObject) -> bool:
    """Say whether a rule finds something likely wrong in a record that passed: then its calls are found anew."""
    return any(each.severity == "warning" and each.rule.startswith("TC2") for each in check(document, generated=True))


def _later(history: Sequence[Exchange], number: int) -> list[DraftCall]:
    """Return the calls of the steps that follow before the user speaks again."""
    following = takewhile(lambda each: each.draft.request is None, history[number + 1 :])
    return [call for each in following for call in each.draft.calls]


def blind_prompt(prompts: Prompts, scenario: Scenario, history: Sequence[Exchange], number: int) -> str:
    """Return the question for the calls of one step, of a model that is told what went before them."""
    before = [*history[:number], Exchange(Draft(request=history[number].draft.request))]
    return prompts.render("verify/blind", _seen(scenario, before))


def judge_prompt(prompts: Prompts, scenario: Scenario, history: Sequence[Exchange]) -> str:
    """Return the question whether a whole record holds."""
    seen = _seen(scenario, history) | {"kind": scenario.kind, "summary": KINDS[scenario.kind].summary}
    return prompts.render("verify/judge", seen)


def _turns(
    history: Sequence[Exchange], document: JsonObject, grounding: JsonObject, *, everything: bool
) -> Iterator[int]:
    """Yield the steps whose calls are to be found anew: all that have some, or those with a value but asserted."""
    ids = [call["id"] for message in document["messages"] for call in message.get("tool_calls", ())]
    for number, exchange in enumerate(history):
        own, ids = ids[: len(exchange.draft.calls)], ids[len(exchange.draft.calls) :]
        asserted = any(entry["level"] == ASSERTED for each in own for entry in grounding.get(each, {}).values())
        if own and (everything or asserted):
            yield number


def _seen(scenario: Scenario, exchanges: Sequence[Exchange]) -> JsonObject:
    """Return what a prompt is told of a record: the tools, the system message, and what went on, line by line."""
    tools = [{"name": each.name, "description": each.description, "parameters": each.shown_parameters}
             for each in scenario.tools]  # fmt: skip
    return {"tools": tools, "system": scenario.system, "conversation": seen_of(exchanges)}


def seen_of(exchanges: Sequence[Exchange]) -> list[JsonValue]:
    """Return what went on, line by line: who speaks (user, call, result, assistant) and what."""
    return [{"speaker": speaker, "text": text} for each in exchanges for speaker, text in _lines(each)]


def _lines(exchange: Exchange) -> Iterator[tuple[str, str]]:
    if exchange.draft.request is not None:
        yield "user", exchange.draft.request
    for call in exchange.draft.calls:
        yield "call", f"{call.name} {dump_compact(call.arguments)}"
    for result in exchange.results:
        yield "result", f"{result.name} {result.message_text}"
    if exchange.draft.reply is not None:
        yield "assistant", exchange.draft.reply


def _draft(answer: JsonObject, scenario: Scenario) -> Draft | None:
    """Return the calls of an answer; nulls that a schema does not admit stand for what is left out."""
    try:
        draft = Draft.model_validate({"calls": answer.get("calls")})
    except ValidationError:
        return None
    schemas = {tool.name: tool.parameters for tool in scenario.tools}
    calls = [
        call.model_copy(update={"arguments": without_absent(call.arguments, schemas.get(call.name))})
        for call in draft.calls
    ]
    return Draft(calls=tuple(calls))
