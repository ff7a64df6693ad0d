"""What the check of a kind is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.view import RecordView

KindCheck = Callable[[RecordView], Iterator[str]]
"""Yields what a record of the kind should be and is not."""
