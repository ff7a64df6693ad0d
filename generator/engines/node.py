"""A node of a cluster: what is installed there must be what is installed where the run is."""

from __future__ import annotations

import socket
from collections.abc import Mapping

from generator.errors import EngineError
from generator.runs.identity import versions


def require_versions(there: Mapping[str, str]) -> None:
    """Make sure that the same versions are installed here as `there`, where the run is.

    Raises:
        EngineError: others are: this node would make other bytes.
    """
    here = versions()
    differing = [f"{name} {here.get(name)}, not {wanted}" for name, wanted in there.items() if here.get(name) != wanted]
    if differing:
        raise EngineError(f"the node {socket.gethostname()} of the Ray cluster has {', '.join(differing)}")
