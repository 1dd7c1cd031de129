"""Archives that other programs wrote, as the tool shows them and as plistlib reads them."""

from __future__ import annotations

from pathlib import Path

from accounts_tool import DONE, FAILED, CorpusCase, corpus_files
from keyed_archive import Comparison, KeyedArchive, NotAnArchive


class Real(CorpusCase):
    def test_each_archive_is_shown_as_it_is(self) -> None:
        for path in corpus_files("real"):
            with self.about(path):
                if archive := self.archive(path):
                    self.check_document(path, archive)

    def test_each_other_file_is_refused(self) -> None:
        for path in corpus_files("real"):
            with self.about(path):
                if self.archive(path) is None:
                    outcome = self.accounts("inspect", "--json", "--reveal", path, status=FAILED)
                    self.assertEqual(outcome.output, b"")
                    self.assert_one_line(outcome, path.name)

    def test_each_file_can_be_shown_to_people_and_imported_or_refused(self) -> None:
        for path in corpus_files("real"):
            with self.about(path):
                self.accounts("inspect", path, status=FAILED if self.archive(path) is None else DONE)
        store = self.new_store()
        outcome = store.run("import", "--json", *corpus_files("real"), status=FAILED)
        self.assertEqual(outcome.json()["rejected"], len(corpus_files("real")))
        # None of them holds an account, whatever class is taken for one.
        outcome = store.run("import", "--class", "*", *corpus_files("real"), status=FAILED)
        self.assertEqual(store.rows(), [])

    def check_document(self, path: Path, archive: KeyedArchive) -> None:
        document = self.accounts("inspect", "--json", "--reveal", path).json()
        self.assertEqual(document["format"], "binary" if archive.is_binary else "xml")
        self.assertEqual((document["archiver"], document["version"]), ("NSKeyedArchiver", 100000))
        self.assertEqual(document["objects"], len(archive.objects))
        comparison = Comparison(archive)
        comparison.compare_top(document["top"])
        comparison.compare_references(document)

    def archive(self, path: Path) -> KeyedArchive | None:
        """The archive that is in a file; None if it is none, or damaged."""
        try:
            archive = KeyedArchive(path.read_bytes())
            archive.check()
        except NotAnArchive:
            return None
        return archive
