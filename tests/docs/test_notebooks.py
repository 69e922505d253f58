"""The example notebooks run without an error. Slow: `make notebooks`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (houle[docs])")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (houle[docs])")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(bool(cell.outputs) for cell in cells) >= len(cells) - 1


def test_every_kind_of_user_has_a_notebook() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["batches", "designer", "player"]
