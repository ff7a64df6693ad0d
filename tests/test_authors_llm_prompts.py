"""Prompts are checked when the command starts, rendered in a sandbox, and documented."""

import os
import resource
from pathlib import Path
from shutil import copytree

import pytest

from generator.assets import asset_folder
from generator.authors.llm.prompts import KIND_VARIABLES, VARIABLES, instructions_of, load_prompts
from generator.bounded_process import SECONDS
from generator.errors import UsageError
from generator.kinds import KINDS
from tests.bounded import Stopwatch

SHIPPED = asset_folder("prompts")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copytree(SHIPPED, tmp_path / "prompts")


def test_the_shipped_prompts_load() -> None:
    assert set(load_prompts(SHIPPED).sources) == set(VARIABLES) | {instructions_of(kind) for kind in KINDS}


def test_each_kind_has_instructions_of_its_own_and_no_other_has() -> None:
    assert {path.stem for path in (SHIPPED / "kinds").iterdir()} == set(KINDS)


def test_a_folder_may_leave_out_kinds_and_replace_others(folder: Path) -> None:
    (folder / "kinds" / "profile.md").unlink()
    (folder / "kinds" / "coreference.md").write_text("Refer to {{ act }}.", "utf-8")
    prompts = load_prompts(folder)
    assert prompts.sources["kinds/profile"] == (SHIPPED / "kinds" / "profile.md").read_text("utf-8")
    assert prompts.render("kinds/coreference", {"act": "it"}) == "Refer to it."


def test_every_variable_is_documented() -> None:
    table = (SHIPPED / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in table for names in (*VARIABLES.values(), KIND_VARIABLES) for name in names)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ persna }}", "did you mean persona"),
        ("{% if %}", "draft.md:1"),
        ("{{ zzzzzzz }}", "unknown variable"),
        ("one\n{{ persna }}", r"draft\.md:2: unknown variable 'persna'"),
        ("one\n{{ tools | nofilter }}", r"draft\.md:2: No filter named 'nofilter'"),
        ("{{ tools | random }}", "No filter named 'random'"),
        ("{{ lipsum() }}", "unknown variable 'lipsum'"),
        ("one\n{% include 'x' %}{% if %}", r"draft\.md:2: "),
        ("{{ " + "(" * 50_000 + ")" * 50_000 + " }}", r"draft\.md:1: it is nested too deeply"),
        ("{% for tool in tools %}" * 40 + "{% endfor %}" * 40, r"draft\.md:1: "),
        ("{{ 1 " + "+ 1" * 50_000 + " }}", r"draft\.md:1: it is nested too deeply"),
    ],
)
def test_a_broken_prompt_is_refused_at_start(folder: Path, text: str, message: str) -> None:
    (folder / "draft.md").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        load_prompts(folder)


def test_a_missing_prompt_is_refused(folder: Path) -> None:
    (folder / "repair.md").unlink()
    with pytest.raises(UsageError, match=r"repair\.md"):
        load_prompts(folder)


def test_a_prompt_that_is_not_text_is_refused(folder: Path) -> None:
    (folder / "repair.md").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-8"):
        load_prompts(folder)


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a device"])
def test_a_prompt_that_never_ends_is_refused(folder: Path, kind: str) -> None:
    path = folder / "repair.md"
    path.unlink()
    if kind == "a folder":
        path.mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(UsageError, match=r"repair\.md: the prompt is no file"):
        load_prompts(folder)


def test_the_line_of_a_byte_that_is_no_text_is_told(folder: Path) -> None:
    (folder / "repair.md").write_bytes(b"one\ntwo \xff")
    with pytest.raises(UsageError, match=r"repair\.md:2: the prompt is not UTF-8"):
        load_prompts(folder)


FAILING = {
    "a name that is not there": ("{{ problems[0].nothing }}", "has no attribute 'nothing'"),
    "no such place": ("{{ problems[3] }}", "has no element 3"),
    "an operation on other types": ("{{ problems + 1 }}", "can only concatenate list"),
    "a division by zero": ("{{ 1 / 0 }}", "division by zero"),
    "a range that is too long": ("{% for i in range(10**9) %}{% endfor %}", "Range too big"),
    "a template of another file": ("{% include '/etc/passwd' %}", "no loader"),
    "a macro that calls itself": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "calls itself too often"),
    "what is behind a value": ("{{ problems.__class__.__mro__ }}", "unsafe"),
    "what is behind a function": ("{{ range.__globals__ }}", "unsafe"),
    "what a format reaches": ("{{ '{0.__class__}'.format(problems) }}", "unsafe"),
    "a change of a variable": ("{{ problems.append(1) }}", "unsafe"),
}


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_told_with_its_file_and_line(folder: Path, name: str) -> None:
    text, message = FAILING[name]
    (folder / "repair.md").write_text(f"one\ntwo\n{text}\nfour\n", "utf-8")
    with pytest.raises(UsageError) as caught:
        load_prompts(folder).render("repair", {"problems": [{"a": 1}]})
    assert str(caught.value).startswith(f"{folder / 'repair.md'}:3: the prompt cannot be rendered: ")
    assert message in str(caught.value)


ENDLESS = {
    "loops in loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "one huge number": "{{ (10 ** (10 ** 9)) | string | length }}",
    "a number squared again and again": "{% set n = namespace(x=3) %}"
    "{% for i in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}",
    "a list of itself": "{% set n = namespace(x=[]) %}"
    "{% for i in range(99) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
}
VAST = {
    "one huge text": "{{ 'x' * 10 ** 11 }}",
    "one padded text": "{{ '%99999999999d' % 1 }}",
    "one huge list": "{{ ([1] * 10 ** 11) | length }}",
    "a text doubled again and again": "{% set n = namespace(x='ab') %}"
    "{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "a text of texts": "{{ ('ab' * 10 ** 6).replace('a', 'b' * 10 ** 6) | length }}",
    "a text that is too long": "{{ 'ab ' * 10 ** 6 }}",
    "a list that is too long": "{% for i in range(99999) %}{{ problems }}{{ problems }}{{ problems }}{% endfor %}",
}


@pytest.mark.parametrize("name", VAST)
def test_what_grows_without_end_is_cut_off(folder: Path, name: str) -> None:
    (folder / "repair.md").write_text(VAST[name], "utf-8")
    prompts = load_prompts(folder)
    began, before = Stopwatch(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(
        UsageError, match=r"repair\.md:1: .*(more memory than a prompt may|comes to [0-9,]+ characters)"
    ):
        prompts.render("repair", {"problems": ["a problem"]})
    assert began.quiet_seconds < 2 * SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 64 * 1024  # kB: it did not grow here


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_what_takes_without_end_is_cut_off_and_the_next_goes_on(folder: Path, name: str) -> None:
    (folder / "repair.md").write_text(f"one\ntwo\n{ENDLESS[name]}\n", "utf-8")
    prompts = load_prompts(folder)
    began = Stopwatch()
    with pytest.raises(
        UsageError, match=r"repair\.md:3: .*(takes longer than 5 seconds|more memory than a prompt may)"
    ):
        prompts.render("repair", {"problems": []})
    assert began.quiet_seconds < 2 * SECONDS
    assert prompts.render("kinds/profile", dict.fromkeys(KIND_VARIABLES, "")) == ""


def test_ones_own_prompts_come_to_the_same_as_the_shipped(folder: Path) -> None:
    variables = {"problems": ["ünï 😀 \u2028", "{{ 7 * 7 }} {% raw %}"], "kind": "simple"}
    apart = load_prompts(folder).render("repair", variables)
    assert apart == load_prompts(SHIPPED).render("repair", variables)
    assert "{{ 7 * 7 }} {% raw %}" in apart  # what a variable says is no template


def test_the_process_that_renders_knows_no_secrets_and_no_working_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jinja2.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    prompts = load_prompts(folder)
    assert prompts.render("repair", {"problems": ["this"]})
    assert prompts.process is not None
    pid = prompts.process.process._process.pid  # type: ignore[union-attr]  # it has rendered
    assert b"sk-secret" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_a_process_that_was_killed_is_told_and_replaced(folder: Path) -> None:
    prompts = load_prompts(folder)
    assert prompts.render("repair", {"problems": ["this"]})
    assert prompts.process is not None
    prompts.process.process._process.kill()  # type: ignore[union-attr]  # it has rendered
    with pytest.raises(UsageError, match="the process that renders it died with code -9"):
        prompts.render("repair", {"problems": ["this"]})
    assert prompts.render("repair", {"problems": ["this"]})


def test_a_template_cannot_reach_beyond_its_variables(folder: Path) -> None:
    (folder / "repair.md").write_text("{{ problems.__class__.__mro__ }}", "utf-8")
    with pytest.raises(UsageError, match="cannot be rendered"):
        load_prompts(folder).render("repair", {"problems": []})
