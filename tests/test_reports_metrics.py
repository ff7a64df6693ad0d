"""Metrics: what the parser of Prometheus reads back, under names as its conventions have them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from generator.errors import EXIT_CODES, StorageError
from generator.reports.metrics import Ended, write_metrics
from generator.runs.summary import RuleCount, Summary, Tokens
from tests.readmes import text_of

PAGE = "generator/assets/examples/README.md"
HOSTILE = 'a"b\\c\nd} 1\n# TYPE x'


def summary(**changed: object) -> Summary:
    base = Summary(
        status="complete", name="nightly", identity="1a2b", catalog="3c4d", asked=50, decided=50, records=48,
        rejected=9, record_yield=0.8, kinds={}, kinds_not_served={}, tools={},
        rules={"RUN001": rule(4), "TC101": rule(3), "PL001": rule(2)},
        errors={}, successes=0, cpu_seconds=1.5, wall_seconds=3.0, versions={},
        tokens=Tokens(prompt=1000, completion=200, wasted=50, cost=0.25, answers=9),
    )  # fmt: skip
    return base.model_copy(update=changed)


def rule(rejected: int) -> RuleCount:
    return RuleCount(rejected=rejected, tools={})


def read(path: Path) -> dict[str, Metric]:
    """What the parser makes of a file; a name that is given twice would hide the first."""
    families = list(text_string_to_metric_families(path.read_text(encoding="utf-8")))
    assert len({family.name for family in families}) == len(families)
    return {family.name: family for family in families}


def value(path: Path, name: str, **labels: str) -> float:
    found = [
        each.value
        for family in read(path).values()
        for each in family.samples
        if each.name == name and labels.items() <= each.labels.items()
    ]
    (only,) = found
    return float(only)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "nightly.prom"


def test_what_became_of_a_run_is_read_back(path: Path) -> None:
    write_metrics(path, Ended(0, 4.5, summary(), kept=40, build="sha256:ab"), now=2000.5)
    expected = {
        "toolgen_run_exit_code": 0, "toolgen_run_timestamp_seconds": 2000.5,
        "toolgen_run_last_success_timestamp_seconds": 2000.5, "toolgen_run_duration_seconds": 4.5,
        "toolgen_run_cpu_seconds": 1.5, "toolgen_records_asked": 50, "toolgen_records_made": 8,
        "toolgen_records_kept": 40, "toolgen_attempts_rejected": 9, "toolgen_attempts_duplicate": 4,
        "toolgen_tokens_wasted": 50, "toolgen_cost": 0.25,
    }  # fmt: skip
    assert {name: value(path, name, data_set="nightly") for name in expected} == expected
    assert value(path, "toolgen_tokens", kind="prompt") == 1000
    assert value(path, "toolgen_tokens", kind="completion") == 200
    assert value(path, "toolgen_attempts_rejected_by_rule", rule="TC101") == 3
    assert value(path, "toolgen_runs_total", exit_code="0") == 1
    assert value(path, "toolgen_build_info", job="nightly", status="complete", build="sha256:ab") == 1


def test_a_run_that_failed_keeps_the_last_success_and_no_old_counts(path: Path) -> None:
    write_metrics(path, Ended(0, 1.0, summary()), now=1000.0)
    write_metrics(path, Ended(2, 1.0), now=2000.0)
    write_metrics(path, Ended(2, 1.0), now=3000.0)
    assert value(path, "toolgen_run_last_success_timestamp_seconds") == 1000.0
    assert value(path, "toolgen_run_timestamp_seconds") == 3000.0
    assert value(path, "toolgen_runs_total", exit_code="0") == 1
    assert value(path, "toolgen_runs_total", exit_code="2") == 2
    assert "toolgen_records_asked" not in read(path)
    write_metrics(path, Ended(0, 1.0, summary()), now=4000.0)
    assert value(path, "toolgen_run_last_success_timestamp_seconds") == 4000.0


def test_no_success_is_claimed_that_never_was(path: Path) -> None:
    write_metrics(path, Ended(1, 1.0, summary(status="incomplete")))
    assert "toolgen_run_last_success_timestamp_seconds" not in read(path)


BEFORE = {
    "nothing": b"",
    "no text": b"\xff\x00" * 5000,
    "other metrics": b'up{job="x"} 1\n',
    "no numbers": b'toolgen_run_last_success_timestamp_seconds{data_set="a"} NaN\n'
    b'toolgen_runs_total{exit_code="0"} -Inf\ntoolgen_runs_total{exit_code="0"} many\n',
    "codes that are none": b'toolgen_runs_total{exit_code="999"} 1\n' * 100,
    "far too much": b'toolgen_runs_total{exit_code="7"} 1\n' * 100_000,
}


@pytest.mark.parametrize("before", BEFORE.values(), ids=list(BEFORE))
def test_nonsense_in_the_file_before_counts_nothing(before: bytes, path: Path) -> None:
    path.write_bytes(before)
    write_metrics(path, Ended(3, 1.0), now=5.0)
    found = read(path)
    assert "toolgen_run_last_success_timestamp_seconds" not in found
    codes = {each.labels["exit_code"] for each in found["toolgen_runs"].samples}
    assert codes <= {str(code) for code in EXIT_CODES}
    assert value(path, "toolgen_runs_total", exit_code="3") == 1


def test_labels_are_bounded_whatever_rules_there_are(path: Path) -> None:
    rules = {f"X{number}": rule(1) for number in range(5000)} | {"TC101": rule(2)}
    write_metrics(path, Ended(1, 1.0, summary(rules=rules)))
    by_rule = {each.labels["rule"]: each.value for each in read(path)["toolgen_attempts_rejected_by_rule"].samples}
    assert by_rule == {"TC101": 2, "other": 5000}


def test_many_known_rules_are_summed_up_beyond_the_commonest(path: Path) -> None:
    from generator.validation.rule_reference import every_rule

    rules = {code: rule(number + 1) for number, code in enumerate(every_rule())}
    write_metrics(path, Ended(1, 1.0, summary(rules=rules)))
    by_rule = {each.labels["rule"]: each.value for each in read(path)["toolgen_attempts_rejected_by_rule"].samples}
    assert len(by_rule) == 41
    assert sum(by_rule.values()) == sum(count.rejected for count in rules.values())


def test_no_text_of_data_breaks_a_line(tmp_path: Path) -> None:
    path = tmp_path / f"{HOSTILE.replace('/', '')}.prom"
    write_metrics(path, Ended(0, 1.0, summary(name=HOSTILE), build="\ud800"))
    assert value(path, "toolgen_build_info", data_set=path.stem, job=HOSTILE, build="\\ud800") == 1


def test_names_follow_the_conventions(path: Path) -> None:
    """As `promtool check metrics` has them: counters alone end in _total, base units, words in small letters."""
    write_metrics(path, Ended(0, 1.0, summary()))
    for name, family in read(path).items():
        assert re.fullmatch(r"toolgen(_[a-z]+)+", name)
        assert family.documentation.endswith(".")
        assert family.type in ("gauge", "counter")
        for each in family.samples:
            assert each.name.endswith("_total") == (family.type == "counter")
            assert each.timestamp is None, "node_exporter refuses a file with times of its own"
            assert set(each.labels) >= {"data_set"}
            assert not re.search(r"_(ms|minutes|hours|milliseconds)\b", each.name)


def test_two_data_sets_in_one_folder_have_no_value_in_common(tmp_path: Path) -> None:
    keys: list[tuple[str, str]] = []
    for name in ("a.prom", "b.prom"):
        write_metrics(tmp_path / name, Ended(0, 1.0, summary()))
        keys += [(each.name, str(each.labels)) for family in read(tmp_path / name).values() for each in family.samples]
    assert len(set(keys)) == len(keys)


def test_the_page_lists_every_metric(path: Path) -> None:
    write_metrics(path, Ended(0, 1.0, summary()))
    names = {each.name for family in read(path).values() for each in family.samples}
    assert set(re.findall(r"^\| `(toolgen_\w+)", text_of(PAGE), re.MULTILINE)) == names


def test_a_disk_that_refuses_leaves_the_old_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nowhere"):
        write_metrics(tmp_path / "nowhere" / "a.prom", Ended(0, 1.0))
    assert list(tmp_path.iterdir()) == []
