"""The preview: what a model would be asked and what that would take, told without asking it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.authors.author import NoDraft, OfflineAuthor
from generator.authors.llm.author import opening
from generator.authors.llm.domain_author import requests_needed
from generator.authors.llm.draft_checks import is_asked
from generator.authors.llm.prompts import Prompts
from generator.authors.llm.results import results_prompt
from generator.authors.llm.second_opinion import blind_prompt, judge_prompt
from generator.authors.llm.session import LLMSession, lacking_domains
from generator.authors.llm.variables import question_text
from generator.backends.budget import NO_USAGE, Price, Usage, estimate_tokens, estimate_words
from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.job import Job
from generator.job_choices import Verify
from generator.jsontext import JsonObject, dump_compact
from generator.records import Draft, Exchange
from generator.scenarios.results import answer_calls
from generator.scenarios.scenario import Scenario
from generator.tools import Tool
from generator.worlds.program import vocabulary

_DOMAIN_ANSWER = 3_500
"""Tokens that one part of a domain takes, by experience."""
_OPINION_ANSWER = 60
"""Tokens that a second opinion takes, by experience."""


@dataclass(frozen=True, slots=True)
class _Asking:
    """Requests, and the tokens of them and their answers."""

    requests: int = 0
    tokens: Usage = NO_USAGE

    def __add__(self, other: _Asking) -> _Asking:
        return _Asking(self.requests + other.requests, self.tokens + other.tokens)

    def for_each(self, of: int, count: int) -> _Asking:
        """Return what `count` take where `of` take this."""
        prompt, completion = (round(each * count / of) for each in (self.tokens.prompt, self.tokens.completion))
        return _Asking(round(self.requests * count / of), Usage(prompt, completion))


def preview(job: Job, session: LLMSession, catalog: Catalog, scenarios: Sequence[Scenario]) -> JsonObject:
    """Return what a run would send, without sending it: requests, an estimate of tokens, the first messages.

    `scenarios` are the first of the run. What they would take is known from their prompts, as the offline author
    goes on with them; answers that are sent back come on top.
    """
    walked = [asking for each in scenarios if (asking := _walked(each, session.prompts, job.verify)) is not None]
    records = sum(walked, _Asking()).for_each(max(1, len(walked)), job.count)
    lacking = lacking_domains(catalog).values() if job.write_domains else ()
    domains = sum((_writing(tools, {}, session.prompts) for tools in lacking if tools), _Asking())
    whole = records + domains
    return {
        "server": session.server.masked_url,
        "requests": whole.requests,
        "requests_for_domains": domains.requests,
        **_told(whole.tokens, session.budget.limits.price),
        **_in_batches(whole.tokens, session.budget.limits.price),
        "messages": list(opening(session.prompts, scenarios[0], ())) if scenarios else [],
    }


def domain_cost(tools: Sequence[Tool], existing: JsonObject, session: LLMSession) -> JsonObject:
    """Return how many requests and tokens writing a domain takes at the least, by experience."""
    writing = _writing(tools, existing, session.prompts)
    return {"requests": writing.requests, **_told(writing.tokens, session.budget.limits.price)}


def _told(tokens: Usage, price: Price | None) -> JsonObject:
    cost = {} if price is None else {"estimated_cost": round(price.of(tokens), 4)}
    return {"estimated_prompt_tokens": tokens.prompt, "estimated_completion_tokens": tokens.completion, **cost}


def _in_batches(tokens: Usage, price: Price | None) -> JsonObject:
    return {} if price is None else {"estimated_batch_cost": round(price.in_batches.of(tokens), 4)}


def _walked(scenario: Scenario, prompts: Prompts, verify: Verify) -> _Asking | None:
    """Return what one record takes; None where the offline author has no words for it."""
    try:
        steps = list(_steps(scenario))
    except NoDraft:
        return None
    drafts = sum((_step(scenario, history, draft, prompts) for history, draft, _ in steps), _Asking())
    whole = tuple(exchange for *_, exchange in steps)
    return drafts + sum((_opinion(prompt) for prompt in _opinions(scenario, whole, prompts, verify)), _Asking())


def _opinions(scenario: Scenario, whole: tuple[Exchange, ...], prompts: Prompts, verify: Verify) -> Iterator[str]:
    """Yield what whoever gives second opinions is asked, but for values that will be found to be but asserted."""
    if verify in ("blind", "both"):
        for number, exchange in enumerate(whole):
            if exchange.draft.calls:
                yield blind_prompt(prompts, scenario, whole, number)
    if scenario.judged or verify in ("judge", "both"):
        yield judge_prompt(prompts, scenario, whole)


def _opinion(prompt: str) -> _Asking:
    return _Asking(1, Usage(estimate_tokens({"messages": [{"role": "user", "content": prompt}]}), _OPINION_ANSWER))


def _step(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, prompts: Prompts) -> _Asking:
    step = scenario.steps[len(history)]
    if not is_asked(scenario, history):
        return _Asking()
    prompt = estimate_tokens({"messages": list(opening(prompts, scenario, history))})
    answer: JsonObject = {"reply": draft.reply} if step.reply else {}
    if step.request:
        answer |= {"request": draft.request}
    if step.request or step.calls:
        answer |= {"calls": [call.model_dump(mode="json") for call in draft.calls]}
    return _Asking(1, Usage(prompt, estimate_words(dump_compact(answer))))


def _steps(scenario: Scenario) -> Iterator[tuple[tuple[Exchange, ...], Draft, Exchange]]:
    """Yield the draft of each step as the offline author writes it, what went before it, and what it becomes."""
    author = OfflineAuthor()
    history: tuple[Exchange, ...] = ()
    for step in scenario.steps:
        draft = author.write(scenario, history)
        exchange = Exchange(draft, answer_calls(scenario, draft, step, history))
        yield history, draft, exchange
        history = (*history, exchange)


def _writing(tools: Sequence[Tool], existing: JsonObject, prompts: Prompts) -> _Asking:
    requests = requests_needed(tools, existing)
    guide = prompts.render("domain/guide", {"tables": vocabulary()})
    size = estimate_tokens({"messages": [{"role": "user", "content": guide}]})
    definitions = estimate_tokens({"messages": [], "tools": [tool.shown for tool in tools]})
    prompt = requests * (size + definitions // max(1, requests // 2))
    return _Asking(requests, Usage(prompt, requests * _DOMAIN_ANSWER))


AFTERWARDS = ("results", "verify/blind", "verify/judge")
"""Prompts that are asked of calls or records that are written already."""
_STAND_IN = "your JSON lacks a non-empty 'request'"


def prompt_messages(prompts: Prompts, scenario: Scenario, name: str, number: int | None = None) -> list[JsonObject]:
    """Return the exact messages of one prompt for a scenario; what the model would have said before is a stand-in.

    Args:
        prompts: the templates.
        scenario: whose record is written.
        name: the prompt; `repair` is shown after the first one that is asked.
        number: the step, counted from 0; None takes the first that asks with this prompt.

    Raises:
        UsageError: the scenario, or its step, has no such prompt.
    """
    if name in AFTERWARDS:
        return _afterwards(prompts, scenario, name, number)
    met: list[str] = []
    for own, history in _asked(scenario):
        met.append(f"{own} in step {len(history)}")
        if name not in (own, "repair") or number not in (None, len(history)):
            continue
        messages = list(opening(prompts, scenario, history))
        if name == "repair":
            messages.append({"role": "user", "content": prompts.render("repair", {"problems": [_STAND_IN]})})
        return messages
    place = name if number is None else f"{name} in step {number}"
    own = f"scenario {scenario.index} is of kind {scenario.kind}: its prompts are {', '.join(met)} and repair"
    raise UsageError(f"{own}, not {place}")


def _afterwards(prompts: Prompts, scenario: Scenario, name: str, number: int | None) -> list[JsonObject]:
    """Return what is asked of a record, or of the calls of its step, when they are written."""
    *_, (_, before) = _asked(scenario)
    history = (*before, _stand_in(scenario, before))
    if name == "verify/judge":
        return [{"role": "user", "content": judge_prompt(prompts, scenario, history)}]
    steps = [place for place, each in enumerate(history) if each.draft.calls and number in (None, place)]
    if not steps:
        raise UsageError(f"scenario {scenario.index} is of kind {scenario.kind}: no call is made in that step")
    place = steps[0]
    if name == "verify/blind":
        return [{"role": "user", "content": blind_prompt(prompts, scenario, history, place)}]
    return [{"role": "user", "content": results_prompt(prompts, scenario, history[:place], history[place].draft)}]


def _stand_in(scenario: Scenario, history: tuple[Exchange, ...]) -> Exchange:
    """Return the next step of a scenario as the offline author writes it."""
    try:
        draft = OfflineAuthor().write(scenario, history)
    except NoDraft as refusal:
        raise UsageError(f"scenario {scenario.index} has no stand-in: {refusal}; choose another") from refusal
    return Exchange(draft, answer_calls(scenario, draft, scenario.steps[len(history)], history))


def _asked(scenario: Scenario) -> Iterator[tuple[str, tuple[Exchange, ...]]]:
    """Yield the prompt of each step that is asked for, with what went before it as the offline author writes it."""
    history: tuple[Exchange, ...] = ()
    for _ in scenario.steps:
        if is_asked(scenario, history):
            yield question_text(scenario, history)[0], history
        history = (*history, _stand_in(scenario, history))
