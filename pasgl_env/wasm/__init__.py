"""A game's compiled rules for browsers and Node, as WebAssembly modules."""
