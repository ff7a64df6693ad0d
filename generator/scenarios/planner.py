"""The planner: scenario number i of a job, a function of the job, its catalog and i alone; and how many differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from math import isqrt

from generator.domains.catalog import Catalog
from generator.domains.deriving import derive_domain
from generator.errors import JobError
from generator.job import Job
from generator.jsontext import dump_compact
from generator.kinds import DEFAULT_MIX, KINDS
from generator.lengths import open_counter
from generator.masking import can_be_masked
from generator.random_streams import derive_seed, stream
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.catalog_index import CatalogIndex
from generator.scenarios.plan_state import new_plan_state
from generator.scenarios.planning_context import PlanningContext
from generator.scenarios.scenario import Blueprint, PlanError, Scenario, draw_persona, tell_date
from generator.scenarios.schedule import Claims, Schedule, schedule
from generator.suggestions import did_you_mean
from generator.tools import Tool
from generator.worlds.program import CompiledDomain, compiled_domain

_ATTEMPTS_WITH_TOOL = 3
"""Attempts that keep the tool whose turn it is. Later ones take another tool."""
ATTEMPTS_OF_A_KIND = 16
"""Attempts that keep to a kind that stands in a mix of several."""
_TRIALS = 4
"""How often a tool is tried that a kind tries beforehand."""
_MOST_TRIED = 40
"""Leading tools of a kind that are all tried beforehand; of more, one will lead."""
_MOST_PASSED_OVER = 8
"""Tools that are passed over since their trials came to nothing."""
_STANDING_IN = tuple(
    sorted((name for name, kind in KINDS.items() if kind.stands_in), key=lambda name: KINDS[name].stands_in)
)
"""Kinds that stand in for one which these tools cannot serve after all."""
_RANDOM_VISIT_BITS = 24
_SHARE_OF_TOOLS = 0.7
"""What tools may take of a record whose length is limited."""
_DAY = re.compile(r'"\d{4}-\d{2}-\d{2}(?!\d)')
"""A text of a call that is a date, or begins with one."""


class Planner:
    """Plans every index of one job over one catalog.

    Raises:
        JobError: the mix names an unknown kind, or no kind that the catalog can serve.
    """

    def __init__(self, job: Job, catalog: Catalog) -> None:
        self._job = job
        self._prepared = prepared(catalog)
        self._catalog_index = self._prepared.index
        self._leads = self._prepared.leads
        self.mix, self.dropped = self._served(job)
        """Weights of the kinds that are planned; and, by kind, why a kind of the mix is not."""
        self._schedule: Schedule = schedule(self.mix)
        self._lead_sets = {name: frozenset(keys) for name, keys in self._leads.items()}
        needs = {key: self._visits_needed(tool) for key, tool in self._catalog_index.tools.items()}
        self._counter = open_counter(job.tokenizer)
        self._require_room()
        self._claims = Claims(job.seed, self._catalog_index.every, self._admits, needs)

    @property
    def origins(self) -> Counter[str]:
        """Return how many tools there are by what is known about them: written, by a model, derived."""
        return self._prepared.origins

    def compiled_of(self, key: str) -> CompiledDomain:
        """Return what is known about a tool, by its key."""
        return self._prepared.compiled_of(key)

    @property
    def tool_names(self) -> frozenset[str]:
        """The names of all tools."""
        return frozenset(tool.name for tool in self._catalog_index.tools.values())

    def leads(self, kind: str) -> tuple[str, ...]:
        """Return the keys of the tools that can lead a kind."""
        return self._leads[kind]

    def kind_at(self, index: int, attempt: int = 0) -> str:
        """Return the kind planned for this index.

        Where the mix has several kinds, and nothing has come of one with these tools for many attempts, the later
        attempts are of a kind that most tools can lead: it gives its share away.
        """
        kind = self._schedule.kind_at(index)
        if len(self.mix) == 1 or attempt < ATTEMPTS_OF_A_KIND:
            return kind
        plain = [name for name in (*_STANDING_IN, *self.mix) if name in self.mix and name != kind]
        return plain[(index + attempt // ATTEMPTS_OF_A_KIND) % min(len(plain), len(_STANDING_IN))]

    def counts(self, count: int) -> Counter[str]:
        """Return how many of the first `count` indices are planned for each kind."""
        return self._schedule.counts(count)

    def plan(self, index: int, attempt: int = 0) -> Scenario:
        """Plan scenario `index`; each attempt number gives another plan of the same kind.

        Raises:
            PlanError: this attempt cannot be planned; ask for the next one.
        """
        name = self.kind_at(index, attempt)
        lead, visit = self._lead(name, index, attempt)
        seed = derive_seed(self._job.seed, "record", index, attempt)
        return self._scenario(name, lead, visit, seed, index, attempt)

    def trial(self, kind: str, lead: str, visit: int) -> Scenario:
        """Plan a record of a kind for a tool, by its key, at one of its visits, as a check of its domain does.

        Raises:
            PlanError: nothing comes of it.
        """
        return self._scenario(kind, lead, visit, derive_seed("check", kind, lead, visit), visit, 0)

    def _scenario(self, name: str, lead: str, visit: int, seed: int, index: int, attempt: int) -> Scenario:
        random = stream(seed, "plan")
        locale = random.choice(self._job.locale)
        today = self._job.today_at(index)
        blueprint = LAYOUTS[name].blueprint(self._context(lead, visit, seed, locale, today, attempt))
        shown = tuple(self._catalog_index.tools[key] for key in blueprint.shown)
        shown = self._fitting(shown, blueprint, KINDS[name].beside)
        free = self._is_free(name, blueprint)
        system = blueprint.system
        says_days = free or (self._job.author == "llm" and _holds_day(blueprint))
        if says_days and not blueprint.states_date:  # whoever finds words of their own may say "next Friday"
            system = f"{system} {tell_date(stream(seed, 'date'), today)}".lstrip()
        return Scenario(
            index=index,
            attempt=attempt,
            seed=seed,
            kind=name,
            tools=shown,
            steps=blueprint.steps,
            persona=draw_persona(random),
            locale=locale,
            reference_date=today,
            world=blueprint.world,
            system=system,
            states_date=says_days or blueprint.states_date,
            masked=self._is_masked(index, shown, blueprint.system),
            free=free,
            judged=self._is_judged(name, locale),
            claim=blueprint.claim,
            origins=blueprint.origins,
        )

    def _require_room(self) -> None:
        """Refuse a length that no tool leaves room in.

        Raises:
            JobError: each tool alone is longer.
        """
        most = self._job.max_length
        if most is None:
            return
        tools = self._catalog_index.tools.values()
        tokens, name = min((self._counter.count(dump_compact(tool.shown)), tool.name) for tool in tools)
        if tokens >= most:
            raise JobError(
                f"--max-length {most}: no tool leaves room; the shortest, {name}, has {tokens:,} tokens alone"
            )

    def _fitting(self, shown: tuple[Tool, ...], blueprint: Blueprint, others: int) -> tuple[Tool, ...]:
        """Leave out tools that are shown and not called, the longest first, where a record would come out too long.

        So many others as the kind needs stay, and what the claim names: without these it were another kind of record.
        """
        if self._job.max_length is None:
            return shown
        room = self._job.max_length * _SHARE_OF_TOOLS
        needed = {call.tool.key for call in blueprint.calls}
        claimed = dump_compact(blueprint.claim)
        lengths = {tool.key: self._counter.count(dump_compact(tool.shown)) for tool in shown}
        kept = list(shown)
        for tool in sorted(shown, key=lambda tool: -lengths[tool.key]):
            if sum(lengths[each.key] for each in kept) <= room or len(kept) <= 1 + others:
                break
            if tool.key not in needed and f'"{tool.name}"' not in claimed:
                kept.remove(tool)
        return tuple(kept)

    def _is_judged(self, kind: str, locale: str) -> bool:
        """Say whether a second opinion judges a record: what rests on wording, and what is not worded in English."""
        if self._job.author != "llm" or self._job.verify in ("off", "blind"):
            return False
        return self._job.verify != "auto" or KINDS[kind].rests_on_wording or not locale.startswith("en")

    def _is_free(self, kind: str, blueprint: Blueprint) -> bool:
        """Say whether a model finds values of its own: what follows can follow from others than those drawn.

        Where a yes is asked for, question and yes are planned around the values.
        """
        values = KINDS[kind].values
        if self._job.author != "llm" or self._job.freedom != "world" or values == "planned":
            return False
        if _rests_on_examples(blueprint):
            return False
        asks = any(step.act == "confirm" for step in blueprint.steps)
        return not asks and (values == "free in steps" or sum(bool(step.calls) for step in blueprint.steps) == 1)

    def _context(self, lead: str, visit: int, seed: int, locale: str, today: date, attempt: int = 0) -> PlanningContext:
        """Return what the blueprint of a record works with."""
        compiled = self.compiled_of(lead)
        return PlanningContext(
            index=self._catalog_index,
            compiled=compiled,
            lead=lead,
            visit=visit,
            state=new_plan_state(compiled, seed, today, locale),
            error_rate=self._job.error_rate,
            reference_date=today,
            locale=locale,
            attempt=attempt,
            seed=self._job.seed,
        )

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
        return self._catalog_index.tools[self._lead(self.kind_at(index, attempt), index, attempt)[0]]

    def _lead(self, kind: str, index: int, attempt: int) -> tuple[str, int]:
        """The leading tool and its visit number: its own claim first, else its point on the ring."""
        claim = self._claims.holder(index) if attempt < _ATTEMPTS_WITH_TOOL else None
        if claim is not None:
            return claim
        turn = max(0, attempt - _ATTEMPTS_WITH_TOOL + 1)
        random = stream(self._job.seed, "lead", index, turn)
        ring = self._catalog_index.ring(self._leads[kind])
        (key,) = ring.pick(random)
        passed: tuple[str, ...] = ()
        while not self._comes_off(kind, key) and len(passed) < min(_MOST_PASSED_OVER, len(ring.keys) - 1):
            passed = (*passed, key)
            (key,) = ring.pick(random, without=passed)
        if not KINDS[kind].calls:
            return key, self._schedule.rank_at(index)
        return key, random.getrandbits(_RANDOM_VISIT_BITS)

    def _comes_off(self, kind: str, key: str) -> bool:
        """Say whether a tool that may lead a kind ever does, by a few trials, which depend on its domain and the job.

        What leads to nothing there is not planned in vain each time.
        """
        if not KINDS[kind].tried:
            return True
        job = self._job
        trial = (kind, key, str(job.seed), job.locale[0], job.reference_date.isoformat(), str(job.error_rate))
        return self._prepared.tried(trial, lambda: any(self._is_played(kind, key, number) for number in range(_TRIALS)))

    def _can_be_led(self, kind: str) -> bool:
        """Say whether a tool can lead a kind; where a few trials of each of a few tools come to nothing, none can."""
        keys = self._leads[kind]
        return len(keys) > _MOST_TRIED or any(self._comes_off(kind, key) for key in keys)

    def _is_played(self, kind: str, key: str, number: int) -> bool:
        job, seed = self._job, derive_seed("trial", kind, key, number)
        context = self._context(key, number, seed, job.locale[0], job.reference_date)
        try:
            LAYOUTS[kind].blueprint(context)
        except PlanError:
            return False
        return True

    def _visits_needed(self, tool: Tool) -> int:
        """Return how many visits show all of a tool: one for each way in which it is wanted."""
        return max(1, len(self.compiled_of(tool.key).ways.get(tool.name, ())))

    def _admits(self, key: str, index: int, turn: int) -> bool:
        """Say whether a tool may claim an index: one whose record calls it."""
        name = self.kind_at(index)
        return KINDS[name].calls and key in self._lead_sets[name] and self._comes_off(name, key)

    def _served(self, job: Job) -> tuple[dict[str, float], dict[str, str]]:
        asked = _asked(job)
        lacking = {name: f"it needs {KINDS[name].need}" for name in asked if not self._can_be_led(name)}
        if lacking and len(lacking) == len(asked):
            reasons = "; ".join(f"{name}: {reason}" for name, reason in lacking.items())
            raise JobError(f"these tools cannot serve what is asked for: {reasons}")
        return {name: weight for name, weight in asked.items() if name not in lacking}, lacking


def after_repeat(attempt: int, attempts: int) -> int:
    """Return the attempt that follows one with a request that an earlier record has.

    A tool that repeats itself has little left to be asked for: another one takes its turn, where attempts are left.
    """
    return _ATTEMPTS_WITH_TOOL if attempt < _ATTEMPTS_WITH_TOOL < attempts else attempt + 1


def _asked(job: Job) -> dict[str, float]:
    """Return the kinds that a job asks for, with their weights.

    Raises:
        JobError: one is unknown.
    """
    asked = {name: weight for name, weight in (job.mix or DEFAULT_MIX).items() if weight > 0}
    for name in asked:
        _require_known(name)
    return asked


def _rests_on_examples(blueprint: Blueprint) -> bool:
    """Say whether a tool that is called is known by worked examples alone, and has answers to nothing else."""
    known = blueprint.world.program.tools
    return any(call.tool.name in known and known[call.tool.name].examples for call in blueprint.calls)


def _holds_day(blueprint: Blueprint) -> bool:
    """Say whether a call of a plan has a date among its values."""
    calls = [call for step in blueprint.steps for call in (*step.calls, *step.about)]
    return any(_DAY.search(dump_compact(call.arguments)) for call in calls)


def _require_known(name: str) -> None:
    if name not in KINDS:
        hint = did_you_mean(name, KINDS) or f"the kinds are {', '.join(KINDS)}"
        raise JobError(f"unknown kind {name!r} in the mix; {hint}")


_KEPT = 4
"""Catalogs that are kept prepared."""


class PreparedCatalog:
    """What planners of one catalog share: compiled once, it serves any job."""

    def __init__(self, catalog: Catalog) -> None:
        self.index = CatalogIndex(catalog)
        self._compiled = {
            domain.name: compiled_domain(domain, catalog.domain_tools[domain.name]) for domain in catalog.domains
        }
        self._derived: dict[str, str] = {}
        self._derive(catalog)
        self._trials: dict[tuple[str, ...], bool] = {}
        self.leads = {kind: self._leads_of(kind) for kind in KINDS}
        """The keys of the tools that can lead each kind."""

    def _derive(self, catalog: Catalog) -> None:
        """Compile domains for the tools that no file speaks of, from what their definitions state."""
        for toolset, tools in catalog.toolsets.items():
            rest = [tool for tool in tools if tool.domain not in self._compiled]
            if rest:
                compiled = compiled_domain(derive_domain(rest, f"{toolset}\x1f"), rest)
                self._compiled[compiled.domain.name] = compiled
                self._derived |= {tool.key: compiled.domain.name for tool in rest}

    @property
    def origins(self) -> Counter[str]:
        """Return how many tools there are by what is known about them: written, by a model, derived."""
        return Counter(self.compiled_of(key).domain.origin for key in self.index.every)

    def compiled_of(self, key: str) -> CompiledDomain:
        """Return what is known about a tool, by its key."""
        return self._compiled[self._derived.get(key) or self.index.tools[key].domain]

    def tried(self, trial: tuple[str, ...], comes_off: Callable[[], bool]) -> bool:
        """Return what came of a trial, which is made once for all jobs to which it is the same."""
        if (found := self._trials.get(trial)) is None:
            found = self._trials[trial] = comes_off()
        return found

    def _leads_of(self, kind: str) -> tuple[str, ...]:
        """Return the keys of the tools that can lead a kind, by what their domains know."""
        found = [
            compiled.tools[name].key for compiled in self._compiled.values() for name in LAYOUTS[kind].leads(compiled)
        ]
        beside = KINDS[kind].beside
        return tuple(key for key in found if self.index.company(key, beside + 1) > beside)


class _Loaded:
    """A catalog, equal to another that says the same of tools from the same places: it is loaded again."""

    __slots__ = ("_places", "catalog")

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._places = tuple((tool.key, tool.source) for tool in catalog.tools)

    def __hash__(self) -> int:
        return hash(self._places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Loaded) or self._places != other._places:
            return False
        return self.catalog is other.catalog or self.catalog.digest == other.catalog.digest


def prepared(catalog: Catalog) -> PreparedCatalog:
    """Return a catalog prepared for planning: made once, also where the same files are loaded again."""
    return _opened(_Loaded(catalog))


@lru_cache(maxsize=_KEPT)
def _opened(loaded: _Loaded) -> PreparedCatalog:
    return PreparedCatalog(loaded.catalog)


def first_plan(planner: Planner, job: Job, index: int) -> Scenario | PlanError:
    """Plan an index as often as its job allows; return why it cannot be planned where it cannot."""
    refusal: PlanError | None = None
    for attempt in range(job.attempts):
        try:
            return planner.plan(index, attempt)
        except PlanError as error:
            refusal = error
    return refusal or PlanError("the job allows no attempt")


_FEWEST = 20
"""Records of a kind for which it is worth while to look."""
_SURE = 3
"""Requests that must come again before anything is concluded from it."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """A kind for which the tools can be given fewer different requests than records are asked for."""

    kind: str
    asked: int
    possible: int
    """An estimate, rather too low than too high."""

    def __str__(self) -> str:
        return f"{self.kind} {self.asked:,} (about {self.possible:,})"


def shortages(planner: Planner, count: int) -> list[Shortage]:
    """Return the kinds that fall short, by some plans of the first `count` records.

    No two records of a run have the same request, so a kind ends where its requests are spent.
    """
    found = []
    for kind, met in _requests(planner, count).items():
        asked, possible = planner.counts(count)[kind], unseen(met)
        if met.total() - len(met) >= _SURE and possible < asked:
            found.append(Shortage(kind, asked, possible))
    return found


def unseen(met: Counter[str]) -> int:
    """Estimate how many different things there are, by how often each was met among some (Chao's estimate)."""
    once, twice = (sum(1 for many in met.values() if many == times) for times in (1, 2))
    return len(met) + once * (once - 1) // (2 * (twice + 1))


def _requests(planner: Planner, count: int) -> dict[str, Counter[str]]:
    """Return the requests of some plans of each kind: more plans where more are asked for, by the square root."""
    wanted = {kind: isqrt(9 * asked // 4) + 4 for kind, asked in planner.counts(count).items() if asked >= _FEWEST}
    found: dict[str, Counter[str]] = {kind: Counter() for kind in wanted}
    left = Counter(wanted)
    for index in range(count):
        if not left:
            break
        kind = planner.kind_at(index)
        if kind in left:
            left -= Counter({kind: 1})
            try:
                found[kind][_request(planner.plan(index))] += 1
            except PlanError:
                continue
    return found


def _request(scenario: Scenario) -> str:
    return "\n".join(step.request_text.casefold() for step in scenario.steps if step.request)
