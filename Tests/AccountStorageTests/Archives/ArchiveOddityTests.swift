import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage
@testable import KeyedArchive

@Suite("Archives with odd times, shared objects and cycles")
struct ArchiveOddityTests {
    private static let obtainedAt = Date(timeIntervalSince1970: 1_440_000_000)

    /// An archive of an account with more fields than the legacy app has.
    private func archive(_ more: [ArchiveField]) throws -> [UInt8] {
        let fields = [
            ArchiveField("access_token", "token1234567890"), ArchiveField("expires_in", 100, encoding: .inline),
            ArchiveField("remind_in", 100, encoding: .inline), ArchiveField("uid", 5, encoding: .inline),
        ]
        return try Archive.data(archiving: ArchivedClass(name: "Account"), fields: fields + more)
    }

    private func read(_ bytes: [UInt8], aliases: [String: String] = [:]) throws -> ArchivedAccount {
        let options = ArchiveReadOptions(mapping: MappingOptions(aliases: aliases), obtainedAt: Self.obtainedAt)
        return try ArchivedAccount.accounts(in: bytes, options: options)[0]
    }

    /// The account as it is once it has been in a store.
    private func kept(_ read: ArchivedAccount) throws -> StoredArchive {
        var account = read.account
        let json = Value.dictionary(account.extras).json(dialect: .tagged)
        if case .dictionary(let extras) = try Value(json: json, dialect: .tagged) { account.extras = extras }
        return StoredArchive(account, read)
    }

    static let cases: [(String, [ArchiveField], [String: String])] = [
        ("nil under obtained_at", [ArchiveField("obtained_at", .null)], [:]),
        ("nil under an alias of obtained_at", [ArchiveField("when", .null)], ["when": "obtained_at"]),
        ("nil under an alias of expires_at", [ArchiveField("expiry", .null)], ["expiry": "expires_at"]),
        ("a number under obtained_at", [ArchiveField("obtained_at", 5)], [:]),
        (
            "times that contradict one another",
            [
                ArchiveField("obtained_at", .date(Date(timeIntervalSinceReferenceDate: 0))),
                ArchiveField("expires_at", .date(Date(timeIntervalSinceReferenceDate: 9e8))),
            ], [:]
        ),
        ("no number for a time", [ArchiveField("expires_at", .date(Date(timeIntervalSinceReferenceDate: .nan)))], [:]),
        (
            "no number for another time",
            [ArchiveField("obtained_at", .date(Date(timeIntervalSinceReferenceDate: .nan)))], [:]
        ),
        ("an infinite time", [ArchiveField("expires_at", .date(Date(timeIntervalSinceReferenceDate: .infinity)))], [:]),
        (
            "a fraction of a second", [ArchiveField("obtained_at", .date(Date(timeIntervalSinceReferenceDate: 0.25)))],
            [:]
        ),
        (
            "a nan with other bits",
            [ArchiveField("x", .real(Double(bitPattern: 0xFFF8_0000_0000_0001)), encoding: .inline)], [:]
        ),
    ]

    @Test("an account with odd times comes back byte for byte", arguments: cases)
    func oddTimes(name: String, fields: [ArchiveField], aliases: [String: String]) throws {
        let bytes = try archive(fields)
        let read = try read(bytes, aliases: aliases)
        #expect(try kept(read).archiveData() == bytes)
        if name.contains("contradict") {
            #expect(read.account.extras["expires_at"] == .date(Date(timeIntervalSinceReferenceDate: 9e8)))
        }
        if name.hasPrefix("nil") { #expect(read.account.obtainedAt == Self.obtainedAt) }
        let reader = AccountArchiveReader(
            options: ArchiveReadOptions(mapping: MappingOptions(aliases: aliases), obtainedAt: Self.obtainedAt)
        )
        for _ in 1...2 {
            let again = try reader.accounts(in: bytes, obtainedAt: Self.obtainedAt)
            #expect(again.map(\.form) == [read.form])
            #expect(again.map(\.account.extras.count) == [read.account.extras.count])
            #expect(again.map(\.account.obtainedAt) == [read.account.obtainedAt])
        }
    }

    /// An archive with two extras that are one object, and a third with a cycle below it.
    private func tangled(token: Value = "token1234567890") throws -> [UInt8] {
        let original = try Archive(reading: try archive([ArchiveField("cycle", [1])]))
        var builder = ArchiveBuilder(original)
        try builder.setField("shared", of: 1, to: [2, "x"])
        try builder.setField("access_token", of: 1, to: token)
        guard case .dictionary(let run) = builder.list.nodes[builder.elements[1]] else { return [] }
        var fields = builder.list.entries(of: run)
        guard let shared = fields.first(where: { $0.key == "shared" })?.node,
            let cycle = fields.first(where: { $0.key == "cycle" })?.node,
            case .uid(let array) = builder.list.nodes[cycle]
        else { return [] }
        fields.insert(("again", builder.append(builder.list.nodes[shared])), at: 0)
        let dictionary = builder.dictionary(fields)
        builder.elements[1] = builder.append(dictionary)
        let back = builder.append(.uid(array))
        let elements = builder.appendArray([back])
        guard case .dictionary(let arrayRun) = builder.list.nodes[builder.elements[Int(array)]] else { return [] }
        let arrayFields = builder.list.entries(of: arrayRun).map {
            ($0.key, $0.key == "NS.objects" ? elements : $0.node)
        }
        let changed = builder.dictionary(arrayFields)
        builder.elements[Int(array)] = builder.append(changed)
        _ = builder.removeUnreachable(since: original, following: 1)
        return try builder.propertyList().encoded()
    }

    @Test("shared objects and cycles in the extras survive a change, another class and another layout")
    func tangledExtras() throws {
        let bytes = try tangled()
        let read = try read(bytes)
        #expect(Value.dictionary(read.account.extras).hasReferences)
        let stored = try kept(read)
        #expect(try stored.archiveData() == bytes)
        let variations: [(ArchiveWriteOptions, @Sendable (inout Account) -> Void)] = [
            (ArchiveWriteOptions(), { $0.accessToken = nil }), (ArchiveWriteOptions(), { $0.accessToken = "another" }),
            (ArchiveWriteOptions(), { $0.extras["new"] = ["a", 1] }), (ArchiveWriteOptions(className: "Foo"), { _ in }),
            (ArchiveWriteOptions(layout: .ios12), { _ in }), (ArchiveWriteOptions(layout: .ios13), { $0.uid = 9 }),
        ]
        for (options, change) in variations {
            var changed = stored
            change(&changed.account)
            let written = try changed.archiveData(options)
            let again = try ArchivedAccount.accounts(in: written, options: ArchiveReadOptions(classes: ["Foo"]))[0]
            #expect(again.account.accessToken == changed.account.accessToken)
            #expect(again.account.uid == changed.account.uid)
            #expect(Set(again.account.extras.keys) == Set(changed.account.extras.keys))
            #expect(Value.dictionary(again.account.extras).hasReferences)
        }
    }

    @Test("a token that was nil is added to an archive with shared objects")
    func tangledNilToken() throws {
        let read = try read(try tangled(token: .null))
        var stored = try kept(read)
        stored.account.accessToken = "added"
        #expect(try ArchivedAccount.accounts(in: try stored.archiveData())[0].account.accessToken == "added")
    }

    @Test("a token that is its own account is a cycle, by its index")
    func tokenThatIsItsAccount() throws {
        var builder = ArchiveBuilder(try Archive(reading: try archive([])))
        guard case .dictionary(let run) = builder.list.nodes[builder.elements[1]] else { return }
        let itself = builder.reference(to: 1)
        let fields = builder.list.entries(of: run).map { ($0.key, $0.key == "access_token" ? itself : $0.node) }
        let dictionary = builder.dictionary(fields)
        builder.elements[1] = builder.append(dictionary)
        let bytes = try builder.propertyList().encoded()
        let error = #expect(throws: ArchiveError.self) { _ = try ArchivedAccount.accounts(in: bytes) }
        #expect(error?.code == .cycle)
        #expect(error?.objectIndex == 1)
        #expect(error?.description.contains("cycle at index 1") == true)
    }

    @Test("thousands of arrays within one another are refused, and do not end the process")
    func deepExtra() throws {
        var builder = ArchiveBuilder(try Archive(reading: try archive([ArchiveField("x", 1)])))
        var inner = try builder.appendElement(.text("the innermost, which no reader gets to"))
        for _ in 0..<6_000 {
            let array = try builder.reserveElement()
            let reference = builder.reference(to: inner)
            let elements = builder.appendArray([reference])
            inner = builder.finish(array, ArchivedClass(name: "NSArray"), [("NS.objects", elements)])
        }
        guard case .dictionary(let run) = builder.list.nodes[builder.elements[1]] else { return }
        let outermost = builder.reference(to: inner)
        let fields = builder.list.entries(of: run).map { ($0.key, $0.key == "x" ? outermost : $0.node) }
        let dictionary = builder.dictionary(fields)
        builder.elements[1] = builder.append(dictionary)
        let bytes = try builder.propertyList().encoded()
        let error = #expect(throws: ArchiveError.self) { _ = try ArchivedAccount.accounts(in: bytes) }
        #expect(error?.code == .tooDeep)
    }

    @Test("a date where seconds are expected is an error that shows both types")
    func dateForSeconds() throws {
        let bytes = try Archive.data(
            archiving: ArchivedClass(name: "Account"),
            fields: [
                ArchiveField("access_token", "t"),
                ArchiveField("expires_in", .date(Date(timeIntervalSince1970: 1_893_456_000))),
                ArchiveField("remind_in", 1, encoding: .inline), ArchiveField("uid", 1, encoding: .inline),
            ]
        )
        let error = #expect(throws: ArchivedAccountError.self) { _ = try ArchivedAccount.accounts(in: bytes) }
        #expect(error?.mapping.code == .typeMismatch)
        #expect(error?.mapping.key == "expires_in")
        #expect(error?.description.contains("date") == true)
        #expect(error?.description.contains("an integer") == true)
        // The same field read as what it is.
        let aliased = ArchiveReadOptions(
            mapping: MappingOptions(aliases: ["expires_in": "expires_at"]),
            obtainedAt: Self.obtainedAt
        )
        let account = try ArchivedAccount.accounts(in: bytes, options: aliased)[0].account
        #expect(account.expiresIn == 1_893_456_000 - 1_440_000_000)
    }

    @Test("a field that a class encoded without a key can be taken away")
    func unkeyedField() throws {
        let bytes = try archive([ArchiveField("b", 2)])
        var builder = ArchiveBuilder(try Archive(reading: bytes))
        guard case .dictionary(let run) = builder.list.nodes[builder.elements[1]] else { return }
        let one = builder.append(.integer(1, width: 0))
        let dictionary = builder.dictionary([("$0", one)] + builder.list.entries(of: run))
        builder.elements[1] = builder.append(dictionary)
        let read = try read(try builder.propertyList().encoded())
        #expect(read.account.extras == ["$0": 1, "b": 2])
        var stored = try kept(read)
        stored.account.extras = ["b": 2]
        #expect(try ArchivedAccount.accounts(in: try stored.archiveData())[0].account.extras == ["b": 2])
    }

    @Test("keys that look alike are both kept, or refused")
    func keysThatLookAlike() throws {
        var builder = ArchiveBuilder(try Archive(reading: try archive([])))
        let (first, second) = (builder.append(.integer(1, width: 0)), builder.append(.integer(2, width: 0)))
        let inner = builder.dictionary([("\u{E9}", first), ("e\u{301}", second)])
        let node = builder.append(inner)
        guard case .dictionary(let run) = builder.list.nodes[builder.elements[1]] else { return }
        let dictionary = builder.dictionary([("x", node)] + builder.list.entries(of: run))
        builder.elements[1] = builder.append(dictionary)
        let bytes = try builder.propertyList().encoded()
        let read = try read(bytes)
        guard case .pairs(let pairs) = read.account.extras["x"] else {
            Issue.record("expected pairs")
            return
        }
        #expect(pairs.map(\.value) == [1, 2])
        #expect(try kept(read).archiveData() == bytes)
    }
}

@Suite("Archives that are costly to take apart", .disabled(if: Effort.looksForRaces, "it has one thread"))
struct CostlyArchiveTests {
    /// A collection of accounts, each of which may refer back to the collection.
    private func collection(of count: Int, refersBack: Bool) throws -> [UInt8] {
        var builder = ArchiveBuilder(layout: .ios13)
        let array = try builder.reserveElement()
        var members: [Int] = []
        for uid in 1...count {
            var fields = [
                ArchiveField("access_token", .text("token \(uid)")), ArchiveField("expires_in", 1, encoding: .inline),
                ArchiveField("remind_in", 1, encoding: .inline),
                ArchiveField("uid", .integer(Int64(uid)), encoding: .inline),
            ]
            if refersBack { fields.append(ArchiveField("owner", .null)) }
            members.append(try builder.encode(ArchivedClass(name: "Account"), fields: fields))
        }
        let references = members.map { builder.reference(to: $0) }
        let node = builder.appendArray(references)
        _ = builder.finish(array, ArchivedClass(name: "NSArray"), [("NS.objects", node)])
        if refersBack {
            for member in members {
                guard case .dictionary(let run) = builder.list.nodes[builder.elements[member]] else { continue }
                let back = builder.reference(to: array)
                let fields = builder.list.entries(of: run).map { ($0.key, $0.key == "owner" ? back : $0.node) }
                let dictionary = builder.dictionary(fields)
                builder.elements[member] = builder.append(dictionary)
            }
        }
        builder.top = [("root", builder.reference(to: array))]
        return try builder.propertyList().encoded()
    }

    @Test("a collection of many accounts takes time in proportion to their number")
    func largeCollection() throws {
        let bytes = try collection(of: 2_000, refersBack: false)
        let accounts = try ArchivedAccount.accounts(in: bytes)
        #expect(accounts.map(\.account.uid) == Array(1...2_000))
        #expect(accounts[1_999].account.accessToken == "token 2000")
        #expect(accounts.allSatisfy { $0.details.isEmpty })
    }

    @Test("accounts that refer to their collection are refused before they fill the disk")
    func backReferences() throws {
        #expect(try ArchivedAccount.accounts(in: try collection(of: 20, refersBack: true)).count == 20)
        let error = #expect(throws: ArchiveError.self) {
            _ = try ArchivedAccount.accounts(in: try collection(of: 2_000, refersBack: true))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("many unknown keys are dropped at once")
    func manyDropped() throws {
        let fields = (0..<4_000).map { ArchiveField("key \($0)", .integer(Int64($0)), encoding: .inline) }
        let account = [
            ArchiveField("access_token", "t"), ArchiveField("expires_in", 1, encoding: .inline),
            ArchiveField("remind_in", 1, encoding: .inline), ArchiveField("uid", 1, encoding: .inline),
        ]
        let bytes = try Archive.data(archiving: ArchivedClass(name: "Account"), fields: account + fields)
        let options = ArchiveReadOptions(mapping: MappingOptions(unknownKeys: .drop))
        let read = try ArchivedAccount.accounts(in: bytes, options: options)[0]
        #expect(read.account.extras.isEmpty)
        #expect(read.form.properties.count == 4)
    }

    @Test("one text that is referred to many times is read in one piece")
    func manyReferences() throws {
        let account = [
            ArchiveField("access_token", "t"), ArchiveField("expires_in", 1, encoding: .inline),
            ArchiveField("remind_in", 1, encoding: .inline), ArchiveField("uid", 1, encoding: .inline),
            ArchiveField("x", .array(Array(repeating: "same", count: 20_000))),
        ]
        let bytes = try Archive.data(archiving: ArchivedClass(name: "Account"), fields: account)
        let read = try ArchivedAccount.accounts(in: bytes)[0]
        #expect(read.form.isWholeFile)
        #expect(try StoredArchive(read.account, read).archiveData() == bytes)
    }
}
