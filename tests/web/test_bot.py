"""The bot of the documentation, as a reader would run it."""

import re
import subprocess
import sys
from pathlib import Path

from .conftest import Client

PAGE = Path(__file__).parents[2] / "docs" / "web_protocol.md"


def bot(folder):
    [code] = re.findall(r"<!-- bot\.py -->\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(code.splitlines()) <= 60
    file = folder / "bot.py"
    file.write_text(code)
    return file


def test_the_bot_of_the_page_plays_a_game_to_its_end(served, tmp_path):
    command = [sys.executable, str(bot(tmp_path)), served.link]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "Cut off at the turn limit, 20" in done.stdout or "wins" in done.stdout


def test_the_bot_plays_a_seat_of_a_game_that_somebody_else_began(served, tmp_path):
    client = Client(served)
    game, state = client.new("spalding", "person", "person", options={"turn_limit": 4})
    white, black = client.secrets
    state = client.watch(game, white)
    link = f"{served.link}#/game/{game}/{black}"
    running = subprocess.Popen(
        [sys.executable, str(bot(tmp_path)), served.link, link], stdout=subprocess.PIPE, text=True
    )
    while not state["over"]:
        if state["to_move"] == 0:
            client.ask("play", game=game, label=state["legal"][0][0])
        state = client.wait_for("state")
    assert "Cut off" in running.communicate(timeout=60)[0]
    client.close()


def test_the_page_names_every_command_and_error_code(client):
    from pasgl_env.web import app, hub, live_game, opponents, protocol, session

    text = PAGE.read_text()
    known = client.ask("nothing")["error"]["message"].partition("there are ")[2]
    for command in known.split(", "):
        assert f"| `{command}` |" in text
    for module in (app, hub, opponents, protocol, session, live_game):
        source = Path(str(module.__file__)).read_text()
        for code in re.findall(r'Problem\(\s*"(\w+)"', source):
            assert f"`{code}`" in text
