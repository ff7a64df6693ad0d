"""The examiner: rules over records, sharing no code with what writes them."""

from generator.validation.examiner import check, check_line, check_under_way, examine, validate_record
from generator.validation.kinds import KIND_CHECKS
from generator.validation.rules import RULES
from generator.validation.verdict import Rejection, Violation

__all__ = [
    "KIND_CHECKS",
    "RULES",
    "Rejection",
    "Violation",
    "check",
    "check_line",
    "check_under_way",
    "examine",
    "validate_record",
]
