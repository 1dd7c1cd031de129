"""What Apple's Foundation writes for given values, and what the tool writes for them."""

from __future__ import annotations

import json
import os
from pathlib import Path

from accounts_expected import ExpectedAccount
from accounts_tool import CorpusCase, corpus_files

LAYOUTS = {"apple64-old": "ios12", "apple64-new": "ios13"}


class Expected(CorpusCase):
    secrets = ["2.00ABCDEFG"]

    def test_each_file_is_written_from_its_values(self) -> None:
        for path in self.files():
            with self.about(path):
                archive = path.read_bytes()
                values = ExpectedAccount(archive).columns
                reply = {key: values[key] for key in ("access_token", "remind_in", "expires_in", "uid")}
                for text in (json.dumps(reply), json.dumps(with_text(reply), ensure_ascii=False)):
                    store = self.new_store()
                    store.run("add", input=text.encode())
                    output = self.new_path("account.data")
                    store.run("export", "--uid", values["uid"], "--output", output, "--layout", layout(path))
                    self.assertEqual(output.read_bytes(), archive, "these are not the bytes that Apple writes")

    def test_each_file_is_read_back(self) -> None:
        for path in self.files():
            with self.about(path):
                copy = self.new_path("account.data")
                copy.write_bytes(path.read_bytes())
                os.utime(copy, (0, 1440057600))
                store = self.new_store()
                store.run("import", copy)
                expected = ExpectedAccount(copy.read_bytes(), modified_at=1440057600)
                (row,) = store.rows()
                expected.check(row)
                output = self.new_path("account.data")
                store.run("export", "--uid", expected.uid, "--output", output)
                self.assertEqual(output.read_bytes(), path.read_bytes())

    def test_each_file_is_written_in_the_other_layout_from_the_first(self) -> None:
        """Old and new hold the same values, so either gives the bytes of the other."""
        for path in self.files():
            old, new = path.name.replace("-new", "-old"), path.name.replace("-old", "-new")
            store = self.new_store()
            store.run("import", path)
            uid = ExpectedAccount(path.read_bytes()).uid
            for name in (old, new):
                with self.subTest(path.name, other=name):
                    output = self.new_path("account.data")
                    store.run("export", "--uid", uid, "--output", output, "--layout", layout(Path(name)))
                    self.assertEqual(output.read_bytes(), path.with_name(name).read_bytes())

    def files(self) -> list[Path]:
        return corpus_files("expected", ".data")


def layout(path: Path) -> str:
    """The layout of a file, which its name tells."""
    (found,) = [layout for part, layout in LAYOUTS.items() if part in path.name]
    return found


def with_text(reply: dict[str, object]) -> dict[str, object]:
    """The reply with text for its integers, as the API sends it."""
    return {key: str(value) if isinstance(value, int) else value for key, value in reply.items()}
