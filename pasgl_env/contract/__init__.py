"""What a game is: the contract between a game and all that runs it, and the table of variants."""
