"""Notebooks to read and to run; :mod:`notebooks.execute` makes their outputs anew."""
