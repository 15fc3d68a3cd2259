"""Speed compared with other suites, measured in one run."""
