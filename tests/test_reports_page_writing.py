"""The page as a whole: what it tells, what it never lets through, its bounds, and the same bytes each time."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generator.cli import main
from generator.errors import StorageError, UsageError
from generator.reports.page import write_report
from generator.reports.page.reading import MOST_RECORDS
from tests.report_pages import HARM, chunks_in, example_records, folder_of, harmful, run_of


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(tmp_path_factory.mktemp("run") / "mine", 60, "--seed", "7")


@pytest.fixture(scope="module")
def page(run: Path) -> str:
    write_report(run, run / "report.html")
    return (run / "report.html").read_text("utf-8")


def test_the_page_tells_what_the_summary_has(page: str, run: Path) -> None:
    summary = json.loads((run / "summary.json").read_text())
    words = " ".join(re.sub(r"<[^>]+>", " ", page.partition('<script type="application/json"')[0]).split())
    assert f"{summary['lengths']['median']:,} median" in words
    assert f"{summary['coverage']['enum_values']['used']:,} of {summary['coverage']['enum_values']['all']:,}" in words
    for kind, count in summary["kinds"].items():
        assert f"{kind} {count['asked']} {count['kept']} {count['rejected']} {count['given_up']}" in words
    for rule, count in summary["rules"].items():
        assert f"<code>{rule}</code>" in page and f'<span class="count">{count["rejected"]:,}</span>' in page
    assert "people: 200 questions of BFCL live_multiple – .688 .30 to .37" in words
    assert "All 60 records are in this page." in words


def test_every_record_is_in_it_with_its_evidence(page: str, run: Path) -> None:
    records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    packed = [json.loads(line) for chunk in chunks_in(page, "chunk") for line in chunk.split(b"\n")[1:]]
    assert [record["metadata"]["index"] for record in records] == [each[0] for each in packed]
    told = sum(len(entries) for record in records for entries in record["metadata"].get("grounding", {}).values())
    calls = [call for each in packed for role, _, *more in each[6] if role == "assistant" for call in (more or [[]])[0]]
    assert told == sum(len(argument) == 5 for _, _, arguments in calls for argument in arguments) > 0


def test_the_same_folder_makes_the_same_bytes(page: str, run: Path, tmp_path: Path) -> None:
    write_report(run, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text("utf-8") == page


class _Markup(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_has_one_script_and_one_style_of_its_own_and_no_address(page: str) -> None:
    found = _Markup(page).found
    assert [given for tag, given in found if tag == "script" and "type" not in given] == [{}]
    assert [tag for tag, _ in found if tag in ("link", "img", "iframe", "object", "embed", "base")] == []
    leading = [value for _, given in found for name, value in given.items() if name in ("href", "src", "action")]
    assert all(str(address).startswith("#") for address in leading) and leading
    assert not [name for _, given in found for name in given if name.startswith("on") or name == "style"]
    assert "http://" not in page and "https://" not in page


def test_the_policy_admits_exactly_what_is_in_the_page(page: str) -> None:
    policy = next(given["content"] or "" for tag, given in _Markup(page).found if "http-equiv" in given)
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"{rule} 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")


def test_harmful_texts_stay_texts(tmp_path: Path) -> None:
    source = folder_of(
        tmp_path / "harm",
        [harmful(text, index) for index, text in enumerate(HARM)],
        name=HARM[1],
        kinds={text: {"asked": 1, "kept": 1, "rejected": 0, "given_up": 0} for text in HARM},
        kinds_not_served={HARM[0]: HARM[1], "simple": "it needs a `way` \u202e"},
        tools={text: {"shown": 1, "called": 1} for text in HARM},
        rules={HARM[0]: {"rejected": 1, "tools": {HARM[1]: 1}}},
        errors={HARM[2]: 1},
        coverage={"kinds": {HARM[1]: {HARM[0]: 3}}, "errors": {HARM[1]: 2}, "evidence_levels": {HARM[4]: 4}},
        versions={HARM[3]: HARM[9]},
    )
    violations = [{"rule": HARM[0], "pointer": "", "message": text} for text in HARM]
    rejection = {"index": 0, "attempt": 0, "kind": HARM[1], "tools": HARM, "violations": violations}
    (source / "rejections.jsonl").write_text(json.dumps(rejection) + "\n")
    write_report(source, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    found = _Markup(page).found
    assert len([1 for tag, given in found if tag == "script" and "type" not in given]) == 1
    assert not [tag for tag, given in found if tag == "img" or "onload" in given or "onerror" in given]
    assert "{{ 7 * 7 }}" in page
    assert "The kind simple is not served: it needs a <code>way</code> ⟨U+202E⟩" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\ufeff]", page)
    assert "⟨U+202E⟩" in page


def test_more_records_than_the_page_takes_are_chosen_by_a_seed_and_it_says_so(run: Path, tmp_path: Path) -> None:
    write_report(run, tmp_path / "few.html", most=20)
    page = (tmp_path / "few.html").read_text("utf-8")
    held = sum(len(json.loads(chunk)) for chunk in chunks_in(page, "listed"))
    assert 0 < held <= 20
    assert f"This page holds {held} of 60 records, chosen" in page


def test_lines_that_hold_no_record_are_counted(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "run", example_records())
    with (source / "records.jsonl").open("ab") as file:
        file.write(b'{"messages": \n[1, 2]\n{"messages": []}\nnull\n\xff\xfe\n' + b'{"a":' * 2000 + b"\n")
    write_report(source, tmp_path / "report.html")
    assert "6 lines hold no record." in (tmp_path / "report.html").read_text("utf-8")


def test_an_empty_run_has_a_page(tmp_path: Path) -> None:
    write_report(folder_of(tmp_path / "run", []), tmp_path / "report.html")
    assert "All 0 records are in this page." in (tmp_path / "report.html").read_text("utf-8")


def test_what_changed_is_told_where_the_manifest_names_the_build_before(tmp_path: Path) -> None:
    records = example_records()
    folder_of(tmp_path / "builds" / "one", records[:-1])
    records[0]["messages"][0]["content"] += " Please."
    now = folder_of(tmp_path / "builds" / "two", records)
    (now / "manifest.json").write_text(json.dumps({"previous": "one"}))
    write_report(now, now / "report.html")
    page = (now / "report.html").read_text("utf-8")
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "Changes since one" in told
    assert f"all 1 0 1 {len(records) - 2}" in told


@pytest.mark.parametrize("name", ["../elsewhere", "/etc", "", ".."])
def test_a_manifest_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    source = folder_of(tmp_path / "builds" / "one", example_records())
    (source / "manifest.json").write_text(json.dumps({"previous": name}))
    write_report(source, tmp_path / "report.html")
    assert "Changes since" not in (tmp_path / "report.html").read_text("utf-8")


def test_bad_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder; give the folder of a run or of a build"):
        write_report(tmp_path / "nothing", tmp_path / "report.html")
    with pytest.raises(UsageError, match=r"holds no records\.jsonl"):
        write_report(tmp_path, tmp_path / "report.html")
    source = folder_of(tmp_path / "run", [])
    (source / "summary.json").write_text("{}")
    with pytest.raises(StorageError, match=r"summary\.json: damaged"):
        write_report(source, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_the_records_are_never_written_over(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "run", example_records())
    before = (source / "records.jsonl").read_bytes()
    with pytest.raises(UsageError, match="is a file that the report is made of"):
        write_report(source, source / "records.jsonl")
    assert (source / "records.jsonl").read_bytes() == before


def test_without_pygal_the_install_is_named(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygal", None)
    with pytest.raises(UsageError, match=r"a report needs the package pygal.*\[report\]"):
        write_report(run, tmp_path / "report.html")


def test_the_command_writes_the_page(run: Path, page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "-o", str(tmp_path / "new" / "report.html")]) == 0
    assert (tmp_path / "new" / "report.html").read_text("utf-8") == page
    assert "open it in a browser" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "-"], "give -o the file to write"),
        (["-o", "summary.json"], "is a file of the run in that folder"),
        (["-o", "../bees.json"], "give -o a name that ends in .html"),
        (["-o", "x.html", "--records", str(MOST_RECORDS + 1)], "is not in the range"),
        (["-o", "x.html", "--previous", "nothing"], "nothing: is no folder"),
    ],
)
def test_the_command_refuses(
    run: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run)
    assert main(["report", ".", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("held", "code"), [("<p>mine</p>", 2), ("", 0)])
def test_a_page_of_somebody_else_is_not_replaced(run: Path, held: str, code: int, tmp_path: Path) -> None:
    page = tmp_path / "page.HTML"
    page.write_text(held, encoding="utf-8")
    assert main(["report", str(run), "-o", str(page)]) == code
    assert (page.read_text(encoding="utf-8") == held) == (code == 2)
    assert main(["report", str(run), "-o", str(page)]) == code
