"""Temporal-difference learning: what a run learns, and the threads or machines that play."""
