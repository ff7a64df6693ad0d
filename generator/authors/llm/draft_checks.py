"""What is wrong with a draft: with its plan, evidence, calls and the record it would make."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from generator.assembly import Provenance, assemble, message_count
from generator.authors.author import NoDraft, OfflineAuthor
from generator.authors.llm.response_formats import LONGEST_REPLY, LONGEST_REQUEST
from generator.domains.catalog import Catalog
from generator.jsontext import dump_compact
from generator.kinds import KINDS
from generator.records import SUCCESS, Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.plan_state import is_so_already, outcome_of
from generator.scenarios.results import (
    answer_calls,
    brought,
    carried_by,
    entity_wanted,
    foreseen,
    ids_shown,
    said_in,
    worlds_of,
)
from generator.scenarios.scenario import NOT_PLANNED, PlannedCall, Scenario, Step
from generator.validation import check, check_under_way
from generator.validation.grounding.arguments.evidence import holds, is_span, is_written_moment
from generator.validation.grounding.reading.words import fold
from generator.validation.verdict import Violation, errors_of


def unsaid_evidence(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield the evidence that quotes what nobody said before the calls."""
    texts = _texts(scenario, history, draft)
    for place, call in enumerate(draft.calls):
        for number, each in enumerate(call.evidence):
            if each.said.strip() and not (is_span(each.said) and any(holds(text, each.said) for text in texts)):
                yield Violation(
                    rule="LM011",
                    pointer=f"/calls/{place}/evidence/{number}",
                    message=f"{each.said!r}, the evidence for {each.argument!r}, is said nowhere: quote the very words",
                )


def shared_evidence(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield the words that are said once and stand for one value in two arguments of a call.

    A day or a time may begin and end the same thing.
    """
    text = "\n".join(_texts(scenario, history, draft))
    for place, call in enumerate(draft.calls):
        for (said, value), names in _uses(call).items():
            if len(names) > 1 and 0 < text.count(said) < len(names):
                what = f"{said!r} is said once and gives {value} to {' and '.join(names)}"
                yield Violation(
                    rule="LM012",
                    pointer=f"/calls/{place}/evidence",
                    message=f"{what}: say each of them, or leave an optional one out",
                )


def _uses(call: DraftCall) -> dict[tuple[str, str], list[str]]:
    """Return the arguments by the words they come from and their value, but for days and times."""
    uses: dict[tuple[str, str], list[str]] = {}
    for each in call.evidence:
        value = call.arguments.get(each.argument)
        plain = isinstance(value, str | int | float) and not isinstance(value, bool)
        if plain and each.said.strip() and not is_written_moment(value):
            uses.setdefault((fold(each.said).strip(), dump_compact(value)), []).append(each.argument)
    return {key: list(dict.fromkeys(names)) for key, names in uses.items()}


def _texts(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> list[str]:
    """Return what was said before the calls of a draft, folded: the user's words, the system's and the results."""
    requests = [each.draft.request for each in history] + [draft.request]
    results = [result.message_text for each in history for result in each.results]
    return [fold(text) for text in (scenario.system, *requests, *results) if text]


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


_NOTHING_THERE = frozenset({"RESOURCE_NOT_FOUND", "SERVICE_UNAVAILABLE"})
"""Errors of a call for what the world does not have; that a call is refused for another reason is part of a life."""


def cannot_go_on(
    scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, results: tuple[ToolResult, ...]
) -> Iterator[Violation]:
    """Yield the calls that fail or do nothing, and what is lacking for those that follow.

    Calls that follow from the results by themselves are made as well: what they come to was decided here.
    """
    if not scenario.free or not draft.calls:
        return
    found = list(_failing(scenario, history, draft, results)) or list(_idle(scenario, history, draft))
    found = found or list(_carrying_nothing(scenario, history, draft))
    yield from found
    written = (*history, Exchange(draft, results))
    while not found and (calls := foreseen(scenario, written)):
        follow = Draft(calls=calls)
        answered = answer_calls(scenario, follow, scenario.steps[len(written)], written)
        found = [
            _refused(f"what follows, {each.name} with {dump_compact(call.arguments)}, fails here", each)
            for call, each in zip(calls, answered, strict=True)
            if each.error_type is not None
        ]
        yield from found
        written = (*written, Exchange(follow, answered))
    if not found:
        yield from _lacking(scenario, written)


def _failing(
    scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, results: Sequence[ToolResult]
) -> Iterator[Violation]:
    """Yield the calls that were to succeed and fail in the world; where others follow none may fail."""
    planned = Counter(call.tool.name for call in scenario.steps[len(history)].calls if call.outcome != SUCCESS)
    for place, (call, result) in enumerate(zip(draft.calls, results, strict=True)):
        if result.error_type is None:
            continue
        if KINDS[scenario.kind].values != "free in steps" and result.error_type not in _NOTHING_THERE:
            continue
        if planned[call.name]:
            planned[call.name] -= 1
            continue
        yield _refused(f"{call.name} fails here", result, place)


def _refused(what: str, result: ToolResult, place: int = 0) -> Violation:
    message = f"{what}: {result.error_message} Ask for what there is and can be done"
    return Violation(rule="LM013", pointer=f"/calls/{place}", message=message)


def _idle(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield the calls that set what is so already, or ask once more what was answered."""
    drafts = [*(each.draft for each in history), draft]
    worlds, calls = worlds_of(scenario, drafts), [call for each in drafts for call in each.calls]
    first = len(calls) - len(draft.calls)
    for number, call in enumerate(calls[first:], start=first):
        if is_so_already(worlds[number], worlds[number + 1]):
            message = f"{call.name} changes nothing: it is so already. Ask for what is not so yet"
        elif any(
            (each.name, each.arguments) == (call.name, call.arguments) and end.changes == worlds[number].changes
            for each, end in zip(calls[:first], worlds[1:], strict=False)
        ):
            message = f"{call.name} was called with these values before, and nothing has changed since. Ask for more"
        else:
            continue
        yield Violation(rule="LM015", pointer=f"/calls/{number - first}", message=message)


def _carrying_nothing(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Find fault with calls that were to be given something of earlier results, and are given nothing of them."""
    if draft.request is not None or not any(brought(scenario, len(history))):
        return
    said = said_in(scenario, history)
    if not any(carried_by(scenario, history, call, said) for call in draft.calls):
        message = "none of these calls has a value that a result brings and nobody has said: take it from there"
        yield Violation(rule="LM014", pointer="/calls", message=message)


def _lacking(scenario: Scenario, history: tuple[Exchange, ...]) -> Iterator[Violation]:
    """Yield what the calls that follow are to be given, and no result shows."""
    step = scenario.steps[len(history)]
    if step.request or not step.calls:
        return
    for call, names in zip(step.calls, brought(scenario, len(history)), strict=True):
        for name in names:
            planned = call.arguments[name]
            entity = entity_wanted(scenario, name, planned)
            if entity and not ids_shown(scenario, history, name, planned, history):
                what = f"{name} from a result, the id of one {entity.replace('_', ' ')}, and the results bring none"
            elif not entity and all(outcome_of(result) != "ok" for result in history[-1].results):
                what = f"{name} from a result, and the results bring nothing"
            else:
                continue
            message = f"{call.tool.name}, which follows, needs {what} that nobody has said: ask for what is found here"
            yield Violation(rule="LM014", pointer="/calls", message=message)


_UNSPOKEN = "All done."
"""Stands for the steps that are not written yet, where a draft is examined in the record it would make."""

OF_WHOLE_RECORDS = frozenset({"TC114", "TC211", "TC212"})
"""Rules that a record can keep only when its last step is written: what it is, and what became of each wish."""
OF_ORIGIN = frozenset({"TC201", "TC202", "TC203", "TC204"})
"""Rules that ask where values come from: told last, since they find fault with every value that is no value."""
_MESSAGE = re.compile("/messages/([0-9]+)")


def examiner(catalog: Catalog, author: str) -> Callable[[Scenario, tuple[Exchange, ...], Draft], list[Violation]]:
    """Return what examines one draft by every rule, as part of the record it would make.

    Where its values are those of the plan, the offline author writes the steps that follow. Where they are the
    model's own, nobody knows what follows: a neutral sentence ends the record, whose kind is judged as far as it has
    come. What is found is the draft's own.
    """
    made_by = Provenance.of(author, catalog)

    def examine(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> list[Violation]:
        results = answer_calls(scenario, draft, scenario.steps[len(history)], history)
        written = (*history, Exchange(draft, results))
        completed = None if scenario.free or KINDS[scenario.kind].replaceable else _completed(scenario, written)
        whole = completed is not None or len(written) == len(scenario.steps)
        if completed is None:
            completed = written if draft.reply is not None else (*written, Exchange(Draft(reply=_UNSPOKEN)))
        document = assemble(scenario, completed, made_by)
        found = errors_of(check(document, catalog=catalog))
        own = bool(scenario.system) + sum(map(message_count, written))
        kept = [one for one in found if _is_own(one, own) and (whole or one.rule not in OF_WHOLE_RECORDS)]
        if scenario.free and not whole:
            coming = {call.tool.name for step in scenario.steps[len(written) :] for call in step.calls}
            kept += check_under_way(document, frozenset(coming), catalog=catalog)
        kept += cannot_go_on(scenario, history, draft, results)
        return sorted(kept, key=lambda one: one.rule in OF_ORIGIN)

    return examine


def plan_fault(scenario: Scenario, catalog: Catalog, made_by: Provenance) -> Violation | None:
    """Return what is wrong with a plan whoever writes it: the first rule that its own wording breaks.

    Only of plans that are judged by how the offline author would go on: a model is not asked for what cannot pass.
    """
    if scenario.free or KINDS[scenario.kind].replaceable or (whole := _completed(scenario, ())) is None:
        return None
    found = errors_of(check(assemble(scenario, whole, made_by), catalog=catalog))
    if not found:
        return None
    message = f"the plan breaks {found[0].rule} by itself: {found[0].message}"
    return Violation(rule=NOT_PLANNED, pointer=found[0].pointer, message=message)


def _completed(scenario: Scenario, written: tuple[Exchange, ...]) -> tuple[Exchange, ...] | None:
    """Return the conversation with its missing steps as the offline author writes them; None where it cannot."""
    author = OfflineAuthor()
    for step in scenario.steps[len(written) :]:
        try:
            draft = author.write(scenario, written)
        except NoDraft:
            return None
        written = (*written, Exchange(draft, answer_calls(scenario, draft, step, written)))
    return written


def _is_own(violation: Violation, messages: int) -> bool:
    """Say whether a violation lies in the first messages of a record, or in no message."""
    match = _MESSAGE.match(violation.pointer)
    return match is None or int(match[1]) < messages
