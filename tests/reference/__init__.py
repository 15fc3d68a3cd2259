"""Slow, independent implementations of the rules, the oracles of the differential tests."""
