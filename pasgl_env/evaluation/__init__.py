"""Matches whose openings vary, with the time of an action."""
