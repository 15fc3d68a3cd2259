"""Tree searches: UCT, and best-first search with learned values."""
