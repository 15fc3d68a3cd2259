"""Superchief: see ``docs/environments/superchief.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("superchief")
