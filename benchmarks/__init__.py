"""Speed beside other suites, measured in one run."""
