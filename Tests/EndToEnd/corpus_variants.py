"""The accounts of ten apps, each with its own idea of an account, in and out again."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path

from accounts_expected import ExpectedAccount, shown_as_row
from accounts_tool import DONE, FAILED, PARTLY_DONE, CorpusCase, Store, contents, corpus_files
from keyed_archive import KeyedArchive

# 2015-08-20 08:00 UTC; no whole second, since files seldom have one.
SAVED_AT = 1440057600.75


class Variants(CorpusCase):
    def setUp(self) -> None:
        super().setUp()
        self.legacy = self.folder / "legacy"
        self.legacy.mkdir()
        self.files = [Path(shutil.copyfile(path, self.legacy / path.name)) for path in corpus_files("variants")]
        self.save_at({path: SAVED_AT for path in self.files})
        self.secrets = [token for path in self.files if (token := token_in(path))]

    # MARK: One at a time

    def test_each_file_alone(self) -> None:
        """The options that the refusals name are enough, the values are right, and the file comes out as it was."""
        for path in self.files:
            with self.about(path):
                store = self.new_store()
                options = self.accepted_options(store, path)
                expected = self.expected(path, options)
                (row,) = store.rows()
                expected.check(row)
                (shown,) = store.run("list", "--json", "--reveal").json()
                expected.check(shown_as_row(shown))
                output = path.with_suffix(".exported")
                store.run("export", "--uid", expected.uid, "--output", output)
                self.assertEqual(output.read_bytes(), path.read_bytes(), "the exported archive is another one")
                self.assertEqual(int(output.stat().st_mtime), expected.columns["obtained_at"])
                output.unlink()

    def test_the_refusal_in_words_has_the_same_options(self) -> None:
        for path in self.files:
            with self.about(path):
                store = self.new_store()
                (failure, *_), _ = self.refusals(store, [path], [])
                if not failure:
                    continue
                outcome = store.run("import", path, status=FAILED)
                self.assertIn(suggested_options(failure), outcome.errors)
                self.assertIn(path.name, outcome.errors)

    # MARK: All at once

    def test_the_account_with_the_latest_time_stays_whatever_the_order(self) -> None:
        options = self.options_for_all()
        self.save_at({path: SAVED_AT + 86400 * index for index, path in enumerate(random_order(self.files, 1))})
        latest: dict[int, ExpectedAccount] = {}
        for account in (self.expected(path, options) for path in self.files):
            known = latest.setdefault(account.uid, account)
            if account.columns["obtained_at"] > known.columns["obtained_at"]:
                latest[account.uid] = account
        self.check_result([self.legacy], options, latest)
        for seed in range(4):
            self.check_result(random_order(self.files, seed), options, latest, jobs=1 + seed)

    def test_of_accounts_of_one_time_the_same_stays_whatever_the_order(self) -> None:
        options = self.options_for_all()
        results = []
        for seed in range(6):
            store = self.new_store()
            store.run("import", *random_order(self.files, seed), *options)
            results.append(store.rows())
        for result in results[1:]:
            self.assertEqual(result, results[0])

    def test_replacing_ends_in_the_last_and_keeping_in_the_first(self) -> None:
        options = self.options_for_all()
        for order in [self.files, *(random_order(self.files, seed) for seed in range(3))]:
            paths: list[Path] = [self.legacy] if order is self.files else order
            accounts = [self.expected(path, options) for path in order]
            last = {account.uid: account for account in accounts}
            first = {account.uid: account for account in reversed(accounts)}
            for jobs in (1, 4):
                self.check_result(paths, [*options, "--on-conflict", "replace"], last, jobs=jobs)
                self.check_result(paths, [*options, "--on-conflict", "keep"], first, jobs=jobs)

    def test_where_conflicts_fail_the_first_stays_and_the_others_are_refused(self) -> None:
        options = [*self.options_for_all(), "--on-conflict", "fail"]
        for order in [self.files, random_order(self.files, 1)]:
            store = self.new_store()
            accounts = [self.expected(path, options) for path in order]
            first = {account.uid: account for account in reversed(accounts)}
            report = store.run("import", "--json", *order, *options, status=PARTLY_DONE).json()
            self.check_rows(store, first)
            refused = [path for path, account in zip(order, accounts, strict=True) if first[account.uid] is not account]
            found = [(failure["path"], failure["code"]) for failure in report["failures"]]
            self.assertEqual(found, [(str(path), "conflict") for path in refused])

    # MARK: There and back

    def test_exports_of_all_give_the_same_rows_and_the_same_exports(self) -> None:
        options = self.options_for_all()
        for path in self.files:
            with self.about(path):
                self.check_round_trip([path], options)
        self.check_round_trip([self.legacy], options)

    def test_a_second_import_reads_nothing_and_changes_nothing(self) -> None:
        store = self.new_store()
        options = self.options_for_all()
        store.run("import", self.legacy, *options)
        before = store.rows()
        again = store.run("import", "--json", self.legacy, *options).json()
        self.assertEqual((again["skipped"], again["accounts"]), (len(self.files), 0))
        self.assertEqual(store.rows(), before)
        once_more = store.run("import", "--json", "--again", self.legacy, *options).json()
        self.assertEqual((once_more["skipped"], once_more["updated"], once_more["inserted"]), (0, 0, 0))
        self.assertEqual(store.rows(), before)

    def check_round_trip(self, paths: list[Path], options: list[str]) -> None:
        store, copy = self.new_store(), self.new_store()
        store.run("import", *paths, *options)
        first, second = self.new_path("first"), self.new_path("second")
        store.run("export", "--all", "--output", first)
        copy.run("import", first, *options)
        self.assertEqual(copy.rows(), store.rows())
        copy.run("export", "--all", "--output", second)
        self.assertEqual(contents(second), contents(first))

    # MARK: Steps

    def expected(self, path: Path, options: list[str]) -> ExpectedAccount:
        return ExpectedAccount(path.read_bytes(), options, modified_at=int(path.stat().st_mtime))

    def save_at(self, times: dict[Path, float]) -> None:
        """Sets when the apps saved their files."""
        for path, time in times.items():
            os.utime(path, ns=(0, int(time * 1_000_000_000)))

    def refusals(self, store: Store, paths: list[Path], options: list[str]) -> tuple[list[str], int]:
        """Imports, and gives the messages of what was refused."""
        outcome = store.run("import", "--json", *options, *paths, status=None)
        messages = [failure["message"] for failure in outcome.json()["failures"]]
        refused_all = len(messages) == len(paths)
        expected = FAILED if refused_all and messages else PARTLY_DONE if messages else DONE
        self.assertEqual(outcome.status, expected, str(outcome))
        return messages or [""], outcome.status

    def accepted_options(self, store: Store, path: Path) -> list[str]:
        """Imports a file, with what each refusal names as the way to have it accepted."""
        options: list[str] = []
        for _ in range(4):
            (message,), status = self.refusals(store, [path], options)
            if status == DONE:
                return options
            options += shlex.split(suggested_options(message))
        raise AssertionError(f"still refused with {options}: {message}")

    def options_for_all(self) -> list[str]:
        """The options of all files, which one import can have."""
        options: list[str] = []
        for path in self.files:
            found = self.accepted_options(self.new_store(), path)
            for name, value in zip(found[::2], found[1::2], strict=True):
                if [name, value] not in [options[i : i + 2] for i in range(0, len(options), 2)]:
                    options += [name, value]
        return options

    def check_result(
        self, paths: list[Path], options: list[str], expected: dict[int, ExpectedAccount], jobs: int = 2
    ) -> None:
        store = self.new_store()
        store.run("import", "--jobs", jobs, *options, *paths)
        self.check_rows(store, expected)

    def check_rows(self, store: Store, expected: dict[int, ExpectedAccount]) -> None:
        rows = store.rows()
        self.assertEqual([row["uid"] for row in rows], sorted(expected))
        for row in rows:
            expected[row["uid"]].check(row)


def token_in(path: Path) -> str | None:
    archive = KeyedArchive(path.read_bytes())
    token = archive.simple(archive.fields(archive.root)["access_token"])
    return token if isinstance(token, str) else None


def suggested_options(message: str) -> str:
    """The options at the end of a refusal, as they are typed into a shell."""
    found = re.search(r"accepted with (--.+)$", message)
    if not found:
        raise AssertionError(f"the refusal does not say how to have the file accepted: {message}")
    return found[1]


def random_order(paths: Iterable[Path], seed: int) -> list[Path]:
    """The paths in another order, which is the same for the same seed."""
    return random.Random(seed).sample(list(paths), len(list(paths)))
