"""What the check of a kind is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.view import RecordView

KindCheck = Callable[[RecordView], Iterator[str]]
"""Yields what a record of the kind should be and is not."""

UnderWay = Callable[[RecordView, frozenset[str]], Iterator[str]]
"""Yields what the record of a kind should be and already is not, when the tools that it is still to call are known."""
