"""Repertoire: a catalog ready to be planned over, whatever the job: its domains compiled, and which tools lead what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from generator.domains.catalog import Catalog
from generator.domains.deriving import derive_domain
from generator.identity import Same
from generator.kinds import KINDS
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.stock import Stock
from generator.worlds.playbook import Playbook, open_playbook

_KEPT = 4
"""Catalogs whose repertoires are kept."""


class Repertoire:
    """What planners of one catalog share: compiled once, it serves any job."""

    def __init__(self, catalog: Catalog) -> None:
        self.stock = Stock(catalog)
        self._books = {
            domain.name: open_playbook(domain, catalog.domain_tools[domain.name]) for domain in catalog.domains
        }
        self._derived: dict[str, str] = {}
        self._derive(catalog)
        self._trials: dict[tuple[str, ...], bool] = {}
        self.leads = {kind: self._leads_of(kind) for kind in KINDS}
        """The keys of the tools that can lead each kind."""

    def _derive(self, catalog: Catalog) -> None:
        """Open playbooks for the tools that no domain speaks of, from what their definitions state."""
        for toolset, tools in catalog.toolsets.items():
            rest = [tool for tool in tools if tool.domain not in self._books]
            if rest:
                book = open_playbook(derive_domain(rest, f"{toolset}\x1f"), rest)
                self._books[book.domain.name] = book
                self._derived |= {tool.key: book.domain.name for tool in rest}

    @property
    def origins(self) -> Counter[str]:
        """Return how many tools there are by what is known about them: written, by a model, derived."""
        return Counter(self.book_of(key).domain.origin for key in self.stock.every)

    def book_of(self, key: str) -> Playbook:
        """Return what is known about a tool, by its key."""
        return self._books[self._derived.get(key) or self.stock.tools[key].domain]

    def tried(self, trial: tuple[str, ...], comes_off: Callable[[], bool]) -> bool:
        """Return what came of a trial, which is made once for all jobs to which it is the same."""
        if (found := self._trials.get(trial)) is None:
            found = self._trials[trial] = comes_off()
        return found

    def _leads_of(self, kind: str) -> tuple[str, ...]:
        """Return the keys of the tools that can lead a kind, by what their domains know."""
        found = [book.tools[name].key for book in self._books.values() for name in LAYOUTS[kind].leads(book)]
        beside = KINDS[kind].beside
        return tuple(key for key in found if self.stock.company(key, beside + 1) > beside)


def repertoire_of(catalog: Catalog) -> Repertoire:
    """Return the repertoire of a catalog, made once."""
    return _opened(Same(catalog))


@lru_cache(maxsize=_KEPT)
def _opened(same: Same[Catalog]) -> Repertoire:
    return Repertoire(same.held)
