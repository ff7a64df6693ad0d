"""The law of the house, proven from the source: who may import whom, how long things are, which words are not used."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from radon.complexity import cc_visit

from generator.backends.protocols import PROTOCOLS
from tests.checkout import CHECKOUT, run_python
from tests.tables import each_row

PACKAGE = CHECKOUT / "generator"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# A room may import itself and rooms of a lower level; SAME_LEVEL says where else, and why.
LEVELS: dict[str, int] = {
    **dict.fromkeys("errors ids random_streams boundary jsontext kinds assets version".split(), 0),
    **dict.fromkeys("suggestions garbage_collection object_key job_choices bounded_process".split(), 0),
    **dict.fromkeys(["schemas", "settings_file", "disk", "extras"], 1),
    "compressed": 2,
    **dict.fromkeys(["values", "tools", "lengths"], 2),
    **dict.fromkeys(["domains", "records", "masking"], 3),
    "worlds": 4,
    **dict.fromkeys(["formats", "scenarios", "backends", "validation", "job"], 5),
    **dict.fromkeys(["assembly", "runs", "chat_templates", "grading"], 6),
    **dict.fromkeys(["authors", "engines"], 7),
    **dict.fromkeys(["record", "datasets"], 8),
    **dict.fromkeys(["domain_writing", "fixtures", "delegation", "ray"], 9),
    "run": 10,
    **dict.fromkeys(["builds", "reports", "serving", "exams", "batches", "merge"], 11),
    "testing": 12,
    **dict.fromkeys(["cli", "pytest_plugin"], 13),
}
SAME_LEVEL = {
    ("scenarios", "job"): "the planner reads the job",
    ("builds", "reports"): "a build holds its report",
    ("exams", "reports"): "an exam is told in the tables and the page of a report",
    ("exams", "serving"): "whole conversations are held on the worlds of records",
}
NOT_FOR_THE_EXAMINER = {"scenarios", "authors", "values", "worlds", "assembly"}
LONGEST_FUNCTION = 40
LONGEST_FILE = 750
MOST_COMPLEX = 10
"""Decisions of a function, as radon counts them: its rank B ends there, where ruff stops as it counts them."""
FORBIDDEN_NAMES = re.compile(r"(?i)(util|utils|helper|helpers|common|core|manager|handler)")
FORBIDDEN_WORDS = re.compile(r"(?i)\b(samples?|utils?|helpers?|managers?|handlers?|todo|fixme|xxx|for now)\b")
OWN_WORDS = re.compile(r"(?i)(?<![a-z])(errands?|playbooks?|kin|rungs?|ladders?|barren|hirings?|sketch(es)?)(?![a-z])")
"""Words that nobody in the field uses for what the glossary has a word for, in prose and in names alike."""
ELSEWHERE = re.compile(r"/work/|/tmp/(venv|plan|r8)|\bsubagent|pypi[-.]more")


def tracked(*patterns: str) -> list[Path]:
    """Files of the repository, as git knows them; without git, those of the package."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    names = [name for name in listed.stdout.split("\0") if name] if listed.returncode == 0 else []
    return [CHECKOUT / name for name in names if (CHECKOUT / name).is_file()] or SOURCES


def module_name(path: Path) -> str:
    parts = path.relative_to(CHECKOUT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, walked through once for all tests."""
    return tuple(ast.walk(parsed(path)))


@cache
def imports(path: Path) -> list[str]:
    """Every module that a file imports, `from generator.x import y` as `generator.x.y`."""
    found: list[str] = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


MODULES = {module_name(path) for path in SOURCES}


def resolved(imported: str) -> str:
    """The module of ours that an import names: `generator.x.y` is `generator.x` where y is no module."""
    return imported if imported in MODULES else imported.rpartition(".")[0]


@cache
def ours(path: Path) -> set[str]:
    return {resolved(name) for name in imports(path) if name.split(".")[0] == "generator"}


def everywhere(find: Callable[[Path], Iterable[object]], paths: Iterable[Path] = SOURCES) -> dict[str, list[object]]:
    """What a look at each file finds, by module."""
    return {module_name(path): found for path in paths if (found := list(find(path)))}


def test_every_room_has_its_level() -> None:
    assert {room(module_name(path)) for path in SOURCES} - {"", "__main__"} <= set(LEVELS)


def test_imports_obey_the_law_of_dependency() -> None:
    def unlawful(path: Path) -> Iterator[str]:
        here = room(module_name(path))
        for target in ours(path) if here not in {"", "__main__"} else ():
            there = room(target)
            allowed = here == there or (bool(there) and LEVELS[there] < LEVELS[here]) or (here, there) in SAME_LEVEL
            if not allowed or (here == "validation" and there in NOT_FOR_THE_EXAMINER):
                yield target

    assert everywhere(unlawful) == {}


def cycles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The groups of modules that can be reached from each other."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = list(graph.get(start, ()))
        while waiting:
            module = waiting.pop()
            if module not in found:
                found.add(module)
                waiting += graph.get(module, ())
        return found

    closure = {module: reached(module) for module in graph}
    groups = {frozenset(other for other in closure[module] if module in closure[other]) for module in graph}
    return [set(group) for group in groups if group]


def test_no_import_cycle() -> None:
    """Imports inside functions and for types alone count as well; a package that gathers its modules is no cycle."""
    graph = {module_name(path): ours(path) - {module_name(path)} for path in SOURCES}
    assert [sorted(group) for group in cycles(graph)] == []


@pytest.mark.parametrize(
    ("package", "homes"),
    [
        ("aiohttp", ("backends/",)),
        ("jinja2", ("authors/llm/rendering.py", "chat_templates/rendering.py", "reports/page/rendering.py")),
        ("faker", ("values/",)),
        ("pygal", ("reports/page/charts.py",)),
        ("jsonschema_rs", ("schemas/",)),
    ],
)
def test_a_package_is_imported_where_it_belongs(package: str, homes: tuple[str, ...]) -> None:
    users = [
        str(path.relative_to(PACKAGE)) for path in SOURCES if any(n.split(".")[0] == package for n in imports(path))
    ]
    assert [user for user in users if not user.startswith(homes)] == []


WORDING = re.compile(r"\bresponse_format\b|tool_choice|chat/completions|max_completion_tokens|x-api-key")
READERS = {"backends", "records", "serving", "validation"}
"""Rooms that word requests to servers, and those that read and check such requests in files."""


def test_how_a_server_is_asked_stands_in_backends_alone() -> None:
    elsewhere = [path for path in SOURCES if room(module_name(path)) not in READERS]
    assert everywhere(lambda path: WORDING.findall(path.read_text(encoding="utf-8")), elsewhere) == {}


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_functions_and_files_are_short() -> None:
    def long(path: Path) -> Iterator[object]:
        yield from (f.name for f in functions(path) if f.end_lineno and f.end_lineno - f.lineno >= LONGEST_FUNCTION)
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LONGEST_FILE:
            yield lines

    assert everywhere(long) == {}


def test_functions_decide_little() -> None:
    def complex_ones(path: Path) -> Iterator[str]:
        blocks = cc_visit(path.read_text(encoding="utf-8"))
        methods = [method for block in blocks for method in getattr(block, "methods", ())]
        for each in [*blocks, *methods]:
            if not hasattr(each, "methods") and each.complexity > MOST_COMPLEX:
                yield f"{each.name}: {each.complexity}"

    assert everywhere(complex_ones) == {}


def test_names_say_what_things_are() -> None:
    def empty_names(path: Path) -> list[str]:
        classes = [node.name for node in nodes(path) if isinstance(node, ast.ClassDef)]
        words = [word for name in classes for word in re.findall(r"[A-Z][a-z]+", name)]
        names = [*path.relative_to(PACKAGE).with_suffix("").parts, *words]
        return [name for name in names if FORBIDDEN_NAMES.fullmatch(name.strip("_"))]

    assert everywhere(empty_names) == {}


@cache
def prose(path: Path) -> list[str]:
    """Comments and docstrings of a file."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    documented = [node for node in nodes(path) if isinstance(node, holders)]
    return comments + [ast.get_docstring(node) or "" for node in documented]


def test_prose_uses_the_words_of_the_house() -> None:
    assert everywhere(lambda path: [match[0] for match in FORBIDDEN_WORDS.finditer("\n".join(prose(path)))]) == {}


def test_names_and_prose_use_the_words_of_the_field() -> None:
    def names(path: Path) -> Iterator[str]:
        yield path.stem
        for node in nodes(path):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name)
            elif isinstance(node, ast.arg):
                yield node.arg
            elif isinstance(node, ast.Name):
                yield node.id

    def found(path: Path) -> list[str]:
        return [match[0] for match in OWN_WORDS.finditer("\n".join({*names(path), *prose(path)}))]

    assert everywhere(found) == {}


def test_a_protocol_is_a_file_and_an_entry() -> None:
    room_of_protocols = "generator.backends.protocols."
    files = {module for module in MODULES if module.startswith(room_of_protocols)} - {f"{room_of_protocols}protocol"}
    assert {known.home.partition(":")[0] for known in PROTOCOLS.values()} == files
    others = [path for path in SOURCES if not module_name(path).startswith(room_of_protocols.rstrip("."))]
    assert everywhere(lambda path: (ours(path) | named_in(path)) & files, others) == {}


def test_the_repository_speaks_of_the_product_alone() -> None:
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in tracked() if path.suffix != ".jsonl"}
    found = {
        str(path.relative_to(CHECKOUT)): ELSEWHERE.search(text)
        for path, text in texts.items()
        if path != Path(__file__)
    }
    assert {name: match[0] for name, match in found.items() if match} == {}


EXCUSE = re.compile(r"#\s*(noqa|type:\s*ignore)")
WITH_REASON = re.compile(r"(noqa: [A-Z0-9, ]+|type:\s*ignore\[[\w, -]+\])\s*(-|#)\s*\w")


def test_every_exception_to_lint_and_types_has_its_reason() -> None:
    def bare(path: Path) -> list[str]:
        text = path.read_text(encoding="utf-8")
        if not EXCUSE.search(text):
            return []
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
        return [each for each in comments if EXCUSE.search(each) and not WITH_REASON.search(each)]

    assert everywhere(bare, [*SOURCES, *(CHECKOUT / "tests").rglob("*.py")]) == {}


def test_no_exception_is_swallowed() -> None:
    def swallowing(path: Path) -> list[int]:
        caught = [node for node in nodes(path) if isinstance(node, ast.ExceptHandler)]
        return [
            node.lineno for node in caught if node.type is None or all(isinstance(line, ast.Pass) for line in node.body)
        ]

    assert everywhere(swallowing) == {}


def loaded_by(program: str) -> set[str]:
    """Names of the top-level packages that a program has imported when it ends."""
    done = run_python("-c", f"{program}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split("\n")[-2].split())


SERVERS = {"openai", "aiohttp", "httpx2", "jinja2", "tenacity"}
"""What the llm author alone needs."""
HEAVY = {*SERVERS, "faker", "pydantic", "rich", "jsonschema", "jsonschema_rs", "orjson", "yaml", "sqlite3"}
CHEAP: dict[str, set[str]] = {
    "import generator": HEAVY | {"click"},
    "import generator; generator.__all__; dir(generator)": HEAVY | {"click"},
    "import generator.cli": HEAVY,
    "from generator.cli import main; main(['--help'])": HEAVY,
    "from generator.cli import main; main(['--version'])": HEAVY,
    "import generator.pytest_plugin": HEAVY | {"click"},
    "from generator.testing import assert_calls_equal, records": HEAVY | {"click"},
    "from generator.cli import main; main(['generate', '--help'])": HEAVY - {"orjson"},
    "from generator.cli import main; main(['validate', '--help'])": {*SERVERS, "faker"},
    "from generator.cli import main; main(['generate', '--count', '3', '--dry-run'])": SERVERS,
    "from generator import Record, Tool, validate_record": {*SERVERS, "faker", "rich", "click"},
    "from generator import generate_records, load_tools": {*SERVERS, "rich", "click"},
}


@each_row("program", list(CHEAP))
def test_imports_cost_no_more_than_they_must(program: str) -> None:
    assert loaded_by(program) & CHEAP[program] == set()


def test_every_level_has_its_room() -> None:
    present = {path.name.removesuffix(".py") for path in PACKAGE.iterdir()}
    assert set(LEVELS) - present == set()


def test_every_exception_to_the_law_is_needed() -> None:
    used = {(room(module_name(path)), room(target)) for path in SOURCES for target in ours(path)}
    assert set(SAME_LEVEL) - used == set()


ENTRANCES = ("generator", "generator.__main__", "generator.cli", "generator.pytest_plugin")
FOR_USERS = {
    "generator.backends.scripted": "answers written beforehand, for the tests of whoever writes an author",
    "generator.ray": "records as rows of Ray, for programs with it",
    "generator.assets.examples.airflow_nightly": "a file to copy, for Airflow",
    "generator.assets.examples.airflow_ranges": "a file to copy, for Airflow",
    "generator.grading.trl": "prompts and the reward function for whoever trains with TRL",
    "generator.grading.verifiers": "an environment for whoever trains or evaluates with verifiers",
}
"""Modules that nothing of ours imports, and why they ship."""


def named_in(path: Path) -> set[str]:
    """The modules of ours that a file names in texts, to import them when they are asked for."""
    texts = [node.value for node in nodes(path) if isinstance(node, ast.Constant)]
    return {text.partition(":")[0] for text in texts if isinstance(text, str)} & MODULES


def test_every_module_is_reached_from_the_product() -> None:
    files = {module_name(path): path for path in SOURCES}
    reached: set[str] = set()
    waiting = list(ENTRANCES)
    while waiting:
        module = waiting.pop()
        if module in files and module not in reached:
            reached.add(module)
            waiting += [*ours(files[module]), *named_in(files[module]), module.rpartition(".")[0]]
    assert set(files) - reached == set(FOR_USERS)


WRITERS = ("scenarios", "authors", "values", "worlds", "assembly")
SHARED = {
    "generator.assets": "where files of data lie",
    "generator.domains.catalog": "the tools of a job, which the examiner is given to judge by",
    "generator.errors": "how mistakes of the operator are told",
    "generator.kinds": "the kinds and what each is declared to be",
    "generator.jsontext": "what JSON is, how pointers are written, and digests of definitions",
    "generator.records": "the type of what `validate_record` is given, and the word SUCCESS",
    "generator.schemas.adm": "the error types that ADM lists",
    "generator.schemas.keywords": "the type of a path into a schema",
    "generator.schemas.validators": "what a JSON Schema accepts, which a library decides",
    "generator.suggestions": "the nearest of some names",
    "generator.tools": "the type of a tool in a catalog",
}
"""All that the examiner and the writers of records both import, and why it may be one: data, types and words."""


def test_the_examiner_shares_nothing_else_with_the_writers() -> None:
    def imported(path: Path, here: str) -> set[str]:
        return {target for target in ours(path) if room(target) != here}

    def is_fix(path: Path) -> bool:
        return module_name(path).startswith("generator.validation.fixes")

    examiner = {each for path in SOURCES if room(module_name(path)) == "validation" and not is_fix(path)
                for each in imported(path, "validation")}  # fmt: skip
    writers = {each for path in SOURCES if room(module_name(path)) in WRITERS
               for each in imported(path, room(module_name(path)))}  # fmt: skip
    assert examiner & writers == set(SHARED)
