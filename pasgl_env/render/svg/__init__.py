"""What drawings in SVG are made of; each game's own are in its folder."""
