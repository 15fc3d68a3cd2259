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
        lines = result.stderr.splitlines()
        # Whether something had to be compiled before depends on what ran earlier.
        (complaint,) = [line for line in lines if not line.startswith("pasgl_env: compil")]
        assert complaint.startswith("pasgl")
        assert complaint.isprintable()
        return complaint + "\n"

    return check
