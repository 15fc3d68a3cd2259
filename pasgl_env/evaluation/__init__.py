"""Measuring players: matches, paired duels from varied openings, tournaments, sequential tests."""

from pasgl_env.evaluation.match import MatchResult, Tally, make_pair, play_match

__all__ = ["MatchResult", "Tally", "make_pair", "play_match"]
