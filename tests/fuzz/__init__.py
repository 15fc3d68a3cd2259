"""Coverage-guided fuzzing of what reads texts and files.

    pip install -e '.[fuzz]'
    python -m tests.fuzz pgr -max_total_time=600

The first word is a target of `targets.TARGETS`; the rest goes to libFuzzer. An input that makes a
target fail is kept in a file, `crash-...`, and `python -m tests.fuzz pgr crash-...` runs it again.
"""
