import json

import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")
pytest.importorskip("pyarrow")


def test_a_rule_is_compared_with_the_usual_ones(pasgl, tmp_path):
    place = "--games", "4", "--players", "random,random", "--out", str(tmp_path / "run")
    result = pasgl("compare", "pachessi", "--set", "turn_limit=12,size=9", *place)
    assert result.exit_code == 0
    assert "turn_limit=12,size=9 compared with usual rules" in " ".join(result.stdout.split())
    content = json.loads((tmp_path / "run" / "compare.json").read_bytes())
    assert content["rules"]["turn_limit=12,size=9"] == {"turn_limit": 12, "size": 9}
    assert content["rules"]["usual rules"]["size"] == 7
    again = pasgl("compare", "pachessi", "--set", "turn_limit=12,size=9", *place)
    assert again.stdout == result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--set size=7", "two different rules or more"),
        ("--set hoole=9", "no option 'hoole'"),
        ("--set size=9 --players td,td", "td has learned to play with usual rules"),
    ],
)
def test_wrong_input(refused, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused("compare", "pachessi", *arguments.split())
    assert list(tmp_path.iterdir()) == []
