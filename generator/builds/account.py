"""What became of a build, what a check found, and how two builds differ, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from generator.builds.build import BuildReport
from generator.builds.difference import Difference, Moved
from generator.builds.manifest import Manifest
from generator.jsontext import JsonObject

_LABEL = 12
_MOST = 6


def _labelled(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}{text}"


def account(report: BuildReport) -> Iterator[str]:
    """Yield what became of a build."""
    manifest = report.manifest
    if manifest is None or report.folder is None:
        if report.summary is not None:
            summary = report.summary
            yield f"{summary.status} at {summary.records:,} of {summary.asked:,} records; the same command goes on"
        return
    if report.ending == "unchanged":
        yield f"nothing changed: {report.folder} stays the latest build"
        return
    yield from _of_records(manifest)
    where = "published" if report.ending == "published" else "kept aside"
    yield _labelled(where, str(report.folder))


def _of_records(manifest: Manifest) -> Iterator[str]:
    yield _labelled("records", _records(manifest))
    if manifest.anew:
        yield _labelled("made anew", commonest(manifest.anew, _MOST))
    if manifest.attempts.rejected:
        yield _labelled("rejected", f"{manifest.attempts.rejected:,} attempts: {commonest(manifest.rules, _MOST)}")
    if len(manifest.splits) > 1 or manifest.left_out:
        yield _labelled("splits", ", ".join(f"{name} {count:,}" for name, count in manifest.splits.items()))
    if manifest.left_out:
        yield _labelled("left out", commonest(manifest.left_out, _MOST))
    if manifest.tokens.answers:
        cost = "" if manifest.tokens.cost is None else f"; cost {manifest.tokens.cost:,.4f}"
        yield _labelled(
            "tokens", f"{manifest.tokens.prompt:,} in prompts, {manifest.tokens.completion:,} in answers{cost}"
        )


def _records(manifest: Manifest) -> str:
    made = manifest.attempts.records
    if not manifest.kept:
        return f"{manifest.records:,}, all made anew"
    return f"{manifest.records:,}: {manifest.kept:,} kept of {manifest.previous}, {made:,} made anew"


def commonest(counts: Mapping[str, int], most: int) -> str:
    """Write counts with their names in a line, the commonest first."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{name} ({count:,})" for name, count in ordered[:most])
    return told + (f" and {len(ordered) - most:,} more" if len(ordered) > most else "")


def check_lines(found: JsonObject) -> Iterator[str]:
    """Yield what a check found."""
    told = f"{found['records']:,} records over {found['tools']:,} tools, seed {found['seed']}, author {found['author']}"
    yield _labelled("job", told)
    yield _labelled("folder", found["folder"])
    yield _labelled("domains", ", ".join(f"{count:,} {name}" for name, count in found["domains"].items()) or "none")
    yield _labelled("kinds", commonest(found["kinds"], len(found["kinds"])))
    if found["kinds_not_served"]:
        lacking = list(found["kinds_not_served"])
        yield _labelled("not served", f"{', '.join(lacking)}; `toolgen kinds KIND` says what each needs")
    yield _labelled("kept", f"{found['kept']:,} records of the build before")
    why = f": {commonest(found['why'], _MOST)}" if found["why"] else ""
    yield _labelled("made anew", f"{found['anew']:,} records{why}")
    if found["benchmark_questions"]:
        yield _labelled("benchmarks", f"{found['benchmark_questions']:,} questions")
    yield from (_labelled("push", target) for target in found["push"])
    if "llm" in found:
        yield from _llm_lines(found["llm"])
    yield "it can be built; nothing was written"


def _llm_lines(llm: JsonObject) -> Iterator[str]:
    yield _labelled("server", f"{llm['server']} answers ({llm['greeting_tokens']:,} tokens)")
    yield _labelled("requests", f"{llm['requests']:,} at least for all {llm['of_records']:,} records")
    tokens = (
        f"{llm['estimated_prompt_tokens']:,} in prompts, {llm['estimated_completion_tokens']:,} in answers (estimate)"
    )
    cost = f"; cost {llm['estimated_cost']:,}" if "estimated_cost" in llm else ""
    yield _labelled("tokens", tokens + cost)
    yield _labelled("limits", ", ".join(f"{name} {value:g}" for name, value in llm["limits"].items()) or "none")


def difference_lines(found: Difference) -> Iterator[str]:
    """Yield how two builds differ."""
    yield f"from {found.before} to {found.after}"
    yield _labelled("records", f"{_moved(found.records)}, {found.same:,} the same")
    for title, moved in (("kind", found.kinds), ("tool", found.tools)):
        if moved:
            yield ""
            yield from _table(title, moved)
    if found.why:
        yield ""
        yield from (_labelled(f"{what}:", _names(names)) for what, names in found.why.items())


def _moved(moved: Moved) -> str:
    return f"{moved.added:,} added, {moved.removed:,} removed, {moved.changed:,} changed"


def _names(names: Iterable[str]) -> str:
    return " " + ", ".join(names)


def _table(title: str, moved: Mapping[str, Moved]) -> Iterator[str]:
    width = max(len(title), *map(len, moved))
    yield f"{title:<{width}} {'added':>9} {'removed':>9} {'changed':>9}"
    for name, each in moved.items():
        yield f"{name:<{width}} {each.added:>9,} {each.removed:>9,} {each.changed:>9,}"
