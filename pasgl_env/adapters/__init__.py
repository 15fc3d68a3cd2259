"""Other suites' interfaces to the games, a module each; each needs the extra of its suite."""
