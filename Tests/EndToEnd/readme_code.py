"""Takes the Swift code that uses the library, and what it prints, out of README.md.

Usage: readme_code.py README.md CODE.swift OUTPUT.txt

The code is the first block of Swift that imports AccountStorage. A block of text right after it is its output.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path


def main(readme: str, code: str, output: str) -> None:
    blocks = [
        (found["language"], found["content"], found.end())
        for found in re.finditer(
            r"^```(?P<language>\w*)\n(?P<content>.*?)^```$", Path(readme).read_text(), re.DOTALL | re.MULTILINE
        )
    ]
    for index, (language, content, _) in enumerate(blocks):
        if language == "swift" and re.search(r"^import AccountStorage$", content, re.MULTILINE):
            Path(code).write_text(content)
            following = blocks[index + 1 : index + 2]
            Path(output).write_text(following[0][1] if following and following[0][0] == "text" else "")
            return
    sys.exit(f"{readme} has no block of Swift that imports AccountStorage")


if __name__ == "__main__":
    main(*sys.argv[1:])
