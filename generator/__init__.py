"""toolgen generates tool-calling training sets of which every record passed the full validator.

The way data walks:

    tool files ───load──▶ Tool, Catalog ─┐
    domain files ─load──▶ Domain ────────┤ plan ──▶ Scenario, World ──draft──▶ Draft ──execute──▶ ToolResult
    job.toml ────────────▶ Job ──────────┘ (scenarios, worlds)       (authors)        (worlds, values)  │ assemble
    exports ◀──dump── run store ◀──add── Record (byte for byte what was checked) ◀──check── Record ◀────┘ (assembly)
    (formats)          (runs)       └── Rejection (reasons)              (validation)

`record.make_record` is this way for one record; `run.run_job` makes the records of a job, in an engine of `engines`,
into the run store of `runs`. `datasets` reads and writes files of records, `reports` and `cli` tell of them.

The words, everywhere the same:

    tool             one callable function: name, description, parameters (its schema), result schema
    tool file        definitions of tools in one of the formats; a catalog holds the tools of a job
    domain           what is known of a toolset: entities, effects of calls, values, phrases, tasks; in a domain file
    world, row       the state of one record, on which its calls are executed; one entity in it
    scenario         the plan of one record: kind, tools shown, steps, persona, locale, seed
    kind             what a record shows: simple, multiple, parallel, irrelevance ... (the words of BFCL)
    author           writes the texts and calls of a scenario as drafts: offline (phrases), or llm (a model)
    draft, call      what an author proposes, unverified; one call of a tool, with its call id and arguments
    result           what a call brought: a value by the result schema, or an error
    record           messages, tools and metadata
    rule, violation  what the examiner demands; one place where a record does not meet it
    evidence         the words that a value comes from; the evidence level says how firm they are
    rejection        an attempt that yielded no record, with its violations; an accepted record passed every rule
    second opinion   another model's judgement of an accepted record
    backend          where completions come from; an LLM session holds all that a job with a model needs
    response format  how a server is asked for JSON; a response-format fallback is the next way, where one is refused
    format           how records, or tools, are written in files: load, dump; an export is a dump of a run
    job, run         what to generate; the folder in which it is made, begun and continued
    range, part      some indices of a job in a row; the run that makes them, to be merged with others into the whole
    engine           where the records of a run are made: in process, in local processes, in an event loop, in Ray

The public names are these few; each is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.formats.loading.tool_files import load_tools
    from generator.grading.reward import Reward, reward
    from generator.record import generate_records
    from generator.records import Record
    from generator.tools import Tool
    from generator.validation import validate_record
    from generator.values import synthesize_value

__all__ = [
    "Record",
    "Reward",
    "Tool",
    "generate_records",
    "load_tools",
    "reward",
    "synthesize_value",
    "validate_record",
]

_HOMES = {
    "Record": "generator.records",
    "Reward": "generator.grading.reward",
    "Tool": "generator.tools",
    "generate_records": "generator.record",
    "load_tools": "generator.formats.loading.tool_files",
    "reward": "generator.grading.reward",
    "synthesize_value": "generator.values",
    "validate_record": "generator.validation",
}


if not TYPE_CHECKING:  # else a type checker would take every misspelt name for one that is found here

    def __getattr__(name: str) -> object:
        """Import a public name when it is first asked for."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Name the public names, imported or not."""
    return sorted({*globals(), *__all__})
