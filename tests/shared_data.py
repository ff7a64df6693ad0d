"""Where the data lies that some tests need and the repository does not hold; those tests are skipped without it."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs the folder `shared` beside the checkout")
