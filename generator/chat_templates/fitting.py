"""The form for what `--for` names: a template that is tried, or a model whose family's templates were."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator.chat_templates.choosing import TEXT_BESIDE, Finding, choose
from generator.chat_templates.families import Family, families, family_of
from generator.chat_templates.forms import Form
from generator.chat_templates.passage import Passage
from generator.chat_templates.rendering import Renderer
from generator.chat_templates.template import ChatTemplate, read_template
from generator.errors import UsageError
from generator.suggestions import did_you_mean

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
