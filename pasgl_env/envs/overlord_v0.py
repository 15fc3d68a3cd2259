"""Overlord: see ``docs/environments/overlord.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("overlord")
