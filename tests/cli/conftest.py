import pytest

from .runner import run


@pytest.fixture
def pasgl():
    return run


@pytest.fixture
def refused():
    """Runs the command with wrong input, checks its refusal and returns the message."""

    def check(*arguments):
        result = run(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        # Whether anything is compiled depends on earlier tests.
        (complaint,) = [line for line in lines if not line.startswith("pasgl_env: compil")]
        assert complaint.startswith("pasgl")
        assert complaint.isprintable()
        return complaint + "\n"

    return check
