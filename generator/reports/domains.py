"""Domain files checked and listed by tool, and their reference, written from the model and from the tables of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from generator.domains.catalog import Catalog
from generator.domains.deriving import derive_domain
from generator.domains.domain import Domain, ToolDomain
from generator.errors import Problem, UsageError
from generator.formats.loading.domain_files import DomainFile, compiled, read_domain_file, speak
from generator.formats.loading.sources import SUFFIXES, Reader
from generator.formats.loading.tool_files import load_catalog
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.reports.record_trials import refused
from generator.scenarios.rehearsal import rehearse
from generator.tools import Tool
from generator.values.meanings.entities import PROVIDERS
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.program import compiled_domain
from generator.worlds.sources import SOURCES
from generator.worlds.speech import FORMATS
from generator.worlds.values import OPERATORS


@dataclass(slots=True)
class Checked:
    """What came of checking domain files."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    """What is worth knowing and no problem."""
    requests: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By tool, how many different requests were said, and how many there may be."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What is known of one tool."""

    tool: str
    origin: str
    """written, model, derived, or "none" where nothing can be said."""
    domain: str
    missing: tuple[str, ...]
    requests: int
    """How many different requests it can be given, estimated."""
    unsaid: tuple[str, ...] = ()
    """Optional parameters, and values of enumerations as `parameter=value`, that no way of it ever says."""


def check_domains(files: Sequence[Path], sources: Sequence[str], *, rounds: int, fewest: int) -> Checked:
    """Check domain files over their tools: their text, what they name, and every way and task over many worlds.

    Without sources, the tool files that the domain files stand beside are taken.

    Raises:
        ToolFileError: a tool file cannot be used.
        UsageError: no tool file is named, and none stands beside.
    """
    checked = Checked()
    tools = load_catalog(list(sources) or _tool_files(files), skip_invalid=True).catalog
    reader = Reader()
    for path in files:
        for file in read_domain_file(path, reader, checked.problems):
            _check(file, tools, checked, rounds, fewest)
    return checked


def _tool_files(files: Sequence[Path]) -> list[str]:
    """Return the tool files that domain files stand beside."""
    found = []
    for path in files:
        stem = Path(path.stem).stem
        beside = [path.with_name(stem + suffix) for suffix in sorted(SUFFIXES)]
        found += [str(each) for each in beside if each.is_file()][:1]
    if not found:
        raise UsageError(f"{files[0]}: no tool file of its name stands beside it; name the tool files after it")
    return found


def _check(file: DomainFile, tools: Catalog, checked: Checked, rounds: int, fewest: int) -> None:
    """Load one file over the tools as a run would, then rehearse it."""
    spoken = speak([file], tools.tools, [()] * len(tools.tools), (), strict=False)
    checked.problems += [*spoken.problems, *spoken.warnings]
    catalog = Catalog(tools=tuple(spoken.tools), domains=tuple(spoken.domains))
    for domain in spoken.domains:
        served = catalog.domain_tools[domain.name]
        made = compiled(file.value, domain.name, served)
        came = rehearse(compiled_domain(domain, served), rounds=rounds, fewest=fewest)
        checked.problems += file.problems([made.as_written(fault) for fault in came.faults])
        checked.notes += file.problems([made.as_written(fault) for fault in came.notes])
        checked.requests |= came.requests
    if spoken.domains:
        told = {problem.where for problem in checked.problems}
        found = file.problems([made.as_written(fault) for fault in refused(catalog, rounds)])
        checked.problems += [problem for problem in found if problem.where not in told]


_PARTS = ("ask", "confirm", "parallel", "follow_ups", "corrections", "invalid", "ambiguous", "recover", "profile")


def list_tools(catalog: Catalog, *, rounds: int) -> list[Listed]:
    """Tell of each tool who wrote what is known of it, what is missing, and how many requests it can be given."""
    domains = {domain.name: compiled_domain(domain, catalog.domain_tools[domain.name]) for domain in catalog.domains}
    rehearsals = {name: rehearse(compiled, rounds=rounds, fewest=0) for name, compiled in domains.items()}
    rest = [tool for tool in catalog.tools if tool.domain not in domains]
    derived = derive_domain(rest, "")
    known = rehearse(compiled_domain(derived, rest), rounds=rounds, fewest=0).requests if derived.tools else {}
    listed = []
    for tool in catalog.tools:
        if tool.domain in domains:
            compiled = domains[tool.domain]
            written = compiled.domain.tools[tool.name]
            came = rehearsals[tool.domain]
            _, many = came.requests.get(tool.name, (0, 0))
            missing = tuple(_missing(written, changes=tool.name in compiled.writing, tool=tool))
            unsaid = came.unsaid.get(tool.name, ())
            listed.append(Listed(tool.name, compiled.domain.origin, tool.domain, missing, many, unsaid))
        else:
            _, many = known.get(tool.name, (0, 0))
            origin = "derived" if tool.name in derived.tools else "none"
            listed.append(Listed(tool.name, origin, "", (), many))
    return listed


def _missing(written: ToolDomain, *, changes: bool, tool: Tool) -> list[str]:
    """Name the parts that a tool's domain does without."""
    missing = [key for key in ("can", "effect", "result", "ways", "near") if not getattr(written, key)]
    missing += [key for key in _PARTS if not any(getattr(way, key) for way in written.ways)]
    if not set(written.replies).union(*(way.replies for way in written.ways)) - {"ok", "empty"}:
        missing.append("errors")
    needless = _needless(written, changes=changes, tool=tool)
    return [key for key in missing if key not in needless]


def _needless(written: ToolDomain, *, changes: bool, tool: Tool) -> set[str]:
    """Name the parts that a tool's domain has no use for."""
    needless: set[str] = set()
    if written.examples:
        needless |= {"effect", "result"}
    if not changes:
        needless.add("confirm")
    if not tool.parameters.get("required"):
        needless |= {"ask", "ambiguous"}
    return needless


SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"

SOURCE_EXAMPLES: dict[str, JsonValue] = {
    "schema": {"schema": {"type": "string", "format": "email"}},
    "pool": {"pool": "titles"},
    "integer": {"integer": [5, 60], "step": 5},
    "number": {"number": [0.5, 20], "decimals": 1},
    "day": {"day": [1, 30], "only": "weekdays"},
    "clock": {"clock": ["08:00", "17:30"], "every": 30},
    "moment": {"moment": [1, 14], "hours": ["08:00", "18:00"], "as": "%Y-%m-%d %H:%M"},
    "faker": {"faker": "company"},
    "pattern": {"pattern": "L-[A-Z0-9]{6}"},
    "text": {"text": "{first|lower}.{last|lower}@example.com"},
    "maybe": {"maybe": 0.3, "value": {"pool": "titles"}, "else": None},
    "chance": {"chance": 0.25},
    "list": {"list": {"pool": "titles"}, "count": [1, 3]},
    "ref": {"ref": "book", "distinct": True},
    "row": {"row": "loan", "where": [["status", "!=", "returned"]]},
    "rows": {"rows": "loan", "count": [2, 3]},
    "new": {"new": "loan", "set": {"title": {"pool": "titles"}}},
    "wording": {"wording": "filter"},
    "one_of": {"one_of": [{"pool": "titles"}, {"faker": "word"}]},
    "from": {"from": ["small", "large"], "weights": [3, 1]},
}
OPERATOR_EXAMPLES: dict[str, JsonValue] = {
    "$if": {"$if": [["$due", "<", "$today"], "overdue", "active"]},
    "$or": {"$or": ["$limit", 10]},
    "$pick": {"$pick": ["$unit", {"km": 1, "miles": 1.609, "else": 1}]},
    "$calc": {"$calc": "ceil(pages / days)"},
    "$text": {"$text": "{title} by {author}"},
    "$each": {"$each": ["$rows", {"name": "$title"}]},
    "$where": {"$where": ["$rows", [["$price", "<", 20]]]},
    "$sort": {"$sort": ["$rows", "-price"]},
    "$count": {"$count": "$all"},
    "$sum": {"$sum": ["$rows", "price"]},
    "$average": {"$average": ["$rows", "rating"]},
    "$least": {"$least": ["$rows", "price"]},
    "$most": {"$most": ["$rows", "price"]},
    "$distinct": {"$distinct": ["$rows", "author"]},
    "$shift": {"$shift": ["$due", 2, "weeks"]},
    "$between": {"$between": ["$check_in", "$check_out"]},
    "$form": {"$form": ["$now", "%Y-%m-%d %H:%M"]},
    "$day": {"$day": "$start"},
    "$clock": {"$clock": "$start"},
    "$round": {"$round": ["$price", 2]},
    "$lower": {"$lower": "$name"},
    "$upper": {"$upper": "$code"},
    "$join": {"$join": ["$tags", ", "]},
    "$split": {"$split": ["$names", ","]},
    "$first": {"$first": ["$rows", 3]},
    "$merge": {"$merge": ["$it|full", {"note": "$note"}]},
    "$only": {"$only": ["$rows|full", "$fields"]},
    "$not": {"$not": "$open"},
    "$string": {"$string": "$number"},
    "$number": {"$number": "$text"},
    "$length": {"$length": "$text"},
    "$words": {"$words": "$text"},
}
EFFECT_EXAMPLES: dict[str, JsonValue] = {
    "get": {"get": "loan", "where": [["id", "=", "$loan_id"]], "else": {"RESOURCE_NOT_FOUND": "No {loan_id}."}},
    "list": {"list": "loan", "where": [["status", "=", "$status"]], "sort": "-due", "limit": "$limit"},
    "create": {"create": "loan", "set": {"title": "$title"}},
    "update_all": {"update_all": "loan", "where": [["status", "=", "overdue"]], "set": {"status": "active"}},
    "update": {"update": "$it", "set": {"due": {"$shift": ["$due", "$days"]}}, "append": {"tags": "$tag"}},
    "delete_all": {"delete_all": "loan", "where": [["status", "=", "returned"]]},
    "delete": {"delete": "$it"},
    "each": {"each": "$items", "as": "item", "do": [{"create": "line", "set": {"name": "$item.name"}}]},
    "require": {"require": [["$it.status", "!=", "returned"]], "else": {"INVALID_STATE": "It was returned."}},
    "let": {"let": {"total": {"$sum": ["$rows", "price"]}}},
    "if": {"if": [["$notify", "=", True]], "then": [{"create": "notice"}]},
}
CONDITION_EXAMPLES: dict[str, JsonValue] = {
    "=": ["status", "=", "$status"], "!=": ["status", "!=", "returned"], "<": ["due", "<", "$today"],
    "<=": ["price", "<=", "$max_price"], ">": ["copies", ">", 0], ">=": ["rating", ">=", 4],
    "is": ["name", "is", "$name"], "in": ["status", "in", ["active", "overdue"]],
    "not in": ["status", "not in", ["lost"]], "has": ["tags", "has", "$tag"], "has all": ["tags", "has all", "$tags"],
    "has any": ["tags", "has any", "$tags"], "contains": ["title", "contains", "$text"],
    "starts": ["code", "starts", "$prefix"], "like": ["title", "like", "$query"], "on": ["start", "on", "$date"],
    "given": ["$limit", "given"], "missing": ["returned_at", "missing"], "empty": ["tags", "empty"],
    "not empty": ["tags", "not empty"],
}  # fmt: skip


def domain_schema() -> JsonObject:
    """Return the JSON Schema of domain files."""
    schema = Domain.model_json_schema(by_alias=True)
    return {
        "$schema": SCHEMA_ID,
        "title": "Domain file of toolgen",
        **{k: v for k, v in schema.items() if k != "title"},
    }


def reference() -> str:
    """Return the reference as Markdown."""
    return "\n".join([*_INTRODUCTION, *_models(), *_tables()]) + "\n"


_INTRODUCTION = (
    "# The format of domain files",
    "",
    "<!-- Written by `toolgen domain --reference`; a test keeps it true. -->",
    "",
    "What is known of a toolset beyond its schemas: the things it is about, what calls do to them, and how people ask.",
    "`NAME.domain.yaml` (or `.yml`, `.json`) beside `NAME.json` speaks of its tools; one without a tool file of its",
    "name speaks of all tool files in its folder and below; `--domain FILE` comes first. It is data, never code.",
    "Values may hold `$name.field`; texts hold `{slots}` and loops `<list: text>`. `toolgen domain --check` tries it.",
)


def _models() -> Iterator[str]:
    """Yield a section for each part of a domain file, each once, in the order in which they are met."""
    waiting: list[type[BaseModel]] = [Domain]
    met: list[type[BaseModel]] = []
    while waiting:
        model = waiting.pop(0)
        if model in met:
            continue
        met.append(model)
        yield from (
            "",
            f"## {model.__name__}",
            "",
            _plain(model.__doc__),
            "",
            "| key | takes | what it is |",
            "|---|---|---|",
        )
        for name, info in model.model_fields.items():
            takes = _cell(_in_words(info.annotation))
            yield f"| `{info.alias or name}` | {takes} | {_cell(info.description or '')}{_needed(info)} |"
            waiting += _models_in(info.annotation)


_WORDS: dict[Any, str] = {str: "text", bool: "true or false", int: "number", float: "number", type(None): "null"}


def _in_words(annotation: Any) -> str:
    """Say what a key takes: the name of a section of this page, or what YAML and JSON know."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _in_words(inner[0])
    if origin is Literal:
        return " or ".join(f"`{each}`" for each in inner)
    if origin in (tuple, list, frozenset):
        return f"list of {_in_words(inner[0])}"
    if origin is dict:
        return f"by name: {_in_words(inner[1])}"
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_in_words, inner)))
    return _WORDS.get(annotation, "value")


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _needed(field: Any) -> str:
    return " (needed)" if field.is_required() else ""


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in _models_in(inner)]


def _tables() -> Iterator[str]:
    """Yield the tables of what values, draws, effects, conditions and texts are written with."""
    sources = {name: _with_settings(entry) for name, entry in SOURCES.items()}
    operators = {name: entry[2] for name, entry in OPERATORS.items()}
    effects = {name: _with_settings(entry) for name, entry in EFFECTS.items()}
    conditions = {name: entry[1] for name, entry in (*CONDITIONS.items(), *UNARY.items())}
    yield from _table("Sources", "Where fields and draws come from.", sources, SOURCE_EXAMPLES)
    yield f"\nProviders of `faker`: {', '.join(f'`{name}`' for name in PROVIDERS)}."
    yield from _table("Operators", "Calculations inside values.", operators, OPERATOR_EXAMPLES)
    yield from _table("Effects", "What a call does, step by step.", effects, EFFECT_EXAMPLES)
    about = "Lines of `where`, `require`, `when` and `$if`; also `{any: [[...], [...]]}` and `{not: [...]}`."
    about += " A line of `where` that compares with an argument which the call does not give is skipped: it holds."
    yield from _table("Conditions", about, conditions, CONDITION_EXAMPLES)
    yield from ("", "## Formats", "", "How a slot says its value: `{due|day}`.", "", "| format | says |", "|---|---|")
    for name, (_, what) in FORMATS.items():
        yield f"| `{name}` | {_cell(what)} |"


def _with_settings(entry: tuple[Any, Iterable[str], str]) -> str:
    _, settings, what = entry
    named = ", ".join(f"`{name}`" for name in settings)
    return f"{what} (settings: {named})" if named else what


def _table(title: str, about: str, entries: dict[str, str], examples: dict[str, JsonValue]) -> Iterator[str]:
    yield from ("", f"## {title}", "", about, "", "| name | what | example |", "|---|---|---|")
    for name, what in entries.items():
        example = f"`{_cell(dump_compact(examples[name]))}`" if name in examples else ""
        yield f"| `{name}` | {_cell(what)} | {example} |"
