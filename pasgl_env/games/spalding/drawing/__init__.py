"""Drawings in SVG and in characters."""
