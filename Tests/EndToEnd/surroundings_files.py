"""Files and folders that are not as they should be, and command lines that are wrong."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from accounts_tool import DONE, FAILED, PARTLY_DONE, TOOL, WRONG_USAGE, EndToEndCase, nobody
from sample_archives import account_archive, write_archives

TOKEN = "2.00SECRETtoken"


class Files(EndToEndCase):
    secrets = [TOKEN]

    def setUp(self) -> None:
        super().setUp()
        self.store = self.new_store()
        self.good = self.new_path("account.data")
        self.good.write_bytes(account_archive(7, TOKEN))

    # MARK: What cannot be read

    def unreadable(self) -> dict[str, Path]:
        """Paths at which there is no archive to be had, each for another reason."""
        folder = self.new_path("unreadable")
        folder.mkdir()
        loop, fifo, dangling = folder / "loop", folder / "fifo", folder / "dangling"
        loop.symlink_to(loop)
        dangling.symlink_to(folder / "gone")
        os.mkfifo(fifo)
        return {
            "nothing there": folder / "nothing",
            "a file as a folder": self.good / "account.data",
            "a link to itself": loop,
            "a link to nothing": dangling,
            "a pipe that nobody writes to": fifo,
            "a name that is too long": folder / ("n" * 300),
            "a device without an end": Path("/dev/zero"),
        }

    def test_a_path_that_cannot_be_read_is_one_line(self) -> None:
        for reason, path in self.unreadable().items():
            # A pipe is as good as a file where one file is wanted, and is waited for.
            for command in (["import", "--quiet"], *([] if path.name == "fifo" else [["inspect"], ["add"]])):
                with self.subTest(reason, command=command):
                    outcome = self.store.run(*command, path, status=FAILED, timeout=20)
                    self.assert_one_line(outcome, path.name[:200])
                    self.assertEqual(outcome.output, b"")

    def test_a_path_that_cannot_be_read_does_not_keep_the_others_out(self) -> None:
        for reason, path in self.unreadable().items():
            with self.subTest(reason):
                store = self.new_store()
                outcome = store.run("import", "--json", path, self.good, status=PARTLY_DONE, timeout=20)
                (failure,) = outcome.json()["failures"]
                self.assertIn(failure["code"], ("unreadable", "tooLarge"))
                self.assertEqual([row["uid"] for row in store.rows()], [7])

    def test_a_file_of_a_gigabyte_is_refused_before_it_is_read(self) -> None:
        usual = self.peak_memory("inspect", self.good, status=DONE)
        for start in (b"bplist00", b"<?xml version='1.0'?><plist>"):
            huge = self.new_path("huge.data")
            with open(huge, "wb") as file:
                file.write(start)
                file.truncate(1 << 30)
            for command in (["inspect"], ["--database", self.new_path("store.sqlite"), "import"]):
                with self.subTest(start=start, command=command):
                    peak = self.peak_memory(*command, huge, status=FAILED, says="tooLarge")
                    self.assertLess(peak, usual + (16 << 20))

    def peak_memory(self, *arguments: str | Path, status: int, says: str = "") -> int:
        """The bytes of memory that the tool has at most while it runs."""
        command = [TOOL, *arguments]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            errors = process.stderr.read().decode()
            _, ended, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(ended)
        self.assertEqual(process.returncode, status, errors)
        self.assertIn(says, errors)
        return usage.ru_maxrss * 1024

    def test_a_folder_with_odd_things_in_it_is_walked(self) -> None:
        folder = next(iter(self.unreadable().values())).parent
        shutil.copyfile(self.good, folder / "account.data")
        (folder / "back").symlink_to(folder)
        (folder / os.fsdecode(b"not-utf8-\xff\xfe.data")).write_bytes(account_archive(8, TOKEN))
        (folder / "two\nlines \x1b[31m.data").write_bytes(account_archive(9, TOKEN)[:-1])
        outcome = self.store.run("import", folder, status=PARTLY_DONE, timeout=20)
        self.assertEqual([row["uid"] for row in self.store.rows()], [7, 8])
        self.assertNotIn("\x1b", outcome.errors)

    @unittest.skipUnless(nobody(), "only root can become somebody who may not read a file")
    def test_a_file_that_may_not_be_read(self) -> None:
        self.good.chmod(0)
        self.folder.chmod(0o755)
        self.good.parent.chmod(0o755)
        outcome = self.accounts("inspect", self.good, status=FAILED, tool=self.tool_for_nobody(), **nobody())
        self.assert_one_line(outcome, self.good.name, "permission denied")

    def test_inspect_and_add_want_a_file(self) -> None:
        for command in ("inspect", "add"):
            outcome = self.store.run(command, self.folder, status=FAILED)
            self.assert_one_line(outcome, str(self.folder))

    # MARK: Standard streams

    def test_an_archive_on_standard_input(self) -> None:
        archive = self.good.read_bytes()
        self.store.run("import", "-", input=archive)
        self.assertEqual([row["uid"] for row in self.store.rows()], [7])
        document = self.accounts("inspect", "--json", "--reveal", "-", input=archive).json()
        self.assertEqual(document["top"]["root"]["uid"], 7)
        exported = self.store.run("export", "--uid", 7, "--output", "-", "--layout", "original", "--json", status=None)
        self.assertEqual(exported.status, WRONG_USAGE)
        with open(self.new_path("out"), "w+b") as file:
            subprocess.run(
                [TOOL, "--database", self.store.path, "export", "--uid", "7", "-o", "-"], stdout=file, check=True
            )
            file.seek(0)
            self.assertEqual(file.read(), archive)

    def test_output_that_cannot_be_written(self) -> None:
        self.store.run("import", self.good)
        for command in (["list"], ["list", "--json"], ["show", "7"], ["inspect", str(self.good)], ["help"], ["--help"]):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                ended = subprocess.run(
                    [TOOL, "--database", self.store.path, *command],
                    stdout=full, stderr=subprocess.PIPE, text=True, timeout=20,
                )  # fmt: skip
                self.assertEqual(ended.returncode, FAILED, ended.stderr)
                self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)

    def test_a_reader_that_goes_away_is_no_accident(self) -> None:
        folder = self.new_path("many")
        write_archives(folder, range(2_000))
        self.store.run("import", folder)
        for command in ("list", "list --json"):
            script = f'"$0" --database "$1" {command} | head -c 10; echo "${{PIPESTATUS[0]}}" >&2'
            ended = subprocess.run(
                ["bash", "-c", script, TOOL, self.store.path], capture_output=True, text=True, timeout=60
            )
            self.assertEqual(len(ended.stdout), 10)
            self.assertIn(ended.stderr, ("0\n", "1\n", "141\n"))

    # MARK: Where exports go

    def test_an_export_that_cannot_be_written_leaves_nothing(self) -> None:
        self.store.run("import", self.good)
        folder = self.new_path("folder")
        folder.mkdir()
        for output in (folder, folder / "missing" / "account.data", Path("/proc/account.data"), Path("/dev/full/x")):
            with self.subTest(output=output):
                outcome = self.store.run("export", "--uid", 7, "--output", output, status=FAILED)
                self.assert_one_line(outcome, output.name)
        self.assertEqual(list(folder.iterdir()), [])

    def test_an_account_that_is_not_there(self) -> None:
        self.store.run("import", self.good)
        output = self.new_path("account.data")
        for command in (["export", "--uid", "8", "--output", output], ["show", "8"], ["remove", "8"]):
            with self.subTest(command=command):
                self.assert_one_line(self.store.run(*command, status=FAILED), "8")
        self.assertEqual(list(output.parent.iterdir()), [])
        outcome = self.store.run("export", "--uid", 7, 8, "--output", output.parent, status=PARTLY_DONE)
        self.assertIn("8", outcome.errors)
        self.assertEqual((output.parent / "7" / "account.data").read_bytes(), self.good.read_bytes())

    # MARK: Quarantine

    def test_refused_files_are_put_aside_as_they_were(self) -> None:
        folder, quarantine = self.new_path("legacy"), self.new_path("refused")
        (folder / "app").mkdir(parents=True)
        damaged = folder / "app" / "account.data"
        damaged.write_bytes(self.good.read_bytes()[:-1])
        self.store.run("import", folder, self.good, "--quarantine", quarantine, status=PARTLY_DONE)
        self.assertEqual((quarantine / "app" / "account.data").read_bytes(), damaged.read_bytes())
        self.assertTrue(damaged.exists())
        for path in quarantine.rglob("*.json"):
            self.assertNotIn(TOKEN, path.read_text())


class Usage(EndToEndCase):
    """Command lines that are wrong: exit status 64, what is wrong first, and the word that was meant."""

    CASES = {
        "improt x": "import",
        "lst": "list",
        "list --databse x": "--database",
        "import x --on-conflct keep": "--on-conflict",
        "import x --on-conflict newst": "newest",
        "import x --unknown kep": "keep",
        "export --all --output x --layout ios14": "ios13",
        "export --all --output x --formt xml": "--format",
        "import --quarentine x y": "--quarantine",
        "list --jsn": "--json",
        "import": "PATH",
        "export --all": "--output",
        "export --output x": "--uid",
        "export --all --uid 1 --output x": "--all",
        "show": "UID",
        "show abc": "abc",
        "show 1 2": "2",
        "show 9223372036854775808": "9223372036854775808",
        "list --limit many": "--limit",
        "list --limit -1": "--limit",
        "list --limit": "--limit",
        "list --limit=": "--limit",
        "list --expiring-before yesterday": "--expiring-before",
        "import x --jobs 0": "--jobs",
        "import x --missing uid=0": "uid",
        "import x --missing remind_in": "=",
        "import x --missing remind_in=many": "remind_in",
        "import x --key a=b": "uid",
        "import x --key a": "=",
        "list --json=yes": "--json",
        "list --database=": "--database",
        "": "Usage",
        "-x": "-x",
        "--database": "--database",
        "help nothing": "nothing",
    }

    def test_each_wrong_command_line(self) -> None:
        for line, hint in self.CASES.items():
            with self.subTest(line):
                outcome = self.accounts(*line.split(), status=WRONG_USAGE, cwd=self.folder)
                self.assertIn(hint, outcome.errors)
                self.assertEqual(outcome.output, b"")
                if line:
                    self.assertLessEqual(outcome.errors.count("\n"), 3, outcome.errors)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_misspellings_are_answered_with_what_was_meant(self) -> None:
        for line in ("improt x", "list --databse x", "import x --on-conflct keep", "import x --on-conflict newst"):
            with self.subTest(line):
                outcome = self.accounts(*line.split(), status=WRONG_USAGE, cwd=self.folder)
                self.assertIn("did you mean", outcome.errors.lower())

    def test_help_is_there_for_everything(self) -> None:
        commands = ("import", "export", "inspect", "list", "show", "add", "remove", "migrate", "check", "backup")
        overview = self.accounts("--help")
        self.assertEqual(overview.errors, "")
        for command in commands:
            with self.subTest(command):
                self.assertIn(command, overview.output.decode())
                by_name, by_option = self.accounts("help", command), self.accounts(command, "--help")
                self.assertEqual(by_name.output, by_option.output)
                # What can be copied, a command line or JSON, is not broken up.
                lines = [line for line in by_name.output.decode().splitlines() if not re.search('accounts |{"', line)]
                self.assertLessEqual(max(map(len, lines)), 80)
        self.assertRegex(self.accounts("--version").output.decode(), r"^accounts \d+\.\d+\.\d+\n$")

    def test_options_take_values_in_both_ways_and_dashes_end_them(self) -> None:
        archive = self.folder / "--json"
        archive.write_bytes(account_archive(7, TOKEN))
        lines = (["--database", "a.sqlite", "import"], ["import", "--database=b.sqlite"])
        for line in ([*line, "--", "--json"] for line in lines):
            with self.subTest(line=line):
                outcome = self.accounts(*line, cwd=self.folder)
                self.assertEqual(outcome.output, b"")
        environment = os.environ | {"ACCOUNTS_DATABASE": "a.sqlite"}
        (shown,) = self.accounts("list", "--json", cwd=self.folder, env=environment, status=DONE).json()
        self.assertEqual(shown["uid"], 7)
