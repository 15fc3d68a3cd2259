"""The agents that come with the package."""

from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

from pasgl_env import players, variants
from pasgl_env.evaluation import play_match
from pasgl_env.players import trained
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.values.action_prior import PRIORS
from tools.publish.agents import MOST_BYTES

# Lower bounds that they must reach against random play.
AGAINST_RANDOM = {
    "pasgl312": 0.97,
    "spalding": 0.97,
    "pachessi": 0.75,
    "grand_pachessi": 0.75,
    "pachessi_four": 0.65,
    "chieftain": 0.97,
    "superchief": 0.9,
    "overlord": 0.9,
}
# In how many games those show it that are better than the greedy player.
BETTER_THAN_GREEDY = {
    "ppo:pasgl312": 400,
    "ppo:spalding": 400,
    "ppo:pachessi": 1000,
    "ppo:pachessi_four": 400,
    "ppo:grand_pachessi": 1000,
    "ppo:chieftain": 100,
    "ppo:superchief": 100,
    "ppo:overlord": 400,
}
NAMES = trained.shipped_names()
ROOT = Path(__file__).parents[3]


def content_of(name):
    file = trained.shipped(name, "")
    return checkpoint.read(file, None, "variant", "options")


@pytest.mark.parametrize("variant", variants.names())
def test_every_variant_has_one(variant):
    assert content_of(f"ppo:{variant}")["variant"] == variant


@pytest.mark.parametrize("name", NAMES)
def test_small_with_a_card(name):
    file = trained.shipped(name, "")
    assert file.stat().st_size <= MOST_BYTES
    card = (ROOT / "agents" / file.parent.name / f"{file.stem}.md").read_text()
    assert card.startswith(f"# `{name}`\n")
    assert "## Results" in card and "## Curve" in card


@pytest.mark.parametrize("name", NAMES)
def test_its_prior_is_made_of_the_shipped_values(name):
    file = trained.shipped(name, "")
    content = checkpoint.read(file, None, "variant", "options", "action_prior")
    assert checkpoint.check_prior(content, file) in PRIORS


@pytest.mark.parametrize("name", NAMES)
def test_it_plays(name):
    content = content_of(name)
    options = {**content["options"], "turn_limit": 6}
    agent = players.load(name, seed=1)
    match = play_match(content["variant"], agent, "random", 2, seed=1, **options)
    assert match.first == name


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAINST_RANDOM)
def test_it_reaches_what_was_asked_for_against_random_play(name):
    assert lower_bound(f"ppo:{name}", "random") > AGAINST_RANDOM[name]


@pytest.mark.slow
@pytest.mark.parametrize("name, games", BETTER_THAN_GREEDY.items())
def test_it_is_better_than_the_greedy_player(name, games):
    assert lower_bound(name, "greedy", games) > 0.5


def lower_bound(name, opponent, games=400):
    """Of an agent's score."""
    content = content_of(name)
    agent = players.load(name, seed=2)
    match = play_match(
        content["variant"], agent, opponent, games, seed=2, paired=True, **content["options"]
    )
    return match.all.score_rate.low
