"""Record trials: a domain's wordings in whole records, to find those that the examiner refuses each time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.authors.author import OfflineAuthor
from generator.domains.catalog import Catalog
from generator.domains.reading import Fault
from generator.errors import JobError
from generator.job import Job
from generator.kinds import KINDS
from generator.record import AcceptedRecord, Making, Repeat, finish, make_record
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import PlanError, Scenario
from generator.validation.verdict import Rejection
from generator.worlds.program import CompiledDomain
from generator.worlds.templates import Template
from generator.worlds.ways import Templates

_KINDS = tuple(name for name, kind in KINDS.items() if kind.shows_wordings)
_FEWEST = 3
"""Records of a wording that tell whether it is refused each time."""
_SHARE_OF_ROUNDS = 4
_LONGEST_TEXT = 120

Path = tuple[str | int, ...]


@dataclass(slots=True)
class _Wording:
    """What became of the records in which a wording was said."""

    accepted: int = 0
    rejections: list[Rejection] = field(default_factory=list)

    @property
    def is_refused(self) -> bool:
        """Whether no record passed, of enough."""
        return not self.accepted and len(self.rejections) >= _FEWEST

    def note(self, made: AcceptedRecord | Repeat | Rejection) -> None:
        """Note what became of a record."""
        if isinstance(made, AcceptedRecord):
            self.accepted += 1
        elif isinstance(made, Rejection):
            self.rejections.append(made)


def refused(catalog: Catalog, rounds: int) -> Iterator[Fault]:
    """Yield the wordings of a catalog's one domain that no record passes the examiner with.

    A quarter as many records as rounds are made for each way of each tool, of each kind that it can lead.
    """
    try:
        planner = Planner(Job(), catalog)
    except JobError:  # nothing can be made of these tools: the check tells why
        return
    met: defaultdict[Path, _Wording] = defaultdict(_Wording)
    for scenario in _scenarios(planner, catalog, rounds):
        made = finish(make_record(scenario, Making(OfflineAuthor(), catalog, tells_grounding=False)))
        compiled = planner.compiled_of(next(tool.key for tool in scenario.tools))
        for place in _places(compiled, scenario):
            met[place].note(made)
    for place, wording in met.items():
        if wording.is_refused:
            yield _fault(place, wording.rejections)


def _scenarios(planner: Planner, catalog: Catalog, rounds: int) -> Iterator[Scenario]:
    for tool in catalog.tools:
        ways = len(planner.compiled_of(tool.key).ways.get(tool.name, ()))
        for kind in _KINDS:
            if tool.key in planner.leads(kind):
                for visit in range(ways * max(1, rounds // _SHARE_OF_ROUNDS)):
                    try:
                        yield planner.trial(kind, tool.key, visit)
                    except PlanError:
                        continue  # the rehearsal tells what cannot be planned


def _places(compiled: CompiledDomain, scenario: Scenario) -> Iterator[Path]:
    """Yield where the first request of a record stands in its domain."""
    said = next((step.request_text for step in scenario.steps if step.request), "")
    for origin in scenario.origins:
        base: Path = tuple(int(part) if part.isdecimal() else part for part in origin.split("/"))
        for path, templates in _requests(compiled, base):
            yield from ((*path, number) for number, text in enumerate(templates) if _may_be(text, said))


def _requests(compiled: CompiledDomain, base: Path) -> Iterator[tuple[Path, Templates]]:
    """Yield the requests of a way or a task, each list with its path."""
    if base[0] == "tasks":
        task = next(each for each in compiled.tasks if each.number == base[1])
        yield (*base, "turns", 0, "requests"), task.turns[0].requests
        return
    way = next(each for each in compiled.ways[str(base[1])] if each.number == base[3])
    yield (*base, "requests"), way.requests
    if way.parallel is not None:
        yield (*base, "parallel", "requests"), way.parallel[1]


def _may_be(template: Template, said: str) -> bool:
    """Say whether a text may be what was made of a template: it has the plain parts in their order."""
    plain = (re.escape(part) if isinstance(part, str) else ".+" for part in template.parts)
    return re.fullmatch("".join(plain), said, re.DOTALL) is not None


def _fault(place: Path, rejections: list[Rejection]) -> Fault:
    rules = Counter(each.violations[0].rule for each in rejections)
    (rule, _), *_ = rules.most_common(1)
    shown = next(each for each in rejections if each.violations[0].rule == rule)
    text = shown.request if len(shown.request) <= _LONGEST_TEXT else f"{shown.request[:_LONGEST_TEXT]}..."
    broken = shown.violations[0]
    why = f"{broken.message} ({rule} at {broken.pointer or '/'})"
    what = f"each of {len(rejections)} records that say this is refused: {why}: {text!r}"
    return Fault(place, what, f"say it in other words; `toolgen rule {rule}` tells what is held against it")
