"""What the repository needs and the package does not: not installed, not in the wheel."""
