"""Databases that are no store, or cannot be used, and what else can come between the tool and its store."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import threading
import time
import unittest
from contextlib import closing
from pathlib import Path
from typing import Any

from accounts_tool import FAILED, TOOL, EndToEndCase, Store, nobody
from sample_archives import account_archive, write_archives

TOKEN = "2.00SECRETtoken"
READING = [["list"], ["list", "--json"], ["show", "7"], ["check"], ["export", "--all", "--output", "exported"]]
READING += [["backup", "copy.sqlite"], ["remove", "7"]]


class Databases(EndToEndCase):
    secrets = [TOKEN]

    def setUp(self) -> None:
        super().setUp()
        self.archive = self.new_path("account.data")
        self.archive.write_bytes(account_archive(7, TOKEN))

    def commands(self) -> list[list[Any]]:
        return [["import", self.archive, "--quiet"], ["migrate"], *READING]

    def check_refused(self, store: Store, *parts: str, commands: list[list[Any]] | None = None) -> None:
        """Each command fails with one line, and leaves the folder as it was."""
        before = state(store.path.parent)
        for command in commands or self.commands():
            with self.subTest(command=command):
                outcome = store.run(*command, status=FAILED, cwd=store.path.parent)
                self.assert_one_line(outcome, *parts)
                self.assertEqual(outcome.output, b"")
                self.assertEqual(state(store.path.parent), before, "something was written")

    # MARK: Not a store

    def test_a_file_that_is_no_database(self) -> None:
        store = self.new_store()
        store.path.write_text("Dear diary,\n" * 1000)
        self.check_refused(store, "accounts.sqlite", "not a")

    def test_a_folder(self) -> None:
        store = self.new_store()
        store.path.mkdir()
        self.check_refused(store)

    def test_a_database_in_a_folder_that_is_not_there(self) -> None:
        store = Store(self, self.new_path("missing") / "accounts.sqlite")
        self.assert_one_line(store.run("import", self.archive, status=FAILED), "accounts.sqlite")
        self.assertFalse(store.path.parent.exists())

    def test_no_database_is_made_by_looking(self) -> None:
        store = self.new_store()
        self.check_refused(store, "accounts.sqlite", "import", commands=READING)

    def test_a_database_of_another_program(self) -> None:
        store = self.new_store()
        with closing(sqlite3.connect(store.path)) as database:
            database.execute("CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT)")
        self.check_refused(store)

    def test_a_newer_schema(self) -> None:
        store = self.new_store()
        store.run("import", self.archive)
        with closing(sqlite3.connect(store.path)) as database:
            database.execute("INSERT INTO schema_migrations VALUES (9000, 'from_the_future', 'SELECT 1', 1900000000)")
            database.commit()
        self.check_refused(store, "from_the_future")

    def test_a_migration_that_was_changed_after_it_was_applied(self) -> None:
        store = self.new_store()
        store.run("import", self.archive)
        with closing(sqlite3.connect(store.path)) as database:
            database.execute("UPDATE schema_migrations SET sql = sql || '\nCREATE TABLE surprise (a);'")
            database.commit()
        self.check_refused(store)

    def test_a_store_that_was_cut_off(self) -> None:
        """Whatever is left of it, the tool says so, and check finds it."""
        whole = self.new_store()
        folder = self.new_path("legacy")
        write_archives(folder, range(300))
        whole.run("import", folder)
        whole.query("PRAGMA wal_checkpoint(TRUNCATE)")
        data = whole.path.read_bytes()
        for size in (1, 50, 100, 4096, len(data) // 2, len(data) - 4096, len(data) - 1):
            with self.subTest(size=size):
                store = self.new_store()
                store.path.write_bytes(data[:size])
                store.run("check", status=FAILED)
                store.run("list", "--json", status=None)
                store.run("import", self.archive, status=None)

    # MARK: Not for everyone

    @unittest.skipUnless(nobody(), "only root can become somebody who may not write")
    def test_a_store_that_may_only_be_read(self) -> None:
        store = self.new_store()
        store.run("import", self.archive)
        for path in (self.folder, self.archive.parent):
            path.chmod(0o755)
        self.archive.chmod(0o644)
        for path in store.path.parent.iterdir():
            path.chmod(0o444)
        store.path.parent.chmod(0o555)
        tool = self.tool_for_nobody()
        before = store.path.read_bytes()
        writing: list[list[Any]] = [["import", self.archive], ["remove", 7], ["add"]]
        for command in writing:
            with self.subTest(command=command):
                reply = b'{"uid":8,"access_token":"t","expires_in":1}'
                outcome = store.run(*command, status=FAILED, tool=tool, input=reply, **nobody())
                self.assert_one_line(outcome, "accounts.sqlite")
                self.assertEqual(store.path.read_bytes(), before)
        # SQLite cannot read a store of this kind without a file beside it, unless it is told that nobody ever writes.
        listing = store.run("list", "--json", tool=tool, status=None, **nobody())
        if listing.status == FAILED:
            self.assert_one_line(listing, "folder cannot be written to")
        else:
            self.assertEqual([shown["uid"] for shown in listing.json()], [7])

    # MARK: Somebody else is writing

    def test_a_lock_that_goes_away_is_waited_for(self) -> None:
        store = self.new_store()
        store.run("migrate")
        with closing(sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(1.0, lambda: other.execute("COMMIT"))
            timer.start()
            store.run("import", self.archive)
            timer.join()
        self.assertEqual([row["uid"] for row in store.rows()], [7])

    def test_a_lock_that_stays_is_one_line(self) -> None:
        store = self.new_store()
        store.run("migrate")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            started = time.monotonic()
            outcome = store.run("import", self.archive, status=FAILED)
            self.assertGreater(time.monotonic() - started, 1)
            self.assert_one_line(outcome, "locked")
            self.assertEqual(store.run("list", "--json").json(), [], "reading waits for nobody")
            other.execute("ROLLBACK")
        self.assertEqual(store.rows(), [])

    # MARK: Backups

    def test_a_backup_replaces_a_database_and_nothing_else(self) -> None:
        store = self.new_store()
        store.run("import", self.archive)
        diary = self.new_path("diary.txt")
        diary.write_text("Dear diary,\n")
        for target in (diary, diary.parent, diary.parent / "missing" / "copy.sqlite"):
            with self.subTest(target=target.name):
                self.assert_one_line(store.run("backup", target, status=FAILED))
        self.assertEqual(state(diary.parent), {"diary.txt": b"Dear diary,\n"})
        copy = Store(self, self.new_path("copy.sqlite"))
        for _ in range(2):
            store.run("backup", copy.path)
            self.assertEqual(copy.rows(), store.rows())


class SmallDisk(EndToEndCase):
    """A disk that is full: nothing half-written, the reason told, and all well again with more room."""

    secrets = [TOKEN]

    def setUp(self) -> None:
        super().setUp()
        if not can_mount():
            self.skipTest("no small disk can be mounted here")
        self.disk, self.copy = self.new_path("disk"), self.new_path("copy")
        self.disk.mkdir()
        self.copy.mkdir()
        self.legacy = self.new_path("legacy")
        write_archives(self.legacy, range(1, 1_501))

    def run_on_small_disk(self, kilobytes: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs the tool with a small disk mounted, and copies what is on it afterwards."""
        script = """
            mount -t tmpfs -o size="$1"k accounts-check "$2"
            copy=$3
            cd "$2"
            shift 3
            status=0
            "$@" || status=$?
            cp -a . "$copy"
            exit "$status"
        """
        command = [*UNSHARE, "sh", "-euc", script, "sh", str(kilobytes), self.disk, self.copy, TOOL, *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertNotIn(TOKEN, ended.stderr + ended.stdout)
        return ended

    def check_full(self, ended: subprocess.CompletedProcess[str]) -> None:
        self.assertEqual(ended.returncode, FAILED, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertRegex(ended.stderr, "full|No space left")
        self.assertNotIn("no transaction is active", ended.stderr)

    def test_an_import(self) -> None:
        whole = self.new_store()
        whole.run("import", self.legacy)
        for kilobytes in (4, 64, 200, 400):
            with self.subTest(kilobytes=kilobytes):
                self.copy = self.new_path("copy")
                self.copy.mkdir()
                self.check_full(self.run_on_small_disk(kilobytes, "import", self.legacy))
                store = Store(self, self.copy / "accounts.sqlite")
                if kilobytes > 64:
                    self.assertEqual(store.query("PRAGMA integrity_check"), [("ok",)])
                    rows = {row["uid"]: row for row in whole.rows()}
                    self.assertTrue(all(rows[row["uid"]] == row for row in store.rows()))
                store.run("import", self.legacy)
                self.assertEqual(store.rows(), whole.rows())
                store.run("check")

    def test_an_export(self) -> None:
        store = self.new_store()
        store.run("import", self.legacy)
        self.check_full(self.run_on_small_disk(512, "--database", store.path, "export", "--all", "--output", "out"))
        files = [path for path in self.copy.rglob("*") if path.is_file()]
        self.assertTrue(files)
        for path in files:
            uid = int(path.parent.name)
            self.assertEqual(path.name, "account.data", "something is left over")
            self.assertEqual(path.read_bytes(), (self.legacy / f"{uid % 10}" / f"{uid}.data").read_bytes())

    def test_a_backup(self) -> None:
        store = self.new_store()
        store.run("import", self.legacy)
        self.check_full(self.run_on_small_disk(100, "--database", store.path, "backup", "copy.sqlite"))
        self.assertEqual(state(self.copy), {}, "a part of a backup is left over")


UNSHARE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]


def can_mount() -> bool:
    try:
        script = ["sh", "-c", "mount -t tmpfs -o size=4k accounts-check /tmp"]
        return subprocess.run([*UNSHARE, *script], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def state(folder: Path) -> dict[str, bytes]:
    """The files of a folder with what is in them. The shared memory of a store is only a help, and changes at will."""
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {
        str(path.relative_to(folder)): data
        for path, data in files.items()
        if not path.name.endswith("-shm") and (data or not path.name.endswith("-wal"))
    }
