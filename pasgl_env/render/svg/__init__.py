"""The parts of SVG drawings; each game's own parts are in its folder."""
