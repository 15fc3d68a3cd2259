"""A server as users start it, a client of its socket, and a browser if there is one."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
websockets = pytest.importorskip("websockets.sync.client")


class Served:
    """``pasgl serve`` in its own process."""

    def __init__(self, folder, *arguments, site=""):
        self.folder, self._arguments = folder, arguments
        path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
        self._environment = {**os.environ, "PYTHONPATH": path}
        self.port = 0
        self.start()

    def start(self):
        command = [sys.executable, "-m", "tests.web.serve", "serve", "--no-browser"]
        command += ["--port", str(self.port), "--data", str(self.folder), *self._arguments]
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self._environment,
        )
        self.said = ""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said += line
            if match := re.search(r"The page is at (http://\S+?:(\d+)/\S*)", line):
                self.link, self.port = match[1], int(match[2])
                return
        raise AssertionError(f"the server did not start: {self.said}")

    def kill(self):
        self._process.kill()
        self._process.communicate()

    def stop(self):
        self._process.send_signal(signal.SIGINT)
        self.said += self._process.communicate(timeout=20)[0]
        return self._process.returncode


class Client:
    """A client of the socket that waits for each answer and keeps the events before it."""

    def __init__(self, served, draw=False, **settings):
        address = served.link.replace("http://", "ws://").split("#")[0].replace("/?", "/socket?")
        if "?" not in address:
            address += "socket"
        self._context = websockets.connect(address, **settings)
        self.socket = self._context.__enter__()
        self.events = []
        self.hello = self.ask("hello", version=3, draw=draw)

    def send(self, do, **fields):
        self.socket.send(json.dumps({"id": 1, "do": do, **fields}))

    def ask(self, do, **fields):
        self.send(do, **fields)
        return self.answer()

    def answer(self):
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if "event" not in message:
                return message
            self.events.append(message)

    def wait_for(self, event, is_it=lambda message: True):
        """The next event of a kind."""
        while True:
            while self.events:
                message = self.events.pop(0)
                if message["event"] == event and is_it(message):
                    return message
            self.events.append(json.loads(self.socket.recv(timeout=60)))

    def new(self, variant, *seats, **fields):
        """Start a game and watch it; return its id and state."""
        players = [{"player": name} for name in seats]
        made = self.ask("new", variant=variant, seats=players, **fields)
        assert made["ok"], made
        self.secrets = list(made["secrets"].values())
        return made["game"], self.watch(made["game"], *self.secrets)

    def watch(self, game, *secrets):
        watched = self.ask("watch", game=game, secrets=list(secrets))
        assert watched["ok"], watched
        return self.wait_for("state")

    def close(self):
        self._context.__exit__(None, None, None)


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("web"))
    yield server
    server.kill()


@pytest.fixture
def client(served):
    connected = Client(served)
    yield connected
    connected.close()


@pytest.fixture
def open_page(browser, served):
    """Opens pages of the server, each as a new visitor; errors in a page fail the test.

    Warnings of dangers are off: when one is found would decide how many clicks a move needs.
    """
    errors, contexts = [], []

    def opened(address="", *, width=1280, height=860, server=served, **settings):
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        context.add_init_script("try { localStorage['pasgl.warn'] = false } catch {}")
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(server.link + address)
        return page

    yield opened
    for context in contexts:
        with contextlib.suppress(Exception):
            context.close()
    assert errors == []
