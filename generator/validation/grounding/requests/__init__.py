"""What a request asks, and what became of it in the calls."""
