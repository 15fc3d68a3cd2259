"""Pachessi: see ``docs/environments/pachessi.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("pachessi")
