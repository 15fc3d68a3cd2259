"""The games, one folder each; ``contract`` says what a game provides."""
