"""One version: the package's is that of the project."""
import re
from pathlib import Path

import spinney

PROJECT = Path(__file__).parents[2] / "CMakeLists.txt"


def test_the_version_is_the_projects():
    found = re.search(r"^project\(spinney VERSION ([0-9.]+)", PROJECT.read_text(), re.MULTILINE)
    assert found and found[1] == spinney.__version__
