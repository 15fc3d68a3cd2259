import pytest


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory):
    """A function that makes the small data set of a variant, once."""
    pytest.importorskip("scipy")
    pytest.importorskip("pyarrow")
    from .small import make_small

    made = {}

    def folder_of(variant):
        if variant not in made:
            made[variant] = make_small(variant, tmp_path_factory.mktemp("data") / variant)
        return made[variant]

    return folder_of
