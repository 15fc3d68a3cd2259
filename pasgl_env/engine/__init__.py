"""The engine runs any game; it knows none by name."""
