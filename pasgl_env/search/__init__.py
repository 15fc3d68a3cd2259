"""Learned values in compiled code, and the players that search with them."""
