"""Publish a trained player with the package.

``python -m tools.publish FOLDER`` reads a run of ``pasgl train``. An agent trained by PPO is
measured, and written with its card. Learned values must first beat those that the package has, if
any, in a sequential test. ``--as superchief`` publishes values of Chieftain for Superchief: the
features are the same.
"""

from pathlib import Path

CARDS = Path("agents")
"""The folder of the cards, from the root of the repository."""
