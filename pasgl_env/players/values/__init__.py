"""Values learned by temporal differences, in compiled code."""
