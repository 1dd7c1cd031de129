import Foundation
import KeyValueCoding
import KeyedArchive
import TestSupport
import Testing

@testable import AccountStorage

@Suite("Accounts of any size", .disabled(if: Effort.looksForRaces, "sizes make no races"))
struct StoreSizeTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Extras with so many containers within one another, the dictionary that they are included.
    private static func extras(depth: Int, innermost: Value = 1) -> [String: Value] {
        var value = innermost
        for _ in 1..<depth { value = .array([value]) }
        return ["x": value]
    }

    @Test("extras as deep as a row keeps are read again, and deeper ones are refused before they are saved")
    func depth() async throws {
        let store = try await folder.open()
        let deepest = Account.sample(1, extras: Self.extras(depth: 2_048))
        try await store.save(deepest)
        #expect(try await store.account(uid: 1) == deepest)
        for depth in [2_049, 8_000, 20_000] {
            for rule in ConflictRule.allCases {
                let error = try await storeError {
                    try await store.save(.sample(2, extras: Self.extras(depth: depth)), onConflict: rule)
                }
                #expect(error.code == .tooLarge)
                #expect(error.message.contains("row 2 of accounts, column extras: it has more than 2048 containers"))
            }
        }
        #expect(try await store.accounts().collected() == [deepest])
        try await store.close()
    }

    @Test(
        "tags count as the containers that they are",
        arguments: [
            (1, .date(Date(timeIntervalSince1970: 0.25))), (1, .data([1])), (1, .reference(1)), (1, .real(.nan)),
            (1, .decimal("x")), (3, .pairs([.init(key: 1, value: 2)])),
            (1, .object(.init(className: "A", classes: [], fields: ["a": 1]))),
            (2, .object(.init(className: "A", classes: ["A"], fields: ["a": 1]))),
        ] as [(Int, Value)]
    )
    func tags(containers: Int, value: Value) async throws {
        let store = try await folder.open()
        let fits = Self.extras(depth: 2_048 - containers, innermost: value)
        try await store.save(.sample(1, extras: fits))
        let read = try #require(try await store.account(uid: 1))
        #expect(Value.areIdentical(read.extras, fits))
        let error = try await storeError {
            try await store.save(.sample(1, extras: Self.extras(depth: 2_049 - containers, innermost: value)))
        }
        #expect(error.code == .tooLarge)
        try await store.close()
    }

    @Test("extras and details above the 64 MiB of a file are read, as they are written")
    func large() async throws {
        let store = try await folder.open()
        let file = try ImportedFile.sample("/a", details: [0: [65]], .sample(1, extras: ["x": 1]))
        #expect(try await store.save([file], onConflict: .newest) == [.saved([.inserted])])
        // Space is the quickest to read, and counts as any other byte.
        try folder.sql(
            """
            UPDATE accounts SET extras = replace(extras, '}', '') || printf('%70000000s', '}'),
                form_details = substr(form_details, 1, length(form_details) - 1) || printf('%70000000s', '}')
            """
        )
        let stored = try #require(try await store.storedArchive(uid: 1))
        #expect(stored.details == [0: [65]])
        #expect(stored.account.extras == ["x": 1])
        #expect(RowLimits.reasonToRefuse([0: [UInt8](repeating: 0, count: 64 << 20)]) == nil)
        try await store.close()
    }

    @Test("what would be larger than a row may be is refused without being written out")
    func tooLarge() async throws {
        let store = try await folder.open()
        let bytes = Value.data([UInt8](repeating: 65, count: 50_000_000))
        let error = try await storeError {
            try await store.save(.sample(2, extras: ["x": .array(Array(repeating: bytes, count: 1_000))]))
        }
        #expect(error.code == .tooLarge)
        #expect(error.message.contains("column extras: it takes more than 419430400 bytes as JSON"))
        // Each of these characters takes six bytes, and a quarter of the texts would fit as they are.
        let text = Value.text(String(repeating: "\u{1}", count: 100_000))
        #expect(RowLimits.reasonToRefuse(.array(Array(repeating: text, count: 720))) != nil)
        #expect(RowLimits.reasonToRefuse([0: [UInt8](repeating: 0, count: 320_000_000)]) != nil)
        #expect(try await store.count() == 0)
        try await store.close()
    }

    @Test(
        "a token that is longer than a row keeps is refused by the name of its row and column, alone and among others"
    )
    func largeToken() async throws {
        let store = try await folder.open()
        let token = String(repeating: "x", count: 128 << 20)
        try await store.save(.sample(1, token: token))
        let longer = Account.sample(2, token: token + "x")
        for accounts in [[longer], (10..<20).map { .sample($0) } + [longer]] {
            let error = try await storeError { try await store.save(accounts) }
            #expect(error.code == .tooLarge)
            #expect(error.message.contains("row 2 of accounts, column access_token: it has 134217729 bytes"))
        }
        let reason = ArchivedAccount(account: longer, form: try .sample("Account"), details: [:]).reasonToRefuse()
        #expect(reason?.contains("row 2 of accounts, column access_token") == true)
        #expect(try await store.account(uid: 1)?.accessToken == token)
        #expect(try await store.count() == 1)
        try await store.close()
    }

    @Test("an import finds out before it saves, so that a file keeps none of its batch from being saved")
    func archived() throws {
        let form = try ArchiveForm.sample("Account")
        func reason(_ extras: [String: Value], _ details: ArchiveFormDetails) -> String? {
            ArchivedAccount(account: .sample(5, extras: extras), form: form, details: details).reasonToRefuse()
        }
        #expect(reason(Self.extras(depth: 2_048), [0: [1]]) == nil)
        #expect(reason(Self.extras(depth: 2_049), [:])?.contains("row 5 of accounts, column extras") == true)
        let large = [UInt8](repeating: 0, count: 320_000_000)
        #expect(reason([:], [0: large])?.contains("row 5 of accounts, column form_details") == true)
    }

    @Test("a save that is refused for its size leaves those beside it alone")
    func neighbours() async throws {
        let store = try await folder.open()
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for uid in 1...50 as ClosedRange<Int64> {
                let extras = uid.isMultiple(of: 10) ? Self.extras(depth: 3_000) : [:]
                group.addTask { (try? await store.save(.sample(uid, extras: extras))) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 5)
        #expect(try await store.count() == 45)
        try await store.close()
    }
}
