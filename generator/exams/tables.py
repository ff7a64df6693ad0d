"""The results of an exam as tables: for the terminal, narrow or wide, and for the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.exams.grades import METRICS
from generator.exams.results import Against, Exam, Figures, Gap, Mean, ModelResult, Share, ToolFigures
from generator.reports.table import Column, Table, columns

_NOTHING = "–"
_MOST_PARAMETERS = 4


def exam_tables(exam: Exam, most_tools: int | None = None) -> Iterator[Table]:
    """Yield the tables of an exam: the metrics, the kinds, the tools of each model, and the comparisons.

    `most_tools` is how many tools are told of a model, those with the lowest share of right calls first.
    """
    if any(model.figures is not None for model in exam.models):
        yield metrics_table(exam.models)
        yield kinds_table(exam.models)
    for model in exam.models:
        if model.tools:
            yield tools_table(model, most_tools, named=len(exam.models) > 1)
    if exam.comparisons:
        yield comparison_table(exam.comparisons)


def metrics_table(models: Sequence[ModelResult]) -> Table:
    """Return what is counted of all turns."""
    if len(models) == 1:
        return Table(columns("turns", "count", "of", "share", "95 % interval"), _metrics(models[0].figures))
    told: set[str] = set().union(*(each.figures.metrics for each in models if each.figures is not None))
    shown = [metric.name for metric in METRICS if metric.name in told]
    lines = [(_words(name), *(_cell(each.figures, name) for each in models)) for name in shown]
    means = ("mean reward", *(_mean_cell(each.figures) for each in models))
    return Table(columns("turns", *(each.label for each in models)), [*lines, means])


def kinds_table(models: Sequence[ModelResult]) -> Table:
    """Return the right turns by kind."""
    kinds = sorted({kind for each in models for kind in each.kinds})
    if len(models) == 1:
        rows = [(kind, *_of_kind(models[0].kinds[kind])) for kind in kinds]
        return Table(columns("kind", "turns", "right", "95 % interval", "mean reward"), rows)
    lines = [(kind, _turns(models, kind), *(_cell(each.kinds.get(kind), "right") for each in models)) for kind in kinds]
    return Table(columns("kind", "turns", *(f"right: {each.label}" for each in models)), lines)


def tools_table(model: ModelResult, most: int | None = None, *, named: bool = False) -> Table:
    """Return the calls by tool, those with the lowest share of right ones first."""
    order = sorted(model.tools, key=lambda name: (_rank(model.tools[name]), name))
    head = f"tool ({model.label})" if named else "tool"
    shown = order[: most or len(order)]
    rows = [(name, *_of_tool(model.tools[name])) for name in shown]
    left = len(order) - len(shown)
    total = (f"and {left:,} more", "", "", "", "", "") if left else ()
    heads = columns(head, "called for", "called", "right", "needless")
    return Table((*heads, Column("wrong values", "left")), rows, total)


def comparison_table(comparisons: Sequence[Against]) -> Table:
    """Return the differences between models in the turns that both answered."""
    rows = [
        (f"{each.before} → {each.after}", f"{each.turns:,}", *_of_gap(each.right), *_signed(each.reward), each.verdict)
        for each in comparisons
    ]
    heads = columns("right turns", "turns", "points", "95 % interval", "better", "worse", "ties", "chance", "reward",
                    "95 % interval")  # fmt: skip
    return Table((*heads, Column("verdict", "left")), rows)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _metrics(figures: Figures | None) -> list[tuple[str, str, str, str, str]]:
    if figures is None:
        return []
    rows = [_metric(metric.name, figures) for metric in METRICS if metric.name in figures.metrics]
    return [*rows, ("mean reward", "", _of(figures), *_mean(figures.reward))]


def _metric(name: str, figures: Figures) -> tuple[str, str, str, str, str]:
    share = figures.metrics[name]
    return _words(name), f"{share.count:,}", f"{share.of:,}", percent(share.share), interval(share.low, share.high)


def _of(figures: Figures) -> str:
    return f"{figures.reward.of:,}"


def _mean(mean: Mean) -> tuple[str, str]:
    return f"{mean.mean:.3f}", f"{mean.low:.3f} to {mean.high:.3f}"


def _cell(figures: Figures | None, name: str) -> str:
    share = figures.metrics.get(name) if figures is not None else None
    return _NOTHING if share is None else f"{percent(share.share)} ({interval(share.low, share.high)})"


def _mean_cell(figures: Figures | None) -> str:
    return _NOTHING if figures is None else "{} ({})".format(*_mean(figures.reward))


def _turns(models: Sequence[ModelResult], kind: str) -> str:
    return f"{max(each.kinds[kind].turns for each in models if kind in each.kinds):,}"


def _of_kind(figures: Figures) -> tuple[str, str, str, str]:
    share = figures.metrics["right"]
    return f"{figures.turns:,}", percent(share.share), interval(share.low, share.high), f"{figures.reward.mean:.3f}"


def _rank(tool: ToolFigures) -> tuple[float, int]:
    return (tool.right.share if tool.right is not None else 1.0, -tool.needless)


def _of_tool(tool: ToolFigures) -> tuple[str, str, str, str, str]:
    wrong = {name: share for name, share in tool.parameters.items() if share.count < share.of}
    worst = sorted(wrong, key=lambda name: (wrong[name].share, name))
    told = [f"{name} {wrong[name].of - wrong[name].count:,} of {wrong[name].of:,}" for name in worst[:_MOST_PARAMETERS]]
    more = [f"{len(worst) - _MOST_PARAMETERS:,} more"] if len(worst) > _MOST_PARAMETERS else []
    return (
        f"{tool.called_for:,}",
        _share(tool.called),
        _share(tool.right),
        f"{tool.needless:,}",
        ", ".join([*told, *more]),
    )


def _share(share: Share | None) -> str:
    return _NOTHING if share is None else percent(share.share)


def _of_gap(gap: Gap) -> tuple[str, str, str, str, str, str]:
    ends = f"{gap.low * 100:+.1f} to {gap.high * 100:+.1f}"
    return (
        f"{gap.difference * 100:+.1f}",
        ends,
        f"{gap.better:,}",
        f"{gap.worse:,}",
        f"{gap.ties:,}",
        f"{gap.chance:.3f}",
    )


def _signed(gap: Gap) -> tuple[str, str]:
    return f"{gap.difference:+.3f}", f"{gap.low:+.3f} to {gap.high:+.3f}"


def percent(share: float) -> str:
    """Return a share as people write it; nothing that is not all is told as 100 %."""
    if 0.9995 <= share < 1:
        return "99.9%"
    return "0.1%" if 0 < share < 0.0005 else f"{share:.1%}"


def interval(low: float, high: float) -> str:
    """Return the ends of an interval of a share."""
    return f"{low * 100:.1f} to {high * 100:.1f}"
