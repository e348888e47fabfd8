# The few commands of the project; the build itself is CMake's.
#   make run      build, and run the main job
#   make test     build, and run every test
#   make reproduce          the tables and figures of the paper, and more: hours; see experiments/
#   make reproduce QUICK=1  a part of each, in a quarter of an hour
#   make bench    measure speed side by side; prints JSON (GSET=FOLDER: and max-cut on its graphs)
#   make bench-networks   networks of one-bit weights beside PyTorch's, SECONDS (60) each, HIDDEN (256) units
#   make bench-classifiers   default training beside logistic regression, on data of scikit-learn (HIDDEN=64: networks)
#   make bench-problems   `anneal --problem` beside cbc on generated problems (TIME=5 LIMIT=60 INSTANCES=10)
#   make bench-known-problems   the same on ten problems whose optimum is known (TIME=2 SEEDS=10)
#   make python   a wheel of the Python package, with the libraries in it, in build/wheel
#   make python PORTABLE=1  one for older machines, too, built in the root of an older Debian (as root)
#   make lint     layers, formatting, clang-tidy, cppcheck
#   make format   format the sources as make lint wants them
#   make mutations   break the code in every way of tests/mutation, and see each noticed
#   make faults   let every operation of every command fail in turn: 20 minutes
#   make fuzz     fuzz every reader for FUZZ_SECONDS (60) each; scripts/fuzz-campaign runs a number of inputs
#   make tsan     the tests with threads under ThreadSanitizer; make lint does it, too
#   make site     documentation as a site, in build/site
#   make dist     the source archive in dist/, the same bits wherever it is made
#   make deb      Debian's packages in build-deb/, judged by lintian
#   make cross    build for arm64 and s390x, and test under qemu (half an hour)
#   make install  into PREFIX (default /usr/local)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
CONFIGURE = cmake -S . -G Ninja -Wno-dev

.PHONY: all run test reproduce bench bench-classifiers bench-networks bench-problems bench-known-problems python lint tsan format mutations faults fuzz site dist deb cross install clean
all: build/spinney

.PHONY: build/spinney
build/spinney:
	@scripts/bootstrap build
	@$(CONFIGURE) -B build -DCMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --build build -j $(JOBS) --target all

run: build/spinney
	@scripts/run-main-job build/spinney build/run

# Two builds, the one that users have and one under the sanitizers; the test `compilers` makes clang's.
# Warnings are errors.
test:
	@scripts/bootstrap test
	@scripts/check-layers
	@$(CONFIGURE) -B build -DSPN_BUILD_TESTS=ON -DSPN_WARNINGS_AS_ERRORS=ON > /dev/null
	@cmake --build build -j $(JOBS)
	@$(CONFIGURE) -B build-sanitize -DSPN_BUILD_TESTS=ON -DSPN_SANITIZE=ON > /dev/null
	@cmake --build build-sanitize -j $(JOBS)
	@scripts/run-tests --test-dir build -j $(JOBS) --output-on-failure
	@scripts/run-tests --test-dir build-sanitize -j $(JOBS) --output-on-failure -L unit

reproduce:
	@scripts/bootstrap reproduce
	@scripts/fetch-data mnist
	@$(CONFIGURE) -B build > /dev/null
	@cmake --build build -j $(JOBS)
	@JOBS=$(JOBS) scripts/reproduce $(if $(QUICK),--quick) $(EXPERIMENTS)

bench:
	@scripts/bootstrap build
	@$(CONFIGURE) -B build -DSPN_BUILD_BENCH=ON > /dev/null
	@cmake --build build -j $(JOBS) > /dev/null
	@GSET=$(GSET) scripts/bench build

bench-classifiers: build/spinney
	@scripts/bootstrap classifiers
	@OMP_NUM_THREADS=1 /usr/bin/python3 bench/classifiers.py $(if $(HIDDEN),--hidden $(HIDDEN))
	@$(if $(HIDDEN),:,OMP_NUM_THREADS=1 /usr/bin/python3 bench/classifiers.py --more)

bench-networks: build/spinney
	@scripts/fetch-data mnist
	@scripts/bench-networks build --seconds $(or $(SECONDS),60) --hidden $(or $(HIDDEN),256)

bench-problems: build/spinney
	@scripts/bootstrap problems
	@/usr/bin/python3 bench/problems.py --instances $(or $(INSTANCES),10) --time $(or $(TIME),5) --limit $(or $(LIMIT),60)

bench-known-problems: build/spinney
	@scripts/bootstrap problems
	@/usr/bin/python3 bench/known_problems.py --seeds $(or $(SEEDS),10) --time $(or $(TIME),2)

python:
	@scripts/bootstrap python
	@$(CONFIGURE) -B build > /dev/null
	@cmake --build build -j $(JOBS) --target wheel_libraries
	@scripts/make-wheel $(if $(PORTABLE),--portable,build) build/wheel

lint:
	@scripts/bootstrap lint
	@JOBS=$(JOBS) scripts/lint
	@$(MAKE) --no-print-directory tsan

tsan:
	@scripts/bootstrap tsan
	@$(CONFIGURE) -B build-tsan -DCMAKE_C_COMPILER=clang -DSPN_SANITIZE_THREAD=ON -DSPN_BUILD_TESTS=ON \
	    -DSPN_MPI=OFF -DSPN_CHARTS=OFF > /dev/null
	@cmake --build build-tsan -j $(JOBS) --target thread_tests spinney
	@scripts/run-tests --test-dir build-tsan -j $(JOBS) --output-on-failure -L threads

format:
	git ls-files -z 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'examples/*.c' 'bench/*.c' 'device/*.[ch]' | \
	    xargs -0 clang-format -i

mutations:
	@scripts/bootstrap test
	@$(CONFIGURE) -B build -DSPN_BUILD_TESTS=ON > /dev/null
	@cmake --build build -j $(JOBS)
	@tests/mutation/run build --all

faults:
	@scripts/bootstrap test
	@$(CONFIGURE) -B build -DSPN_BUILD_TESTS=ON > /dev/null
	@cmake --build build -j $(JOBS) --target spinney fail_at own_energy
	@tests/faults/run build --all

fuzz:
	@scripts/bootstrap build
	@$(CONFIGURE) -B build-fuzz -DCMAKE_C_COMPILER=clang -DSPN_BUILD_FUZZ=ON > /dev/null
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@tests/fuzz/run build-fuzz $(FUZZ_SECONDS)

site: build/spinney
	@scripts/bootstrap site
	@scripts/make-site build

dist:
	@scripts/make-dist

deb:
	@scripts/bootstrap deb
	@scripts/make-deb

cross: build/spinney
	@scripts/bootstrap cross
	@JOBS=$(JOBS) scripts/cross arm64
	@JOBS=$(JOBS) scripts/cross s390x

install: build/spinney
	cmake --install build

clean:
	rm -rf build build-*
