"""The page in a frame of another site, where the server allows it, and as an application."""

import http.server
import json
import threading
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from .conftest import Served

pytestmark = pytest.mark.browser


class Site:
    """A site with a page of this content."""

    def __init__(self):
        self.content = ""
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(site.content.encode())

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def sites():
    made = Site(), Site()
    yield made
    for each in made:
        each.server.shutdown()


@pytest.fixture(scope="module")
def allowing(tmp_path_factory, sites):
    """A server that allows frames of the first site."""
    server = Served(tmp_path_factory.mktemp("allowing"), "--embed", sites[0].origin)
    yield server
    server.kill()


def test_a_study_is_shown_in_a_frame_of_the_site_that_is_allowed(open_page, allowing, sites):
    page = open_page("#/study?variant=pasgl312&play=Pd2e3", server=allowing)
    page.wait_for_selector(".tree [aria-current]")
    page.get_by_role("button", name="Link").click()
    sites[0].content = page.get_by_label("To show it in a page").input_value()
    page.goto(sites[0].origin)
    frame = page.frame_locator("iframe")
    expect(frame.locator(".board")).to_be_visible()
    expect(frame.locator(".tree [aria-current]")).to_have_text("Pd2e3")
    expect(frame.get_by_role("navigation", name="Pages")).to_be_hidden()


@pytest.mark.parametrize("is_allowing", [True, False])
def test_no_other_site_shows_it_in_a_frame(open_page, served, allowing, sites, is_allowing):
    page = open_page()
    sites[1].content = f"<iframe src='{(allowing if is_allowing else served).link}'></iframe>"
    page.goto(sites[1].origin)
    expect(page.frame_locator("iframe").locator(".top")).to_have_count(0)
    assert page.frames[1].url == "chrome-error://chromewebdata/"


def test_the_page_can_be_installed(open_page):
    """By the conditions on https://web.dev/articles/install-criteria."""
    page = open_page("#/learn")
    page.wait_for_selector(".lessons li")
    told = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert manifest["name"] and manifest["short_name"] and manifest["display"] == "standalone"
    icon, start = (
        urljoin(told["url"], each) for each in (manifest["icons"][0]["src"], manifest["start_url"])
    )
    assert page.url.startswith(start)
    assert page.request.get(icon).headers["content-type"] == manifest["icons"][0]["type"]
