"""The pytest plugin: valid records for the tests of whoever consumes them, by a mark and by a fixture.

    @pytest.mark.toolgen(tools="my_tools.json", count=20, seed=7, kinds=["parallel"])
    def test_my_parser(record): ...

It is loaded by every pytest where toolgen is installed, so it imports nothing until the mark or a fixture is used.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias, Unpack

import pytest

from generator.job_choices import DEFAULT_SEED, OfflineOptions

if TYPE_CHECKING:
    from generator.formats.loading.tool_files import LoadedTools
    from generator.records import Record
    from generator.serving.running import Records, Serving
    from generator.testing import Domain

    Made: TypeAlias = list[tuple[str, Record]]
    """Records, each with the id of its test."""

MARK = "toolgen"
ARGUMENT = "record"
"""The argument of a test that the mark gives its records."""
_LARGEST_SEED = 2**53 - 1
_SIGNATURE = "toolgen(tools=None, count=10, seed=0, kinds=None, domain=(), **options)"


class ToolRecords(Protocol):
    """What the fixture is: annotate the argument of a test with it."""

    def __call__(
        self,
        tools: Any = None,
        count: int = 10,
        seed: int = DEFAULT_SEED,
        *,
        kinds: Iterable[str] | None = None,
        domain: Domain = (),
        **options: Unpack[OfflineOptions],
    ) -> list[Record]:
        """Return valid records over these tools."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the seed."""
    parser.getgroup("toolgen").addoption(
        "--toolgen-seed",
        type=read_seed,
        metavar="S",
        help="make all records of toolgen with this seed, in place of those that tests name",
    )


def read_seed(text: str) -> int:
    """Return the seed that a text is.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not (text.isascii() and text.isdecimal()) or int(text[:20]) > _LARGEST_SEED:
        raise ArgumentTypeError(f"{text!r} is no seed: give a whole number from 0 to {_LARGEST_SEED}")
    return int(text)


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark."""
    config.addinivalue_line(
        "markers", f"{_SIGNATURE}: run the test once for each of these valid records, its argument `{ARGUMENT}`"
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    """Tell the seed that all records are made with, where one was given."""
    seed = config.getoption("toolgen_seed")
    return None if seed is None else f"toolgen: all records are made with seed {seed} (--toolgen-seed)"


def seed_of(config: pytest.Config, seed: int = DEFAULT_SEED) -> int:
    """Return the seed for what a test asked to be made with this one: that of the command line wins."""
    given: int | None = config.getoption("toolgen_seed")
    return seed if given is None else given


@pytest.fixture(scope="session")
def tool_records(pytestconfig: pytest.Config) -> ToolRecords:
    """Return `tool_records(tools=None, count=10, seed=0, *, kinds=None, domain=(), **options)`, which makes records.

    They are valid, made offline and without files. `tools` are tool files, folders, functions or definitions, one or a
    list of them, without any the bundled ones; `kinds` are the kinds of the records in equal shares, as in
    `kinds=["parallel"]`; `domain` is a domain file or several; `options` are further fields of a job, e.g.
    `error_rate=0.5`. Equal arguments give equal records; --toolgen-seed replaces the seed.
    """

    def make(tools: Any = None, count: int = 10, seed: int = DEFAULT_SEED, **options: Any) -> list[Record]:
        __tracebackhide__ = True
        from generator.testing import records

        asked = {name: _placed(pytestconfig, value) if name == "domain" else value for name, value in options.items()}
        return records(_placed(pytestconfig, tools), count, seed_of(pytestconfig, seed), **asked)

    return make


def _placed(config: pytest.Config, given: Any) -> Any:
    """Return paths as they are read from here: one that leads nowhere from the working folder, from pytest's rootdir.

    So a test finds its tools wherever pytest is started, as editors do in the folder of a test.
    """
    if isinstance(given, list | tuple) and not hasattr(given, "catalog"):
        return [_placed(config, each) for each in given]
    if not isinstance(given, str | Path) or Path(given).exists():
        return given
    there = config.rootpath / given
    return there if there.exists() else given


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with the mark once for each of its records.

    A class or a module may have the mark as well: then those of its tests are run so that take a record.
    """
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is None:
        return
    if ARGUMENT in metafunc.fixturenames:
        made = _records_of(metafunc, mark)
        metafunc.parametrize(ARGUMENT, [record for _, record in made], ids=[name for name, _ in made])
    elif mark in metafunc.definition.own_markers:
        _refuse(metafunc, f"the test has no argument `{ARGUMENT}` to take the records")


def _refuse(metafunc: pytest.Metafunc, why: str) -> NoReturn:
    """Fail the collection of a test with one message, without a traceback."""
    pytest.fail(f"{metafunc.definition.nodeid}: @pytest.mark.{MARK}: {why}", pytrace=False)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test of unittest with the mark, which would run once and without a record."""
    unittest = sys.modules.get("unittest")
    if unittest is None or item.get_closest_marker(MARK) is None:
        return
    if issubclass(getattr(item, "cls", None) or object, unittest.TestCase):
        what = "a test of unittest takes no record: call generator.testing.records in it"
        pytest.fail(f"{item.nodeid}: @pytest.mark.{MARK}: {what}", pytrace=False)


@dataclass(slots=True)
class _Kept:
    """What a collection has made for its marks."""

    tools: dict[str, LoadedTools] = field(default_factory=dict)
    """Tools by the paths that were given, which are read once."""
    made: dict[int, tuple[pytest.Mark, Made]] = field(default_factory=dict)
    """Records by the mark that asks for them, which is kept so that no other takes its place in memory."""


_KEPT = pytest.StashKey[_Kept]()


def _records_of(metafunc: pytest.Metafunc, mark: pytest.Mark) -> Made:
    """Return the records that a mark asks for, each with its id; a mark of a class makes them once for all its tests.

    Each test gets copies: what one does to a record is not seen by another.
    """
    from generator.errors import ToolgenError

    kept = metafunc.config.stash.setdefault(_KEPT, _Kept())
    if id(mark) not in kept.made:
        made, problem = None, ""
        try:
            made = _make(metafunc.config, mark, kept)
        except ToolgenError as error:
            problem = str(error)
        if made is None:  # told outside of the handling, so that nothing of ours is shown beside it
            _refuse(metafunc, problem)
        kept.made[id(mark)] = (mark, made)
    return [(name, record.model_copy(deep=True)) for name, record in kept.made[id(mark)][1]]


def _make(config: pytest.Config, mark: pytest.Mark, kept: _Kept) -> Made:
    """Make the records of a mark.

    Raises:
        ToolgenError: the mark asks for what there is not.
    """
    from generator.testing import records

    asked = _arguments(mark)
    seed, metadata = seed_of(config, asked.pop("seed", DEFAULT_SEED)), asked.pop("metadata", True)
    tools = _load(config, asked.pop("tools", None), asked.pop("domain", ()), kept)
    made = records(tools, seed=seed, **asked)
    named = [(f"{record.metadata and record.metadata.kind}-{index:04d}", record) for index, record in enumerate(made)]
    return named if metadata else [(name, record.model_copy(update={"metadata": None})) for name, record in named]


def _arguments(mark: pytest.Mark) -> dict[str, Any]:
    """Return what a mark asks for, by name.

    Raises:
        JobError: it has arguments that are none, or one twice.
    """
    from generator.errors import JobError
    from generator.testing import require_known

    require_known(mark.kwargs)
    if len(mark.args) > 1 or (mark.args and "tools" in mark.kwargs):
        raise JobError("only the tools are given without a name, and once, as in toolgen('my_tools.json', count=20)")
    return {**dict(zip(["tools"], mark.args, strict=False)), **mark.kwargs}


def _load(config: pytest.Config, tools: Any, domain: Any, kept: _Kept) -> LoadedTools:
    """Load the tools of a mark, those of the same paths once."""
    from generator.testing import tools_of

    named = [*(tools if isinstance(tools, list | tuple) else [tools]), domain]
    key = repr(named) if all(isinstance(each, str | Path | None | tuple) for each in named) else ""
    if key in kept.tools:
        return kept.tools[key]
    loaded = tools_of(_placed(config, tools), _placed(config, domain))
    if key:
        kept.tools[key] = loaded
    return loaded


class ToolCallingServer(Protocol):
    """What the fixture is: annotate the argument of a test with it."""

    def __call__(self, records: Records, **options: Any) -> Serving:
        """Run a server that plays the model with the turns of these records."""


@pytest.fixture
def tool_calling_server() -> Iterator[ToolCallingServer]:
    """Return `tool_calling_server(records, **options)`, which runs a server that plays the model until the test ends.

    `records` are a run folder or a file, or records as `tool_records` gives them; `options` are those of
    `generator.serving.running.serve_records`, e.g. `faults="429=0.5"`. What it gives has `base_url`, `api_key` and
    `records`. It needs the extra `serve`.
    """
    with ExitStack() as servers:

        def serve(records: Records, **options: Any) -> Serving:
            from generator.serving.running import serve_records

            return servers.enter_context(serve_records(records, **options))

        yield serve
