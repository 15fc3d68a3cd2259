from typer.testing import CliRunner

from pasgl_env.agents import evaluate


def run(*arguments):
    return CliRunner().invoke(evaluate.app, arguments, catch_exceptions=False)


def test_an_agent_is_rated(finished, tmp_path):
    result = run(
        "pasgl312", "random", "greedy", str(finished), "--games", "6", "--out", str(tmp_path)
    )
    assert result.exit_code == 0
    assert str(finished) in (tmp_path / "table.md").read_text()


def test_an_agent_is_tested(finished):
    result = run("pasgl312", "greedy", str(finished), "--sprt", "0", "200", "--games", "40")
    assert result.exit_code == 0
    assert f"greedy against {finished}: H" in result.stdout.replace("\n", "")


def test_a_damaged_agent_is_told_before_anything_is_written(tmp_path):
    agent = tmp_path / "agent.pt"
    agent.write_bytes(b"damaged")
    out = tmp_path / "out"
    result = run("pasgl312", "random", str(agent), "--out", str(out))
    assert result.exit_code == 2
    assert result.stderr == f"pasgl: {agent} is no checkpoint, or a damaged one\n"
    assert not out.exists()
