"""The exam: held-out records asked of a model turn by turn, graded by meaning, counted with intervals."""
