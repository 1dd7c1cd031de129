import Foundation
import KeyValueCoding
import KeyedArchive
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Writing many archives of few forms")
struct AccountArchiveWriterTests {
    private static let numbers: [Int64] = [
        0, 1, 255, 256, 65_535, 65_536, 99_999, 100_000, 1_404_376_560, 4_294_967_295, 4_294_967_296, 1 << 55,
        -(1 << 55),
        (1 << 55) - 1, -1, .max, .min,
    ]

    private static let tokens: [String?] = [
        nil, "", "x", "uid", "Account", "2.00abcdefg", "2.00abcdefgh", "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZ12",
        String(repeating: "t", count: 14), String(repeating: "t", count: 15), String(repeating: "t", count: 255),
        String(repeating: "t", count: 256), "access_token令牌",
        "令牌令牌令牌令牌令牌令牌", "abcdefghijk\u{0}lmnop",
    ]

    /// An account with values that have something special about them, or nothing.
    private static func account(_ generator: inout SeededGenerator) -> Account {
        func number() -> Int64 {
            Bool.random(using: &generator)
                ? numbers.randomElement(using: &generator) ?? 0
                : Int64.random(in: 0...Int64.max, using: &generator) >> Int64.random(in: 0..<63, using: &generator)
        }
        var account = Account(uid: number(), accessToken: nil, expiresIn: number(), remindIn: number())
        account.accessToken = tokens.randomElement(using: &generator) ?? nil
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: account.remindIn = account.expiresIn
        case 1: account.remindIn = account.uid
        case 2: account.expiresIn = account.uid
        case 3: account.extras = ["name": "n", "life": .integer(account.expiresIn)]
        case 4: account.obtainedAt = Date(timeIntervalSince1970: 1_440_000_000)
        default: break
        }
        return account
    }

    private func expectSame(
        _ writer: AccountArchiveWriter,
        _ stored: StoredArchive,
        _ options: ArchiveWriteOptions = ArchiveWriteOptions()
    ) throws {
        let expected = try stored.archiveData(options)
        #expect(try writer.data(for: stored) == expected)
        if stored.form == nil {
            var buffer: [UInt8] = [1, 2, 3]
            try writer.append(stored.account, to: &buffer)
            #expect(buffer == [1, 2, 3] + expected)
        }
    }

    @Test(
        "accounts that never were in an archive give the same bytes as in the general way",
        .disabled(if: Effort.looksForRaces, "it has one thread"),
        arguments: [
            ArchiveWriteOptions(), ArchiveWriteOptions(layout: .ios12), ArchiveWriteOptions(format: .xml),
            ArchiveWriteOptions(layout: .ios13, className: "Weibo.UserAccount"),
        ]
    )
    func legacy(options: ArchiveWriteOptions) throws {
        let writer = AccountArchiveWriter(options: options)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var account = Self.account(&generator)
            // No XML can hold the character.
            if options.format == .xml { account.accessToken?.removeAll { $0 == "\u{0}" } }
            try expectSame(writer, StoredArchive(account: account), options)
        }
    }

    @Test(
        "changed accounts in the form of an app's archive give the same bytes as in the general way",
        .disabled(if: Effort.looksForRaces, "it has one thread"),
        arguments: try ArchiveFixtures.archives(in: "variants")
    )
    func imported(file: String) throws {
        let bytes = try ArchiveFixtures.bytes(file)
        let read = try ArchivedAccount.accounts(in: bytes, options: ArchiveRoundTripTests.lenient)[0]
        let writer = AccountArchiveWriter()
        var generator = SeededGenerator(seed: 11)
        for round in 0..<60 {
            var account = Self.account(&generator)
            if round % 2 == 0 { account.extras = read.account.extras }
            try expectSame(writer, StoredArchive(account: account, form: read.form))
            try expectSame(writer, StoredArchive(account, read))
            account = read.account
            account.uid = Int64.random(in: 1...Int64.max, using: &generator)
            try expectSame(writer, StoredArchive(account, read))
            account.accessToken = "2.00" + String(account.uid) + "abcdefgh"
            try expectSame(writer, StoredArchive(account, read))
        }
    }

    @Test("the forms of all apps are known at the same time, and an archive can be wanted in another form")
    func mixed() throws {
        let options = [
            ArchiveWriteOptions(), ArchiveWriteOptions(layout: .ios12), ArchiveWriteOptions(format: .xml),
            ArchiveWriteOptions(className: "Other"),
        ]
        let files = try ArchiveFixtures.archives(in: "variants") + ArchiveFixtures.archives(in: "expected")
        for options in options {
            let writer = AccountArchiveWriter(options: options)
            for _ in 1...3 {
                for file in files {
                    let bytes = try ArchiveFixtures.bytes(file)
                    let read = try ArchivedAccount.accounts(in: bytes, options: ArchiveRoundTripTests.lenient)[0]
                    try expectSame(writer, StoredArchive(read.account, read), options)
                }
            }
        }
    }

    @Test("an object that two extras have is written in the legacy app's form too")
    func sharedExtras() throws {
        var graph = ArchiveGraph(layout: .ios13)
        let picture = Value.reference(graph.add(ArchivedClass(name: "Picture"), fields: [ArchiveField("size", 5)]))
        let fields = [
            ArchiveField("access_token", "2.00abcdefghijklmn"), ArchiveField("expires_in", 1, encoding: .inline),
            ArchiveField("remind_in", 2, encoding: .inline), ArchiveField("uid", 3, encoding: .inline),
            ArchiveField("avatar", picture), ArchiveField("avatar_large", picture),
        ]
        try graph.setTop(.reference(graph.add(ArchivedClass(name: "Account"), fields: fields)), forKey: "root")
        let read = try ArchivedAccount.accounts(in: try graph.data())[0]
        for layout in ArchiveWriteOptions.Layout.allCases {
            let options = ArchiveWriteOptions(layout: layout)
            let writer = AccountArchiveWriter(options: options)
            for _ in 1...2 { try expectSame(writer, StoredArchive(read.account, read), options) }
        }
    }

    @Test("more forms and sizes than are remembered", .disabled(if: Effort.looksForRaces, "it has one thread"))
    func many() throws {
        let writer = AccountArchiveWriter()
        for length in Array(12..<600) + [70_000] {
            let account = Account(uid: 1, accessToken: String(repeating: "t", count: length), expiresIn: 2, remindIn: 3)
            try expectSame(writer, StoredArchive(account: account))
        }
    }

    @Test("several threads write at once")
    func threads() async throws {
        let writer = AccountArchiveWriter()
        var generator = SeededGenerator(seed: 13)
        let accounts = (0..<400).map { _ in Self.account(&generator) }
        let threads = WorkerThreads(8, name: "test")
        let same = try accounts.map { account in
            try threads.begin {
                let stored = StoredArchive(account: account)
                return (try? writer.data(for: stored)) == (try? stored.archiveData())
            }
        }
        for same in same { #expect(await same.value) }
        await threads.finish()
    }
}
