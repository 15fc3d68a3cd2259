"""Drawings as SVG and as text."""
