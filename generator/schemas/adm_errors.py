"""The error types of ADM (seeds/004, 4.5.9)."""

from __future__ import annotations

from typing import Literal, get_args

ErrorType = Literal[
    "PARAMETER_VALIDATION_FAILED",
    "RESOURCE_NOT_FOUND",
    "PERMISSION_DENIED",
    "BUSINESS_RULE_VIOLATION",
    "SERVICE_UNAVAILABLE",
    "RATE_LIMIT_EXCEEDED",
    "INVALID_STATE",
    "CONFIGURATION_ERROR",
]
ERROR_TYPES: tuple[str, ...] = get_args(ErrorType)
