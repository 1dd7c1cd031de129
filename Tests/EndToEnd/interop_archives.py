"""Archives between the tool, Foundation on Linux and Python's plistlib."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from accounts_expected import ExpectedAccount
from accounts_tool import FAILED, EndToEndCase

LEGACY_APP = os.environ.get("LEGACY_APP", "LegacyApp")
LAST, FIRST = 2**63 - 1, -(2**63)

ACCOUNTS: dict[str, dict[str, Any]] = {
    "usual": {"access_token": "2.00SECRETtoken", "expires_in": 157679999, "remind_in": 157679999, "uid": 1404376560},
    "CJK": {"access_token": "令牌-访问令牌", "expires_in": 157679999, "remind_in": 157679998, "uid": 2},
    "emoji": {"access_token": "a<b&c>\"' 😀👩‍👩‍👧 é e\u0301", "expires_in": 1, "remind_in": 2, "uid": 3},
    "last": {"access_token": "t", "expires_in": LAST, "remind_in": FIRST, "uid": LAST},
    "first": {"access_token": "t", "expires_in": FIRST, "remind_in": LAST, "uid": FIRST},
    "widths": {"access_token": "t", "expires_in": 255, "remind_in": 65536, "uid": 4294967296},
    "no token": {"access_token": None, "expires_in": 0, "remind_in": -1, "uid": 5},
    "empty token": {"access_token": "", "expires_in": 0, "remind_in": 0, "uid": 6},
    "spaces": {"access_token": "  \n two \t ", "expires_in": 1, "remind_in": 1, "uid": 7},
    "long token": {"access_token": "0123456789" * 10_000, "expires_in": 1, "remind_in": 1, "uid": 8},
    "$null": {"access_token": "$null", "expires_in": 1, "remind_in": 1, "uid": 9},
}
EXTRAS: dict[str, Any] = {
    "isRealName": "true",
    "$dollar": "key",
    "键": ["text", 1, True, None, 1.5, {"in": {"in": LAST}}],
    "empty": [[], {}, ""],
    "big": 2**64 - 1,
}
FORMATS = [(layout, format) for layout in ("ios12", "ios13", "original") for format in ("binary", "xml")]


class Archives(EndToEndCase):
    secrets = ["2.00SECRETtoken"]

    def setUp(self) -> None:
        super().setUp()
        self.store = self.new_store()

    def test_plistlib_and_foundation_read_every_export(self) -> None:
        values = [account | {"isRealName": "true"} for account in ACCOUNTS.values()]
        self.store.run("add", input=json.dumps(values).encode())
        for layout, format in FORMATS:
            with self.subTest(layout=layout, format=format):
                paths = [self.export(account["uid"], layout, format) for account in values]
                for path, account in zip(paths, values, strict=True):
                    self.check_with_plistlib(path, account, format)
                for account, found in zip(values, self.legacy_app("read", *paths), strict=True):
                    # Foundation on Linux takes this text for the nil that it stands for elsewhere.
                    if account["access_token"] != "$null":
                        self.assertEqual(found, account)

    def test_extras_of_all_kinds_are_in_the_export(self) -> None:
        account = ACCOUNTS["usual"]
        self.store.run("add", input=json.dumps(account | EXTRAS).encode())
        (row,) = self.store.rows()
        for layout, format in FORMATS:
            with self.subTest(layout=layout, format=format):
                path = self.export(account["uid"], layout, format)
                expected = ExpectedAccount(path.read_bytes(), modified_at=int(path.stat().st_mtime))
                expected.check(row)
                copy = self.new_store()
                copy.run("import", path)
                self.assertEqual(copy.rows(), self.store.rows())

    def test_every_export_is_read_back_as_the_same_account(self) -> None:
        self.store.run("add", input=json.dumps(list(ACCOUNTS.values())).encode())
        for layout, format in FORMATS:
            with self.subTest(layout=layout, format=format):
                folder, copy = self.new_path("all"), self.new_store()
                self.store.run("export", "--all", "--output", folder, "--layout", layout, "--format", format)
                copy.run("import", folder)
                self.assertEqual(copy.rows(), self.store.rows())

    def test_what_foundation_archives_is_imported(self) -> None:
        """It names the class by its module, which is no reason to refuse it."""
        for name, account in ACCOUNTS.items():
            for command in ("write-binary", "write-xml"):
                with self.subTest(name, command=command):
                    path, store = self.new_path("account.data"), self.new_store()
                    self.run_legacy_app(command, path, input=json.dumps(account).encode())
                    store.run("import", path)
                    (row,) = store.rows()
                    self.assertEqual({key: row[key] for key in account}, account)
                    output = self.new_path("account.data")
                    store.run("export", "--uid", account["uid"], "--output", output)
                    self.assertEqual(output.read_bytes(), path.read_bytes())

    def test_xml_refuses_what_it_cannot_hold(self) -> None:
        for uid, token in enumerate(["a\0b", "a\u0001b", "a\ufffeb"]):
            with self.subTest(token=token):
                account = ACCOUNTS["usual"] | {"uid": uid, "access_token": token}
                self.store.run("add", input=json.dumps(account).encode())
                self.check_with_plistlib(self.export(uid, "ios13", "binary"), account, "binary")
                path = self.new_path("account.data")
                outcome = self.store.run(
                    "export", "--uid", uid, "--output", path, "--format", "xml", status=FAILED
                )
                self.assert_one_line(outcome, "xml")
                self.assertEqual(list(path.parent.iterdir()), [])

    def export(self, uid: int, layout: str, format: str) -> Path:
        path = self.new_path("account.data")
        self.store.run("export", "--uid", uid, "--output", path, "--layout", layout, "--format", format)
        return path

    def check_with_plistlib(self, path: Path, account: dict[str, Any], format: str) -> None:
        data = path.read_bytes()
        self.assertEqual(data.startswith(b"bplist00"), format == "binary")
        expected = ExpectedAccount(data)
        root = expected.archive.object(expected.archive.root)
        self.assertEqual(expected.archive.class_of(root), ("Account", ["Account", "NSObject"]))
        names = ("access_token", "expires_in", "remind_in", "uid")
        self.assertEqual({name: expected.columns[name] for name in names}, {name: account[name] for name in names})

    def legacy_app(self, *arguments: str | Path) -> Any:
        return json.loads(self.run_legacy_app(*arguments))

    def run_legacy_app(self, *arguments: str | Path, input: bytes = b"") -> bytes:
        ended = subprocess.run([LEGACY_APP, *arguments], input=input, capture_output=True, timeout=120)
        self.assertEqual(ended.returncode, 0, ended.stderr.decode())
        return ended.stdout
