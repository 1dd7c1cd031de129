import Foundation
import KeyValueCoding
import KeyedArchive
import Testing

@testable import AccountStorage

@Suite("Archives of accounts, read and written back")
struct ArchiveRoundTripTests {
    /// What it takes to read the apps' archives.
    static let lenient = ArchiveReadOptions(
        classes: ["*"],
        mapping: MappingOptions(aliases: ["expires_date": "expires_at"], defaults: ["remind_in": 0]),
        obtainedAt: Date(timeIntervalSince1970: 1_440_000_000)
    )

    @Test(
        "an app's archive gives its account, and the account the bytes again",
        arguments: try ArchiveFixtures.archives(in: "variants")
    )
    func variants(file: String) throws {
        let bytes = try ArchiveFixtures.bytes(file)
        let accounts = try ArchivedAccount.accounts(in: bytes, options: Self.lenient)
        #expect(accounts.count == 1)
        let account = accounts[0].account
        #expect(account.accessToken == "2.00ABCDEFGHIJKLMNOPQRSTUVWXYZ12")
        #expect(account.uid == (file.contains("/11") ? 5_719_317_084 : 1_404_376_560))
        #expect(!accounts[0].form.isWholeFile)
        try expectSame(bytes, accounts[0])
    }

    @Test("the legacy app's form is written byte for byte from values", arguments: ["normal", "cjk", "minmax", "nil"])
    func expected(name: String) throws {
        for (layout, file) in [(ArchiveWriteOptions.Layout.ios12, "old"), (.ios13, "new")] {
            let bytes = try ArchiveFixtures.bytes("expected/\(name).apple64-\(file).data")
            let account = try ArchivedAccount.accounts(in: bytes)[0].account
            #expect(try StoredArchive(account: account).archiveData(ArchiveWriteOptions(layout: layout)) == bytes)
            if layout == .ios13 { #expect(try StoredArchive(account: account).archiveData() == bytes) }
        }
    }

    @Test("a valid archive of any kind gives its bytes again", arguments: validArchives)
    func valid(file: String) throws {
        let bytes = try ArchiveFixtures.bytes(file)
        let accounts = try ArchivedAccount.accounts(in: bytes)
        if accounts.count == 1 { try expectSame(bytes, accounts[0]) }
        for account in accounts {
            let written = try StoredArchive(account.account, account).archiveData()
            #expect(try ArchivedAccount.accounts(in: written).map(\.account) == [account.account])
        }
    }

    @Test("a changed account gives an archive of the same form with the new values", arguments: changes)
    func changed(file: String, change: Change) throws {
        let read = try ArchivedAccount.accounts(in: try ArchiveFixtures.bytes(file), options: Self.lenient)[0]
        var account = read.account
        change.apply(&account)
        let written = try StoredArchive(account, read).archiveData()
        let again = try ArchivedAccount.accounts(in: written, options: Self.lenient)[0]
        #expect(again.account.accessToken == account.accessToken)
        #expect(again.account.uid == account.uid)
        #expect(again.account.extras == account.extras)
        if read.form.properties["expires_in"] != nil { #expect(again.account.expiresIn == account.expiresIn) }
        if read.form.properties["remind_in"] != nil { #expect(again.account.remindIn == account.remindIn) }
        #expect(again.form.className == read.form.className)
        let added = read.form.supplied["remind_in"].map { $0 == .integer(account.remindIn) ? [] : ["remind_in"] } ?? []
        #expect(Set(again.form.properties.keys) == Set(read.form.properties.keys).union(added))
        #expect(try StoredArchive(again.account, again).archiveData() == written)
    }

    @Test("a property that the archive has no field for gets one when it changes")
    func fieldAdded() throws {
        let bytes = try ArchiveFixtures.bytes("variants/07_HWAccount_min.data")
        let read = try ArchivedAccount.accounts(in: bytes, options: Self.lenient)[0]
        #expect(read.form.supplied == ["remind_in": 0])
        var account = read.account
        account.remindIn = 5
        let written = try StoredArchive(account, read).archiveData()
        let again = try ArchivedAccount.accounts(in: written, options: ArchiveReadOptions(classes: ["HWAccount"]))[0]
        #expect(again.account.remindIn == 5)
        account.remindIn = 0
        #expect(try StoredArchive(account, read).archiveData() == bytes)
    }

    @Test("a token that was nil gets the place that the archiver would have given it")
    func tokenAdded() throws {
        let none = try ArchivedAccount.accounts(in: try ArchiveFixtures.bytes("expected/nil.apple64-old.data"))[0]
        let normal = try ArchiveFixtures.bytes("expected/normal.apple64-old.data")
        let account = try ArchivedAccount.accounts(in: normal)[0].account
        #expect(try StoredArchive(account, none).archiveData() == normal)
    }

    @Test("a token that is taken away is nowhere in the archive")
    func tokenRemoved() throws {
        let read = try ArchivedAccount.accounts(in: try ArchiveFixtures.bytes("expected/normal.apple64-new.data"))[0]
        var account = read.account
        account.accessToken = nil
        let written = try StoredArchive(account, read).archiveData()
        #expect(String(decoding: written, as: UTF8.self).contains("2.00") == false)
        #expect(try ArchivedAccount.accounts(in: written)[0].account.accessToken == nil)
    }

    @Test(
        "an archive is written in the other format and gives the same account",
        arguments: try ArchiveFixtures.archives(in: "variants")
    )
    func otherFormat(file: String) throws {
        let read = try ArchivedAccount.accounts(in: try ArchiveFixtures.bytes(file), options: Self.lenient)[0]
        let xml = try StoredArchive(read.account, read).archiveData(ArchiveWriteOptions(format: .xml))
        #expect(xml.starts(with: Array("<?xml".utf8)))
        let again = try ArchivedAccount.accounts(in: xml, options: Self.lenient)[0]
        #expect(again.account == read.account)
        try expectSame(xml, again)
    }

    @Test("another class name is written, and the rest stays")
    func className() throws {
        let read = try ArchivedAccount.accounts(
            in: try ArchiveFixtures.bytes("variants/07_HWAccount_min.data"),
            options: Self.lenient
        )[0]
        let written = try StoredArchive(read.account, read).archiveData(ArchiveWriteOptions(className: "NewAccount"))
        let again = try ArchivedAccount.accounts(in: written, options: Self.lenient)[0]
        #expect(again.form.className == "NewAccount")
        #expect(again.account == read.account)
    }

    @Test("a form is what it was after it has been kept", arguments: try ArchiveFixtures.archives(in: "variants"))
    func content(file: String) throws {
        let form = try ArchivedAccount.accounts(in: try ArchiveFixtures.bytes(file), options: Self.lenient)[0].form
        let json = form.content.json(dialect: .tagged)
        #expect(ArchiveForm(content: try Value(json: json, dialect: .tagged)) == form)
    }

    @Test("extras that no archive has yet are written and read")
    func extras() throws {
        var account = Account(uid: 1, accessToken: "token", expiresIn: 2)
        account.extras = [
            "isRealName": "true", "n": 5, "big": Value(Int128(UInt64.max)), "r": 1.5, "b": true, "none": nil,
            "d": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "bytes": .data([0, 255]),
            "list": [1, "two", nil, [3]], "map": ["a": ["b": 1]],
            "object": .object(
                Value.ObjectValue(className: "User", classes: ["User", "NSObject"], fields: ["name": "n"])
            ),
        ]
        for format in ArchiveFormat.allCases {
            let bytes = try StoredArchive(account: account).archiveData(ArchiveWriteOptions(format: format))
            let again = try ArchivedAccount.accounts(in: bytes)[0]
            #expect(again.account == account)
            try expectSame(bytes, again)
        }
    }

    private func expectSame(_ bytes: [UInt8], _ account: ArchivedAccount) throws {
        #expect(try StoredArchive(account.account, account).archiveData() == bytes)
    }
}

extension ArchiveRoundTripTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (inout Account) -> Void
    }

    static let validArchives: [String] = [
        "valid_reference", "token_long_len_small", "classes_missing", "classes_hints", "classname_subclass",
        "root_other_name", "root_default_dollar0", "root_many", "toplevel_extra_keys", "token_nil",
        "token_mutable_string", "token_nsnull", "token_embedded_nul", "expires_nsnumber_uid", "uid_int16bytes_negative",
        "uid_2byte_high", "uid_8byte_smallvalue", "int64_min", "root_array_of_accounts",
        "root_array_same_account_twice",
        "root_dict_of_accounts", "xml_entities_std", "xml_bom_utf16", "xml_int_space_plus",
    ].map { "bad/\($0).data" }

    static let edits: [Change] = [
        Change(testDescription: "another token") { $0.accessToken = "3.11another" },
        Change(testDescription: "a token in Chinese") { $0.accessToken = "令牌😀" },
        Change(testDescription: "an empty token") { $0.accessToken = "" },
        Change(testDescription: "no token") { $0.accessToken = nil },
        Change(testDescription: "another uid") { $0.uid = -1 },
        Change(testDescription: "the greatest numbers") { account in
            account.uid = .max
            account.expiresIn = .min
        },
        Change(testDescription: "periods that differ") { account in
            account.expiresIn = 5
            account.remindIn = 7
        },
        Change(testDescription: "an extra more") { $0.extras["new key"] = ["a": 1] },
        Change(testDescription: "no extras") { $0.extras = [:] },
    ]

    static let changes: [(String, Change)] =
        ((try? ArchiveFixtures.archives(in: "variants")) ?? []).filter { !$0.contains("/13") }
        .flatMap { file in edits.map { (file, $0) } }
        + ["xml_int_space_plus", "token_mutable_string", "root_many", "token_nsnull"].flatMap { name in
            edits.map { ("bad/\(name).data", $0) }
        }
}

extension StoredArchive {
    /// An account with the form that another was read in.
    init(_ account: Account, _ read: ArchivedAccount) {
        self.init(account: account, form: read.form, details: read.details)
    }
}
