"""Fixtures: small files of records that a project keeps beside its tests, made anew byte for byte.

Each file is JSON, laid out so that a change of a message is a change of a line:

    {
      "toolgen": {"fixtures": "parallel", "regenerate": "toolgen fixtures ../my_tools.json -o . --count 20", ...},
      "records": [...]
    }

Its header says how to make it anew, from its own folder, and holds a digest of its records. By it toolgen knows the
files that it wrote, and whether somebody edited them: it overwrites and removes no others.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson

from generator.disk import disk_errors, write_whole
from generator.domains.catalog import Catalog
from generator.errors import DataError, StorageError, UsageError
from generator.formats.loading.functions import names_function
from generator.formats.recognition import FIXTURES, FIXTURES_HEADER
from generator.formats.writing import Shaping
from generator.job import Job
from generator.jsontext import JsonObject, digest, dump_compact, read_exactly
from generator.record import record_lines
from generator.version import VERSION

CANONICAL = "deepfabric"
"""The format of records as they are made."""
By = Literal["kind", "tool", "record"]
"""What a file is for: a kind of record, the tool that is called first, or one record."""
SUFFIX = ".json"
_LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is looked into; what is larger, toolgen did not write."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST_NAME = 80
_NO_TOOL = "no-tool"
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{at}" for port in ("com", "lpt") for at in range(10))})
"""Names that Windows keeps for itself, whatever they end with."""


@dataclass(frozen=True, slots=True)
class FixtureSet:
    """What fixtures are made of, and how they are laid out."""

    job: Job
    catalog: Catalog
    shaping: Shaping
    folder: Path
    sources: tuple[str, ...] = ()
    """Where the tools came from, as given; none for the bundled ones."""
    options: tuple[str, ...] = ()
    """The options of the command that makes them, but for the files in them."""
    domains: tuple[str, ...] = ()
    """Domain files that were given besides."""
    by: By = "kind"
    every_kind: bool = False
    """Whether each kind of the mix must be one that the tools can serve."""

    def command(self, *, here: bool = False, force: bool = False) -> str:
        """Return the command that makes them: for where the operator is, or for the folder of the files itself."""
        placed = self._from_folder if here else lambda path: path
        domains = [part for path in self.domains for part in ("--domain", placed(path))]
        folder = "." if here else str(self.folder)
        words = ["toolgen", "fixtures", *map(placed, self.sources), "-o", folder, *domains, *self.options]
        return shlex.join([*words, "--force"] if force else words)

    def tools_here(self) -> list[str]:
        """Return where the tools came from, as seen from the folder."""
        return [self._from_folder(source) for source in self.sources]

    def _from_folder(self, path: str) -> str:
        """Return a path as it is written in the folder: with `/` on every system, and whatever folder one is in."""
        if names_function(path):
            return path
        place = os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path))  # noqa: PTH118, PTH119, PTH120 - as text: Path would drop what a glob means by "./"
        try:
            return Path(os.path.relpath(place, os.path.realpath(self.folder))).as_posix()
        except ValueError:  # another drive of Windows
            return Path(place).as_posix()


def fixture_files(fixtures: FixtureSet) -> dict[str, bytes]:
    """Return what each file is to hold, by its name, in the order of names; nothing is written.

    Raises:
        JobError: the tools cannot serve what is asked for.
        DataError: a record could not be made, or the format cannot hold it.
    """
    named: dict[str, list[JsonObject]] = {}
    for name, record in _named_records(fixtures):
        named.setdefault(name, []).append(record)
    names = _file_names(named)
    return {names[name]: _laid_out(fixtures, name, named[name]) for name in sorted(named, key=names.__getitem__)}


def _named_records(fixtures: FixtureSet) -> Iterator[tuple[str, JsonObject]]:
    """Yield each record as it is written, with the name of what its file is for."""
    lines = list(record_lines(fixtures.job, fixtures.catalog, every_kind=fixtures.every_kind))
    documents = [read_exactly(line) for line in lines]
    prepared = documents if _is_as_made(fixtures.shaping) else _prepared(fixtures, lines)
    for index, (document, each) in enumerate(zip(documents, prepared, strict=True)):
        yield _name_of(document, index, fixtures.by), fixtures.shaping.write(each)


def _is_as_made(shaping: Shaping) -> bool:
    return shaping.is_plain and shaping.target.name == CANONICAL


def _prepared(fixtures: FixtureSet, lines: Sequence[bytes]) -> list[JsonObject]:
    """Return the records as they are to be written, each read back from the format and checked.

    Raises:
        DataError: the format cannot hold one.
    """
    from generator.datasets.export import Export  # with chat templates, which nothing else needs here
    from generator.datasets.lines import as_stream

    export = Export(fixtures.shaping, fixtures.catalog, is_run=True)
    prepared = list(export.records(as_stream(lines), fixtures.shaping))
    for failure in export.failures:
        name, reason = export.shaping.target.name, failure.violations[0].message
        raise DataError(f"record {failure.line - 1} cannot be written as {name}: {reason}")
    return prepared


def _name_of(document: JsonObject, index: int, by: By) -> str:
    kind = str(document["metadata"]["kind"])
    if by == "tool":
        calls = [call for message in document["messages"] for call in message.get("tool_calls") or ()]
        shown = calls or document["tools"]
        return str(shown[0]["function"]["name"]) if shown else _NO_TOOL
    return kind if by == "kind" else f"{kind}-{index:04d}"


def _file_names(names: Iterable[str]) -> dict[str, str]:
    """Return the file of each name: one that every system can hold, also where it does not tell capitals apart."""
    given = list(names)
    safe = {name: _UNSAFE.sub("-", name).strip(".-")[:_LONGEST_NAME] for name in given}
    folded = Counter(each.casefold() for each in safe.values())
    files = {}
    for name, each in safe.items():
        is_own = each == name and folded[each.casefold()] == 1 and each.partition(".")[0].casefold() not in _DEVICES
        files[name] = (each if is_own else f"{each}-{digest(name, 8)}".lstrip("-")) + SUFFIX
    return files


def _laid_out(fixtures: FixtureSet, name: str, records: Sequence[JsonObject]) -> bytes:
    """Return the text of a file: its header, then the records, a message and a tool a line."""
    header: JsonObject = {
        "fixtures": name,
        "regenerate": fixtures.command(here=True),
        "where": "in the folder of this file",
        "tools": fixtures.tools_here(),
        "version": VERSION,
    }
    body = ",\n".join(_record_text(record) for record in records)
    header["digest"] = digest(orjson.loads(f"[{body}]"))
    told = ",\n".join(f"    {dump_compact(key)}: {dump_compact(value)}" for key, value in header.items())
    return f'{{\n  "{FIXTURES_HEADER}": {{\n{told}\n  }},\n  "{FIXTURES}": [\n{body}\n  ]\n}}\n'.encode()


def _record_text(record: JsonObject) -> str:
    columns = ",\n".join(f"      {dump_compact(key)}: {_column_text(value)}" for key, value in record.items())
    return f"    {{\n{columns}\n    }}"


def _column_text(value: object) -> str:
    """Return a value of a record as text: a list of objects in lines, anything else in one."""
    if not isinstance(value, list) or not any(isinstance(each, dict) for each in value):
        return dump_compact(value)
    return "[\n" + ",\n".join(f"        {dump_compact(each)}" for each in value) + "\n      ]"


Sort = Literal["missing", "differs", "left over", "in the way"]
"""What is wrong with a file: it is not there, holds something else, is of no use any more, or is not toolgen's."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A file of the folder that is not as the fixtures are to be."""

    name: str
    sort: Sort
    why: str = ""
    is_kept: bool = False
    """Whether it is overwritten or removed by force alone: somebody edited it, or it was made of other tools."""

    def __str__(self) -> str:
        return f"{self.sort}: {self.name}" + (f" ({self.why})" if self.why else "")


def findings(fixtures: FixtureSet, files: Mapping[str, bytes]) -> list[Finding]:
    """Return every file that is not as it is to be, by name; nothing is written.

    Raises:
        StorageError: the folder, or a file in it, cannot be read.
    """
    there = _files_in(fixtures.folder)
    wanted = {name.casefold() for name in files}
    found = [each for name, text in files.items() if (each := _compared(fixtures, name, text)) is not None]
    for name, path in there.items():
        if name.endswith(SUFFIX) and name.casefold() not in wanted and (own := _read_own(path)) is not None:
            why = own.edited or _of_other_tools(fixtures, own)
            found.append(Finding(name, "left over", why, is_kept=bool(why)))
    return sorted(found, key=lambda each: each.name)


def _files_in(folder: Path) -> dict[str, Path]:
    with disk_errors(folder):
        if folder.is_dir():
            return {path.name: path for path in folder.iterdir()}
        if os.path.lexists(folder):
            raise StorageError(f"{folder}: a file is in the way; give the folder of the fixtures another path")
    return {}


def _compared(fixtures: FixtureSet, name: str, text: bytes) -> Finding | None:
    """Return what is wrong with one file that is to be there."""
    path = fixtures.folder / name
    if not os.path.lexists(path):
        return Finding(name, "missing")
    own = _read_own(path)
    if own is None:
        why = "a symbolic link" if path.is_symlink() else "toolgen did not write it"
        return Finding(name, "in the way", why)
    if own.text == text:
        return None
    if own.text.replace(b"\r\n", b"\n") == text:
        return Finding(
            name, "differs", f"in its ends of lines alone; `*{SUFFIX} text eol=lf` in .gitattributes keeps them"
        )
    why = own.edited or _of_other_tools(fixtures, own)
    version = f"written by toolgen {own.version}, this is {VERSION}" if own.version != VERSION else ""
    return Finding(name, "differs", why or version, is_kept=bool(why))


@dataclass(frozen=True, slots=True)
class _Own:
    """A file that toolgen wrote, as it is now."""

    text: bytes
    edited: str
    """Says that somebody changed its records since; "" where nobody did."""
    tools: object
    version: str


def _read_own(path: Path) -> _Own | None:
    """Read a file that toolgen wrote; None for any other, which is not looked into further than it must be."""
    with disk_errors(path):
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
            return None
        text = path.read_bytes()
    try:
        held = orjson.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        return None
    header = held.get(FIXTURES_HEADER) if isinstance(held, dict) else None
    if not isinstance(header, dict) or not isinstance(header.get("digest"), str) or "regenerate" not in header:
        return None
    is_edited = digest(held.get(FIXTURES)) != header["digest"]
    return _Own(text, "edited since" if is_edited else "", header.get("tools"), str(header.get("version"))[:20])


def _of_other_tools(fixtures: FixtureSet, own: _Own) -> str:
    return "" if own.tools == fixtures.tools_here() else "made of other tools"


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a folder, by the names of files."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def write_fixtures(fixtures: FixtureSet, files: Mapping[str, bytes], *, force: bool = False) -> Written:
    """Bring the folder to what it is to be: write what is missing or differs, remove what is left over.

    Each file is whole at any moment; the same command again mends what an interruption left.

    Raises:
        UsageError: a file is in the way that toolgen did not write; or, without `force`, one that was edited since or
            made of other tools. Nothing was written.
        StorageError: the disk refused.
    """
    found = findings(fixtures, files)
    _require_own(fixtures, found, force=force)
    with disk_errors(fixtures.folder):
        fixtures.folder.mkdir(parents=True, exist_ok=True)
    to_write = [each.name for each in found if each.sort != "left over"]
    to_remove = [each.name for each in found if each.sort == "left over"]
    for name in to_write:
        write_whole(fixtures.folder / name, [files[name]])
    for name in to_remove:
        with disk_errors(fixtures.folder / name):
            (fixtures.folder / name).unlink()
    return Written(tuple(to_write), tuple(to_remove), len(files) - len(to_write))


def _require_own(fixtures: FixtureSet, found: Iterable[Finding], *, force: bool) -> None:
    """Refuse to touch what toolgen did not write, or what was changed since."""
    refused = [each for each in found if each.sort == "in the way" or (each.is_kept and not force)]
    if not refused:
        return
    told = "; ".join(f"{fixtures.folder / each.name}: {each.why}" for each in refused)
    if any(each.sort == "in the way" for each in refused):
        raise UsageError(f"{told}; nothing was written: move it away, or give another folder")
    raise UsageError(f"{told}; nothing was written: give another folder, or --force to replace what is there")


def require_apart(sources: Iterable[str], folder: Path) -> None:
    """Refuse a folder of fixtures within a folder that the tools are read from: they would be read as tools.

    Raises:
        UsageError: it lies there.
    """
    for source in sources:
        if Path(source).is_dir() and folder.resolve().is_relative_to(Path(source).resolve()):
            raise UsageError(f"{folder}: lies in {source}, where the tools are read from; give another folder")
