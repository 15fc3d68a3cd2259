"""Networks as players, and agents named by path."""

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import pasgl_env.envs  # noqa: F401
from pasgl_env import Batch, Position, players, variants
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.evaluation import play_match
from pasgl_env.players.networks.policy import (
    LegalPolicy,
    NetworkPlayer,
    design_of,
    new_policy,
    policy_class,
    policy_settings,
)
from pasgl_env.players.trained import LAYERS
from pasgl_env.players.values.action_prior import PRIORS

from ...cli.runner import run as pasgl


@pytest.fixture(scope="module")
def policy():
    """A network with preferences."""
    torch.manual_seed(5)
    policy = new_policy(variants.ruleset("pasgl312"), 32)
    with torch.no_grad():
        for tensor in policy.action_net.parameters():
            tensor.copy_(torch.randn(tensor.shape))
    return policy


def network_player(policy, **arguments):
    return NetworkPlayer(policy, "network", **arguments)


def played(player, steps=40, games=6):
    """The actions of a player on both sides."""
    batch = Batch("pasgl312", games, seed=1)
    actions = []
    for _ in range(steps):
        actions.append(players.choose(player, batch, np.arange(games)))
        batch.step(actions[-1])
    return np.array(actions)


class TestNetworkPlayer:
    def test_it_is_a_player(self, policy):
        player = network_player(policy)
        assert isinstance(player, players.Player)
        assert player.name == "network"

    def test_the_same_seed_the_same_actions(self, policy):
        one, other, another = (played(network_player(policy, seed=seed)) for seed in (1, 1, 2))
        assert (one == other).all()
        assert (one != another).any()

    def test_a_game_does_not_depend_on_the_others(self, policy):
        player, alone = network_player(policy, seed=1), network_player(policy, seed=2)
        batch, single = Batch("pasgl312", 5), Batch("pasgl312", 1)
        players.reseed(player, np.array([3]), [77])
        players.reseed(alone, np.array([0]), [77])
        for _ in range(30):
            actions = players.choose(player, batch, np.arange(5))
            assert players.choose(alone, single, np.zeros(1, np.int64)) == actions[3]
            batch.step(actions)
            single.step(actions[3:4])

    def test_all_players_legal_for_long(self, policy):
        played(network_player(policy, seed=1), steps=300, games=16)  # choose() checks them
        played(network_player(policy, temperature=0), steps=300, games=2)

    def test_it_plays_as_often_as_the_policy_says(self, policy):
        batch = Batch("pasgl312", 4000)
        drawn = players.choose(network_player(policy, seed=1), batch, np.arange(4000))
        masks = batch.action_mask[:1].astype(bool)
        planes = torch.from_numpy(batch.observation[:1].copy())
        with torch.no_grad():
            wanted = policy.get_distribution(planes, masks).distribution.probs[0].numpy()
        assert np.bincount(drawn, minlength=1165) / 4000 == pytest.approx(wanted, abs=0.04)
        assert 0.1 < wanted.max() < 0.9

    def test_greedily_it_plays_the_likeliest(self, policy):
        player = network_player(policy, temperature=0)
        batch = Batch("pasgl312", 8, seed=1)
        for _ in range(20):
            masks = batch.action_mask.astype(bool)
            wanted, _ = policy.predict(batch.observation, action_masks=masks, deterministic=True)
            assert (players.choose(player, batch, np.arange(8)) == wanted).all()
            batch.step(batch.sample())

    def test_no_games(self, policy):
        batch = Batch("pasgl312", 2)
        assert players.choose(network_player(policy), batch, np.arange(0)).size == 0


class TestThreadsOfPyTorch:
    """More threads than free processors make small networks many times slower."""

    @pytest.fixture
    def seen(self):
        """The numbers of threads with which a function chose."""
        before = torch.get_num_threads()
        torch.set_num_threads(3)
        yield []
        torch.set_num_threads(before)

    @pytest.mark.parametrize("threads", [1, 2])
    def test_a_player_has_those_of_the_batch(self, seen, threads):
        def first(observation, action_mask):
            seen.append(torch.get_num_threads())
            return action_mask.argmax(axis=1)

        player = players.as_player(first, "pasgl312")
        players.choose(player, Batch("pasgl312", 4, threads=threads), np.arange(4))
        assert (seen, torch.get_num_threads()) == ([threads], 3)

    def test_a_failed_choice_restores_them(self, seen):
        def fails(observation, action_mask):
            raise ArithmeticError

        player = players.as_player(fails, "pasgl312")
        with pytest.raises(ArithmeticError):
            players.choose(player, Batch("pasgl312", 4), np.arange(4))
        assert torch.get_num_threads() == 3


class TestNewPolicy:
    @pytest.mark.parametrize("layers", LAYERS)
    @pytest.mark.parametrize("variant", ["pasgl312", "spalding", "pachessi"])
    def test_it_is_what_maskable_ppo_makes(self, variant, layers):
        env = SelfPlayVecEnv(variant, 2)
        settings = policy_settings(layers, 16)
        model = MaskablePPO(policy_class(layers), env, n_steps=4, policy_kwargs=settings)
        policy = new_policy(variants.ruleset(variant), 16, layers=layers)
        policy.load_state_dict(model.policy.state_dict())
        planes = torch.rand(3, *env.batch.observation_shape)
        scores, value = (
            net(policy.features_extractor(planes)) for net in (policy.action_net, policy.value_net)
        )
        assert (scores.shape, value.shape) == ((3, env.batch.num_actions), (3, 1))

    def test_plane_actions_are_scored_by_what_is_around_their_squares(self):
        policy = new_policy(variants.ruleset("spalding"), 8)
        planes = torch.zeros(2, 36, 8, 8)
        planes[1, 5, 0, 0] = 1  # seen from three squares away, no further
        with torch.no_grad():
            for parameter in policy.parameters():
                parameter.normal_()
            scores = policy.action_net(policy.features_extractor(planes)).reshape(2, 40, 8, 8)
        changed = (scores[0] != scores[1]).any(0)
        assert changed[0, 0]
        assert not changed[4:].any() and not changed[:, 4:].any()

    @pytest.mark.parametrize("action_prior", PRIORS)
    @pytest.mark.parametrize("layers", LAYERS)
    def test_its_design_makes_another_like_it(self, layers, action_prior):
        policy = new_policy(
            variants.ruleset("pachessi"), 8, layers=layers, action_prior=action_prior
        )
        design = design_of(policy)
        assert design == {"layers": layers, "width": 8, "action_prior": action_prior}
        new_policy(variants.ruleset("pachessi"), **design).load_state_dict(policy.state_dict())

    @pytest.mark.parametrize("variant", variants.names())
    def test_a_games_usual_network_fits_its_actions(self, variant):
        policy, batch = new_policy(variants.ruleset(variant), 4), Batch(variant, 1)
        features = policy.features_extractor(torch.rand(1, *batch.observation_shape))
        assert policy.action_net(features).shape == (1, batch.num_actions)


@pytest.mark.parametrize("variant", ["pachessi", "spalding"])
def test_a_legal_policy_is_the_usual_one(variant):
    """Values, log-probabilities, entropies and their gradients, with the same weights."""
    found = []
    for kind in (LegalPolicy, "MlpPolicy"):
        env = SelfPlayVecEnv(variant, 8, seed=1)
        env.reset()
        for _ in range(10):
            env.step(env.sample())
        policy = MaskablePPO(kind, env, n_steps=4, seed=1).policy
        planes, masks = map(torch.tensor, (env.batch.observation, env.batch.action_mask))
        values, log_chances, entropies = policy.evaluate_actions(planes, masks.argmax(1), masks)
        assert entropies is not None
        parts = [values, log_chances, entropies]
        torch.autograd.backward([part.sum() for part in parts])
        found.append([*parts, *(weight.grad for weight in policy.parameters())])
    for own, usual in zip(*found, strict=True):
        assert torch.allclose(own, usual, atol=1e-5)


class TestAgentsByPath:
    """A folder or file of a trained agent stands where the name of a player does."""

    @pytest.fixture(params=["folder", "file"])
    def path(self, request, finished):
        return str(finished if request.param == "folder" else finished / "agent.pt")

    def test_as_a_player(self, path):
        for player in (players.make(path, "pasgl312"), players.as_player(path, "pasgl312")):
            assert player.name == "mine"
            action = players.choose_one(player, Position("pasgl312"))
            assert action in Position("pasgl312").legal_actions()

    def test_with_a_seed(self, finished):
        one, other = (
            played(players.make(str(finished), "pasgl312", seed=seed), 5) for seed in (1, 1)
        )
        assert (one == other).all()

    def test_in_gymnasium(self, path):
        env = gymnasium.make("pasgl_env/Pasgl312-v0", opponent=path, learner=0)
        _, info = env.reset(seed=1)
        for _ in range(5):
            _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            if terminated or truncated:
                break

    def test_in_gymnasiums_vector_environment(self, path):
        envs = gymnasium.make_vec("pasgl_env/Pasgl312-v0", num_envs=4, opponent=path)
        _, infos = envs.reset(seed=1)
        for _ in range(5):
            *_, infos = envs.step(infos["action_mask"].argmax(axis=1))

    def test_in_the_vecenv(self, path):
        env = SelfPlayVecEnv("pasgl312", 4, opponents=[path, "random"], seed=1)
        env.reset()
        for _ in range(5):
            env.step(env.sample())

    def test_in_a_match(self, finished):
        matches = [
            play_match("pasgl312", str(finished), "random", 20, seed=1, threads=threads)
            for threads in (1, 1, 2)
        ]
        assert matches[0].first == "mine"
        assert len({match.games.tobytes() for match in matches}) == 1

    def test_evaluate(self, path):
        result = pasgl("evaluate", "pasgl312", path, "random", "--games", "4")
        assert result.exit_code == 0
        assert "mine against random" in result.stdout

    def test_watch(self, path):
        result = pasgl("watch", "pasgl312", path, "random", "--turns", "2", "--seed", "1")
        assert "White (mine): " in result.stdout

    def test_play(self, path):
        typed = ["Th1h2", "quit"]
        result = pasgl("play", "pasgl312", "--player", path, typed=typed)
        assert result.exit_code == 0
        assert "Black (mine): " in result.stdout

    def test_refusals_are_one_line(self, tmp_path):
        (tmp_path / "bad.pt").write_bytes(b"nothing")
        for name, complaint in (
            ("bad.pt", "bad.pt is not a checkpoint, or a damaged one\n"),
            ("none.pt", "none.pt: No such file or directory\n"),
        ):
            result = pasgl("evaluate", "pasgl312", str(tmp_path / name), "random")
            assert result.exit_code == 2
            assert result.stderr == f"pasgl: {tmp_path / complaint}"
