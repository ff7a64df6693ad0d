"""What words say: numbers, days, times, names, quotes and denials, in every language that is read."""
