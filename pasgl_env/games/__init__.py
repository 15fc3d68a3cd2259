"""The games, one folder each; ``contract`` defines the parts of a game."""
