"""Processes that end in the middle of their work, and several at work on one store."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from accounts_tool import TOOL, EndToEndCase, Store
from sample_archives import write_archives

TOKEN = "2.00SECRETtoken"
ROUNDS = 10


class Killed(EndToEndCase):
    secrets = [TOKEN]

    def test_an_import_that_was_killed_goes_on_to_the_same_end(self) -> None:
        legacy = self.new_path("legacy")
        write_archives(legacy, range(2_500))
        whole = self.new_store()
        started = time.monotonic()
        whole.run("import", legacy)
        duration = time.monotonic() - started
        expected = content(whole)
        chance = random.Random(2)
        counts = []
        for round in range(ROUNDS):
            with self.subTest(round=round):
                store = self.new_store()
                counts.append(self.kill_import(store, legacy, duration * chance.uniform(0.05, 0.95)))
                if store.path.exists() and store.path.stat().st_size:
                    self.assertEqual(store.query("PRAGMA integrity_check"), [("ok",)])
                    self.check_part(store, expected)
                store.run("import", legacy)
                self.assertEqual(content(store), expected)
                store.run("check")
        self.assertTrue(any(counts), f"no import was killed in the middle: {counts} in {duration:.1f} s")

    def kill_import(self, store: Store, legacy: Path, seconds: float) -> bool:
        """Ends an import after some time, and says whether it was still at work."""
        process = subprocess.Popen(
            [TOOL, "--database", store.path, "import", legacy], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(seconds)
        process.kill()
        process.communicate(timeout=60)
        return process.returncode == -signal.SIGKILL

    def check_part(self, store: Store, expected: dict[str, Any]) -> None:
        """What is there is a part of the whole: rows that are right, and no file remembered without its account."""
        if ("accounts",) not in store.query("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            return
        part = content(store)
        for table, rows in part.items():
            self.assertLessEqual(set(rows), set(expected[table]), f"wrong rows in {table}")
        self.assertEqual(len(part["imported_files"]), len(part["accounts"]))


class Together(EndToEndCase):
    secrets = [TOKEN]

    def test_two_imports_at_once(self) -> None:
        """Both make the store, some files are in both, and it ends as if one had come after the other."""
        legacy = self.new_path("legacy")
        write_archives(legacy, range(1_000))
        halves = [[legacy / str(digit) for digit in digits] for digits in (range(0, 7), range(3, 10))]
        whole = self.new_store()
        whole.run("import", legacy)
        expected = content(whole)
        for round in range(3):
            with self.subTest(round=round):
                store = self.new_store()
                processes = [self.start(store, "import", *half) for half in halves]
                for process in processes:
                    _, errors = process.communicate(timeout=120)
                    self.assertEqual(process.returncode, 0, errors)
                self.assertEqual(content(store), expected)
                store.run("check")

    def test_readers_and_writers_at_once(self) -> None:
        legacy = self.new_path("legacy")
        write_archives(legacy, range(1_000))
        store = self.new_store()
        store.run("migrate")
        writer = self.start(store, "import", legacy)
        counts = []
        while writer.poll() is None:
            counts.append(len(store.run("list", "--json").json()))
        _, errors = writer.communicate(timeout=120)
        self.assertEqual(writer.returncode, 0, errors)
        self.assertEqual(counts, sorted(counts))
        self.assertEqual(len(store.rows()), 1_000)

    def start(self, store: Store, *arguments: str | Path) -> subprocess.Popen[str]:
        command = [TOOL, "--database", store.path, *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def content(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All that a store holds, apart from numbers and times that depend on when it was done."""
    return {
        "accounts": store.query(
            """
            SELECT uid, access_token, expires_in, remind_in, obtained_at, expires_at, extras, content, form_details
            FROM accounts LEFT JOIN forms ON forms.id = form_id ORDER BY uid
            """
        ),
        "forms": store.query("SELECT content FROM forms ORDER BY content"),
        "imported_files": store.query("SELECT path, size, modified_at, accounts FROM imported_files ORDER BY path"),
    }
