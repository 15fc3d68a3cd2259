"""Programs that make the pages of results, docs/results, with their data as JSON beside them.

- ``ladder``: the strength of the players in every variant, and their time per action.
- ``levels``: the opponents that the web page offers to people.
- ``exploitability``: what a player scores that is trained only to beat a shipped one.
- ``freeze``: versions of the benchmark.
- ``findings``: the inventors' questions, answered by playtests.

They are not in the wheel.
"""
