"""The page to play, watch and analyse the games in a browser, and the server behind it.

``pasgl serve`` starts it; it needs the extra ``play``. The server alone applies the rules and
rolls dice. ``docs/web_protocol.md`` describes the messages between page and server.
"""
