"""Records on their way through a chat template: what it would make of each."""

from __future__ import annotations

from dataclasses import dataclass

from generator.chat_templates.choosing import TEXT_BESIDE
from generator.chat_templates.forms import Form
from generator.chat_templates.judging import faults
from generator.chat_templates.rendering import Refusal, Renderer
from generator.chat_templates.template import ChatTemplate
from generator.errors import DataError
from generator.formats.losses import TEXT_BESIDE_CALLS
from generator.jsontext import JsonObject


@dataclass(slots=True)
class Passage:
    """Renders record after record; text beside calls that a template is known to drop is counted, not refused."""

    template: ChatTemplate
    form: Form
    """The form that records are written in for it."""
    drops: tuple[str, ...]
    renderer: Renderer
    shortened: int = 0
    """The records whose text beside calls was dropped."""

    def faults(self, prepared: JsonObject) -> list[str]:
        """Return what the template makes wrong of a record that is to be written, in words.

        Raises:
            DataError: it took too long, or too much memory: so might every other record.
        """
        rendered = self.renderer.render(self.form.shaping.write(prepared))
        if isinstance(rendered, Refusal):
            if rendered.is_final:
                raise DataError(f"{self.template.source}: given a record, the chat template {rendered.why}")
            return [rendered.why]
        if TEXT_BESIDE in self.drops:
            shorter = TEXT_BESIDE_CALLS.forget(prepared)
            self.shortened += shorter != prepared
            prepared = shorter
        return faults(rendered, prepared)
