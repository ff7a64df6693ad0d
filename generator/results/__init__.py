"""Results: what the tools answer to the calls of a draft, coherent with the arguments, errors included."""

from generator.results.synthesis import synthesize_results

__all__ = ["synthesize_results"]
