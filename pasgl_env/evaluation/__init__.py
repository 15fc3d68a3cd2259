"""Measuring players: matches, tournaments, sequential tests."""

from pasgl_env.evaluation.match import MatchResult, Tally, make_pair, play_match

__all__ = ["MatchResult", "Tally", "make_pair", "play_match"]
