"""Baseline agents trained with Stable-Baselines3; needs the extra ``train``."""

import pasgl_env.players.networks  # noqa: F401 # before PyTorch, to configure its threads
