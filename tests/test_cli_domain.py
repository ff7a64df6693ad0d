"""`toolgen domain`: domain files checked, listed, described, and made of old sidecars."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from generator.assets import asset_file
from generator.cli import main
from generator.reports import domain_reference
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.sources import SOURCES
from generator.worlds.values import OPERATORS
from tests.checkout import CHECKOUT
from tests.domain_examples import TOOLS, definition, domain


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main(["domain", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "library.json").write_text(json.dumps(TOOLS))
    (tmp_path / "library.domain.yaml").write_text(yaml.safe_dump(domain(), sort_keys=False, width=1000))
    return tmp_path


CHECK = ("--rounds", "6", "--fewest", "2")


def test_a_good_file_has_a_table_and_no_problem(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for tools in ([], [library / "library.json"]):
        code, out, err = run(capsys, "--check", library / "library.domain.yaml", *tools, *CHECK)
        assert (code, err) == (0, "")
        assert [line.split()[0] for line in out.splitlines()] == ["tool", "list_loans", "renew_loan"]


def test_problems_have_file_line_pointer_and_mend(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = library / "library.domain.yaml"
    file.write_text(file.read_text().replace("Can I keep {l.title} {n} days longer?", "Can I keep {l.title}?"))
    code, _, err = run(capsys, "--check", file, *CHECK)
    line = next(number for number, text in enumerate(file.read_text().splitlines(), 1) if "Can I keep" in text)
    assert code == 1
    assert (
        f"problem: {file}:{line}#/tools/renew_loan/ways/0/requests/1: fails in every world: does not say `days`" in err
    )
    assert "(say it in the phrase, as {draw})" in err
    assert "1 problem in" in err


def test_a_phrase_that_was_left_out_moves_no_pointer(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = domain()
    whole["tools"]["renew_loan"]["ways"][0]["requests"] = ["Renew {lone}.", "Renew {l} by {n} days.", "Renew {l}."]
    file = library / "library.domain.json"
    (library / "library.domain.yaml").unlink()
    file.write_text(json.dumps(whole, indent=1))
    code, out, _ = run(capsys, "--check", file, *CHECK, "--json")
    told = [(each["where"].rpartition("/")[2], each["what"]) for each in json.loads(out)["problems"]]
    assert code == 1
    assert told[0] == ("0", "unknown name '$lone': the phrase is left out")
    assert told[1][0] == "2"
    assert "does not say `days`" in told[1][1]


def test_a_file_that_cannot_be_compiled_has_its_problems(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = library / "library.domain.yaml"
    file.write_text(file.read_text().replace("row: loan", "row: lone"))
    code, _, err = run(capsys, "--check", file, *CHECK)
    assert code == 1
    assert "unknown entity 'lone' (did you mean loan?)" in err


def test_a_file_without_tools_beside_needs_them_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.domain.json").write_text(json.dumps(domain()))
    code, _, err = run(capsys, "--check", tmp_path / "x.domain.json")
    assert code == 2
    assert "name the tool files after it" in err


def test_the_list_tells_who_wrote_what_and_what_is_missing(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (library / "more.json").write_text(json.dumps([definition("order", ["title"], title={"type": "string"})]))
    code, out, _ = run(capsys, "--list", library / "library.json", library / "more.json", "--rounds", "3", "--json")
    listed = {each["tool"]: each for each in json.loads(out)}
    assert code == 0
    assert [listed[name]["origin"] for name in ("list_loans", "renew_loan", "order")] == [
        "written",
        "written",
        "derived",
    ]
    assert "parallel" in listed["renew_loan"]["missing"]
    assert "confirm" not in listed["renew_loan"]["missing"]
    assert "errors" in listed["list_loans"]["missing"]
    assert all(each["requests"] > 0 for each in listed.values())
    code, out, _ = run(capsys, "--list", library / "library.json", "--rounds", "3")
    assert out.splitlines()[0].split() == ["tool", "known", "domain", "requests", "missing"]


def test_the_schema_is_shipped_and_takes_the_domain(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--schema")
    schema = json.loads(out)
    assert code == 0
    assert schema == json.loads(asset_file("domain.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    assert not list(validator.iter_errors(domain()))
    assert list(validator.iter_errors(domain(entites={})))
    assert "How people refer to a row" in schema["$defs"]["Entity"]["properties"]["say"]["description"]


def test_the_reference_is_shipped_as_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--reference")
    assert code == 0
    assert out == (CHECKOUT / "generator" / "domains" / "README.md").read_text()


@pytest.mark.parametrize(
    ("table", "examples"),
    [
        (SOURCES, domain_reference.SOURCE_EXAMPLES),
        (OPERATORS, domain_reference.OPERATOR_EXAMPLES),
        (EFFECTS, domain_reference.EFFECT_EXAMPLES),
        ({**CONDITIONS, **UNARY}, domain_reference.CONDITION_EXAMPLES),
    ],
)
def test_everything_has_an_example_that_uses_it(table: dict[str, Any], examples: dict[str, Any]) -> None:
    assert set(examples) == set(table)
    for name, example in examples.items():
        assert name in (example if isinstance(example, dict) else example[1:])
        settings = table[name][1] if isinstance(example, dict) and not name.startswith("$") else None
        assert settings is None or set(example) - {name} <= set(settings)


def test_old_sentences_become_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.json"
    flag = {"type": "boolean"}
    file.write_text(
        json.dumps([definition("book", ["city"], city={"type": "string"}, nights={"type": "integer"}, late=flag)])
    )
    sentences = {
        "requests": ["(Book|Reserve) a room in {city}[ for {nights} nights].", "A room[, {late?late}].",
                     "{city}, arriving {late?late|early}."],
        "replies": ["Booked in {city}: {id}.", "{nights} nights at {price}."],
    }  # fmt: skip
    (tmp_path / "t.frames.json").write_text(json.dumps({"book": sentences}))
    (tmp_path / "t.results.json").write_text(json.dumps({"book": {"type": "object"}}))
    code, out, err = run(capsys, "--from-sidecars", file)
    assert code == 0
    assert "result schemas are no part of a domain file" in err
    assert "does not say all that the tool requires" in err
    (tmp_path / "t.frames.json").unlink()
    (tmp_path / "t.results.json").unlink()
    ways = {tuple(way["arguments"]): way for way in json.loads(out)["tools"]["book"]["ways"]}
    assert set(ways) == {("city",), ("city", "nights"), ("city", "late")}
    assert ways["city", "nights"]["requests"] == [
        "Book a room in {a.0} for {a.1} nights.",
        "Reserve a room in {a.0} for {a.1} nights.",
    ]
    assert ways["city", "late"]["requests"] == ["{a.0}, arriving {a.1|yes:late,early}."]
    assert "Booked in {a.0}: {r.id}." in ways[("city",)]["replies"]["ok"]
    (tmp_path / "t.domain.json").write_text(out)
    code, _, err = run(capsys, "--list", file, "--rounds", "2")
    assert (code, err) == (0, "")


@pytest.mark.parametrize("arguments", [[], ["--schema", "--reference"], ["--from-sidecars"]])
def test_one_thing_is_asked_for_at_a_time(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, *arguments)[0] == 2


def test_what_no_way_ever_says_is_a_note_of_check_and_list(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = library / "library.domain.yaml"
    poor = domain()
    poor["tools"]["list_loans"]["ways"][1]["draw"]["s"] = {"from": ["overdue"]}
    file.write_text(yaml.safe_dump(poor, sort_keys=False, width=1000))
    code, _, err = run(capsys, "--check", file, *CHECK)
    assert code == 0
    assert '#/tools/list_loans/ways: no way ever says status="active" (add ways, or values to draw from)' in err
    code, _, err = run(capsys, "--list", library / "library.json", "--rounds", "3")
    assert (code, err) == (0, 'note: list_loans: no way ever says status="active"\n')
    code, out, err = run(capsys, "--list", library / "library.json", "--rounds", "3", "--json")
    assert {each["tool"]: each["unsaid"] for each in json.loads(out)}["list_loans"] == ['status="active"']
    assert (code, err) == (0, "")
