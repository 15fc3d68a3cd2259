"""Chieftain: see ``docs/environments/chieftain.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("chieftain")
