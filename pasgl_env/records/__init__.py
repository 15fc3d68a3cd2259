"""What happened in games, written for people and programs."""
