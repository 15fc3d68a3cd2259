import pytest

from .runner import run


@pytest.fixture
def pasgl():
    return run


@pytest.fixture
def refused():
    """Runs the command with wrong input, checks how it was refused and returns the complaint."""

    def check(*arguments):
        result = run(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        assert result.stderr.startswith("pasgl")
        assert result.stderr.rstrip("\n").isprintable()
        return result.stderr

    return check
