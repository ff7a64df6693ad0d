"""What tests of other projects use, whatever runs them: records over their tools, and calls compared by meaning.

    from generator.testing import assert_calls_equal, records

Under pytest the plugin offers the same as a mark and as fixtures (`generator.pytest_plugin`). Nothing is imported until
it is called, and what fails is told without frames of this module: unittest and pytest leave them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from generator.job_choices import DEFAULT_SEED, OfflineOptions

if TYPE_CHECKING:
    from generator.formats.loading.tool_files import LoadedTools
    from generator.records import Record

__unittest = True  # what unittest asks a module for, to leave its frames out of what it shows

Domain = str | Path | Sequence[str | Path]
"""A domain file, or several."""


def records(
    tools: Any = None,
    count: int = 10,
    seed: int = DEFAULT_SEED,
    *,
    kinds: Iterable[str] | None = None,
    domain: Domain = (),
    **options: Unpack[OfflineOptions],
) -> list[Record]:
    """Return valid records over these tools: offline, without files, equal ones for equal arguments.

    Args:
        tools: tool files, folders, globs, functions or definitions, one or a list of them, or what `load_tools` gave;
            without any, the bundled ones.
        count: how many records.
        seed: another one gives other records.
        kinds: the kinds of the records, in equal shares; without any, those of the default mix.
        domain: domain files for the tools; those beside tool files are read anyway.
        options: further fields of a job; `job_choices.OfflineOptions` says what each means.

    Raises:
        ToolFileError: the tools cannot be used, or are not there; every problem is told.
        JobError: an option is none, or the tools cannot serve what is asked for.
        DataError: a record could not be made.
    """
    __tracebackhide__ = True
    from generator.errors import ToolgenError

    try:
        return _made(tools, count, seed, kinds, domain, options)
    except ToolgenError as error:
        raise error.with_traceback(None) from None


def _made(
    tools: Any, count: int, seed: int, kinds: Iterable[str] | None, domain: Domain, options: OfflineOptions
) -> list[Record]:
    from generator.record import generate_records

    require_known(options)
    return list(generate_records(tools_of(tools, domain), count, seed, kinds=kinds, **options))


OPTIONS = ("tools", "count", "seed", "kinds", "domain", *OfflineOptions.__annotations__)
"""What records can be asked for, by name."""


def require_known(options: Iterable[str]) -> None:
    """Refuse names that are no options of records.

    Raises:
        JobError: with the nearest name for each.
    """
    from generator.errors import JobError
    from generator.suggestions import did_you_mean

    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        known = f"there are {', '.join(OPTIONS)}"
        raise JobError(
            "\n".join(f"unknown argument {name!r}; {did_you_mean(name, OPTIONS) or known}" for name in unknown)
        )


def tools_of(tools: Any = None, domain: Domain = ()) -> LoadedTools:
    """Load the tools that a test names, with the domains that speak of them; without any, the bundled ones.

    Raises:
        ToolFileError: they cannot be used, or are not there; every problem is told.
        JobError: what was given for a domain file is no path.
    """
    from generator.assets import asset_folder
    from generator.errors import JobError
    from generator.formats.loading.tool_files import LoadedTools, load_tools

    domains = [domain] if isinstance(domain, str | Path) else domain
    if not isinstance(domains, list | tuple) or not all(isinstance(each, str | Path) for each in domains):
        raise JobError(f"domain: {domain!r:.80} is no domain file; give the path of one, or a list of paths")
    if isinstance(tools, LoadedTools) and not domains:
        return tools
    sources = [asset_folder("tool_specs")] if tools is None else tools if isinstance(tools, list | tuple) else [tools]
    return load_tools(*sources, domains=domains)


def assert_calls_equal(expected: Any, actual: Any, tools: Any = None, *, ordered: bool = False) -> None:
    """Fail where two sets of calls do not mean the same, and explain the difference as a person would.

    Numbers, dates and times are compared by what they are, texts without their case where the schema allows it, lists
    that are sets without their order; the ids of calls do not count.

        assert_calls_equal(record.messages[1], client.chat.completions.create(...).choices[0].message, record.tools)

    Args:
        expected: the calls that are right: those of a record, or in any shape that servers give; or their message.
        actual: the calls that were made, likewise; None for none.
        tools: the tools of a record or a request, or what is given to `records`. By their schemas more is known to mean
            the same.
        ordered: whether calls that stand in another order differ.

    Raises:
        AssertionError: they differ; its text says how.
        ToolFileError: the tools cannot be used.
    """
    __tracebackhide__ = True
    from generator.errors import ToolgenError
    from generator.grading.calls import compare_calls

    try:
        compared = compare_calls(expected, actual, _declared(tools), ordered=ordered)
    except ToolgenError as error:
        raise error.with_traceback(None) from None
    if not compared.equal:
        raise AssertionError(compared.text)


def _declared(tools: Any) -> list[Any]:
    """Return the tools that schemas are taken from: what is a file, a document or a function is loaded."""
    given = list(tools) if isinstance(tools, list | tuple) else [] if tools is None else [tools]
    to_load = [each for each in given if isinstance(each, str | Path | Mapping) or callable(each)]
    rest = [each for each in given if not any(each is loaded for loaded in to_load)]
    return [*rest, *(tools_of(to_load) if to_load else ())]
