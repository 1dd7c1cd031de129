"""The store as other programs that know SQLite see it, while the tool has it open and after."""

from __future__ import annotations

import io
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accounts_expected import saturated, shown_as_row, shown_time
from accounts_tool import TOOL, EndToEndCase, Store

REPLY = (
    '{"access_token":"2.00SECRETtoken","remind_in":"157679999","expires_in":157679999,'
    '"uid":"1404376560","isRealName":"true"}'
)


class SQLite(EndToEndCase):
    secrets = ["2.00SECRETtoken"]

    def setUp(self) -> None:
        super().setUp()
        self.store = self.new_store()

    def test_the_reply_of_the_api_gives_the_right_row(self) -> None:
        before = int(time.time())
        self.store.run("add", input=REPLY.encode())
        (row,) = self.store.rows()
        self.assertIn(row.pop("obtained_at"), range(before, int(time.time()) + 1))
        self.assertIn(row.pop("expires_at") - 157679999, range(before, int(time.time()) + 1))
        self.assertEqual(row, EXPECTED_ROW)

    def test_a_reply_in_a_file_was_obtained_when_the_file_was_saved(self) -> None:
        path = self.new_path("reply.json")
        path.write_text(REPLY)
        os.utime(path, (0, 1440057600.999))
        self.store.run("add", path)
        (row,) = self.store.rows()
        self.assertEqual(row, EXPECTED_ROW | {"obtained_at": 1440057600, "expires_at": 1597737599})

    def test_the_shell_reads_times_and_extras(self) -> None:
        path = self.new_path("reply.json")
        path.write_text(REPLY)
        os.utime(path, (0, 1440057600))
        self.store.run("add", path)
        found = self.shell(
            """
            SELECT uid, datetime(obtained_at, 'unixepoch') AS obtained, datetime(expires_at, 'unixepoch') AS expires,
                json_extract(extras, '$.isRealName') AS real_name, typeof(access_token) AS token FROM accounts
            """
        )
        self.assertEqual(
            found,
            [{
                "uid": 1404376560, "obtained": "2015-08-20 08:00:00", "expires": "2020-08-18 07:59:59",
                "real_name": "true", "token": "text",
            }],
        )  # fmt: skip
        self.assertEqual(self.shell("PRAGMA integrity_check"), [{"integrity_check": "ok"}])
        self.assertEqual(self.shell("PRAGMA foreign_key_check"), [])

    def test_the_file_is_as_documented(self) -> None:
        self.store.run("add", input=REPLY.encode())
        self.assertEqual(self.shell("PRAGMA journal_mode"), [{"journal_mode": "wal"}])
        tables = self.shell(
            "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'"
        )
        self.assertTrue(tables)
        self.assertEqual({table["strict"] for table in tables}, {1}, tables)
        plan = self.store.query("EXPLAIN QUERY PLAN SELECT uid FROM accounts WHERE expires_at < 5")
        self.assertIn("INDEX", json.dumps(plan))
        self.assertEqual(self.store.path.stat().st_mode & 0o077, 0, "others can read the tokens")

    def test_times_of_any_year_are_shown_as_they_are(self) -> None:
        lives = [0, -1, 253402300799, 2**40, -(2**40), 2**63 - 1, -(2**63)]
        replies = [{"uid": uid, "access_token": "t", "expires_in": life} for uid, life in enumerate(lives)]
        for issued in ("2015-08-20T08:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"):
            with self.subTest(issued):
                self.store.run("add", "--obtained-at", issued, input=json.dumps(replies).encode())
                shown = self.store.run("list", "--json", "--reveal").json()
                self.assertEqual([shown_as_row(account) for account in shown], self.store.rows())
                ends = [saturated((shown_time(issued) or 0) + life) for life in lives]
                self.assertEqual([row["expires_at"] for row in self.store.rows()], ends)

    def test_text_with_a_nul_is_whole(self) -> None:
        token = "a\0b\0"
        self.store.run("add", input=json.dumps({"uid": 1, "access_token": token, "expires_in": 1}).encode())
        (row,) = self.store.rows()
        self.assertEqual(row["access_token"], token)
        found = self.store.query("SELECT uid FROM accounts WHERE access_token = ?", token)
        self.assertEqual(found, [(1,)])
        (shown,) = self.store.run("list", "--json", "--reveal").json()
        self.assertEqual(shown["access_token"], token)

    def test_a_row_that_python_writes_is_shown(self) -> None:
        self.store.run("migrate")
        self.shell(
            """
            INSERT INTO accounts (uid, access_token, expires_in, remind_in, obtained_at, expires_at, extras)
            VALUES (7, '令牌', 60, 0, 1440057600, 1440057660, '{"a":[1,null]}')
            """
        )
        shown = self.store.run("show", 7, "--json", "--reveal").json()
        self.assertEqual(shown["access_token"], "令牌")
        self.assertEqual(shown["obtained_at"], "2015-08-20T08:00:00Z")
        self.assertEqual(shown["expires_at"], "2015-08-20T08:01:00Z")
        self.assertEqual(shown["extras"], {"a": [1, None]})

    # MARK: At the same time

    def test_the_shell_reads_and_writes_while_the_tool_has_the_store_open(self) -> None:
        count = 5_000
        replies = [{"uid": uid, "access_token": f"token {uid}", "expires_in": 60} for uid in range(count)]
        self.store.run("add", input=json.dumps(replies).encode())
        with self.list_in_progress(self.store) as listing:
            self.assertEqual(self.shell("SELECT count(*) AS n FROM accounts"), [{"n": count}])
            self.assertEqual(self.shell("PRAGMA integrity_check"), [{"integrity_check": "ok"}])
            self.shell("UPDATE accounts SET access_token = 'changed' WHERE uid >= 0")
            self.store.run("add", input=b'{"uid":1000000,"access_token":"t","expires_in":1}')
            self.store.run("check")
            assert listing.stdout is not None
            shown = json.loads(listing.stdout.read())
            self.assertEqual(listing.wait(timeout=120), 0)
        self.assertGreaterEqual(len(shown), count)
        self.assertEqual(self.shell("PRAGMA integrity_check"), [{"integrity_check": "ok"}])
        self.assertEqual(self.shell("SELECT count(*) AS n FROM accounts"), [{"n": count + 1}])

    def test_a_backup_while_the_store_is_in_use_is_whole(self) -> None:
        replies = [{"uid": uid, "access_token": "t", "expires_in": 60} for uid in range(5_000)]
        self.store.run("add", input=json.dumps(replies).encode())
        copy = Store(self, self.new_path("backup.sqlite"))
        with self.list_in_progress(self.store):
            self.store.run("backup", copy.path)
        self.assertEqual(copy.rows(), self.store.rows())
        self.assertEqual(copy.query("PRAGMA integrity_check"), [("ok",)])
        copy.run("check")

    @contextmanager
    def list_in_progress(self, store: Store) -> Iterator[subprocess.Popen[bytes]]:
        """A process that has begun to list the accounts, and waits for somebody to read what it prints."""
        command: list[str | Path] = [TOOL, "--database", store.path, "list", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                assert isinstance(process.stdout, io.BufferedReader)
                process.stdout.peek(1)
                self.assertIn(str(store.path), open_files(process.pid), "the tool does not have the store open")
                yield process
            finally:
                process.kill()

    def shell(self, sql: str) -> list[dict[str, Any]]:
        """What the sqlite3 shell answers."""
        ended = subprocess.run(
            ["sqlite3", "-json", self.store.path, sql], capture_output=True, text=True, timeout=120
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        rows: list[dict[str, Any]] = json.loads(ended.stdout or "[]")
        return rows


EXPECTED_ROW = {
    "uid": 1404376560, "access_token": "2.00SECRETtoken", "expires_in": 157679999, "remind_in": 157679999,
    "extras": {"isRealName": "true"},
}  # fmt: skip


def open_files(process: int) -> list[str]:
    """The files that a process has open."""
    links = [Path(entry) for entry in Path(f"/proc/{process}/fd").iterdir()]
    return [os.readlink(link) for link in links if os.path.lexists(link)]
