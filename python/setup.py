"""The tag of the wheel; all else is in pyproject.toml.

The package runs on any Python 3 and uses no ABI of Python's. Where libraries lie in it, the wheel is of
their platform, which scripts/make-wheel writes into setup.cfg; where none do, of any.
"""
from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

CARRIES_LIBRARIES = any(Path(__file__).parent.glob("src/spinney/libraries/*.so*"))


class Package(Distribution):
    def has_ext_modules(self):
        return CARRIES_LIBRARIES


class Wheel(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(distclass=Package, cmdclass={"bdist_wheel": Wheel})
