"""Damaged and hostile files, and odd ones that are well: each is told from the others, in one process."""

from __future__ import annotations

import csv
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accounts_tool import CORPUS, FAILED, PARTLY_DONE, CorpusCase, Store, contents, corpus_files

# The table of the corpus is older than the words that the tool has for these.
CODES = {"notAPlist": "notAPropertyList", "oldNSArchiver": "oldArchiver", "unsupportedEncoding": "badXML"}
# Damage that can be seen in two ways: the cut takes the trailer away and leaves another.
SAME_DAMAGE = {"truncated": "badTrailer", "badTrailer": "truncated"}
# What the message says where the table says this.
DETAILS = {"root is string": "text", "NSData": "data"}


@dataclass(frozen=True)
class Row:
    """What is to become of a file."""

    file: str
    values: list[str]
    codes: list[str]
    detail: str

    @classmethod
    def parse(cls, file: str, expect: str) -> Row:
        choices = expect.split("|")
        values = [choice.removeprefix("value:") for choice in choices if choice.startswith("value:")]
        codes: list[str] = []
        detail = ""
        for choice in choices:
            if found := re.match(r"error:([\w/]+)(?:\((.+?)\))?", choice):
                codes += [CODES.get(code, code) for code in found[1].split("/")]
                detail = found[2] or detail
        codes += [SAME_DAMAGE[code] for code in codes if code in SAME_DAMAGE]
        return cls(file, values, codes, detail)


class Bad(CorpusCase):
    secrets = ["2.00ABCDEFG"]

    def setUp(self) -> None:
        super().setUp()
        assert CORPUS is not None
        self.bad = CORPUS / "bad"
        with open(self.bad / "EXPECT.tsv", encoding="utf-8", newline="") as file:
            table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            self.rows = [Row.parse(row["file"], row["expect"]) for row in table]

    def test_the_table_names_every_file(self) -> None:
        self.assertEqual(sorted(row.file for row in self.rows), [path.name for path in corpus_files("bad")])

    def test_one_import_of_all(self) -> None:
        store = self.new_store()
        files = [self.bad / row.file for row in self.rows]
        outcome = store.run("import", "--json", *files, status=PARTLY_DONE)
        report = outcome.json()
        failures = {Path(failure["path"]).name: failure for failure in report["failures"]}
        for row in self.rows:
            with self.subTest(row.file):
                self.check_row(row, failures.get(row.file))
        self.assertEqual(report["files"], len(files))
        self.assertEqual(report["rejected"], len(failures))
        self.assertEqual(report["passed_over"], 0)
        self.assertEqual(outcome.errors.count("\n"), len(failures), "each refused file has one line of its own")
        self.check_sound(store)

    def check_row(self, row: Row, failure: dict[str, str] | None) -> None:
        if failure is None:
            self.assertTrue(row.values, f"it was imported; expected {row.codes}")
            return
        self.assertIn(failure["code"], row.codes, failure["message"])
        self.assertIn(DETAILS.get(row.detail, row.detail).lower(), failure["message"].lower())
        self.assertNotIn("\n", failure["message"])

    def test_the_values_of_what_is_well(self) -> None:
        for row in self.rows:
            if not row.values:
                continue
            with self.subTest(row.file):
                store = self.new_store()
                outcome = store.run("import", self.bad / row.file, status=None)
                if outcome.status == FAILED and row.codes:
                    continue
                (account,) = store.rows()
                self.check_value(row.values[0], account)

    def check_value(self, value: str, account: dict[str, Any]) -> None:
        if value.startswith("{"):
            for key, expected in json.loads(value).items():
                self.assertEqual((type(account[key]), account[key]), (type(expected), expected))
        elif found := re.fullmatch(r"(\w+)=(.+)", value):
            self.assertEqual(account[found[1]], json.loads(found[2]))
        elif value.startswith("access_token contains U+0000"):
            self.assertIn("\0", account["access_token"])
        else:
            self.fail(f"the table says something new: {value}")

    def test_each_file_alone_fails_with_one_line(self) -> None:
        for row in self.rows:
            if row.values:
                continue
            with self.subTest(row.file):
                store = self.new_store()
                outcome = store.run("import", self.bad / row.file, status=FAILED)
                self.assertIn(row.file, outcome.errors)
                self.assertEqual(store.rows(), [])
                self.accounts("inspect", "--json", self.bad / row.file, status=None)

    def test_what_is_well_comes_out_as_it_was_and_is_read_back(self) -> None:
        for row in self.rows:
            if not row.values or row.codes:
                continue
            with self.subTest(row.file):
                path = self.new_path("account.data")
                path.write_bytes((self.bad / row.file).read_bytes())
                os.utime(path, (0, 1440057600.75))
                store, copy = self.new_store(), self.new_store()
                store.run("import", path)
                first, second = self.new_path("first"), self.new_path("second")
                store.run("export", "--all", "--output", first)
                copy.run("import", first)
                self.assertEqual(copy.rows(), store.rows())
                self.assertEqual({account["obtained_at"] for account in store.rows()}, {1440057600})
                copy.run("export", "--all", "--output", second)
                self.assertEqual(contents(second), contents(first))
                # Of a collection each account gets a file of its own.
                if not row.file.startswith(("root_array_of", "root_dict_of")):
                    (exported,) = contents(first).values()
                    self.assertEqual(exported[0], path.read_bytes())

    def check_sound(self, store: Store) -> None:
        self.assertEqual(store.query("PRAGMA integrity_check"), [("ok",)])
        store.run("check")
