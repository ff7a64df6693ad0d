"""Results: the numbers, states and words that they hold."""
