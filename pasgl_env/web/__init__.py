"""The page to play, watch and analyse the games in a browser, and the server behind it.

``pasgl serve`` starts it; needs the extra ``play``. The rules, what is legal and what is rolled are
the server's alone. ``docs/web_protocol.md`` describes what page and server say to each other.
"""
