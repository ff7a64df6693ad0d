"""The form for what `--for` names: a template that is tried, or a model whose family's templates were.

Of a template that is tried, it is the first form in which every probe passes whole. Of a model nothing is downloaded:
what was found out for model families is told by the names of models. It stands in `assets/model_families.json`, written
by `python -m tests.benchmarks.bench_chat_templates FOLDER --write`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import orjson

from generator.assets import asset_file
from generator.chat_templates import probes
from generator.chat_templates.forms import FORMS, Form
from generator.chat_templates.passage import TEXT_BESIDE, Passage, faults, holds
from generator.chat_templates.probes import PROBES
from generator.chat_templates.rendering import Refusal, Renderer
from generator.chat_templates.template import ChatTemplate, read_template
from generator.errors import UsageError
from generator.jsontext import JsonObject
from generator.suggestions import did_you_mean

SECONDS = 60
"""The longest that a template may take for all probes in all forms; it takes a part of one."""
_ALL = tuple(probe.shows for probe in PROBES)
_SEPARATORS = re.compile(r"[^a-z0-9.]+")
_VERSION = re.compile(r"(?<=\d)[-_](?=\d+(?:[-_]|$))")
"""A version as files write it: llama3_1."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of trying a template."""

    form: Form
    """The first form that is whole; where none is, the one in which most probes are."""
    faults: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What is wrong with that form, with the kinds of records that it concerns; nothing where it is whole."""
    drops: tuple[str, ...] = ()
    """What the template drops of whole records, or cannot take, beyond the probes."""
    refused: int = 0
    """How many probes it did not render at all."""
    is_final: bool = False
    """Whether no other form can be better."""

    @property
    def is_whole(self) -> bool:
        """Whether there is a form in which every probe is whole."""
        return not self.faults

    @property
    def why(self) -> str:
        """What is wrong with the form, in words."""
        return "; ".join(f"{fault}{_where(shown)}" for fault, shown in self.faults.items())


def _where(shown: tuple[str, ...]) -> str:
    return "" if len(shown) > len(PROBES) // 2 else f" ({', '.join(shown)})"


def choose(template: ChatTemplate, forms: Sequence[Form] = FORMS) -> Finding:
    """Try forms in their order, and return the first that is whole, or that which loses least."""
    renderer = Renderer(template)
    until = time.monotonic() + SECONDS
    tried: list[Finding] = []
    for form in forms:
        found = _try(renderer, form)
        if found.is_whole:
            return replace(found, drops=tuple(_drops(renderer, form)))
        tried.append(found)
        if found.is_final or time.monotonic() > until:
            break
    return min(tried, key=lambda each: (each.refused, sum(map(len, each.faults.values()))))


def _try(renderer: Renderer, form: Form) -> Finding:
    """Say what is wrong with a form, with the probes that show it."""
    found: dict[str, tuple[str, ...]] = {}
    refused = 0
    for probe in PROBES:
        rendered = renderer.render(form.written(probe.record))
        if isinstance(rendered, Refusal):
            refused += 1
            wrong = [rendered.why]
        else:
            wrong = faults(rendered, form.prepared(probe.record))
        for fault in wrong:
            found[fault] = (*found.get(fault, ()), probe.shows)
        if isinstance(rendered, Refusal) and rendered.is_final:
            return Finding(form, {rendered.why: _ALL}, refused=refused, is_final=True)
    return Finding(form, found, refused=refused)


def _drops(renderer: Renderer, form: Form) -> Iterator[str]:
    """Yield what a template drops of records that are whole in this form."""
    for record, detail, dropped in _DETAILS:
        text = renderer.render(form.written(record))
        lacks = isinstance(text, str) and not holds(text, detail) if detail else _fails(text, form.prepared(record))
        if lacks:
            yield dropped


_DETAILS = (
    (probes.ONE_CALL, probes.PARAMETER_TEXT, "the descriptions of parameters"),
    (probes.ONE_CALL, probes.CHOICE, "the values of enums"),
    (probes.WITH_TEXT, "", TEXT_BESIDE),
    (probes.ENDS_WITH_CALLS, "", "calls at the end of a record"),
    (probes.ONE_CALL, probes.FIRST.identity, "the ids of calls"),
    (probes.NAMED_ELSEWHERE, probes.ELSEWHERE, "the names on results"),
    (probes.QUOTING, probes.QUOTED, "quotes and & as they stand in descriptions, which it escapes"),
    (probes.LIST_TYPED, "", 'tools with a list of types, such as ["string", "null"]'),
)
"""A record, the detail of it that should be found in what is rendered ("": all of it), and what is dropped if not."""


def _fails(text: str | Refusal, record: JsonObject) -> bool:
    return isinstance(text, Refusal) or bool(faults(text, record))


@dataclass(frozen=True, slots=True)
class Family:
    """The models of one name, and what came of the templates that were tried."""

    name: str
    pattern: str
    """What the names of its models match, as `plain` writes them."""
    form: Form
    """The form that every template of it takes that takes one at all."""
    tried: int
    whole: int
    """How many of the templates tried pass whole in that form."""
    drops: tuple[str, ...] = ()
    """What one of those templates drops all the same."""
    why: tuple[str, ...] = ()
    """What is wrong with the others."""
    marked: int = 0
    """How many of them mark what the assistant says."""


@cache
def families() -> tuple[Family, ...]:
    """Return the families, those whose names are more special first."""
    read = orjson.loads(asset_file("model_families.json").read_bytes())
    return tuple(_family(each) for each in read)


def _family(said: dict[str, object]) -> Family:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    return Family(**{**fields, "form": Form(**said["form"])})  # type: ignore[arg-type]  # a file of our own


def plain(name: str) -> str:
    """Return the name of a model, or of a template's file, as the patterns of families are written."""
    last = name.rstrip("/").rpartition("/")[2].lower().removesuffix(".jinja")
    return _SEPARATORS.sub("-", _VERSION.sub(".", last) if "_" in last else last)


def family_of(name: str) -> Family | None:
    """Return the family of a model's name, of a family's own name, or of the name of a template's file."""
    exact = next((each for each in families() if each.name.lower() == name.lower()), None)
    return exact or next((each for each in families() if re.search(each.pattern, plain(name))), None)


_PATH_ENDINGS = (".jinja", ".jinja2", ".j2", ".json", ".txt")
_ASK = "give --for its chat template: a file .jinja, a tokenizer_config.json, or the folder of the model"


@dataclass(frozen=True, slots=True)
class Fit:
    """The form that records are written in for a template or a model, and how it was found."""

    name: str
    """What the user named."""
    form: Form
    drops: tuple[str, ...]
    found_by: str
    """How the form was found, in words."""
    marks_answers: bool
    template: ChatTemplate | None = None
    """The template itself, where it is at hand."""

    def passage(self) -> Passage | None:
        """Return the way of records through the template, where it is at hand."""
        return None if self.template is None else Passage(self.template, self.form, self.drops, Renderer(self.template))

    def lines(self, shortened: int = 0) -> list[str]:
        """Say which form it is and why, what the template drops, and what to give the trainer: three lines.

        `shortened` is in how many of the records text beside calls was dropped.
        """
        counted = f"{TEXT_BESIDE} (in {shortened:,} of these records)" if shortened else TEXT_BESIDE
        drops = "; ".join(counted if each == TEXT_BESIDE else each for each in self.drops) or "nothing"
        return [
            f"for {self.name}: {self.form.options} ({self.form.words}), {self.found_by}",
            f"its chat template drops: {drops}",
            f"TRL: {self._hint()}",
        ]

    def _hint(self) -> str:
        template = "" if self.template is None else f'chat_template_path="{self.template.for_trainer}", '
        given = f"SFTConfig({template}assistant_only_loss=True)"
        return (
            given
            if self.marks_answers
            else f"{given}; TRL puts a template that marks answers in place of this one, or says that it has none"
        )


def fit(named: str) -> Fit:
    """Return the form for a chat template file, a model's folder, or the name of a model or family.

    Raises:
        UsageError: no form passes the template whole, or the name is unknown.
        StorageError: the file cannot be read.
    """
    path = Path(named)
    if named.strip() and path.exists():
        template = read_template(path)
        return _of_finding(named, template, choose(template))
    if named.endswith(_PATH_ENDINGS) or named.startswith((".", "~", "/")) or not named.strip():
        raise UsageError(f"--for {named}: there is no such file or folder; {_ASK}")
    family = family_of(named)
    if family is None:
        raise UsageError(_unknown(named))
    return _of_family(named, family)


def _of_finding(named: str, template: ChatTemplate, finding: Finding) -> Fit:
    if not finding.is_whole:
        least = f". The form that loses least is {finding.form.options}; give that in place of --for to write it anyway"
        raise UsageError(
            f"--for {named}: no form of records passes the chat template whole: it {finding.why}"
            + ("" if finding.is_final else least)
        )
    found_by = "the first form in which it renders every kind of record whole"
    return Fit(named, finding.form, finding.drops, found_by, template.marks_answers, template)


def _of_family(named: str, family: Family) -> Fit:
    if family.whole < family.tried:
        some = f"{family.whole} of {family.tried}" if family.whole else "none"
        others = f"{family.form.options} for those; the others: " if family.whole else ""
        raise UsageError(
            f"--for {named}: of the chat templates of {family.name} that were tried {some} passed whole "
            f"({others}{'; '.join(family.why)}); {_ASK}"
        )
    tried = "the template" if family.tried == 1 else f"{family.tried} templates"
    found_by = f"as {tried} of {family.name} took it when tried; a template file given to --for is tried itself"
    return Fit(named, family.form, family.drops, found_by, family.marked == family.tried)


def _unknown(named: str) -> str:
    last = named.rpartition("/")[2]
    hint = did_you_mean(last, [each.name for each in families()])
    nearest = f"{hint} " if hint else ""
    return f"--for {named}: no model family of that name was tried; {nearest}{_ASK}"
