"""What playtests count."""
