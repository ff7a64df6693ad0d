"""Sorts: values whose form says that they are another parameter's: a phone number for a name, a name for an address.

Only forms that no other text has are known: addresses of mail and of pages, numbers of phones, what has digits and what
has letters. A value is in the wrong place where its own parameter wants such a form, another one's value has it, and
that one wants another.
"""

from __future__ import annotations

import re

from generator.validation.grounding.marks import sort_of
from generator.validation.verdict import Severity

_LONGEST = 300
_FORMS = {
    "mail": re.compile(r"[^\s@]{1,100}@[^\s@]{1,100}\.[^\s@]{1,40}"),
    "phone": re.compile(r"\+?[\d\s().\-/]{5,30}"),
    "link": re.compile(r"(?:\w{2,10}://|www\.)\S{1,280}"),
    "digits": re.compile(r"(?=[^\d]{0,40}\d)[\w\s-]{2,40}"),
    "words": re.compile(r"(?=[^a-zA-Z\u00c0-\uffff]{0,40}[a-zA-Z\u00c0-\uffff])[^@]{1,300}"),
}


def exchanged_by_form(first: str, second: str, mine: str, theirs: str) -> Severity | None:
    """Say how surely two texts stand in each other's place by their forms; None where they may stand as they do.

    Args:
        first: the name of the one parameter.
        second: the name of the other.
        mine: the value of the first.
        theirs: the value of the second.
    """
    wanted, other = sort_of(first), sort_of(second)
    if wanted == other or len(mine) > _LONGEST or len(theirs) > _LONGEST:
        return None
    wrong = _is_wrong(wanted, mine, theirs), _is_wrong(other, theirs, mine)
    if all(wrong):
        return "error"
    sole = wanted if wrong[0] and not other else other if wrong[1] and not wanted else ""
    return "warning" if sole in ("mail", "link") else None


def _is_wrong(wanted: str, own: str, other: str) -> bool:
    """Say whether a value has not the form that is wanted, and the other has it."""
    form = _FORMS.get(wanted)
    return form is not None and form.fullmatch(own) is None and form.fullmatch(other) is not None
