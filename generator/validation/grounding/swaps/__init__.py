"""Values that stand in each other's place: within a call, between calls made at once, and against results."""
