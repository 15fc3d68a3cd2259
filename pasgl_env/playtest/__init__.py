"""Measuring games: what happens in many games of a variant, and what follows for its rules."""
