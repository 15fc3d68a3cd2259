"""The list of packages; everything else about the distribution is in pyproject.toml."""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["pasgl_env", "pasgl_env.*"]),
        # A top-level module `agents` would clash with another well-known package.
        *(f"pasgl_env.{name}" for name in find_packages(include=["agents", "agents.*"])),
        "pasgl_env.rules_pages",  # the documentation's, which `pasgl serve` shows
    ]
)
