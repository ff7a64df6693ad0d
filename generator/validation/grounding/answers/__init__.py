"""Answers: whether what an answer tells is what the results of its turn say."""
