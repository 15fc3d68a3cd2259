"""Interfaces to other suites, one module each; each needs the extra of its suite."""
