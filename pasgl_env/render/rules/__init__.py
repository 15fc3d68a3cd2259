"""The rules of the games on a page, a module for each game.

Each module has ``summary(options: OptionsRecord) -> str``: the rules in force under an options
record, as the inventor sums them up where he does, without a heading; lines of at most 80
characters without trailing spaces. What it says is made from the tables of the rules, so that it
cannot differ from them.
"""
