"""The command line tool as a user meets it: a process with arguments, two streams and an exit status."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOOL = Path(os.environ.get("ACCOUNTS_TOOL", "accounts"))
CORPUS = Path(os.environ["ACCOUNTS_CORPUS"]) if os.environ.get("ACCOUNTS_CORPUS") else None

DONE, FAILED, PARTLY_DONE, WRONG_USAGE = 0, 1, 2, 64

Argument = str | bytes | int | Path


@dataclass(frozen=True)
class Outcome:
    """How a run of the tool has ended."""

    command: str
    status: int
    output: bytes
    errors: str

    def json(self) -> Any:
        """The one JSON document that is on standard output."""
        return json.loads(self.output)

    def __str__(self) -> str:
        return f"{self.command}\nexit status {self.status}\n{self.errors}"


class Store:
    """A store in a folder of its own."""

    def __init__(self, case: EndToEndCase, path: Path) -> None:
        self.case = case
        self.path = path

    def run(self, *arguments: Argument, status: int | None = DONE, **options: Any) -> Outcome:
        """Runs a command on the store."""
        return self.case.accounts("--database", self.path, *arguments, status=status, **options)

    def rows(self) -> list[dict[str, Any]]:
        """The accounts as SQLite gives them to Python, without the columns that forms need."""
        columns = "uid, access_token, expires_in, remind_in, obtained_at, expires_at, extras"
        with closing(sqlite3.connect(self.path)) as database:
            database.row_factory = sqlite3.Row
            rows = database.execute(f"SELECT {columns} FROM accounts ORDER BY uid").fetchall()
        return [dict(row) | {"extras": json.loads(row["extras"])} for row in rows]

    def query(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """What Python's SQLite answers."""
        with closing(sqlite3.connect(self.path)) as database:
            return database.execute(sql, parameters).fetchall()


class EndToEndCase(unittest.TestCase):
    """A test that runs the tool, in a temporary folder of its own."""

    maxDiff = None
    # Tokens that may be nowhere in what the tool prints, unless it is told to reveal them.
    secrets: Sequence[str] = ()

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="accounts-check-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self._made = 0

    def new_path(self, name: str) -> Path:
        """A path of that name in a new folder of its own."""
        self._made += 1
        folder = self.folder / str(self._made)
        folder.mkdir()
        return folder / name

    def new_store(self) -> Store:
        return Store(self, self.new_path("accounts.sqlite"))

    def accounts(
        self, *arguments: Argument, status: int | None = DONE, tool: Path = TOOL, **options: Any
    ) -> Outcome:
        """Runs the tool and holds it to what always has to be so.

        status is the exit status that is expected; None takes any that the tool has a meaning for. Other options are
        those of subprocess.run.
        """
        words = [os.fsencode(str(word) if isinstance(word, int) else word) for word in arguments]
        options = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 120} | options
        if "input" in options:
            del options["stdin"]
        ended: subprocess.CompletedProcess[Any] = subprocess.run([tool, *words], **options)
        command = " ".join(["accounts", *(shlex.quote(os.fsdecode(word)) for word in words)])
        outcome = Outcome(command, ended.returncode, ended.stdout, ended.stderr.decode())
        self.check(outcome, status, reveals=b"--reveal" in words)
        return outcome

    def check(self, outcome: Outcome, status: int | None, reveals: bool = False) -> None:
        known = (DONE, FAILED, PARTLY_DONE, WRONG_USAGE)
        self.assertIn(outcome.status, known, f"the tool has crashed, or knows more than it says:\n{outcome}")
        if status is not None:
            self.assertEqual(outcome.status, status, str(outcome))
        if outcome.status in (FAILED, WRONG_USAGE):
            self.assertNotEqual(outcome.errors, "", f"it failed and does not say why:\n{outcome}")
        if not reveals:
            for secret in self.secrets:
                self.assertNotIn(secret, outcome.errors, "a token is on standard error")
                self.assertNotIn(secret.encode(), outcome.output, "a token is on standard output")

    def assert_one_line(self, outcome: Outcome, *parts: str) -> None:
        """Holds standard error to one line with all of these texts in it, whatever their case."""
        self.assertEqual(outcome.errors.count("\n"), 1, f"standard error is not one line:\n{outcome}")
        self.assertLess(len(outcome.errors), 500, f"the line is too long to be read:\n{outcome}")
        for part in parts:
            self.assertIn(part.lower(), outcome.errors.lower(), str(outcome))

    def tool_for_nobody(self) -> Path:
        """A copy of the tool at a place that everybody may read."""
        copy = self.new_path("accounts")
        shutil.copyfile(TOOL, copy)
        for path in (self.folder, copy.parent, copy):
            path.chmod(0o755)
        return copy

    @contextmanager
    def about(self, path: Path) -> Iterator[None]:
        """A test about one file of many."""
        with self.subTest(path.name):
            yield


def nobody() -> dict[str, Any]:
    """The options of subprocess.run by which root becomes somebody without rights; none for others."""
    return {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


class CorpusCase(EndToEndCase):
    """A test with a folder of archives, which is skipped where that is not at hand."""

    @classmethod
    def setUpClass(cls) -> None:
        if CORPUS is None:
            raise unittest.SkipTest("there is no folder of archives; name one with --corpus or $ACCOUNTS_CORPUS")


def corpus_files(folder: str, *suffixes: str) -> list[Path]:
    """The files of a folder of the corpus, in the order of the bytes of their names."""
    assert CORPUS is not None
    files = [path for path in (CORPUS / folder).iterdir() if path.suffix != ".tsv"]
    if suffixes:
        files = [path for path in files if path.name.endswith(suffixes)]
    assert files, f"there is nothing in the corpus' folder {folder}"
    return sorted(files, key=lambda path: os.fsencode(path.name))


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The files of a folder by their names, with their times of last change."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
