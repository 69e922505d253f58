"""`make kept`: plays the pages of the kernels at hand, writes them anew and names each that changed."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.pages.play import kept_at, pages, played


def main() -> None:
    for page in sys.argv[1:] or pages():
        start = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            text = played(page, Path(folder))
        path = kept_at(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(text, encoding="utf-8")
        how = "as before" if old == text else "new" if old is None else "CHANGED"
        size, spent = f"{text.count('$ '):>4} lines {len(text) / 1024:6.0f} KB", time.process_time() - start
        print(f"{path.parent.name}/{path.name:<20} {how:<10} {size} {spent:5.1f} s", flush=True)


if __name__ == "__main__":
    main()
