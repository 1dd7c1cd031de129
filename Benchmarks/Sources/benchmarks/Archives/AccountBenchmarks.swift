import AccountStorage
import CBaselines
import Foundation
import KeyedArchive

/// Accounts in and out of archives.
let accountBenchmarks = [
    Benchmark("decode-account", "100,000 accounts of one form, from bytes; against C", reach: .atLeast(2)) { settings in
        try await decodeAgainstC(try AccountFiles.oneForm(settings.amount(SampleAccounts.count)), settings)
    },
    Benchmark("decode-account-foundation", "the same; against NSKeyedUnarchiver", reach: .atLeast(300)) { settings in
        let files = try AccountFiles.oneForm(settings.amount(SampleAccounts.count))
        let data = files.contents.map { Data($0) }
        for index in data.indices.prefix(1000) {
            let account = try LegacyAccount.unarchive(data[index]).account
            try check(account == files.accounts[index], "Foundation reads another account")
        }
        let decoder = files.decoder
        return try await Comparison(
            unit: "archives/s",
            count: data.count,
            perRound: max(1, data.count / 5),
            baselineName: "NSKeyedUnarchiver",
            ours: { try decoder.decode($0) },
            baseline: { part in
                try part.reduce(into: 0) { sum, index in
                    sum &+= digest(try LegacyAccount.unarchive(data[index]).account)
                }
            }
        ).run(settings, usually: 5)
    },
    Benchmark("decode-mixed", "100,000 accounts of twenty forms, shuffled; against C", reach: .atLeast(0.8)) {
        settings in
        try await decodeAgainstC(try AccountFiles.mixed(settings.amount(SampleAccounts.count)), settings)
    },
    Benchmark("encode-account", "100,000 accounts to the legacy app's archives; against C", reach: .atLeast(0.8)) {
        settings in
        let accounts = SampleAccounts.make(settings.amount(SampleAccounts.count))
        let encoder = CEncoder(accounts)
        let writer = AccountArchiveWriter()
        try checkEncoders()
        return try await Comparison(
            unit: "archives/s",
            count: accounts.count,
            perRound: accounts.count,
            baselineName: "C",
            ours: { try encode(accounts[$0], with: writer) { cb_checksum($0.baseAddress, $0.count) } },
            baseline: { try encoder.encode($0) }
        ).run(settings, usually: 15)
    },
    Benchmark("encode-account-foundation", "the same; against NSKeyedArchiver", reach: .atLeast(400)) { settings in
        let accounts = SampleAccounts.make(settings.amount(SampleAccounts.count))
        let objects = accounts.map(LegacyAccount.init)
        let writer = AccountArchiveWriter()
        try checkFoundationEncoder(objects)
        return try await Comparison(
            unit: "archives/s",
            count: accounts.count,
            perRound: max(1, accounts.count / 10),
            baselineName: "NSKeyedArchiver",
            // The bytes differ, since Foundation on Linux has no order of keys: that there are some is all that is the same.
            ours: { try encode(accounts[$0], with: writer) { $0.count > 100 ? 1 : 0 } },
            baseline: { part in try part.reduce(into: 0) { $0 &+= try objects[$1].archived().count > 100 ? 1 : 0 } }
        ).run(settings, usually: 5)
    },
]

/// Archives with the accounts that are in them.
struct AccountFiles {
    var accounts: [Account]
    var contents: [[UInt8]]
    var options: ArchiveReadOptions
    var aliases: [String: String] = [:]

    /// All written in the legacy app's form.
    static func oneForm(_ count: Int) throws -> AccountFiles {
        let accounts = SampleAccounts.make(count)
        let contents = try accounts.map { try StoredArchive(account: $0).archiveData() }
        return AccountFiles(accounts: accounts, contents: contents, options: ArchiveReadOptions())
    }

    /// In all forms of ``SampleForm``, in random order.
    static func mixed(_ count: Int, seed: UInt64 = 1) throws -> AccountFiles {
        var random = SeededGenerator(seed: seed + 1)
        var accounts = SampleAccounts.make(count, seed: seed)
        var contents: [[UInt8]] = []
        contents.reserveCapacity(count)
        for index in accounts.indices {
            let form = SampleForm.all[Int.random(in: SampleForm.all.indices, using: &random)]
            if !form.hasRemind { accounts[index].remindIn = 0 }
            contents.append(try form.archive(accounts[index], using: &random))
        }
        return AccountFiles(
            accounts: accounts,
            contents: contents,
            options: SampleForm.options,
            aliases: SampleForm.aliases
        )
    }

    var decoder: AccountDecoder { AccountDecoder(contents: contents, options: options) }

    var cDecoder: CDecoder {
        CDecoder(
            contents,
            classes: ["Account"] + options.classes,
            aliases: aliases,
            remindMayBeMissing: options.mapping.defaults["remind_in"] != nil
        )
    }
}

/// Ours: from the bytes of archives to accounts.
struct AccountDecoder {
    let contents: [[UInt8]]
    private let reader: AccountArchiveReader

    init(contents: [[UInt8]], options: ArchiveReadOptions) {
        self.contents = contents
        reader = AccountArchiveReader(options: options)
    }

    func account(_ index: Int) throws -> Account {
        try reader.account(in: contents[index])
    }

    /// Decodes a part of the files and gives the digest of all accounts in it.
    func decode(_ part: Range<Int>) throws -> UInt64 {
        var sum: UInt64 = 0
        for index in part { sum &+= digest(try account(index)) }
        return sum
    }
}

private func decodeAgainstC(_ files: AccountFiles, _ settings: Settings) async throws -> [Figures] {
    let (decoder, baseline) = (files.decoder, files.cDecoder)
    for index in files.accounts.indices {
        let (expected, ours, theirs) = (files.accounts[index], try decoder.account(index), try baseline.account(index))
        let isRead =
            ours.accessToken == expected.accessToken && ours.uid == expected.uid
            && ours.expiresIn == expected.expiresIn && ours.remindIn == expected.remindIn
        try check(isRead, "archive \(index) is read as another account")
        let isReadInC =
            theirs.token == expected.accessToken && theirs.uid == expected.uid
            && theirs.expiresIn == expected.expiresIn && theirs.remindIn == expected.remindIn
        try check(isReadInC, "archive \(index) is read as another account in C")
    }
    return try await Comparison(
        unit: "archives/s",
        count: files.accounts.count,
        perRound: files.accounts.count,
        baselineName: "C",
        ours: { try decoder.decode($0) },
        baseline: { try baseline.decode($0) }
    ).run(settings, usually: 15)
}

/// Ours: from accounts to archives, of each of which `use` makes a number; their sum.
private func encode(
    _ accounts: ArraySlice<Account>,
    with writer: AccountArchiveWriter,
    use: (UnsafeBufferPointer<UInt8>) -> UInt64
) throws -> UInt64 {
    var sum: UInt64 = 0
    var buffer: [UInt8] = []
    let accounts = accounts.span
    for index in accounts.indices {
        buffer.removeAll(keepingCapacity: true)
        try writer.append(accounts[index], to: &buffer)
        sum &+= buffer.withUnsafeBufferPointer(use)
    }
    return sum
}

/// Checks that the encoder in C writes what the library writes, whatever the values.
private func checkEncoders() throws {
    let tokens = ["2.00abcdefgh", "", "x", String(repeating: "t", count: 300), "令牌", "a😀b", "é"]
    let numbers: [Int64] = [0, 255, 256, 65_536, 100_000, 1 << 32, -1, .max, .min, 1_404_376_560]
    var accounts: [Account] = []
    for token in tokens {
        for uid in numbers {
            for life in numbers {
                accounts.append(Account(uid: uid, accessToken: token, expiresIn: life, remindIn: life))
                accounts.append(Account(uid: uid, accessToken: token, expiresIn: life, remindIn: 157_679_999))
                accounts.append(Account(uid: uid, accessToken: token, expiresIn: life, remindIn: uid))
            }
        }
    }
    let encoder = CEncoder(accounts)
    for (index, account) in accounts.enumerated() {
        let ours = try StoredArchive(account: account).archiveData()
        try check(ours == encoder.archive(index), "the baseline in C writes other bytes")
    }
}

private func checkFoundationEncoder(_ objects: [LegacyAccount]) throws {
    let options = ArchiveReadOptions(classes: ["*.LegacyAccount"])
    for object in objects.prefix(100) {
        let read = try ArchivedAccount.accounts(in: Array(try object.archived()), options: options)
        try check(read.map(\.account) == [object.account], "Foundation writes another account")
    }
}
