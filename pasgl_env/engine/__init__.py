"""What runs any game and knows none."""
