"""The rules of the games, one folder a game; ``contract`` says what a game provides."""
