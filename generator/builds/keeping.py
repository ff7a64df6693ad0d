"""Keeping: which records of the build before stay as they are, since nothing changed that they depend on, and why not.

A record depends on the tools that it shows and on what domain files say of them, on the settings of the job, its
prompts, seed and versions. It is made anew where one of them changed, where there is none, and where the plan now has
another tool lead its index that the build before did not know: so new tools get their share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import orjson

from generator.builds.folder import RECORDS
from generator.builds.manifest import Before, Manifest
from generator.builds.states import ToolState, change_of
from generator.disk import disk_errors
from generator.job import NOT_IN_IDENTITY, Job
from generator.jsontext import JsonObject, digest
from generator.runs.identity import versions
from generator.runs.kept import Place, checksum_of
from generator.validation.masks import unmasked

FIRST, FULL, DAMAGED = "no build before", "all of it was asked for anew", "the build before is damaged"
NONE_BEFORE, MORE, LED_ANEW = "there was none", "more records are asked for", "a new tool leads it"


@dataclass(slots=True)
class Keeping:
    """What stays, and why the rest does not."""

    places: dict[int, Place] = field(default_factory=dict)
    """The lines that stay, by index."""
    anew: Counter[str] = field(default_factory=Counter)
    """How many records are made anew, by the reason."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What there is now, with which the build before is compared."""

    job: Job
    states: Mapping[str, ToolState]
    """The tools as they are now, by key."""
    lead_at: Callable[[int], str]
    """Returns the key of the tool that leads an index by the plan."""
    full: bool = False
    """Whether nothing is to be kept."""
    damaged: bool = False
    """Whether there is a build before of which nothing can be kept, since its files are not whole."""


def _why_none_stays(before: Before | None, now: Sight) -> str:
    """Return why all records are made anew; "" where some may stay."""
    if now.full:
        return FULL
    if before is None:
        return DAMAGED if now.damaged else FIRST
    return settings_changed(before.manifest.job, now.job)


def decide(before: Before | None, now: Sight) -> Keeping:
    """Decide which records of the build before stay."""
    reason = _why_none_stays(before, now)
    if before is None or reason:
        return Keeping(anew=Counter({reason: now.job.count}))
    found, held = Keeping(), _Sealing()
    told = _Changes(before.manifest, now)
    try:
        for index, place, document in _lines(before.records, held):
            if index >= now.job.count:
                continue
            if why := told.of(index, document):
                found.anew[why] += 1
            else:
                found.places[index] = place
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return Keeping(anew=Counter({DAMAGED: now.job.count}))
    sealed = next((file.sha256 for file in before.manifest.files if file.path == RECORDS), "")
    if held.found.hexdigest() != sealed:
        return Keeping(anew=Counter({DAMAGED: now.job.count}))
    earlier = min(now.job.count, before.manifest.job["count"])
    lacking = earlier - len(found.places) - found.anew.total()
    found.anew += Counter({NONE_BEFORE: lacking, MORE: now.job.count - earlier})
    return found


def settings_changed(before: JsonObject, now: Job) -> str:
    """Name the settings and versions that decide records and are other ones than in a `job.json`; "" for none."""
    there, here = before, now.model_dump(mode="json")
    names = [name for name in here if name not in NOT_IN_IDENTITY and there.get(name) != here[name]]
    told, used = before["resolved"]["versions"], versions()
    other = [f"version of {name}" for name in dict.fromkeys((*told, *used)) if told.get(name) != used.get(name)]
    return f"other settings: {', '.join([*names, *other])}" if names or other else ""


class _Changes:
    """What became of the tools of the build before."""

    def __init__(self, before: Manifest, now: Sight) -> None:
        self._by_fingerprint: dict[str, list[str]] = {}
        for key, state in before.tools.items():
            change = change_of(key, before.tools, now.states)
            told = f"{change}: {state.name}" if change else ""
            self._by_fingerprint.setdefault(state.fingerprint, []).append(told)
        self._new = frozenset(now.states) - frozenset(before.tools)
        self._lead_at = now.lead_at

    def of(self, index: int, document: JsonObject) -> str:
        """Say why a record does not stay; "" where it does."""
        own = document["metadata"]
        named = unmasked(document, own["mask"]) if "mask" in own else document
        for tool in named["tools"]:
            for told in self._by_fingerprint.get(digest(tool), ["tool changed"]):
                if told:
                    return told
        return LED_ANEW if self._new and self._lead_at(index) in self._new else ""


class _Sealing:
    """What is read, digested."""

    def __init__(self) -> None:
        self.found = sha256()


def _lines(file: Path, held: _Sealing) -> Iterator[tuple[int, Place, JsonObject]]:
    """Yield each record of a file with its index and place, and digest what is read."""
    start = 0
    with disk_errors(file), file.open("rb") as stream:
        for line in stream:
            held.found.update(line)
            document = orjson.loads(line)
            yield document["metadata"]["index"], Place(start, len(line), checksum_of(line)), document
            start += len(line)
