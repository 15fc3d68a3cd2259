"""Scripts that make pages and pictures of the repository; not in the wheel."""
