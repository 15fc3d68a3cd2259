"""The first variant of each game, for tests that do not depend on the game."""

from pasgl_env import variants

ONE_OF_EACH_GAME = tuple(
    {variants.find(name).cache_name: name for name in reversed(variants.names())}.values()
)[::-1]
