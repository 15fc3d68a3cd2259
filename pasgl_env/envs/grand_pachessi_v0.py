"""Grand Pachessi: see ``docs/environments/grand_pachessi.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("grand_pachessi")
