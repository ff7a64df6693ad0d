"""The page in a browser: its records read and searched, by keyboard, in any width; nothing that a record says runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.reports.page import write_report
from tests.browsers import open_browser
from tests.report_pages import HARM, example_records, folder_of, harmful, run_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    run_of(folder / "mine", 700, "--seed", "7")
    write_report(folder / "mine", folder / "report.html")
    return folder / "report.html"


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Open a page; whatever it asks of a network or says on the console fails the test."""
    said: list[str] = []
    contexts = []

    def opened(path: Path, width: int = 1280, scheme: str = "light") -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]  # a text
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: None if request.url.startswith("file:") else said.append(request.url))
        page.goto(path.as_uri())
        page.locator(".turn").first.wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


def found(page: Page, words: str) -> str:
    """Wait until the page tells of what it found, and return it."""
    place = page.locator("#found", has_text=re.compile(words))
    place.wait_for()
    return place.inner_text()


def test_a_text_is_found_wherever_it_stands(open_page: Open, report: Path) -> None:
    page = open_page(report)
    assert found(page, "^700 of 700 records$")
    page.fill("#f-text", "SERVICE_UNAVAILABLE")
    told = found(page, "all texts searched")
    assert int(told.split()[0]) > 0 and told != "700 of 700 records, all texts searched"
    page.locator(".turn.tool .json", has_text="SERVICE_UNAVAILABLE").first.wait_for()
    page.fill("#f-text", "no such words anywhere")
    assert found(page, "^0 of 700 records, all texts searched$")
    assert page.locator("#record").inner_text() == "No record fits."
    page.click("#f-clear")
    assert found(page, "^700 of 700 records$")


def test_filters_by_kind_and_tool_hold_together(open_page: Open, report: Path) -> None:
    page = open_page(report)
    found(page, "^700 of 700 records$")
    page.select_option("#f-kind", label="parallel")
    of_kind = int(found(page, "^[0-9]{1,2} of 700 records$").split()[0])
    page.fill("#f-tool", "search_emails")
    page.wait_for_timeout(400)
    told = page.locator(".row .tells").all_inner_texts()
    assert 0 < len(told) < of_kind
    assert all("parallel" in each and "search_emails" in each for each in told)


def test_the_list_is_read_by_keyboard_alone(open_page: Open, report: Path) -> None:
    page = open_page(report)
    found(page, "^700 of 700 records$")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "f-text"
    for _ in range(8):
        if page.evaluate("document.activeElement.id") == "list":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "list"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for key, index in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 699), ("Home", 0)):
        page.keyboard.press(key)
        page.locator("#record h3", has_text=re.compile(f"^Record {index}$")).wait_for()
        chosen = page.locator('.row[aria-selected="true"]')
        assert chosen.get_attribute("id") == page.locator("#list").get_attribute("aria-activedescendant")
        assert chosen.get_attribute("aria-posinset") == str(index + 1)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "record"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "list"
    assert page.locator(".row").count() < 60


def test_evidence_leads_to_the_words_it_names(open_page: Open, tmp_path: Path) -> None:
    record = example_records()[0]
    (call,) = (call for message in record["messages"] for call in message.get("tool_calls", ()))
    value = next(iter(call["function"]["arguments"].values()))
    where = next(
        at for at, each in enumerate(record["messages"]) if each["role"] == "user" and value in each["content"]
    )
    entry = {"level": "literal", "where": f"/messages/{where}/content", "text": value}
    record["metadata"]["grounding"] = {call["id"]: {f"/{next(iter(call['function']['arguments']))}": entry}}
    write_report(folder_of(tmp_path / "run", [record]), tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    assert page.locator("mark.literal").inner_text() == f"{value}1"
    page.get_by_role("button", name="1 literal").click()
    assert "near" in (page.locator("mark").get_attribute("class") or "")


@pytest.mark.parametrize("width", [360, 1280, 2560])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off_in_any_width(open_page: Open, report: Path, width: int, scheme: str) -> None:
    page = open_page(report, width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground, text = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    assert (_light(ground) > _light(text)) == (scheme == "light")
    page.click("#scheme")
    assert (_light(page.evaluate("getComputedStyle(document.body).backgroundColor")) > 1.5) == (scheme == "dark")
    assert page.locator("svg.chart:visible").count() > 3


def _light(colour: str) -> float:
    """Return how light a colour is, from 0 to 3."""
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 255


def test_nothing_that_a_record_says_runs(open_page: Open, tmp_path: Path) -> None:
    records = [harmful(text, index) for index, text in enumerate(HARM)]
    write_report(folder_of(tmp_path / "run", records, name=HARM[1]), tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    page.focus("#list")
    for index, text in enumerate(HARM):
        page.locator("#record h3", has_text=re.compile(f"^Record {index}$")).wait_for()
        page.locator("#record summary").click()
        said = page.locator("#record .turn.user").inner_text()
        assert "<" not in text or "<" in said
        assert "\u202e" not in said
        page.keyboard.press("Escape")
        page.focus("#list")
        page.keyboard.press("ArrowDown")
    assert page.evaluate("window.harmed") is None
    assert page.locator("#record img, #record script, #record b").count() == 0


def test_the_policy_stops_what_were_to_run_all_the_same(browser: Browser, report: Path) -> None:
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(report.as_uri())
    page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")
    page.evaluate(
        "() => { const made = document.createElement('style'); made.textContent = 'p{}'; document.head.append(made); }"
    )
    assert sum("Content Security Policy" in text for text in refused) >= 2
    page.close()


def test_each_control_has_a_name_and_each_part_its_landmark(open_page: Open, report: Path) -> None:
    page = open_page(report)
    for role in ("banner", "navigation", "main", "search", "contentinfo", "listbox", "status"):
        assert page.get_by_role(role).count() >= 1, role  # type: ignore[arg-type]  # a text
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, select, button')].filter((each) => "
        "!(each.labels?.length || each.getAttribute('aria-label') || each.textContent.trim())).length"
    )
    assert unnamed == 0
    charts, tables = page.locator("figure").count(), page.locator("figure details table").count()
    assert charts == tables > 4


def test_on_paper_the_figures_stay(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.emulate_media(media="print")
    assert not page.locator("#browser").is_visible() and not page.locator("nav").is_visible()
    assert page.locator("#coverage .heat table").is_visible()
