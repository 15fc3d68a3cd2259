"""``pasgl cache``."""

import pytest

from pasgl_env.jit.compiled import cache_folder


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A cache with the code of one function."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PASGL_CACHE_DIR", str(folder))
    cache_folder.cache_clear()
    found = cache_folder()
    assert found is not None
    for suffix in ("nbi", "1.nbc", "89abcdef.compiled"):
        (found / f"play-0123456789abcdef.{suffix}").write_bytes(b"code")
    (found / "play.lock").touch()
    yield found
    cache_folder.cache_clear()


def test_code_is_exported_and_imported(pasgl, folder, tmp_path):
    file = tmp_path / "code.tar.xz"
    assert pasgl("cache", "export", str(file)).exit_code == 0
    for each in folder.iterdir():
        each.unlink()
    assert "3 new files" in pasgl("cache", "import", str(file)).stdout
    assert len(list(folder.glob("play-*"))) == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export"], "export and import take a FILE"),
        (["build", "code.tar.xz"], "build takes none"),
        (["import", "nowhere.tar.xz"], "No such file"),
        (["mend"], "'mend' is not one of"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(pasgl, arguments, says):
    result = pasgl("cache", *arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())


def test_a_file_is_replaced_only_by_force(pasgl, tmp_path):
    file = tmp_path / "code.tar.xz"
    file.touch()
    assert "--force replaces it" in pasgl("cache", "export", str(file)).stderr
    assert pasgl("cache", "export", str(file), "--force").exit_code == 0
