"""What scripts for Node need of a page."""

import json
import shutil
import subprocess
from pathlib import Path
from shutil import copy

from pasgl_env.wasm.build import POSITION, STATIC, build
from tools import site

NODE = shutil.which("node") or ""


def write_rules(ruleset, folder):
    """Write what shows a ruleset's positions, and the modules of the page's worker."""
    module, described = build(ruleset, POSITION)
    (folder / "rules.wasm").write_bytes(module)
    (folder / "rules.json").write_text(json.dumps(described))
    (folder / "words.json").write_text(json.dumps(site.words(ruleset)))
    for file in (*site.ENGINE.glob("*.js"), *STATIC.glob("*.js")):
        copy(file, folder)


def in_node(script, folder, cases):
    """What a script beside this file prints about cases."""
    given = folder / "cases.json"
    given.write_text(json.dumps(cases))
    command = [NODE, *map(str, (Path(__file__).with_name(script), folder, given))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
