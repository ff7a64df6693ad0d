"""Grading: calls and values compared by what they mean, and rewards for the answers of a model."""
