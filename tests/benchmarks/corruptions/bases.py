"""Good records of five sources, for corruptions to start from."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import orjson

from generator.assets import asset_folder
from generator.datasets.origin import any_format
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.kinds import KINDS
from generator.record import Producer
from tests import domain_examples
from tests.readmes import make_full_desk

Json = Any  # parsed JSON
TESTS = Path(__file__).resolve().parents[2]
TIMES_AND_TEXTS = ("calendar", "dining", "mail", "projects", "smart_home")
NAMED = {"good": "further tools", "good_set_aside": "further tools, set aside"}
RARE = {"confirm_before_write": 6.0, "error_report": 3.0, "error_recovery": 2.0, "empty_result": 2.0, "sequential": 3.0}


class Base(NamedTuple):
    """A good record and where it comes from."""

    source: str
    name: str
    kind: str
    record: Json


def offline(seed: int, count: int) -> Iterator[Base]:
    """Yield records over the bundled tools: of the default mix, of every kind, and with many times and texts."""
    folder = asset_folder("tool_specs")
    catalog = load_catalog([folder]).catalog
    some = load_catalog([path for name in TIMES_AND_TEXTS for path in sorted(folder.glob(f"{name}.json*"))]).catalog
    every_kind = {"mix": {**dict.fromkeys(KINDS, 1.0), **RARE}, "error_rate": 0.3}
    for name, tools, options in (
        ("default mix", catalog, {}),
        ("every kind", catalog, every_kind),
        ("texts", some, {}),
    ):
        producer = Producer(Job(count=9999, seed=seed, **options), tools)
        yield from _produced(f"bundled, {name}", name, producer, count // (4 if tools is some else 2))


def small_domains(seed: int, count: int) -> Iterator[Base]:
    """Yield records over tool files with domains of their own."""
    mix = {"simple": 1.0, "multiple": 1.0, "parallel": 1.0, "sequential": 1.0, "missing_parameter": 1.0}
    for name, catalog in (("loans", _loans()), ("going out", _of_the_readme())):
        producer = Producer(Job(count=9999, seed=seed, mix=mix), catalog)
        yield from _produced("small domains", name, producer, count // 2)


def _loans() -> Catalog:
    domain = Domain.model_validate(domain_examples.domain(name="loans"))
    tools = tuple(tool.model_copy(update={"domain": domain.name}) for tool in domain_examples.tools())
    return Catalog(tools=tools, domains=(domain,))


def _of_the_readme() -> Catalog:
    """Return the example that the page of domain files shows whole."""
    with tempfile.TemporaryDirectory() as folder:
        make_full_desk(Path(folder))
        return load_catalog([Path(folder, "my_tools.json")]).catalog


def _produced(source: str, name: str, producer: Producer, count: int) -> Iterator[Base]:
    for index in range(count):
        line = producer.produce(index).line
        if line is not None:
            record = orjson.loads(line)
            yield Base(source, f"{name} {index}", record["metadata"]["kind"], record)


def natural(*paths: Path) -> Iterator[Base]:
    """Yield the good records of files in natural words."""
    for path in (
        TESTS / "played.jsonl",
        TESTS / "reworded.jsonl",
        *sorted(Path(__file__).parent.glob("good*.jsonl")),
        *paths,
    ):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            held = json.loads(line)
            if held.get("case", {"sort": "good"})["sort"] == "good":
                record = held.get("record", held)
                kind = (record.get("metadata") or {}).get("kind", "")
                yield Base(NAMED.get(path.stem, path.stem), f"{path.stem} {number}", kind, record)


def bfcl(folder: Path) -> Iterator[Base]:
    """Yield BFCL's questions with their answers as calls."""
    for path in sorted(folder.glob("answers_*.jsonl")):
        answers = {each["id"]: each for each in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
        questions = path.with_name(path.name.replace("answers", "questions")).read_text(encoding="utf-8")
        for question in map(json.loads, questions.splitlines()):
            reading = any_format({**question, **answers[question["id"]]})
            yield Base("bfcl", question["id"], path.stem.removeprefix("answers_"), reading.document)


def all_bases(seed: int, count: int, folder: Path, good: Iterable[Path] = ()) -> list[Base]:
    """Return every good record; those of BFCL only where the folder is there."""
    return [
        *offline(seed, count),
        *small_domains(seed, max(10, count // 10)),
        *natural(*good),
        *(bfcl(folder) if folder.is_dir() else ()),
    ]


def mixed(bases: Iterable[Base], rng: Random) -> list[Base]:
    """Return the records in an order that takes turns between sources, and within a source between kinds."""
    sources: dict[str, dict[str, list[Base]]] = {}
    for base in bases:
        sources.setdefault(base.source, {}).setdefault(base.kind, []).append(base)
    rows = []
    for kinds in sources.values():
        for held in kinds.values():
            rng.shuffle(held)
        groups = list(kinds.values())
        rng.shuffle(groups)
        rows.append([base for turn in zip_longest(*groups) for base in turn if base is not None])
    return [base for turn in zip_longest(*rows) for base in turn if base is not None]
