"""Examining what a model proposes by every rule, as part of the record it would make: plans first, then each draft."""

from __future__ import annotations

import re
from collections.abc import Callable

from generator.assembly import Provenance, assemble, message_count
from generator.authors.author import NoDraft
from generator.authors.llm.draft_checks import cannot_go_on
from generator.authors.offline import OfflineAuthor
from generator.domains.catalog import Catalog
from generator.kinds import KINDS
from generator.records.calls import Draft, Exchange
from generator.scenarios.results import answer_calls
from generator.scenarios.scenario import NOT_PLANNED, Scenario
from generator.validation import check, check_under_way
from generator.validation.verdict import Violation, errors_of

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
