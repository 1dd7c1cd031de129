"""Imports of a mixed folder that are killed again and again end as if nothing had happened.

Their number and size come from $ACCOUNTS_IMPORT_FILES, $ACCOUNTS_IMPORT_KILLS and $ACCOUNTS_IMPORT_SEED.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from accounts_tool import DONE, PARTLY_DONE, TOOL, EndToEndCase, Outcome, Store
from mixed_files import MixedFiles

FILES = int(os.environ.get("ACCOUNTS_IMPORT_FILES", "20000"))
KILLS = int(os.environ.get("ACCOUNTS_IMPORT_KILLS", "50"))
SEED = int(os.environ.get("ACCOUNTS_IMPORT_SEED", "1"))
INTERRUPTED = 130
# Options that so few files ask for may be those of a damaged class name.
LEAST_FILES = 5
# Everything that is made but the stores. Some disks take milliseconds to delete a file.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Imports(EndToEndCase):
    secrets = ["SECRET"]

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="accounts-check-", dir=MEMORY)
        self.addCleanup(folder.cleanup)
        self.space = Path(folder.name)
        self.legacy = self.space / "legacy"
        self.chance = random.Random(SEED)
        self.killed = {signal.SIGKILL: 0, signal.SIGINT: 0}

    def test_killed_imports_end_as_one_undisturbed(self) -> None:
        files = MixedFiles(self.legacy, FILES, SEED)
        files.reset()
        self.entries = files.entries
        self.options = self.suggested_options()
        whole = self.new_store()
        started = time.monotonic()
        self.check_sums(self.import_all(whole), whole=True)
        self.duration = time.monotonic() - started
        rounds = 0
        while sum(self.killed.values()) < KILLS:
            rounds += 1
            store = self.killed_import(files, seed=SEED * 1000 + rounds)
            whole = self.new_store()
            self.check_sums(self.import_all(whole), whole=True)
            self.check_same(store, whole, files, rounds)
            store.run("check")
        print(f"{rounds} rounds, {self.killed} in {self.duration:.1f} s each, {self.options}", file=sys.stderr)
        self.check_export(store)

    # MARK: Importing

    def suggested_options(self) -> list[str]:
        """What the tool says to add, until it has no more to say."""
        options: list[str] = []
        while True:
            outcome = self.accounts(
                "--database", self.new_path("none.sqlite"), "import", "--dry-run", self.legacy, *options, status=None
            )
            self.assertEqual(outcome.status, PARTLY_DONE, str(outcome)[-2000:])
            advice = re.findall(r"^(\d+) files?: .*, add (--.*)$", outcome.errors, re.MULTILINE)
            more = [
                shlex.split(words) for count, words in advice if int(count) >= LEAST_FILES and "--allow-gaps" not in words
            ]
            new = [word for words in more for word in words]
            if not new:
                self.assertTrue(options, "nothing was suggested")
                return options
            options += new

    def import_all(self, store: Store) -> Outcome:
        outcome = store.run("import", "--json", self.legacy, *self.options, status=None, timeout=1_800)
        self.assertIn(outcome.status, (DONE, PARTLY_DONE), outcome.errors[-2000:])
        return outcome

    def check_sums(self, outcome: Outcome, whole: bool) -> None:
        report = outcome.json()
        sums = [report[name] for name in ("imported", "skipped", "passed_over", "rejected")]
        self.assertEqual(report["files"], sum(sums), "the sums of files do not agree")
        self.assertEqual(report["accounts"], sum(report[name] for name in ("inserted", "updated", "unchanged")))
        self.assertEqual(report["rejected"], len(report["failures"]))
        if whole:
            self.assertEqual(report["files"], self.entries, "not all files were looked at")
        else:
            self.assertLessEqual(report["files"], self.entries)

    # MARK: Killing

    def killed_import(self, files: MixedFiles, seed: int) -> Store:
        """Imports into a new store, killed at random moments, while files change, and then once to the end."""
        files.reset()
        store = self.new_store()
        changes = threading.Thread(target=files.change, args=(seed, self.duration * 2))
        changes.start()
        try:
            while sum(self.killed.values()) < KILLS and self.kill_import(store):
                pass
        finally:
            changes.join()
        self.check_sums(self.import_all(store), whole=True)
        return store

    def kill_import(self, store: Store) -> bool:
        """Ends an import after some time, and says whether it was still at work."""
        with_signal = signal.SIGINT if self.chance.random() < 0.25 else signal.SIGKILL
        output = self.space / "output"
        with output.open("wb") as stdout, (self.space / "errors").open("wb") as stderr:
            process = subprocess.Popen(
                [TOOL, "--database", store.path, "import", "--json", self.legacy, *self.options],
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            )  # fmt: skip
            time.sleep(self.duration * self.chance.uniform(0.02, 1.1))
            process.send_signal(with_signal)
            process.wait(timeout=600)
        outcome = Outcome("accounts import", process.returncode, output.read_bytes(), (self.space / "errors").read_text())
        if outcome.status in (DONE, PARTLY_DONE):
            self.check_sums(outcome, whole=False)
            return False
        self.killed[with_signal] += 1
        self.check_stopped(outcome, with_signal)
        return True

    def check_stopped(self, outcome: Outcome, with_signal: int) -> None:
        if outcome.status == -with_signal:
            # The very first moments, in which Ctrl-C is not looked after yet, are like a kill.
            return
        self.assertEqual((with_signal, outcome.status), (signal.SIGINT, INTERRUPTED), outcome.errors[-2000:])
        self.assertIn("interrupted", outcome.errors)
        if outcome.output:
            self.assertRegex(outcome.errors, r"interrupted; .* Before that: \d+ accounts? in \d+ files?")
            self.check_sums(outcome, whole=False)

    # MARK: Comparing

    def check_same(self, store: Store, whole: Store, files: MixedFiles, round: int) -> None:
        changed = {file.uid for file in files.changing}
        found, expected = content(store, changed), content(whole, changed)
        for name, rows in expected.items():
            self.assertGreater(len(rows), 0)
            differing = sorted(set(rows) ^ set(found[name]), key=repr)
            self.assertEqual(
                (len(rows), differing[:6]), (len(found[name]), []), f"seed {SEED}, round {round}: other rows of {name}"
            )

    def check_export(self, store: Store) -> None:
        """All accounts of files that hold one account come out as the bytes that they came from."""
        output = self.space / "exported"
        store.run("export", "--all", "--output", output, timeout=1_800)
        rows = store.query(
            "SELECT accounts.uid, path FROM accounts JOIN imported_files AS file ON file.id = file_id WHERE file.accounts = 1"
        )
        self.assertGreater(len(rows), FILES // 3)
        for uid, path in rows:
            with open(path, "rb") as file:
                self.assertEqual((output / str(uid) / "account.data").read_bytes(), file.read(), f"seed {SEED}: {path!r}")
        (count,) = store.query("SELECT count(*) FROM accounts")[0]
        self.assertEqual(len(list(output.iterdir())), count)


def content(store: Store, changed: set[int]) -> dict[str, list[tuple[Any, ...]]]:
    """All that a store holds, apart from numbers and times that depend on when it was done.

    What has become of the accounts of a user one of whose files has changed depends on which of its versions were read, too.
    """
    ledger = store.query("SELECT path, size, modified_at, accounts, outcome, uid FROM imported_files")
    return {
        "accounts": store.query(
            """
            SELECT accounts.uid, access_token, expires_in, remind_in, obtained_at, expires_at, extras, content,
                form_details, path
            FROM accounts LEFT JOIN forms ON forms.id = form_id LEFT JOIN imported_files AS file ON file.id = file_id
            """
        ),
        "forms": store.query("SELECT content FROM forms"),
        "imported_files": [row if row[5] not in changed else (*row[:4], None, row[5]) for row in ledger],
    }
