"""Archives with a bit or a byte wrong, or cut off: refused, or read as plistlib reads them, never as another."""

from __future__ import annotations

import os

from accounts_expected import ExpectedAccount
from accounts_tool import PARTLY_DONE, EndToEndCase
from keyed_archive import NotAnArchive
from sample_archives import SAVED_AT, account_archive

# Each damaged archive has a user of its own, so that one store holds them all; the ids have the same width.
FIRST_UID = 1_000_000_000


class Damage(EndToEndCase):
    secrets = ["2.00SECRETtoken"]

    def test_every_bit_of_a_binary_archive(self) -> None:
        count = len(self.archive(0)) * 8
        self.check_all([flipped(self.archive(index), index) for index in range(count)])

    def test_every_truncation_of_a_binary_archive(self) -> None:
        self.check_all([self.archive(index)[:index] for index in range(len(self.archive(0)) + 1)])

    def test_every_byte_of_an_xml_archive(self) -> None:
        for replacement in (b"", b"0", b"<"):
            count = len(self.archive(0, xml=True))
            self.check_all([replaced(self.archive(index, xml=True), index, replacement) for index in range(count)])

    def archive(self, index: int, xml: bool = False) -> bytes:
        return account_archive(FIRST_UID + index, "2.00SECRETtoken", xml=xml)

    def check_all(self, archives: list[bytes]) -> None:
        """Imports them in one process, and holds each that was accepted against what plistlib says of it."""
        folder, store = self.new_path("damaged"), self.new_store()
        folder.mkdir()
        for index, archive in enumerate(archives):
            (folder / str(index)).write_bytes(archive)
            os.utime(folder / str(index), (0, SAVED_AT))
        names = [str(index) for index in range(len(archives))]
        options = ["--json", "--on-conflict", "fail"]
        report = store.run("import", *options, *names, cwd=folder, status=PARTLY_DONE).json()
        refused = {int(failure["path"]) for failure in report["failures"]}
        rows = {row["uid"]: row for row in store.rows()}
        uids = set()
        for index in sorted(set(range(len(archives))) - refused):
            with self.subTest(archive=archives[index]):
                expected = self.expected(archives[index], index)
                uids.add(expected.uid)
                self.assertIn(expected.uid, rows)
                expected.check(rows[expected.uid])
        self.assertEqual(set(rows), uids)

    def expected(self, archive: bytes, index: int) -> ExpectedAccount:
        """What is in a damaged archive that was accepted."""
        try:
            return ExpectedAccount(archive, modified_at=SAVED_AT)
        except NotAnArchive as error:
            # What comes before the first value in XML has no say in the values, and few mind it. Python does.
            whole = self.archive(index, xml=True)
            _, begin, content = whole.partition(b"<dict>")
            self.assertTrue(archive.endswith(begin + content), f"plistlib finds no account in it: {error}")
            return ExpectedAccount(whole, modified_at=SAVED_AT)


def flipped(data: bytes, bit: int) -> bytes:
    place = bit // 8
    return data[:place] + bytes([data[place] ^ 1 << bit % 8]) + data[place + 1 :]


def replaced(data: bytes, place: int, replacement: bytes) -> bytes:
    return data[:place] + replacement + data[place + 1 :]
