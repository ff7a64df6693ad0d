"""The law of the house, proven from the source: who may import whom, how long things are, which words are not used."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from functools import cache
from pathlib import Path

import pytest

from tests.checkout import CHECKOUT, run_python

PACKAGE = CHECKOUT / "generator"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# A room may import itself and rooms of a lower level; SAME_LEVEL says where else, and why.
LEVELS: dict[str, int] = {
    **dict.fromkeys("errors ids streams boundary jsontext kinds assets version suggest garbage identity".split(), 0),
    **dict.fromkeys(["schemas", "settings_file", "disk"], 1),
    **dict.fromkeys(["values", "tools"], 2),
    **dict.fromkeys(["domains", "records", "masking"], 3),
    "worlds": 4,
    **dict.fromkeys(["formats", "scenarios", "backends", "validation", "job"], 5),
    **dict.fromkeys(["assembly", "runs"], 6),
    **dict.fromkeys(["authors", "engines"], 7),
    **dict.fromkeys(["record", "datasets"], 8),
    "domain_writing": 9,
    "run": 10,
    **dict.fromkeys(["reports", "cli", "pytest_plugin"], 11),
}
SAME_LEVEL = {
    ("scenarios", "job"): "the planner reads the job",
    ("cli", "reports"): "commands print reports",
}
NOT_FOR_THE_EXAMINER = {"scenarios", "authors", "values", "worlds", "assembly"}
LONGEST_FUNCTION = 40
LONGEST_FILE = 600
FORBIDDEN_NAMES = re.compile(r"(?i)(util|utils|helper|helpers|common|core|manager|handler)")
FORBIDDEN_WORDS = re.compile(r"(?i)\b(samples?|utils?|helpers?|managers?|handlers?|todo|fixme|xxx|for now)\b")
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


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(path: Path, *, at_import_time: bool = False) -> list[str]:
    """Every module that a file imports, `from generator.x import y` as `generator.x.y`."""
    found: list[str] = []
    waiting: list[ast.AST] = [parsed(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_type_checking(node)
        if not (at_import_time and deferred):
            waiting += ast.iter_child_nodes(node)
    return found


MODULES = {module_name(path) for path in SOURCES}


def resolved(imported: str) -> str:
    """The module of ours that an import names: `generator.x.y` is `generator.x` where y is no module."""
    return imported if imported in MODULES else imported.rpartition(".")[0]


def ours(path: Path, *, at_import_time: bool = False) -> set[str]:
    return {
        resolved(name) for name in imports(path, at_import_time=at_import_time) if name.split(".")[0] == "generator"
    }


def test_every_room_has_its_level() -> None:
    assert {room(module_name(path)) for path in SOURCES} - {"", "__main__"} <= set(LEVELS)


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_imports_obey_the_law_of_dependency(path: Path) -> None:
    here = room(module_name(path))
    if here in {"", "__main__"}:
        return
    for target in ours(path):
        there = room(target)
        assert there, f"{path}: imports from the package's root"
        allowed = here == there or LEVELS[there] < LEVELS[here] or (here, there) in SAME_LEVEL
        assert allowed, f"{here} may not import {there}: {target}"
        assert not (here == "validation" and there in NOT_FOR_THE_EXAMINER), target


def test_no_import_cycle() -> None:
    graph = {module_name(path): ours(path, at_import_time=True) - {module_name(path)} for path in SOURCES}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join([*trail[trail.index(module) :], module])
        if module not in done:
            for target in sorted(graph.get(module, ())):
                # A package that gathers its own modules is no cycle: they never import it.
                visit(target, (*trail, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize(
    ("package", "homes"),
    [
        ("aiohttp", ("backends/",)),
        ("jinja2", ("authors/llm/templates.py",)),
        ("faker", ("values/",)),
        ("jsonschema_rs", ("schemas/",)),
    ],
)
def test_a_package_is_imported_where_it_belongs(package: str, homes: tuple[str, ...]) -> None:
    users = [
        str(path.relative_to(PACKAGE)) for path in SOURCES if any(n.split(".")[0] == package for n in imports(path))
    ]
    assert [user for user in users if not user.startswith(homes)] == []


WORDING = re.compile(r"response_format|tool_choice|chat/completions|max_completion_tokens|x-api-key")
READERS = {"backends", "records", "validation"}
"""Rooms that word requests to servers, and those that read and check such requests in files."""


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_how_a_server_is_asked_stands_in_backends_alone(path: Path) -> None:
    assert room(module_name(path)) in READERS or not WORDING.search(path.read_text(encoding="utf-8"))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_functions_and_files_are_short(path: Path) -> None:
    long = {
        f.name: f.end_lineno - f.lineno + 1
        for f in functions(path)
        if f.end_lineno and f.end_lineno - f.lineno >= LONGEST_FUNCTION
    }
    assert long == {}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_names_say_what_things_are(path: Path) -> None:
    classes = [node.name for node in ast.walk(parsed(path)) if isinstance(node, ast.ClassDef)]
    words = [word for name in classes for word in re.findall(r"[A-Z][a-z]+", name)]
    names = [*path.relative_to(PACKAGE).with_suffix("").parts, *words]
    assert [name for name in names if FORBIDDEN_NAMES.fullmatch(name.strip("_"))] == []


def prose(path: Path) -> list[str]:
    """Comments and docstrings of a file."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    documented = [node for node in ast.walk(parsed(path)) if isinstance(node, holders)]
    return comments + [ast.get_docstring(node) or "" for node in documented]


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_prose_uses_the_words_of_the_house(path: Path) -> None:
    assert [text for text in prose(path) if FORBIDDEN_WORDS.search(text)] == []


def test_the_repository_speaks_of_the_product_alone() -> None:
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in tracked() if path.suffix != ".jsonl"}
    found = {
        str(path.relative_to(CHECKOUT)): ELSEWHERE.search(text)
        for path, text in texts.items()
        if path != Path(__file__)
    }
    assert {name: match[0] for name, match in found.items() if match} == {}


@pytest.mark.parametrize("path", [*SOURCES, *sorted((CHECKOUT / "tests").rglob("*.py"))], ids=module_name)
def test_every_exception_to_lint_and_types_has_its_reason(path: Path) -> None:
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    excused = [text for text in comments if re.search(r"#\s*(noqa|type:\s*ignore)", text)]
    bare = [
        text for text in excused if not re.search(r"(noqa: [A-Z0-9, ]+|type:\s*ignore\[[\w, -]+\])\s*(-|#)\s*\w", text)
    ]
    assert bare == []


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_no_exception_is_swallowed(path: Path) -> None:
    caught = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.ExceptHandler)]
    assert [node.lineno for node in caught if all(isinstance(line, ast.Pass) for line in node.body)] == []
    assert [node.lineno for node in caught if node.type is None] == []


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
    "from generator.cli import main; main(['validate', '--help'])": {*SERVERS, "faker"},
    "from generator.cli import main; main(['generate', '--count', '3', '--dry-run'])": SERVERS,
    "from generator import Record, Tool, validate_record": {*SERVERS, "faker", "rich", "click"},
    "from generator import generate_records, load_tools": {*SERVERS, "rich", "click"},
}


@pytest.mark.parametrize("program", list(CHEAP))
def test_imports_cost_no_more_than_they_must(program: str) -> None:
    assert loaded_by(program) & CHEAP[program] == set()


def test_every_level_has_its_room() -> None:
    present = {path.name.removesuffix(".py") for path in PACKAGE.iterdir()}
    assert set(LEVELS) - present == set()


def test_every_exception_to_the_law_is_needed() -> None:
    used = {(room(module_name(path)), room(target)) for path in SOURCES for target in ours(path)}
    assert set(SAME_LEVEL) - used == set()
