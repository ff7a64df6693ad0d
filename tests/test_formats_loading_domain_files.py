"""Loading domain files: where they are found, which tools they speak of, and what is told of mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.errors import Problem, ToolFileError
from generator.formats.loading import domain_files
from generator.formats.loading.tool_files import LoadedCatalog, load_catalog, load_tools
from tests.domain_examples import TOOLS, definition, domain

WAY = "/tools/renew_loan/ways/0"


def write(path: Path, value: Any) -> Path:
    """Write a file: text as it is, YAML or JSON by its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    as_text = (
        yaml.safe_dump(value, sort_keys=False) if path.suffix in (".yaml", ".yml") else json.dumps(value, indent=1)
    )
    path.write_text(value if isinstance(value, str) else as_text)
    return path


def spoken(loaded: LoadedCatalog) -> dict[str, str]:
    return {tool.name: tool.domain for tool in loaded.catalog.tools}


def problems(sources: list[Path], **options: Any) -> list[Problem]:
    with pytest.raises(ToolFileError) as caught:
        load_catalog(sources, **options)
    return list(caught.value.problems)


def about(text: str, **changes: Any) -> dict[str, Any]:
    return domain(about=text, **changes)


@pytest.mark.parametrize("suffix", ["yaml", "yml", "json"])
def test_a_domain_file_beside_its_tools_speaks_of_them(tmp_path: Path, suffix: str) -> None:
    file = write(tmp_path / "library.json", TOOLS)
    write(tmp_path / f"library.domain.{suffix}", domain())
    for sources in ([file], [tmp_path], [tmp_path / "*.json"], sorted(tmp_path.iterdir())):
        loaded = load_catalog(sources)
        assert spoken(loaded) == {"list_loans": "library", "renew_loan": "library"}
        (known,) = loaded.catalog.domains
        assert (known.name, known.about, loaded.warnings) == ("library", "Loans of a public library.", ())


def test_the_operator_s_comes_before_the_one_beside_the_file_and_that_before_the_folder_s(tmp_path: Path) -> None:
    write(tmp_path / "shops" / "library.json", TOOLS)
    write(tmp_path / "shops" / "other.json", [definition("order", [])])
    write(tmp_path / "shops" / "library.domain.yaml", about("beside"))
    write(tmp_path / "all.domain.yaml", about("far", tools={**domain()["tools"], "order": {"can": "order"}}))
    write(
        tmp_path / "shops" / "near.domain.yaml", about("near", tools={**domain()["tools"], "order": {"can": "order"}})
    )
    assert spoken(load_catalog([tmp_path])) == {"list_loans": "library", "renew_loan": "library", "order": "near"}
    mine = {"domain": 1, "tools": {"renew_loan": {"can": "renew a loan"}}}
    given = write(tmp_path / "elsewhere" / "mine.domain.yaml", mine)
    loaded = load_catalog([tmp_path / "shops"], domains=[given])
    assert spoken(loaded) == {"list_loans": "library", "renew_loan": "mine", "order": "near"}
    assert [one.name for one in loaded.catalog.domains] == ["mine", "library", "near"]


def test_domains_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder, name in (("a", "one"), ("b", "two")):
        write(tmp_path / folder / "tools.json", [definition(name, [])])
        write(tmp_path / folder / "tools.domain.yaml", {"domain": 1, "tools": {name: {"can": "do it"}}})
    loaded = load_catalog([tmp_path])
    assert spoken(loaded) == {"one": "a/tools", "two": "b/tools"}


def test_a_tool_is_known_by_the_name_it_came_with_and_by_the_one_it_has(tmp_path: Path) -> None:
    file = write(tmp_path / "t.json", [definition("lib.renew loan", []), definition("lib.find", [])])
    named = {"lib.renew loan": {"near": ["lib.find"]}, "lib_find": {"can": "find"}}
    calls = [{"call": "lib.find"}, {"call": "lib.renew loan"}]
    task = {"turns": [{"requests": ["Do."], "calls": calls, "replies": ["Done."]}]}
    write(tmp_path / "t.domain.yaml", {"domain": 1, "tools": named, "tasks": [task]})
    loaded = load_catalog([file])
    (known,) = loaded.catalog.domains
    assert set(spoken(loaded).values()) == {"t"}
    assert set(known.tools) == {tool.name for tool in loaded.catalog.tools}
    assert [call.call for call in known.tasks[0].turns[0].calls] == ["lib_find", "lib_renew_loan"]


def test_each_toolset_has_a_domain_of_its_own(tmp_path: Path) -> None:
    for name, word in (("a", "One."), ("b", "Two.")):
        write(tmp_path / f"{name}.json", [{**definition("renew", []), "description": word}])
    given = write(tmp_path / "both.domain.yaml", {"domain": 1, "tools": {"renew": {"can": "renew it"}}})
    loaded = load_catalog([tmp_path / "a.json", tmp_path / "b.json"], on_conflict="source", domains=[given])
    assert {tool.toolset: tool.domain for tool in loaded.catalog.tools} == {"a": "a/both", "b": "b/both"}
    assert [one.name for one in loaded.catalog.domains] == ["a/both", "b/both"]


def test_tools_in_memory_are_spoken_of_by_the_files_that_are_named(tmp_path: Path) -> None:
    given = write(tmp_path / "mine.domain.json", domain())
    tools = load_tools(*TOOLS, domains=[given])
    assert {tool.domain for tool in tools} == {"mine"}
    assert [one.name for one in tools.domains] == ["mine"]
    assert load_tools(*TOOLS).domains == ()


def test_a_catalog_keeps_its_domains(tmp_path: Path) -> None:
    write(tmp_path / "library.json", TOOLS)
    write(tmp_path / "library.domain.yaml", domain())
    first = load_catalog([tmp_path]).catalog
    kept = write(tmp_path / "run" / "catalog.json", first.dump())
    again = load_catalog([kept]).catalog
    assert again.digest == first.digest
    assert again.domains == first.domains


def edited(*edits: tuple[tuple[str | int, ...], Any]) -> dict[str, Any]:
    """Return the domain with other values at some paths."""
    whole = domain()
    for path, value in edits:
        held: Any = whole
        for part in path[:-1]:
            held = held[part]
        held[path[-1]] = value
    return whole


RENEW = ("tools", "renew_loan", "ways", 0)
WRONG = [
    (("entities", "loan", "fields", "due"), {"dya": [1, 2]}, "unknown source 'dya'", "did you mean day?"),
    (("entities", "loan", "find", "call"), "list_loan", "unknown tool 'list_loan'", "did you mean list_loans?"),
    (("tools", "renew_lone"), {"can": "x"}, "there is no tool called 'renew_lone'", "did you mean renew_loan?"),
    ((*RENEW, "arguments", "day"), "$n", "unknown argument 'day'", "did you mean days?"),
    ((*RENEW, "draw", "l"), {"row": "lone"}, "unknown entity 'lone'", "did you mean loan?"),
    (("tools", "renew_loan", "effect", 0, "whre"), [], "unknown setting of get 'whre'", "did you mean where?"),
    (("tools", "renew_loan", "result"), "$it|ful", "unknown view 'ful'", "did you mean full?"),
    (("tool",), {}, "unknown key 'tool'", "did you mean tools?"),
    ((*RENEW, "requests"), [], "at least 1 item", ""),
]


@pytest.mark.parametrize("suffix", ["yaml", "json"])
@pytest.mark.parametrize(("path", "value", "what", "remedy"), WRONG, ids=lambda each: str(each)[:30])
def test_a_mistake_is_told_with_file_line_pointer_and_the_nearest_name(
    tmp_path: Path, suffix: str, path: tuple[str | int, ...], value: Any, what: str, remedy: str
) -> None:
    write(tmp_path / "library.json", TOOLS)
    file = write(tmp_path / f"library.domain.{suffix}", edited((path, value)))
    found = [one for one in problems([tmp_path]) if what in one.what]
    (problem,) = found
    place, _, at = problem.where.partition("#")
    name, _, line = place.rpartition(":")
    assert (name, remedy in problem.remedy) == (str(file), True)
    assert at.startswith("/" + "/".join(map(str, path)))
    assert str(path[-1]) in file.read_text().splitlines()[int(line) - 1] or isinstance(path[-1], int)
    loaded = load_catalog([tmp_path], skip_invalid=True)
    assert (set(spoken(loaded).values()), loaded.catalog.domains) == ({""}, ())
    assert problem in loaded.skipped


def test_every_mistake_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    write(tmp_path / "library.json", TOOLS)
    write(tmp_path / "library.domain.yaml", edited(*((path, value) for path, value, _, _ in WRONG[:6])))
    write(tmp_path / "other.json", {"name": "broken"})
    write(tmp_path / "z.domain.json", '{"domain": 1,')
    found = "\n".join(map(str, problems([tmp_path])))
    assert all(what in found for _, _, what, _ in WRONG[:5])
    assert "z.domain.json:1:14: is not JSON" in found


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("domain: 1\nabout: [}", ":2:", "is neither JSON nor YAML"),
        ("domain: 1\ndomain: 1\n", ":2:", "given twice"),
        ("domain: 1\n---\ndomain: 1\n", "", "one document"),
        ("", "", "is empty"),
        ("- domain\n", ":1", "a domain file is a mapping"),
        ("domain: 1\nabout: !!python/object:os.system x\n", ":2:", "tag"),
        ("a: &a [*a]\n", "", "inside itself"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, text: str, where: str, what: str) -> None:
    write(tmp_path / "library.json", TOOLS)
    write(tmp_path / "library.domain.yaml", text)
    (problem,) = problems([tmp_path])
    assert f"library.domain.yaml{where}" in problem.where
    assert what in problem.what


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    file = write(tmp_path / "library.json", TOOLS)
    (problem,) = problems([file], domains=[tmp_path / "none.domain.yaml"])
    assert "cannot be read" in problem.what


PHRASES = [
    ((*RENEW, "requests", 0), "Renew {lone}.", "unknown name '$lone'"),
    ((*RENEW, "requests", 0), "Renew {l.titel}.", "unknown field of loan 'titel'"),
    ((*RENEW, "requests", 0), "Renew {l", "a slot is not closed"),
    ((*RENEW, "requests", 0), {"Renew it": "now"}, "must be a string"),
    ((*RENEW, "replies", "ok", 0), "It's due {r.due_date|dya}.", "unknown format 'dya'"),
    ((*RENEW, "ask", 0, "answers", 0), "{x}", "unknown name '$x'"),
    (("tasks", 0, "turns", 0, "requests", 0), "{x}", "unknown name '$x'"),
    (("unserved", 0, "replies", 0), "{x}", "unknown name '$x'"),
    (("entities", "loan", "say", 1), "{titel}", "unknown name '$titel'"),
    (("context", 0), "{me.nam}", "unknown field of member 'nam'"),
]


@pytest.mark.parametrize(("path", "value", "what"), PHRASES, ids=lambda each: str(each)[:40])
def test_a_bad_phrase_is_left_out_alone(tmp_path: Path, path: tuple[str | int, ...], value: Any, what: str) -> None:
    write(tmp_path / "library.json", TOOLS)
    file = write(tmp_path / "library.domain.yaml", edited((path, value)))
    loaded = load_catalog([tmp_path])
    assert set(spoken(loaded).values()) == {"library"}
    warning = next(one for one in loaded.warnings if what in one.what)
    assert warning.what.endswith(": the phrase is left out")
    assert warning.where.startswith(f"{file}:")
    assert warning.where.endswith("#/" + "/".join(map(str, path)))
    assert any(what in one.what for one in problems([tmp_path], strict=True))


def test_what_has_no_phrase_left_is_left_out_with_it(tmp_path: Path) -> None:
    write(tmp_path / "library.json", TOOLS)
    bad = [(("tasks", 0, "turns", 0, "requests", 0), "{x}"), ((*RENEW, "ask", 0, "answers", 0), "{y}")]
    write(tmp_path / "library.domain.yaml", edited(*bad))
    loaded = load_catalog([tmp_path])
    (known,) = loaded.catalog.domains
    assert known.tasks == ()
    assert known.tools["renew_loan"].ways[0].ask == ()
    assert known.tools["renew_loan"].ways[0].requests == (
        "Renew {l} by {n} days.",
        "Can I keep {l.title} {n} days longer?",
    )


def test_phrases_found_in_two_rounds_have_the_lines_of_the_file(tmp_path: Path) -> None:
    whole = domain()
    whole["tools"]["renew_loan"]["ways"][0]["requests"] = [7, "Renew {l}.", 8, "Renew {lone}."]
    write(tmp_path / "library.json", TOOLS)
    file = write(tmp_path / "library.domain.yaml", whole)
    loaded = load_catalog([tmp_path])
    rows = file.read_text().splitlines()
    told = [(rows[int(one.where.split("#")[0].rpartition(":")[2]) - 1].strip(), one.where) for one in loaded.warnings]
    assert [text for text, _ in told] == ["- 7", "- 8", "- Renew {lone}."]
    assert [where.rpartition("/")[2] for _, where in told] == ["0", "2", "3"]


def test_a_domain_may_name_a_tool_that_cannot_be_used(tmp_path: Path) -> None:
    write(tmp_path / "library.json", [TOOLS[0], {**TOOLS[1], "parameters": {"type": "array"}}])
    write(tmp_path / "library.domain.yaml", domain())
    loaded = load_catalog([tmp_path], skip_invalid=True)
    assert spoken(loaded) == {"list_loans": "library"}


def test_a_large_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "library.json", TOOLS)
    write(tmp_path / "library.domain.json", domain())
    monkeypatch.setattr(domain_files, "MAX_VALUES", 50)
    assert "values; at most 50" in problems([tmp_path])[0].what
    monkeypatch.setattr(domain_files, "MAX_BYTES", 500)
    assert "at most 500 are read" in problems([tmp_path])[0].what


@pytest.mark.parametrize("kind", ["frames", "results"])
@pytest.mark.parametrize("named", [True, False])
def test_an_old_sidecar_is_not_read_and_it_is_told_how_it_is_brought_over(
    tmp_path: Path, kind: str, named: bool
) -> None:
    file = write(tmp_path / "library.json", TOOLS)
    old = write(tmp_path / f"library.{kind}.json", "{ broken")
    alone = write(tmp_path / "sub" / f"any.{kind}.json", "{ broken")
    for sources in ([file], [tmp_path]) if named else ([*sorted(tmp_path.glob("*.json")), alone],):
        loaded = load_catalog(sources)
        told = {one.where: one for one in loaded.warnings if "not read any more" in one.what}
        assert str(old) in told
        assert (str(alone) in told) is (sources != [file])
        assert "toolgen domain --from-sidecars library.json" in told[str(old)].remedy


def test_sentences_in_a_definition_are_kept_as_an_extension_and_not_read() -> None:
    loaded = load_tools({**TOOLS[0], "x_frames": {"requests": 7}})
    assert loaded[0].extensions == {"x_frames": {"requests": 7}}


def test_a_domain_file_alone_is_told_to_have_no_tools(tmp_path: Path) -> None:
    (problem,) = problems([write(tmp_path / "library.domain.yaml", domain())])
    assert problem.where == str(tmp_path / "library.domain.yaml")
    assert problem.remedy == "give the file of its tools, too"
