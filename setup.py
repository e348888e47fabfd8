"""Builds the Python package with the libraries that it uses; all else about it is in pyproject.toml.

`pip install .` compiles the libraries with CMake. $SPINNEY_LIBRARIES names a folder of finished ones instead; if it
is set and empty, the package carries none and finds those of the system. $SPINNEY_PLATFORM is the platform in the
wheel's name, for libraries that run on other machines too (scripts/make-wheel). The package uses no ABI of Python's.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "python"
DEVICES = "libspinney-device.so"  # there if OpenCL was
GIVEN = os.environ.get("SPINNEY_LIBRARIES")
NEEDED = "a C compiler, CMake, pkg-config and the development files of zlib, xxHash and libyaml"
DEBIAN = "apt-get install gcc cmake make pkg-config zlib1g-dev libxxhash-dev libyaml-dev"


def run(*command: str) -> None:
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"spinney: {command[0]} failed ({error}). The build needs {NEEDED}: {DEBIAN}")


def compiled() -> Path:
    """The folder of the libraries, compiled as for a wheel: without MPI, and they find each other."""
    folder = BUILD / "libraries"
    run("cmake", "-S", str(ROOT), "-B", str(folder), "-Wno-dev", "-DSPN_MPI=OFF")
    run("cmake", "--build", str(folder), "--target", "wheel_libraries", "--parallel", str(os.cpu_count() or 1))
    return folder / "wheel-libraries"


class Package(Distribution):
    def has_ext_modules(self) -> bool:
        return GIVEN != ""


class Build(build_py):
    def run(self) -> None:
        shutil.rmtree(self.build_lib, ignore_errors=True)  # no module of an earlier build
        super().run()
        if GIVEN == "":
            return
        target = Path(self.build_lib) / "spinney" / "libraries"
        target.mkdir()
        for file in (Path(GIVEN) if GIVEN else compiled()).iterdir():
            if not file.is_symlink() and (".so." in file.name or file.name == DEVICES):
                shutil.copy(file, target)


class Wheel(bdist_wheel):
    def get_tag(self) -> tuple:
        return ("py3", "none", os.environ.get("SPINNEY_PLATFORM") or super().get_tag()[2])


setup(
    distclass=Package,
    cmdclass={"build_py": Build, "bdist_wheel": Wheel},
    options={"build": {"build_base": str(BUILD)}},
)
