"""`toolgen domain`: domain files checked, listed, described, and made of old sidecars."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from generator.assets import asset_file
from generator.cli import main
from generator.reports import domains
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.sources import SOURCES
from generator.worlds.values import OPERATORS
from tests.checkout import CHECKOUT
from tests.domain_examples import TOOLS, definition, domain
from tests.faults.completion_processes import Served, served


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
        assert (code, [line.split(": ")[0] for line in err.splitlines()]) == (0, ["note"])
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
    assert out == (CHECKOUT / "generator" / "domains" / "REFERENCE.md").read_text()


@pytest.mark.parametrize(
    ("table", "examples"),
    [
        (SOURCES, domains.SOURCE_EXAMPLES),
        (OPERATORS, domains.OPERATOR_EXAMPLES),
        (EFFECTS, domains.EFFECT_EXAMPLES),
        ({**CONDITIONS, **UNARY}, domains.CONDITION_EXAMPLES),
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


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture
def bare_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library.json").write_text(json.dumps(TOOLS))
    return tmp_path


def write_with_model(capsys: pytest.CaptureFixture[str], server: Served, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    asking = ("--model", "m", "--base-url", server.url)
    code = main(["domain", "library.json", *asking, *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


OUT = ("-o", "library.domain.yaml")


def test_a_domain_is_written_and_can_be_checked_and_used(
    bare_library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = write_with_model(capsys, server, *OUT)
    assert (code, out.splitlines()) == (
        0,
        ["written     library.domain.yaml: 2 of 2 tools, 5 questions", "answers     library.answers.jsonl"],
    )
    assert err.splitlines() == [
        "asking for the world",
        "asking for list_loans, renew_loan",
        "asking for list_loans, renew_loan (read again)",
        "asking for tasks",
        "asking for tasks (read again)",
    ]
    assert main(["domain", "--check", "library.domain.yaml", "--rounds", "4", "--fewest", "2"]) == 0
    assert main(["domain", "--list", "library.json", "--rounds", "2", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out.partition("\n[")[2].join(["[", ""]))
    assert {each["origin"] for each in listed} == {"model"}
    before = server.requests
    assert write_with_model(capsys, server, *OUT)[1].startswith(
        "written     library.domain.yaml: 2 of 2 tools, 0 questions"
    )
    assert server.requests == before


def test_a_dry_run_tells_the_cost_and_asks_and_writes_nothing(
    bare_library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = server.requests
    code, out, _ = write_with_model(capsys, server, *OUT, "--dry-run")
    told = json.loads(out)
    assert (code, told["requests"], server.requests) == (0, 5, before)
    assert told["estimated_prompt_tokens"] > 5 * 1000
    assert told["estimated_completion_tokens"] > 0
    assert [path.name for path in bare_library.iterdir()] == ["library.json"]


def test_a_server_that_refuses_ends_it_with_3(bare_library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served("--fault", "401") as refusing:
        code, _, err = write_with_model(capsys, refusing, *OUT)
    assert code == 3
    assert "HTTP 401" in err and "Traceback" not in err


def test_a_limit_ends_it_with_4_and_the_same_command_goes_on(
    bare_library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = server.requests
    code, _, err = write_with_model(capsys, server, *OUT, "--max-requests", "2")
    assert (code, server.requests - before) == (4, 2)
    assert "--max-requests 2 is reached" in err
    assert (bare_library / "library.domain.yaml").exists()
    code, out, _ = write_with_model(capsys, server, *OUT)
    assert (code, server.requests - before) == (0, 5)
    assert "2 of 2 tools" in out


def test_a_model_that_answers_nothing_usable_ends_it_with_1_and_says_of_which_tools(
    bare_library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served("--fault", "refusal", "--share", "1") as refusing:
        code, out, err = write_with_model(capsys, refusing, *OUT, "--attempts", "2")
        assert refusing.requests == 2
    assert code == 1
    assert "note: the world: no answer could be used" in out
    assert "no domain for list_loans, renew_loan" in err
    assert "move library.answers.jsonl away" in err
    assert not (bare_library / "library.domain.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give the file to write: -o"),
        ((*OUT, "--check", "x.yaml"), "give one of"),
        ((*OUT, "--max-cost", "5"), "--price-in"),
        ((*OUT, "--attempts", "0"), "--attempts"),
        ((*OUT, "--temperature", "3"), "--temperature: it should be less than or equal to 2; 3.0 was given"),
        ((*OUT, "--temperature", "hot"), "'hot' is not a valid float"),
        ((*OUT, "--top-p", "0"), "--top-p: it should be greater than 0"),
        ((*OUT, "--max-output-tokens", "1"), "--max-output-tokens: it should be greater than or equal to 16"),
        ((*OUT, "--reasoning-effort", "hihg"), "did you mean high"),
        ((*OUT, "--extra-body", "{"), "--extra-body: this is not JSON"),
        ((*OUT, "--extra-body", '{"stream": true}'), "--extra-body: 'stream' cannot be given"),
        ((*OUT, "--extra-body", '{"top_p": 1}'), "--extra-body: 'top_p' has its own option: give --top-p"),
        ((*OUT, "--answers", "run"), "--answers is for runs"),
        ((*OUT, "--prompts", "nowhere"), "nowhere/draft.md: the prompt cannot be read"),
        ((*OUT, "--base-url", "localhost:1"), "give one like http://"),
        ((*OUT, "nowhere.json"), "nowhere.json"),
        (("-o", "bad.yaml"), "bad.yaml:2#/tools/lend: unknown tool 'lend'"),
        (("-o", "bad.yaml", "--dry-run"), "bad.yaml:2#/tools/lend: unknown tool 'lend'"),
        (("-o", "."), "it is no regular file"),
    ],
)
def test_bad_input_is_told_at_once(
    bare_library: Path, server: Served, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    (bare_library / "bad.yaml").write_text("tools:\n  lend: {can: lend}\n")
    before = server.requests
    code, out, err = write_with_model(capsys, server, *arguments)
    assert (code, server.requests) == (2, before), (out, err)
    assert message in err
    assert "Traceback" not in err
    assert {path.name for path in bare_library.iterdir()} == {"library.json", "bad.yaml"}


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(
    bare_library: Path, server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = server.requests
    code, _, err = write_with_model(capsys, server, "-o", "no/such/folder/library.domain.yaml")
    assert (code, server.requests) == (5, before)
    assert "no/such/folder" in err and "Traceback" not in err
