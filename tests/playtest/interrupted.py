"""Runs that are interrupted."""

from pasgl_env.playtest.run import play_here


class Killed(BaseException):
    """What nothing in the package catches."""


def killed_after(shards):
    """A function that plays this number of shards, of all runs together, and dies."""
    left = [shards]

    def play_shards(all_shards, progress):
        for result in play_here(all_shards, progress):
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            yield result

    return play_shards
