# The few commands of the project; the build itself is CMake's.
#   make run      build, and run the main job
#   make test     build, and run every test
#   make bench    measure speed side by side; prints JSON
#   make lint     clang-tidy, cppcheck, formatting, layers
#   make fuzz     run the fuzzer of every reader for FUZZ_SECONDS (needs clang)
#   make install  into PREFIX (default /usr/local)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
GENERATOR = $(if $(shell command -v ninja 2>/dev/null),-G Ninja,)

.PHONY: all run test bench fuzz lint format install clean bootstrap
all: build/spinney

bootstrap:
	@scripts/bootstrap build

build/spinney: bootstrap
	@cmake -S . -B build $(GENERATOR) -DCMAKE_INSTALL_PREFIX=$(PREFIX) > build.log 2>&1 || { cat build.log; exit 1; }
	@cmake --build build -j $(JOBS)
.PHONY: build/spinney

fuzz:
	@cmake -S . -B build-fuzz $(GENERATOR) -DCMAKE_C_COMPILER=clang -DSPN_BUILD_FUZZ=ON > build.log 2>&1 || { cat build.log; exit 1; }
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@tests/fuzz/run build-fuzz $(FUZZ_SECONDS)

clean:
	rm -rf build build-* build.log
