"""Batches: a run whose model is asked in rounds, each of them files of requests that come back when they come back."""
