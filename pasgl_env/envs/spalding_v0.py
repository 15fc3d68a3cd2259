"""Captain Spalding Chess: see ``docs/environments/spalding.md``."""

from pasgl_env.envs.aec import constructors

env, raw_env = constructors("spalding")
