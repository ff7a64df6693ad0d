"""Batches: requests that a server answers within a day and at half the price, or a program answers from a file."""
