import Foundation
import KeyValueCoding
import KeyedArchive
import Testing

@testable import AccountStorage

@Suite("Reading many archives of few forms")
struct AccountArchiveReaderTests {
    private static let options = ArchiveRoundTripTests.lenient

    /// What reading gives in the general way, with an error as text.
    private func expected(_ bytes: [UInt8]) -> (accounts: [ArchivedAccount], error: String) {
        do {
            return (try ArchivedAccount.accounts(in: bytes, options: Self.options), "")
        } catch {
            return ([], String(describing: error))
        }
    }

    private func expectSame(_ reader: AccountArchiveReader, _ bytes: [UInt8], _ what: String) {
        let expected = expected(bytes)
        do {
            let found = try reader.accounts(in: bytes, obtainedAt: Self.options.obtainedAt)
            #expect(found == expected.accounts, "\(what)")
        } catch {
            #expect(String(describing: error) == expected.error, "\(what)")
        }
    }

    @Test(
        "a file of a known form gives what it gives in the general way",
        arguments: try ArchiveFixtures.archives(in: "variants")
    )
    func known(file: String) throws {
        let bytes = try ArchiveFixtures.bytes(file)
        let reader = AccountArchiveReader(options: Self.options)
        let first = try reader.accounts(in: bytes, obtainedAt: Self.options.obtainedAt)[0]
        for change in ArchiveRoundTripTests.edits {
            var account = first.account
            change.apply(&account)
            let written = try StoredArchive(account, first).archiveData()
            expectSame(reader, written, change.testDescription)
        }
        expectSame(reader, bytes, "the same file")
    }

    @Test("the forms of all apps are known at the same time")
    func mixed() throws {
        let files = try ArchiveFixtures.archives(in: "variants") + ArchiveFixtures.archives(in: "expected")
        let reader = AccountArchiveReader(options: Self.options)
        for round in 1...3 {
            for file in files { expectSame(reader, try ArchiveFixtures.bytes(file), "\(file), round \(round)") }
        }
    }

    @Test("numbers and texts that are spelled in more bytes than they need are read in the general way")
    func otherSpellings() throws {
        let reader = AccountArchiveReader(options: Self.options)
        let names = ["valid_reference", "uid_8byte_smallvalue", "token_long_len_small", "uid_2byte_high", "int64_min"]
        for name in names + names { expectSame(reader, try ArchiveFixtures.bytes("bad/\(name).data"), name) }
    }
}
