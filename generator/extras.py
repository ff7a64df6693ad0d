"""Extras: packages that a few formats need and that not everybody has; and the install that brings them, from here.

toolgen may run from a clone, from a wheel, from a repository or from an index: what installs an extra is not the
same everywhere, and a command that fails helps nobody.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.errors import UsageError

_DISTRIBUTION = "toolgen"
_PACKAGE = Path(__file__).resolve().parent
_OF_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")


def missing(what: str, package: str, extra: str, otherwise: str = "") -> UsageError:
    """Return the error for a package that is not there: what needs it, and the command that installs it here."""
    also = f", or {otherwise}" if otherwise else ""
    return UsageError(f"{what} the package {package}, which is not installed: run `{installation(extra)}`{also}")


def installation(extra: str) -> str:
    """Return the command that installs an extra where this program runs from."""
    return f"{_installer()} {_wanted(extra)}"


def _installer() -> str:
    """Return the pip of this very Python: the one on the path may be another's."""
    beside = Path(sys.executable).parent
    found = shutil.which("pip")
    if found is not None and Path(found).parent == beside:
        return "pip install"
    if find_spec("pip") is not None:
        return f"{shlex.quote(sys.executable)} -m pip install"
    return f"uv pip install --python {shlex.quote(sys.executable)}" if shutil.which("uv") else "pip install"


def _wanted(extra: str) -> str:
    """Return what to install: this program with the extra from where it came, else the packages of the extra."""
    clone = _PACKAGE.parent
    if (clone / "pyproject.toml").is_file():
        return f"-e {_quoted(clone, extra)}"
    try:
        installed = metadata.distribution(_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return shlex.quote(f"{_DISTRIBUTION}[{extra}]")
    origin = _origin(installed)
    if origin.startswith("file:"):
        path = Path(unquote(urlsplit(origin).path))
        return _quoted(path, extra) if path.exists() else _packages(installed, extra)
    if origin:
        return shlex.quote(f"{_DISTRIBUTION}[{extra}] @ {origin}")
    return _packages(installed, extra)


def _quoted(path: Path, extra: str) -> str:
    place = "." if path == Path.cwd() else str(path)
    return shlex.quote(f"{place}[{extra}]")


def _origin(installed: metadata.Distribution) -> str:
    """Return the URL that the program was installed from; "" where it came by its name."""
    try:
        told = json.loads(installed.read_text("direct_url.json") or "{}")
    except ValueError:
        return ""
    url = str(told.get("url", ""))
    source = told.get("vcs_info") or {}
    return f"{source['vcs']}+{url}@{source['commit_id']}" if {"vcs", "commit_id"} <= source.keys() else url


def _packages(installed: metadata.Distribution, extra: str) -> str:
    """Return the packages that an extra consists of: they are there whether or not toolgen is on an index."""
    parts = (line.partition(";") for line in installed.requires or ())
    named = [
        name.strip() for name, _, condition in parts if (found := _OF_EXTRA.search(condition)) and found[1] == extra
    ]
    return " ".join(map(shlex.quote, named)) or shlex.quote(f"{_DISTRIBUTION}[{extra}]")
