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

    /// An archive with a time at which the token ends, and a second field, which may be the same object.
    private func archive(uid: Int64, life: Int64, end: Double, other: Value) throws -> [UInt8] {
        try Archive.data(
            archiving: ArchivedClass(name: "Account"),
            fields: [
                ArchiveField("access_token", .text("2.00abcdefghijklmn\(uid)")),
                ArchiveField("expires_in", .integer(life), encoding: .inline),
                ArchiveField("remind_in", 0, encoding: .inline),
                ArchiveField("uid", .integer(uid), encoding: .inline),
                ArchiveField("expires_at", .date(Date(timeIntervalSinceReferenceDate: end))),
                ArchiveField("other", other, encoding: .inline),
            ]
        )
    }

    @Test("a time that is one object with another number, or that a long life does not give again")
    func times() throws {
        let reader = AccountArchiveReader(options: Self.options)
        for round in 1...4 as ClosedRange<Int64> {
            let end = 662_688_000 + Double(round)
            for life in [3_600, 157_679_999, 1 << 53 + round, .max, .min] as [Int64] {
                for other in [Value.real(end), .real(5), .integer(1)] {
                    let bytes = try archive(uid: round, life: life, end: end, other: other)
                    expectSame(reader, bytes, "\(round), \(life), \(other.kind)")
                    let read = try reader.accounts(in: bytes, obtainedAt: Self.options.obtainedAt)[0]
                    #expect(try StoredArchive(read.account, read).archiveData() == bytes)
                }
            }
        }
    }

    @Test("numbers and texts that are spelled in more bytes than they need are read in the general way")
    func otherSpellings() throws {
        let reader = AccountArchiveReader(options: Self.options)
        let names = ["valid_reference", "uid_8byte_smallvalue", "token_long_len_small", "uid_2byte_high", "int64_min"]
        for name in names + names { expectSame(reader, try ArchiveFixtures.bytes("bad/\(name).data"), name) }
    }
}
