"""Prompts are checked when the command starts, rendered in a sandbox, and documented."""

from pathlib import Path
from shutil import copytree

import pytest

from generator.assets import asset_folder
from generator.authors.llm.prompts import KIND_VARIABLES, VARIABLES, instructions_of, load_prompts
from generator.errors import UsageError
from generator.scenarios.kinds import KINDS

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


def test_a_template_cannot_reach_beyond_its_variables(folder: Path) -> None:
    (folder / "repair.md").write_text("{{ problems.__class__.__mro__ }}", "utf-8")
    with pytest.raises(UsageError, match="cannot be rendered"):
        load_prompts(folder).render("repair", {"problems": []})
