"""Arguments: where each value of a call comes from, and how sure it is that a value from nowhere is wrong."""
