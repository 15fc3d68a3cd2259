"""The values that `td` and `search` play by in Chieftain; the card is td.md.

Each stage begins with the values before it, and meets them in some of its games. Those before the
first stage are kept for the benchmark, whose references play by them.
`python -m agents.chieftain.td` takes 53 minutes on one thread.
If interrupted, run it again to resume.
"""

from dataclasses import replace

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

FIRST, SECOND = "runs/chieftain-td-1", "runs/chieftain-td"
DIGEST = "4abed1f1b4462978c8150bf9813bbc083fefed98bf47688da170b1e6cd07007f"
EARLIER = f"pasgl_env/benchmark/protocols/{DIGEST}.safetensors"
_FIRST = TdSettings(
    "chieftain",
    minutes=15,
    seed=41,
    threads=1,
    start=EARLIER,
    horizon=80,
    opening=600,
    rival_share=0.3,
    rival=EARLIER,
    truncated_value=0.5,
    discount=1.0,
    extra_variants=(),
)
STAGES = {FIRST: _FIRST, SECOND: replace(_FIRST, minutes=38, seed=51, start=FIRST, rival=FIRST)}

if __name__ == "__main__":
    train_values(STAGES)
