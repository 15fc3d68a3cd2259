# Needs only make and Python 3.11 or newer: each target first installs what it needs into .venv.

PYTHON ?= python3
# PyTorch's own index has its CPU builds; the one on PyPI brings gigabytes of CUDA libraries on Linux.
# Set it to another of their indices for a GPU build, or to a mirror.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
# Test processes: more than two processors, because many tests wait for a browser or a process.
JOBS ?= 3

# Tests start hundreds of processes: where files of bytecode are forbidden, each would compile it all.
unexport PYTHONDONTWRITEBYTECODE

# What `make test` needs, and the program that installs it.
EVERYTHING := .[all,minari,notebooks,dev,docs,dist]
UV := uv==0.13.9

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTEST := $(BIN)/pytest -n $(JOBS)

# Where tests are marked jitfree: to collect all others takes long.
JITFREE := tests/games tests/engine tests/players \
    tests/test_damaged_states.py tests/test_differential.py

# The game whose tests `make quick` runs.
GAME ?= pasgl312

.PHONY: demo test rest quick lint tests compiled-tests simulated-tests slow floors cuda frameworks coverage entries docs pages dist bench bench-check gallery notebooks clean
.NOTPARALLEL:

demo: .venv/installed
	$(BIN)/pasgl demo

# Lint, types and the tests. Mypy uses one processor, so functions are compiled beside it.
test: .venv/installed
	@mkdir -p build
	@$(MAKE) lint .venv/bytecode >build/lint.txt 2>&1 & lint=$$!; \
	    $(BIN)/python -m tests.compile; compiled=$$?; \
	    wait $$lint; linted=$$?; cat build/lint.txt; exit $$((compiled + linted))
	@$(MAKE) compiled-tests

# What else a change must pass. Sphinx and the simulator use one processor, so the coverage runs beside.
rest: .venv/installed
	@mkdir -p build
	@$(MAKE) pages simulated-tests >build/docs.txt 2>&1 & docs=$$!; \
	    $(MAKE) coverage; tested=$$?; \
	    wait $$docs; written=$$?; cat build/docs.txt; exit $$((tested + written))

# For development: about a minute.
quick: lint
	$(PYTEST) -q -m "not slow" tests/games/$(GAME) tests/tools/test_game_pages.py

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

tests: .venv/installed
	$(BIN)/python -m tests.compile
	@$(MAKE) compiled-tests

compiled-tests: .venv/installed
	$(PYTEST) --dist worksteal -m "not slow"

# CUDA code in Numba's simulator, in one process: more take longer to start than the tests.
simulated-tests: .venv/installed
	NUMBA_ENABLE_CUDASIM=1 $(BIN)/pytest -m "not slow" tests/cuda

# What takes too long for `make test`: strengths of shipped players, long games, soaks. Hours.
slow: .venv/installed
	$(PYTEST) -m slow

# The tests with the lowest versions that pyproject.toml allows, in an environment of their own. Without
# JAX and the tools of the extras docs and dist, whose bounds are the versions in constraints.txt.
floors: .venv-floors/installed
	.venv-floors/bin/python -m tests.compile
	.venv-floors/bin/pytest -n $(JOBS) --dist worksteal -m "not slow" \
	    --ignore=tests/tools --ignore=tests/test_wheel.py tests

# CUDA code, without a GPU: the kernels compile, and give the right results in the simulator.
cuda: .venv/cuda
	$(PYTEST) -m "not slow" tests/cuda
	NUMBA_ENABLE_CUDASIM=1 $(PYTEST) -m "not slow" tests/cuda

# The scripts in examples/, and OpenSpiel's algorithms on every variant.
frameworks: .venv/frameworks
	$(PYTEST) -n 1 tests/examples tests/adapters

# Coverage cannot see into compiled code, so the rules are tested once more as plain Python.
coverage: .venv/installed
	NUMBA_DISABLE_JIT=1 $(PYTEST) --dist worksteal -m "jitfree and not slow" \
	    --cov=pasgl_env/games --cov-report= $(JITFREE)
	$(BIN)/coverage report --include='pasgl_env/games/*.py,pasgl_env/games/*/rules/*,pasgl_env/games/*/position_text.py' \
	    --omit='pasgl_env/contract/parts.py,pasgl_env/games/*/statistics/*,pasgl_env/games/*/drawing/*,pasgl_env/games/*/notation*' --fail-under=96

# Entries of the benchmark: hashes, all games, and a tenth of the references' choices.
entries: .venv/installed
	$(BIN)/pasgl benchmark --check entries/*.json

# The documentation site, into build/docs, with the page on which all games are played: compiling them
# for browsers takes as long as for this machine, so `make test` does it for one game only.
docs: pages
	$(BIN)/python -m tools.site build/docs/play

# The site without that page; dead links are errors.
pages: .venv/installed
	$(BIN)/sphinx-build -E -W --keep-going --quiet -d build/doctrees docs build/docs

# Wheels and source distribution, into dist/, checked as `python -m tools.dist` says.
dist: .venv/installed
	$(BIN)/python -m tools.dist

bench: .venv/peers
	$(BIN)/python -m benchmarks.throughput

# Instructions a decision, beside those in benchmarks/instructions.json; needs valgrind.
bench-check: .venv/installed
	$(BIN)/python -m benchmarks.instructions

# Pages and pictures of the documentation that are made from the code.
gallery: .venv/installed
	$(BIN)/python -m tools.gallery docs
	$(BIN)/python -m tools.game_pages

notebooks: .venv/installed
	$(BIN)/python -m notebooks.execute

clean:
	rm -rf .venv .venv-floors build dist *.egg-info .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo "$(PYTHON) is not Python 3.11 or newer: try make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "$(PYTHON) has no venv module: install it (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
	@echo "Setting up .venv; the first time takes a few minutes."
	@$(PYTHON) -m venv .venv
	@# Bytecode is made as modules are imported: most of PyTorch and SymPy never is.
	@$(PIP) install -qq --no-compile --retries 1 --no-deps --index-url $(TORCH_INDEX) -c constraints.txt torch || \
	    { echo "No PyTorch from $(TORCH_INDEX): set TORCH_INDEX to an index that this machine reaches."; exit 1; }
	@$(PIP) install -qq $(UV)
	@# uv is faster by far, and keeps the PyTorch that is there; pip knows mirrors that only it was told.
	@$(BIN)/uv pip install --quiet --python .venv -c constraints.txt -e '$(EVERYTHING)' || \
	    $(PIP) install -qq --no-compile -c constraints.txt -e '$(EVERYTHING)'
	@touch $@

# Bytecode of the tests and of what they import, once: else each test process makes all of it.
.venv/bytecode: .venv/installed
	@$(BIN)/pytest --collect-only -qq >/dev/null || true # the tests themselves tell what is wrong
	@touch $@

.venv/cuda: .venv/installed
	@echo "Installing the compiler of CUDA."
	@$(PIP) install -qq -c constraints.txt -e '.[cuda-compiler]'
	@touch $@

# uv keeps the PyTorch that is there, and resolves everything else to its lowest version.
.venv-floors/installed: pyproject.toml
	@echo "Setting up .venv-floors."
	@$(PYTHON) -m venv --clear .venv-floors
	@.venv-floors/bin/python -m pip install -qq $(UV)
	@.venv-floors/bin/python -m pip install -qq --no-deps --index-url $(TORCH_INDEX) \
	    torch==$$(sed -n 's/.*"torch>=\([0-9.]*\)".*/\1/p' pyproject.toml)
	@.venv-floors/bin/uv pip install --quiet --python .venv-floors --resolution lowest-direct \
	    -e '.[all,notebooks,openspiel,ray,dev]'
	@touch $@

# Tianshou and AgileRL pin older versions of what they need than constraints.txt; they run with these.
.venv/frameworks: .venv/installed
	@echo "Installing other frameworks."
	@$(PIP) install -qq -c constraints.txt -e '.[frameworks]'
	@$(PIP) install -qq -c constraints.txt deepdiff overrides sensai-utils tqdm h5py
	@$(PIP) install -qq --no-deps tianshou==2.0.1
	@touch $@

.venv/peers: .venv/installed
	@echo "Installing the suites to measure against."
	@$(PIP) install -qq -c constraints.txt -e '.[peers]'
	@touch $@
