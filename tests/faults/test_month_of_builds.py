"""A month of builds by the command line: thirty nights of changes, mistakes and mishaps, and `latest` whole after each.

What is made anew is compared with what the build before shows, so that a record too many or too few is seen.
"""

from __future__ import annotations

import contextlib
import resource
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from generator.builds.folder import BuildsFolder, builds_in
from generator.builds.manifest import read_manifest
from generator.builds.verifying import verify
from generator.kinds import KINDS
from generator.runs.lock import run_lock
from tests.build_orders import Desk, shown, tool
from tests.checkout import CHECKOUT
from tests.readmes import make_desk
from tests.run_processes import finish, kill, start, wait_for_rows

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits and signals")]
KEEP = 3
TABLES = f"[splits]\nshares = {{train = 0.8, test = 0.2}}\n[publish]\nkeep = {KEEP}\n"
PLAIN = ["-m", "generator"]
CLOCK_SET_BACK = [
    "-c",
    (
        "import datetime, sys; from generator.builds import build; from generator.cli import main\n"
        "class Old(datetime.datetime):\n    now = classmethod(lambda cls, zone: cls(2020, 1, 1, tzinfo=zone))\n"
        "build.datetime = Old; sys.exit(main(sys.argv[1:]))"
    ),
]


def small_disk(kilobytes: int) -> list[str]:
    limit = f"({kilobytes} * 1024, {kilobytes} * 1024)"
    again = "[sys.executable, '-m', 'generator', *sys.argv[1:]]"
    lines = (
        "import os, resource, sys",
        f"resource.setrlimit(resource.RLIMIT_FSIZE, {limit})",
        f"os.execv(sys.executable, {again})",
    )
    return ["-c", "; ".join(lines)]


class House(Desk):
    """Ten tools, most of them with a domain file, and the job that asks for records of them."""

    def __init__(self, path: Path) -> None:
        self.job: dict[str, object] = {"count": 60, "mix": dict.fromkeys(KINDS, 1), "formats": ["trl"]}
        super().__init__(path)
        (self.tools / "get_weather.json").unlink()
        make_desk(path)
        (path / "my_tools.json").rename(self.tools / "town.json")
        (path / "my_tools.domain.yaml").rename(self.tools / "town.domain.yaml")
        for name in ("mail.json", "mail.domain.yaml"):
            shutil.copy(CHECKOUT / "tool_specs" / name, self.tools / name)
        self.ask()

    @property
    def tools(self) -> Path:
        """The folder of tools and domain files."""
        return self.path / "tools"

    def ask(self, tables: str = TABLES, **job: object) -> None:
        """Change what the job file asks for."""
        self.job |= job
        self.write_job(tables, **{key: value for key, value in self.job.items() if value is not None})

    def edit(self, file: str, old: str, new: str) -> None:
        """Write something else in a file of the tools."""
        text = (self.tools / file).read_text(encoding="utf-8")
        assert old in text
        (self.tools / file).write_text(text.replace(old, new), encoding="utf-8")


Change = Callable[[House], object]


def edited(file: str, old: str, new: str) -> Change:
    return lambda house: house.edit(file, old, new)


def asked(tables: str = TABLES, **job: object) -> Change:
    return lambda house: house.ask(tables, **job)


def removed(name: str) -> Change:
    return lambda house: (house.tools / name).unlink()


def written(name: str, text: str) -> Change:
    return lambda house: (house.tools / name).write_text(text, encoding="utf-8")


def added(definition: dict[str, object]) -> Change:
    return lambda house: house.write_tool(definition)


def cut_short(house: House) -> None:
    (house.latest / "records.jsonl").write_bytes(house.records()[0])


def several(*changes: Change) -> Change:
    return lambda house: [change(house) for change in changes]


@dataclass(frozen=True, slots=True)
class Night:
    """What changes before a night, and what is to come of it."""

    what: str
    change: Change = lambda house: None
    code: int = 0
    told: str = ""
    """What stderr names."""
    anew: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where a build is published: why records are made anew, and the fewest and most percent of all for each."""
    way: list[str] = field(default_factory=lambda: PLAIN)
    killed: bool = False
    held: bool = False
    """Whether another process holds the lock."""
    missed: int = 0
    """How many builds lie aside afterwards."""


MORE, LED = "more records are asked for", "a new tool leads it"
ALL = (100, 100)
MONTH = (
    Night("the first build", anew={"no build before": ALL}),
    Night("nothing changed", told="nothing changed"),
    Night(
        "a description changed",
        edited("town.json", "Get the current weather for", "Tell the weather of"),
        anew={"tool changed: get_weather": (5, 40)},
    ),
    Night(
        "a tool added",
        added(tool("play_song", "Play a song.", song="The name of the song")),
        anew={LED: (3, 30)},
    ),
    Night("nothing changed", told="nothing changed"),
    Night("a tool removed", removed("add_note.json"), anew={"tool removed: add_note": (3, 50)}),
    Night(
        "a request of a domain file reworded",
        edited("town.domain.yaml", "Where can I eat {k} food", "Where is {k} food served"),
        anew={"domain changed: find_restaurants": (5, 40)},
    ),
    Night(
        "a city of a domain file renamed",
        edited("town.domain.yaml", "name: Ghent", "name: Bruges"),
        anew={"domain changed: get_weather": (2, 40), "domain changed: find_restaurants": (2, 40)},
    ),
    Night("a setting changed", asked(error_rate=0.3), anew={"other settings: error_rate": ALL}),
    Night("count raised", asked(count=90), anew={MORE: (33, 34)}),
    Night("a tool file that is none", written("bad.json", "{"), 2, "bad.json"),
    Night("it is there still", code=2, told="bad.json"),
    Night("it is gone", removed("bad.json"), told="nothing changed"),
    Night("a domain file broken", edited("town.domain.yaml", "tools:", "tools: ]"), 2, "town.domain.yaml"),
    Night(
        "it is mended and reworded",
        several(
            edited("town.domain.yaml", "tools: ]", "tools:"),
            edited("town.domain.yaml", "Do I need a", "Is it time for a"),
        ),
        anew={"domain changed: get_weather": (2, 40)},
    ),
    Night(
        "a model of a server that is dead",
        asked(f'{TABLES}[server]\nbase_url = "http://127.0.0.1:9/v1"\n', author="llm", model="m"),
        3,
        "127.0.0.1:9",
    ),
    Night("no model again", asked(author="offline", model=None), told="nothing changed"),
    Night("killed while records are made", asked(count=130), -9, killed=True),
    Night("goes on", anew={MORE: (30, 31)}),
    Night("the disk is full", asked(count=150), 5, "catalog.json: a file may not grow", way=small_disk(64)),
    Night("it is full a little later", code=5, told="may not grow", way=small_disk(300)),
    Night("there is room again", anew={MORE: (13, 14)}),
    Night(
        "a gate that cannot be passed",
        asked(f"{TABLES}[gates]\nmin_of_kind = {{parallel = 140}}\n"),
        1,
        "gates.min_of_kind.parallel",
    ),
    Night("a gate missed", asked(f"{TABLES}[gates]\nmax_derived_share = 0.01\n"), 1, "max_derived_share", missed=1),
    Night("the gate is gone", asked(), told="nothing changed", missed=1),
    Night(
        "another build is at work",
        edited("town.json", "Kind of food", "The cuisine"),
        75,
        "is working on this build",
        held=True,
        missed=1,
    ),
    Night("it has ended", anew={"tool changed: find_restaurants": (5, 40)}, missed=1),
    Night(
        "the clock set back",
        edited("find_book.json", "Find a book", "Look a book up"),
        anew={"tool changed: find_book": (2, 40)},
        way=CLOCK_SET_BACK,
        missed=1,
    ),
    Night(
        "the latest build damaged", cut_short, told="is damaged", anew={"the build before is damaged": ALL}, missed=1
    ),
    Night(
        "a tool changed, one added, more asked for",
        several(
            asked(count=180),
            added(tool("add_note", "Add a note.", text="What the note says")),
            edited("mail.json", "It is sent at once", "It leaves at once"),
        ),
        anew={"tool changed: send_email": (5, 50), LED: (1, 30), MORE: (16, 17)},
        missed=1,
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a night."""

    code: int
    told: str
    seconds: float
    """Of CPU."""


@contextlib.contextmanager
def lock_of(house: House, *, held: bool) -> Iterator[None]:
    with run_lock(house.out / "lock") if held else contextlib.nullcontext():
        yield


def spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(house: House, night: Night) -> Outcome:
    """Change what changes, and build."""
    night.change(house)
    before = spent()
    with lock_of(house, held=night.held):
        process = start([sys.executable, *night.way, "build", str(house.file), "--out", str(house.out)])
        if night.killed:
            wait_for_rows(process, house.out / "work", 1)
            kill(process)
        code, _, err = (process.returncode, "", "") if night.killed else finish(process)
    return Outcome(code, err, spent() - before)


def require_as_told(house: House, night: Night, before: dict[int, bytes]) -> None:
    """A published build makes anew what shows what changed, or more of it, and nothing else."""
    manifest, now = read_manifest(house.latest), house.records()
    count = house.job["count"]
    assert len(now) == manifest.records == manifest.kept + sum(manifest.anew.values()) == count
    assert manifest.anew.keys() == night.anew.keys()
    for why, (least, most) in night.anew.items():
        assert least <= 100 * manifest.anew[why] / manifest.records <= most, (why, manifest.anew)
    if {why for why in night.anew if night.anew[why] == ALL}:
        assert manifest.kept == 0
        return
    changed = {index for index in before if before[index] != now[index]}
    gone = {why.partition(": ")[2] for why in night.anew} - {""}
    touched = {index for index, line in before.items() if shown(line) & gone}
    assert touched <= changed
    assert len(touched) == sum(made for why, made in manifest.anew.items() if ": " in why)
    assert len(changed - touched) == manifest.anew.get(LED, 0)
    assert len(now) - len(before) == manifest.anew.get(MORE, 0)


def require_night(house: House, night: Night, before: dict[int, bytes], link: Path | None) -> Outcome:
    """Run a night, and hold what came of it against what was to come."""
    outcome = run(house, night)
    assert (outcome.code, "Traceback" in outcome.told) == (night.code, False), outcome.told
    assert night.told in outcome.told
    assert verify(house.latest) == ()
    if night.anew:
        assert house.latest.readlink() != link
        assert house.latest.readlink().name == max(path.name for path in (house.out / "builds").iterdir())
        require_as_told(house, night, before)
    else:
        assert (house.latest.readlink(), house.records()) == (link, before)
    assert len(list((house.out / "missed").iterdir())) == night.missed
    return outcome


def row_of(number: int, house: House, night: Night, outcome: Outcome) -> str:
    """A row of the table of the month."""
    manifest = read_manifest(house.latest)
    kept, anew = (manifest.kept, sum(manifest.anew.values())) if night.anew else ("", "")
    why = "; ".join(f"{why} ({made})" for why, made in manifest.anew.items()) if night.anew else night.told
    moved = "moves" if night.anew else "stays"
    cells = (number, night.what, outcome.code, kept, anew, why, moved, f"{outcome.seconds:.1f}")
    return f"| {' | '.join(map(str, cells))} |"


def test_a_month_of_builds_leaves_latest_whole_every_morning(tmp_path: Path) -> None:
    house = House(tmp_path)
    print("\n| night | what changes | exit | kept | anew | why | latest | CPU s |\n|---|---|---|---|---|---|---|---|")
    before: dict[int, bytes] = {}
    link, published = None, 0
    for number, night in enumerate(MONTH, 1):
        outcome = require_night(house, night, before, link)
        before, link = house.records(), house.latest.readlink()
        published += bool(night.anew)
        assert len(builds_in(BuildsFolder(house.out).builds)) == min(published, KEEP)
        print(row_of(number, house, night, outcome))
    assert len(MONTH) == 30
