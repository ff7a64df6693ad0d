"""The plan of the next data set: a job in which the kinds and tools that a model fails on get more.

The weight of a kind is the share of its turns that failed, with one failed and one right turn added, so that a kind of
which little is known is not left out, and one that never fails keeps a small share. A job has no weights of tools: what
is said of them is which toolsets it takes. Those in which no call failed are left out.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.disk import disk_errors, write_whole
from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.exams.questions import HeldOut
from generator.exams.results import Exam
from generator.jsontext import JsonObject, dump_compact, dump_pretty
from generator.kinds import KINDS
from generator.tools import Tool

_FOR_EACH_FAILURE = 20
_FEWEST, _MOST = 100, 10_000
_TITLE = "# The next data set, by what an exam found: toolgen generate --job THIS_FILE"


class Failed(NamedTuple):
    """What a model failed on, of all models of an exam together."""

    turns: int
    kinds: dict[str, float]
    """Weights of the kinds that toolgen knows, in percent."""
    tools: Counter[str]
    """Calls that were wrong, missing or needless, by tool."""


def failed_in(exam: Exam) -> Failed:
    """Count what went wrong in an exam."""
    right, every, tools = Counter[str](), Counter[str](), Counter[str]()
    for model in exam.models:
        for kind, figures in model.kinds.items():
            every[kind] += figures.turns
            right[kind] += figures.metrics["right"].count
        for name, tool in model.tools.items():
            wrong = tool.called_for - (tool.right.count if tool.right is not None else 0) + tool.needless
            tools.update({name: wrong} if wrong else {})
    shares = {kind: (every[kind] - right[kind] + 1) / (every[kind] + 2) for kind in sorted(every) if kind in KINDS}
    whole = sum(shares.values())
    weights = {kind: round(100 * share / whole, 1) for kind, share in shares.items()}
    return Failed(every.total() - right.total(), {kind: max(weight, 0.1) for kind, weight in weights.items()}, tools)


def write_next_job(exam: Exam, path: Path, catalogs: Sequence[Catalog], records: Iterable[HeldOut]) -> str:
    """Write the job, and beside it the tools that it takes; return what was written, in words.

    Args:
        exam: the exam, of which something was answered.
        path: the job's file, in TOML.
        catalogs: those of the runs that the records come from; without any the tools are taken from the records.
        records: those of the exam.

    Raises:
        UsageError: what is to be written is in the way of something else (see `require_writable`).
        StorageError: a file cannot be written.
    """
    require_writable(path, len(catalogs))
    failed = failed_in(exam)
    if not any(model.answered for model in exam.models):
        return f"nothing was answered, so {path} is not written"
    if not failed.turns:
        return f"nothing failed, so {path} is not written: there is nothing to make more of"
    held = _chosen(catalogs, failed) if catalogs else [_shown(records, failed)]
    places = _places(path, len(held))
    for place, document in zip(places, held, strict=True):
        write_whole(place, [dump_pretty(document).encode()])
    count = max(_FEWEST, min(_MOST, _FOR_EACH_FAILURE * failed.turns))
    write_whole(path, ["\n".join(_lines(failed, places, count)).encode()])
    return f"{path} is written: {count:,} records, more of what failed; next: `toolgen generate --job {path}`"


def require_writable(path: Path, catalogs: int) -> None:
    """Refuse a path where the job, or the tools beside it, cannot be written or would take the place of other files.

    Args:
        path: the job's file.
        catalogs: how many the records come with.

    Raises:
        UsageError: it does not end in .toml, its folder is not there, or a file lies there that toolgen did not write.
        StorageError: what lies there cannot be read.
    """
    if path.suffix != ".toml":
        raise UsageError(f"--to-records {path}: a job is written as TOML; give a name that ends in .toml")
    if not path.parent.is_dir():
        raise UsageError(f"--to-records {path}: there is no folder {path.parent}; make it, or give another name")
    ours = _tools_of_ours(path)
    for place in _places(path, max(1, catalogs)):
        if place.exists() and place.name not in ours:
            raise UsageError(
                f"--to-records {path}: {place} lies there, where the job's tools belong, and no job of toolgen names "
                "it; move it away, or give another name"
            )


def _places(path: Path, count: int) -> list[Path]:
    """Return the files of the tools beside a job."""
    return [path.with_name(f"{path.stem}.tools{f'-{number}' if number else ''}.json") for number in range(count)]


def _tools_of_ours(path: Path) -> list[str]:
    """Return the names of the files of tools that a job written earlier takes; none where there is no file, or no text.

    Raises:
        UsageError: the file is not what `write_next_job` writes.
    """
    if not path.exists():
        return []
    if path.is_dir():
        raise UsageError(f"--to-records {path}: is a folder; give the name of a file")
    with disk_errors(path):
        text = path.read_bytes().decode("utf-8", "replace")
    if text and not text.startswith(_TITLE):
        raise UsageError(f"--to-records {path}: is a file that toolgen evaluate did not write; give another name")
    try:
        named = tomllib.loads(text).get("tools", [])
    except tomllib.TOMLDecodeError:
        return []  # a job of ours that somebody changed and broke names nothing that may be replaced
    return [name for name in named if isinstance(name, str)] if isinstance(named, list) else []


def _chosen(catalogs: Sequence[Catalog], failed: Failed) -> list[JsonObject]:
    """Return the catalogs with the toolsets alone in which a call failed; whole ones where none did."""
    found = [chosen for each in catalogs if (chosen := _of_failed(each, failed)).tools]
    return [each.dump() for each in found or catalogs]


def _of_failed(catalog: Catalog, failed: Failed) -> Catalog:
    domains = {tool.domain for tool in catalog.tools if tool.domain and tool.name in failed.tools}

    def is_kept(tool: Tool) -> bool:
        return tool.domain in domains if tool.domain else tool.name in failed.tools

    return Catalog(
        tools=tuple(filter(is_kept, catalog.tools)),
        domains=tuple(domain for domain in catalog.domains if domain.name in domains),
    )


def _shown(records: Iterable[HeldOut], failed: Failed) -> JsonObject:
    """Return the tools that records show, as far as a call of theirs failed; all where none did."""
    tools: dict[str, JsonObject] = {}
    for record in records:
        for tool in record.document["tools"]:
            tools.setdefault(tool["function"]["name"], tool)
    chosen = [tool for name, tool in tools.items() if name in failed.tools]
    return {"tools": chosen or list(tools.values())}


def _lines(failed: Failed, tools: Sequence[Path], count: int) -> Iterator[str]:
    yield _TITLE
    yield "# Tools whose calls failed, and how often; the job takes their toolsets, and leaves out the others:"
    yield from (f"#   {dump_compact(name)} {times:,}" for name, times in failed.tools.most_common())
    yield f"tools = {dump_compact([tool.name for tool in tools])}"
    yield (
        f"# {_FOR_EACH_FAILURE} records for each of the {failed.turns:,} turns that failed, "
        f"at least {_FEWEST:,} and at most {_MOST:,}:"
    )
    yield f"count = {count}"
    if failed.kinds:
        yield "# Percent of each kind: the more of its turns failed, the more."
        yield "mix = {" + ", ".join(f"{kind} = {weight}" for kind, weight in failed.kinds.items()) + "}"
    yield ""
