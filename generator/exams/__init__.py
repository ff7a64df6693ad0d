"""The exam: held-out records asked of a model turn by turn, graded by meaning, and told with what chance leaves open."""
