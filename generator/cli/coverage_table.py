"""How much of what the tools offer the records use, as a table and a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.table import Table

from generator.runs.covered import Coverage

_SHOWN_UNUSED = 5
_SHOWN_COUNTS = 12


def coverage_table(coverage: Coverage) -> Table:
    """Return the shares of tools, optional parameters and enumerated values that some record uses."""
    table = Table(box=box.SIMPLE)
    table.add_column("coverage")
    for column in ("used", "all", "share"):
        table.add_column(column, justify="right")
    rows = (
        ("tools called", coverage.tools),
        ("optional parameters", coverage.optional_parameters),
        ("enum values", coverage.enum_values),
    )
    for what, share in rows:
        table.add_row(what, f"{share.used:,}", f"{share.all:,}", f"{share.share:.1%}")
    return table


def _proof(rungs: Mapping[str, int]) -> Iterator[str]:
    """Yield the shares of the values by what vouches for them."""
    vouched = {"by construction": rungs.get("construction", 0), "by a model": rungs.get("asserted", 0)}
    values = sum(rungs.values())
    for how, count in {"by text": values - sum(vouched.values()), **vouched}.items():
        if count:
            yield f"{how} {count / values:.1%}"


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """Yield what else is counted, a line each; nothing where there are no records."""
    values = sum(coverage.rungs.values())
    if values:
        yield _line("grounding", (f"{rung} {count / values:.1%}" for rung, count in coverage.rungs.items()))
        yield _line("proof", _proof(coverage.rungs))
    every = coverage.tools.all
    yield from _counted("kind x tool", {kind: f"{len(tools):,} of {every:,}" for kind, tools in coverage.kinds.items()})
    yield from _counted("calls", coverage.calls_per_record)
    yield from _counted("tools shown", coverage.tools_shown)
    yield from _counted("errors", coverage.errors)
    unused = [f"{name} ({each.unused[0]})" for name, each in coverage.by_tool.items() if each.unused]
    if unused:
        more = f" and {len(unused) - _SHOWN_UNUSED:,} more" if len(unused) > _SHOWN_UNUSED else ""
        yield _line("not used", unused[:_SHOWN_UNUSED]) + more


def _counted(what: str, counts: Mapping[str, int | str]) -> Iterator[str]:
    shown = [f"{name}: {count:,}" if isinstance(count, int) else f"{name} {count}" for name, count in counts.items()]
    if shown:
        more = f" and {len(shown) - _SHOWN_COUNTS} more" if len(shown) > _SHOWN_COUNTS else ""
        yield _line(what, shown[:_SHOWN_COUNTS]) + more


def _line(what: str, parts: Iterator[str] | list[str]) -> str:
    return f"{what:<11} " + ", ".join(parts)
