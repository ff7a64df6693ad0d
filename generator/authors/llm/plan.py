"""What a draft owes its plan, beyond the rules of any record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.authors.llm.envelope import LONGEST_REPLY, LONGEST_REQUEST
from generator.authors.llm.evidence import shared_evidence
from generator.jsontext import dump_compact
from generator.kinds import KINDS
from generator.records.calls import Draft, Exchange
from generator.scenarios.results import foreseen
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.validation.verdict import Violation


def is_free(scenario: Scenario) -> bool:
    """Tell whether a model finds its own words and values: no later call is planned around those of the plan."""
    kind = KINDS[scenario.kind]
    if scenario.free or kind.by_topic:
        return True
    asks = any(step.act == "confirm" for step in scenario.steps)
    return kind.replaceable and sum(bool(step.calls) for step in scenario.steps) == 1 and not asks


def is_asked(scenario: Scenario, history: tuple[Exchange, ...]) -> bool:
    """Tell whether somebody writes the next step: it has words, or calls that do not follow by themselves."""
    step = scenario.steps[len(history)]
    return step.request or step.reply or (scenario.free and not foreseen(scenario, history))


def later_calls(scenario: Scenario, history: tuple[Exchange, ...]) -> tuple[PlannedCall, ...]:
    """Return the calls that follow a step, when it is answered, before the user speaks again."""
    found: list[PlannedCall] = []
    for step in scenario.steps[len(history) + 1 :]:
        if step.request:
            break
        found += step.calls
    return tuple(found)


def plan_violations(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield what is missing from a draft, or what it says that people would not."""
    step = scenario.steps[len(history)]
    if step.request:
        yield from _said(draft.request, "request", LONGEST_REQUEST)
        yield from _calls(step, draft)
        if not is_free(scenario):
            yield from _arguments(step, history, draft)
        yield from shared_evidence(scenario, history, draft)
        yield from _named_tools(scenario, draft.request or "", "/request")
    elif step.calls:
        yield from _calls(step, draft)
        yield from shared_evidence(scenario, history, draft)
    if step.reply:
        yield from _said(draft.reply, "reply", LONGEST_REPLY)
        yield from _named_tools(scenario, draft.reply or "", "/reply")


def _said(text: str | None, key: str, longest: int) -> Iterator[Violation]:
    """A text is there, is no placeholder, and keeps the length that was asked for, which not every server enforces."""
    if not text or (text.startswith("<") and text.endswith(">")):
        yield Violation(rule="LM005", pointer=f"/{key}", message=f"your JSON lacks a non-empty {key!r}")
    elif len(text) > longest:
        message = f"{key!r} has {len(text):,} characters; write at most {longest:,}"
        yield Violation(rule="LM008", pointer=f"/{key}", message=message)


def _calls(step: Step, draft: Draft) -> Iterator[Violation]:
    planned = Counter(call.tool.name for call in step.calls)
    drafted = Counter(call.name for call in draft.calls)
    if planned != drafted:
        yield Violation(
            rule="LM006",
            pointer="/calls",
            message=f"the calls must be {_listed(planned)}, yours are {_listed(drafted)}",
        )


def _arguments(step: Step, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """The rest of the conversation is planned around these very arguments."""
    planned = [(call.tool.name, call.arguments) for call in step.calls]
    for place, ((name, arguments), call) in enumerate(zip(planned, draft.calls, strict=False)):
        if call.name == name and call.arguments != arguments:
            yield Violation(
                rule="LM009",
                pointer=f"/calls/{place}/arguments",
                message=f"the arguments of {name} must be exactly {dump_compact(arguments)}",
            )


def _listed(names: Counter[str]) -> str:
    return ", ".join(f"{name} x {count}" for name, count in sorted(names.items())) or "none"


def _named_tools(scenario: Scenario, text: str, pointer: str) -> Iterator[Violation]:
    """A tool or parameter name of one plain word may stand in a text by chance; one with a joint cannot."""
    words = set(text.replace("`", " ").replace('"', " ").replace("'", " ").split())
    bare = {word.strip(".,:;!?()[]") for word in words}
    names = {tool.name for tool in scenario.tools}
    names |= {name for tool in scenario.tools for name in tool.parameters.get("properties", {})}
    for name in sorted(names & bare):
        if "_" in name or "-" in name or (name != name.lower() and name != name.capitalize()):
            yield Violation(
                rule="LM007", pointer=pointer, message=f"the text must not name {name!r}; say it in everyday words"
            )
