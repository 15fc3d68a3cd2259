from typer.testing import CliRunner

from pasgl_env.cli.app import app


def run(*arguments, typed=None):
    """Run the command; ``typed`` is text or lines. Uncaught exceptions fail the test."""
    typed = "\n".join(typed) + "\n" if isinstance(typed, list) else typed
    return CliRunner().invoke(app, arguments, input=typed, catch_exceptions=False)
