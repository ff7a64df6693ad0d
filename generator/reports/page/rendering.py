"""The page as text: a template that escapes what it is given, its style and script inside, nothing from outside."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from generator.assets import asset_file
from generator.jsontext import JsonValue
from generator.reports.page.visible import visible

_FOLDER = "page"
_TEMPLATE, _STYLE, _SCRIPT = "report.html", "report.css", "report.js"
_OF_EXAM = "exam.html"


def render(told: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the page of a run or a build in pieces, so that one of any size takes little memory."""
    return _pieces(_TEMPLATE, told, _text(_SCRIPT))


def render_exam(told: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the page of an exam in pieces; it has no script."""
    return _pieces(_OF_EXAM, told, "")


def _pieces(template_name: str, told: Mapping[str, Any], script: str) -> Iterator[bytes]:
    style = _text(_STYLE)
    template = _environment().get_template(template_name)
    pieces = template.generate(
        style=Markup(style),  # noqa: S704 - a file of ours
        script=Markup(script),  # noqa: S704 - a file of ours
        policy=_policy(style, script),
        **told,
    )
    for piece in pieces:
        yield piece.encode("utf-8", "backslashreplace")


def as_data(value: JsonValue) -> Markup:
    """Return JSON that can stand in a script element, whatever its texts hold."""
    text = json.dumps(value)
    for sign in "<>&\x7f":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - no sign that ends the element is left


def coded(text: str) -> Markup:
    """Return a text, what stands between backticks as code, and what it would hide made visible."""
    parts = visible(text).split("`")
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(asset_file(_FOLDER)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["data"] = as_data
    environment.filters["coded"] = coded
    return environment


def _shown(value: object) -> object:
    """Make visible what a text of a stranger would hide."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else escape(value)


def _text(name: str) -> str:
    return asset_file(_FOLDER).joinpath(name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Return the rules of the page for its browser: its own style and script, and no address of any kind."""
    style_hash, script_hash = (
        f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (style, script)
    )
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {style_hash}",
            f"script-src {script_hash}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
