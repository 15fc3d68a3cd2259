"""PASGL 312 Chess: see ``docs/environments/pasgl312.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("pasgl312")
