"""The training library that the scripts in ``agents/`` use."""
