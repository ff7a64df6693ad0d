"""Which engine a run is made in, and what is refused before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.cli import main
from generator.engines import opening
from generator.engines.engine import EngineOptions, Work
from generator.engines.opening import ENGINES, engine_of, require_engine
from generator.errors import UsageError
from generator.job import Job
from generator.job_choices import ENGINE_CHOICES
from tests.run_fakes import CATALOG, FAKE
from tests.tables import each_row


@each_row("options", [EngineOptions(), EngineOptions(jobs=4)])
def test_this_machine_is_always_there(options: EngineOptions) -> None:
    require_engine(options)


def test_every_engine_that_can_be_asked_for_is_one_of_its_own() -> None:
    for name in ENGINE_CHOICES:
        work = Work(Job(), CATALOG, FAKE(Job(), CATALOG), FAKE, EngineOptions(engine=name))
        assert engine_of(work) == ("in process" if name == "local" else name)
        assert engine_of(work) in ENGINES


REFUSED = [
    (EngineOptions(engine="rays"), "'rays' is no engine: choose one of local, ray"),
    (EngineOptions(address="10.0.0.1:6379"), "--address .* needs --engine ray"),
    (EngineOptions(engine="ray", jobs=2), "--jobs counts processes of this machine"),
]


@each_row(("options", "told"), REFUSED)
def test_what_an_engine_cannot_do_is_refused(options: EngineOptions, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        require_engine(options)


def test_a_ray_that_is_not_installed_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(opening, "find_spec", lambda name: None)
    out = tmp_path / "run"
    assert main(["generate", "--count", "1", "--engine", "ray", "--out", str(out)]) == 2
    assert "--engine ray needs the package ray, which is not installed: run" in capsys.readouterr().err
    assert not out.exists()
