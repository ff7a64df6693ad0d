"""The planner: scenario number i of a job, a function of the job, its catalog and i alone."""

from __future__ import annotations

from collections import Counter
from random import Random

from generator.domains.catalog import Catalog
from generator.domains.deriving import derive_domain
from generator.errors import JobError
from generator.job import Job
from generator.masking import can_be_masked
from generator.scenarios.arguments import CallPlanner
from generator.scenarios.blueprints.table import DOMAIN_KINDS
from generator.scenarios.choice import Claims
from generator.scenarios.coverage import visits_needed
from generator.scenarios.kind import Kind
from generator.scenarios.kinds import KINDS
from generator.scenarios.mix import DEFAULT_MIX, Schedule, schedule
from generator.scenarios.play import Play
from generator.scenarios.scenario import Scenario
from generator.scenarios.sketch import Sketch
from generator.scenarios.stage import set_stage
from generator.scenarios.stock import Stock
from generator.scenarios.voices import draw_voice
from generator.streams import derive_seed, stream
from generator.suggest import did_you_mean
from generator.tools.tool import Tool
from generator.worlds.playbook import Playbook, open_playbook

_ATTEMPTS_AS_PLANNED = 2
"""Attempts that keep the tool and the parameters whose turn it is; only values change."""
_ATTEMPTS_WITH_TOOL = 3
"""Attempts that keep the tool; the last of them gives required parameters alone. Later ones take another tool."""
_ATTEMPTS_OF_A_KIND = 16
"""Attempts that keep to a kind of the default mix."""
_STANDING_IN = ("simple", "multiple", "irrelevance", "parallel")
"""Kinds that stand in for one which these tools cannot serve after all."""
_OF_ONE_CALL = frozenset({"simple", "multiple", "many_tools"})
"""Kinds whose one request can take any form."""
_RANDOM_VISIT_BITS = 24


class Planner:
    """Plans every index of one job over one catalog.

    Raises:
        JobError: the mix names an unknown kind, or explicitly asks for a kind the catalog cannot serve.
    """

    def __init__(self, job: Job, catalog: Catalog) -> None:
        self._job = job
        self._stock = Stock(catalog)
        self._books = {
            domain.name: open_playbook(domain, catalog.domain_tools[domain.name]) for domain in catalog.domains
        }
        self._derived: dict[str, str] = {}
        self._derive(catalog)
        self._leads = {name: self._leads_of(name) for name in KINDS}
        self.mix, self.dropped = self._served(job)
        """Weights of the kinds that are planned; and, by kind, why a kind of the default mix is not."""
        self._schedule: Schedule = schedule(self.mix)
        self._lead_sets = {name: frozenset(keys) for name, keys in self._leads.items()}
        needs = {key: self._visits_needed(tool) for key, tool in self._stock.tools.items()}
        self._claims = Claims(job.seed, self._stock.every, self._admits, needs)

    def _derive(self, catalog: Catalog) -> None:
        """Open playbooks for the tools that no domain speaks of, from what their definitions state."""
        for toolset, tools in catalog.toolsets.items():
            rest = [tool for tool in tools if not tool.domain]
            if rest:
                book = open_playbook(derive_domain(rest, f"{toolset}\x1f"), rest)
                self._books[book.domain.name] = book
                self._derived |= {tool.key: book.domain.name for tool in rest}

    def _leads_of(self, kind: str) -> tuple[str, ...]:
        """Return the keys of the tools that can lead a kind, by what their domains know."""
        played = DOMAIN_KINDS[kind]
        found = [book.tools[name].key for book in self._books.values() for name in played.leads(book)]
        return tuple(key for key in found if len(self._stock.mates(key)) >= played.mates)

    def kind_at(self, index: int, attempt: int = 0) -> str:
        """Return the kind planned for this index.

        Where the default mix is taken, and nothing has come of a kind with these tools for many attempts, the later
        ones are of a kind that every tool can lead: nobody asked for that very kind, but for that many records.
        """
        kind = self._schedule.kind_at(index)
        if self._job.mix is not None or attempt < _ATTEMPTS_OF_A_KIND:
            return kind
        plain = [name for name in _STANDING_IN if name in self.mix and name != kind] or [kind]
        return plain[(index + attempt // _ATTEMPTS_OF_A_KIND) % len(plain)]

    def counts(self, count: int) -> Counter[str]:
        """Return how many of the first `count` indices are planned for each kind."""
        return self._schedule.counts(count)

    def plan(self, index: int, attempt: int = 0) -> Scenario:
        """Plan scenario `index`; each attempt number gives another plan of the same kind.

        Raises:
            PlanError: this attempt cannot be planned; ask for the next one.
        """
        kind = KINDS[self.kind_at(index, attempt)]
        lead, visit = self._lead(kind, index, attempt)
        seed = derive_seed(self._job.seed, "record", index, attempt)
        random = stream(seed, "plan")
        locale = random.choice(self._job.locale)
        voice = draw_voice(random, self._job.reference_date)
        in_full = self._is_in_full(kind, index, attempt)
        bare = attempt >= _ATTEMPTS_AS_PLANNED and not in_full
        book = self._book_of(lead)
        if book is not None and kind.name in DOMAIN_KINDS:
            blueprint = DOMAIN_KINDS[kind.name].blueprint(self._play(book, lead, visit, seed, locale))
        else:
            blueprint = kind.blueprint(self._sketch(lead, visit, random, locale, bare=bare))
        own = blueprint.system is not None
        tools = self._stock.tools
        shown = tuple(tools[key] for key in blueprint.shown)
        return Scenario(
            index=index,
            attempt=attempt,
            seed=seed,
            kind=kind.name,
            tools=shown,
            steps=blueprint.steps,
            persona=voice.persona,
            locale=locale,
            reference_date=self._job.reference_date,
            system=voice.system if blueprint.system is None else blueprint.system,
            states_date=blueprint.states_date if own else voice.states_date,
            in_full=in_full,
            masked=self._is_masked(index, shown, blueprint.system or ""),
            claim=blueprint.claim,
            world=blueprint.world,
        )

    def _book_of(self, key: str) -> Playbook | None:
        return self._books.get(self._stock.tools[key].domain or self._derived.get(key, ""))

    def _play(self, book: Playbook, lead: str, visit: int, seed: int, locale: str) -> Play:
        """Return what the blueprint of a record over a domain works with."""
        return Play(
            stock=self._stock,
            book=book,
            lead=lead,
            visit=visit,
            stage=set_stage(book, seed, self._job.reference_date, locale),
            error_rate=self._job.error_rate,
            reference_date=self._job.reference_date,
            locale=locale,
        )

    def _sketch(self, lead: str, visit: int, random: Random, locale: str, *, bare: bool) -> Sketch:
        """Return what the blueprint of a record works with."""
        planner = CallPlanner(
            random,
            visit,
            bare=bare,
            error_rate=self._job.error_rate,
            locale=locale,
            reference_date=self._job.reference_date,
        )
        tools = self._stock.tools
        return Sketch(
            self._stock,
            lead,
            random,
            calls=lambda key, count: planner.plan(tools[key], count),
            call=lambda key, **given: planner.plan_one(tools[key], **given),
            locale=locale,
            reference_date=self._job.reference_date,
        )

    def _is_in_full(self, kind: Kind, index: int, attempt: int) -> bool:
        """Say whether what has its turn at an index is to be said in this attempt in any form that says it all."""
        last = attempt == _ATTEMPTS_WITH_TOOL - 1
        return last and kind.name in _OF_ONE_CALL and self._claims.holder(index) is not None

    def _is_masked(self, index: int, shown: tuple[Tool, ...], system: str) -> bool:
        """Say whether a record is masked: of those that can be, the share that the job asks for.

        A system message that names a tool would name what nobody sees.
        """
        if any(tool.name in system for tool in shown):
            return False
        if not self._job.mask or stream(self._job.seed, "masked", index).random() >= self._job.mask:
            return False
        return bool(shown) and all(can_be_masked(tool.parameters) for tool in shown)

    def lead_at(self, index: int, attempt: int = 0) -> Tool:
        """Return the tool that leads this attempt; needs no value to be synthesized."""
        return self._stock.tools[self._lead(KINDS[self.kind_at(index, attempt)], index, attempt)[0]]

    def _lead(self, kind: Kind, index: int, attempt: int) -> tuple[str, int]:
        """The leading tool and its visit number: its own claim first, else its point on the ring."""
        claim = self._claims.holder(index) if attempt < _ATTEMPTS_WITH_TOOL else None
        if claim is not None:
            return claim
        turn = max(0, attempt - _ATTEMPTS_WITH_TOOL + 1)
        random = stream(self._job.seed, "lead", index, turn)
        (key,) = self._stock.ring(self._leads[kind.name]).pick(random)
        return key, random.getrandbits(_RANDOM_VISIT_BITS)

    def _visits_needed(self, tool: Tool) -> int:
        """Return how many visits show all of a tool: one for each way, and those of each optional parameter."""
        book = self._book_of(tool.key)
        return visits_needed(tool.parameters) if book is None else len(book.ways.get(tool.name, ()))

    def _admits(self, key: str, index: int, turn: int) -> bool:
        """Say whether a tool may claim an index: on its further claims, where one call can say all in any form."""
        kind = KINDS[self.kind_at(index)]
        if turn and kind.name not in _OF_ONE_CALL and not _OF_ONE_CALL.isdisjoint(self.mix):
            return False
        return kind.calls and key in self._lead_sets[kind.name]

    def _served(self, job: Job) -> tuple[dict[str, float], dict[str, str]]:
        asked = {name: weight for name, weight in (job.mix or DEFAULT_MIX).items() if weight > 0}
        for name in asked:
            _require_known(name)
        lacking = {name: f"it needs {KINDS[name].need}" for name in asked if not self._leads[name]}
        if lacking and (job.mix or len(lacking) == len(asked)):
            reasons = "; ".join(f"{name}: {reason}" for name, reason in lacking.items())
            raise JobError(f"the catalog cannot serve what the mix asks for: {reasons}")
        return {name: weight for name, weight in asked.items() if name not in lacking}, lacking


def _require_known(name: str) -> None:
    if name not in KINDS:
        hint = did_you_mean(name, KINDS) or f"the kinds are {', '.join(KINDS)}"
        raise JobError(f"unknown kind {name!r} in the mix; {hint}")
