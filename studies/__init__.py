"""Programs that make the pages of results in docs/results, and keep their data here as JSON.

- ``baselines``: how far usual methods get in the benchmark.
- ``calibration``: how well learned values predict results.
- ``exploitability``: what a player scores that is trained only to beat a shipped one.
- ``findings``: the inventors' questions, answered by playtests.
- ``freeze``: versions of the benchmark, in pasgl_env/benchmark/protocols.
- ``ladder``: the strength of the players in every variant, and their time per action.
- ``levels``: the opponents that the web page offers to people.
- ``state_space``: how many positions each game has.
- ``truth``: how far players are from perfect play, in positions that are solved exactly.
- ``tuned_rules``: rules under which games would be as their inventors might want them.

They are not in the wheel.
"""
