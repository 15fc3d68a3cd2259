"""The counters of playtests."""
