"""The README and the checks of ``make dist``."""

import os
import re
import subprocess

import pytest

from pasgl_env import __version__
from tools.dist import ROOT, absolute, check

README = """\
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="docs/dark.svg">
  <img src="docs/light.svg" width="480" alt="A game">
</picture>

`pip install '.[play]'`

[Rules](docs/rules.md#start), [SB3](https://sb3.example), [below](#more).
"""
REPOSITORY = "https://github.com/owner/name"


def test_relative_links_lead_to_the_release():
    text = absolute(README, REPOSITORY, "v1.0.0")
    assert f"[Rules]({REPOSITORY}/blob/v1.0.0/docs/rules.md#start)" in text
    assert "[SB3](https://sb3.example), [below](#more)" in text


def test_a_picture_becomes_its_light_image():
    text = absolute(README, REPOSITORY, "v1.0.0")
    raw = "https://raw.githubusercontent.com/owner/name/v1.0.0/docs/light.svg"
    assert f'<img src="{raw}" width="480" alt="A game">' in text
    assert "picture" not in text and "dark" not in text


def test_the_package_is_installed_by_its_name():
    assert "pip install 'pasgl-env[play]'" in absolute(README, REPOSITORY, "v1.0.0")


def test_without_an_address_nothing_leads_nowhere():
    text = absolute(README, None, "v1.0.0")
    assert "Rules, [SB3](https://sb3.example), [below](#more)" in text
    assert "img" not in text


@pytest.mark.parametrize(
    ("size", "names", "says"),
    [
        (100, ["pasgl_env/__init__.py", "tests/test_x.py"], "has tests/test_x.py in it"),
        (8_000_001, ["pasgl_env/__init__.py"], "has 8.0 MB; at most 8 MB are allowed"),
    ],
)
def test_what_must_not_be_released_is_refused(size, names, says):
    with pytest.raises(SystemExit, match=says):
        check("a.whl", size, names)


@pytest.mark.parametrize(("tag", "code"), [(f"v{__version__}", 0), ("v0", 1)])
def test_only_the_tag_of_the_version_is_released(tag, code):
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (check_tag,) = re.findall(r"run: (test .*)", workflow)
    environment = {**os.environ, "GITHUB_REF_NAME": tag}
    assert subprocess.run(["sh", "-c", check_tag], cwd=ROOT, env=environment).returncode == code
