"""Measuring players and games by playing: matches."""

from pasgl_env.playtest.match import Estimate, MatchResult, Tally, make_pair, play_match

__all__ = ["Estimate", "MatchResult", "Tally", "make_pair", "play_match"]
