"""Files and folders that survive a kill: whole writes, locks, manifests, journals."""
