"""A small chess variant as a stranger would write it, with all ways to ask for an action.

Pieces that were captured are dropped, a Pawn on the last rank may be promoted or not, the King
castles, and a Jumper captures twice in a row, by either of two ways to the same square.
"""

from pasgl_env.contract import Game

from . import position_text, rules

GAME = Game.of(rules, position_text, name="pocket", title="Pocket", package=__name__)

# Positions with something to ask about, by what it is.
TEXTS = {
    "promotion": "..k../P..../...../...../K.... 0000 w 0",
    "two ways": "k..../.p.p./...../.p.p./K.J.. 0000 w 0",
    "castling": "r.k.j/p...p/...../P...P/J.K.R 0000 w 0",
    "hand": "k..../...../...../...../K.... 1100 w 0",
}
