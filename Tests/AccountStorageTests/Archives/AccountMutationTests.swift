import Foundation
import KeyValueCoding
import TestSupport
import Testing

@testable import AccountStorage
@testable import KeyedArchive

/// Damage of every kind to archives of accounts: whoever reads them, in whichever way, gets the same account or the same error,
/// and no value that the changed bytes do not spell.
@Suite("Mutations of accounts")
struct AccountMutationTests {
    static let files = [
        "expected/minmax.apple64-old.data", "expected/minmax.apple64-new.data", "expected/cjk.apple64-new.data",
        "expected/normal.apple64-old.data", "variants/05_WeiBoOAuth_logState.data", "variants/07_HWAccount_min.data",
        "variants/13_Swift_WDK.data", "shapes/account_xml.data", "shapes/many.data",
    ]

    private static let options = ArchiveRoundTripTests.lenient

    /// What reading gives: accounts, or the text of an error.
    private func outcome(_ read: () throws -> [ArchivedAccount]) -> ([ArchivedAccount], String) {
        do {
            return (try read(), "")
        } catch {
            return ([], String(describing: error))
        }
    }

    @Test("a reader that has learned the form and one that has not agree", arguments: MutationPlan.all(of: files))
    func agreement(plan: MutationPlan) throws {
        let original = try ArchiveFixtures.bytes(plan.file)
        let (options, time) = (Self.options, Self.options.obtainedAt)
        let fields = try FieldSources(original, options: options)
        let learned = AccountArchiveReader(options: options)
        _ = try learned.accounts(in: original, obtainedAt: time)
        var (read, shared) = (0, 0)
        plan.forEach(of: original) { mutated, what in
            let general = outcome { try ArchivedAccount.accounts(in: mutated.bytes, options: options) }
            let fresh = outcome {
                try AccountArchiveReader(options: options).accounts(in: mutated.bytes, obtainedAt: time)
            }
            let known = outcome { try learned.accounts(in: mutated.bytes, obtainedAt: time) }
            guard areSame(general, known), areSame(general, fresh) else {
                Issue.record("\(plan), \(what()): another outcome by another way")
                return
            }
            guard let account = general.0.first?.account else { return }
            read += 1
            for property in fields.changedWithoutReason(account, mutated) {
                if fields.isOtherSharedNumber(property, account) {
                    shared += 1
                } else {
                    Issue.record("\(plan), \(what()): \(property) is another")
                }
            }
        }
        #expect(read > 0)
        plan.report("\(read) read, \(shared) with another shared number")
        if !fields.hasSharedNumbers { #expect(shared == 0) }
    }

    private func areSame(_ left: ([ArchivedAccount], String), _ right: ([ArchivedAccount], String)) -> Bool {
        guard left.1 == right.1, left.0.count == right.0.count else { return false }
        return zip(left.0, right.0).allSatisfy { left, right in
            // A number that is none does not equal itself.
            Value.dictionary(left.account.extras).isIdentical(to: .dictionary(right.account.extras))
                && left.account.accessToken == right.account.accessToken && left.account.uid == right.account.uid
                && left.account.expiresIn == right.account.expiresIn
                && left.account.remindIn == right.account.remindIn
                && left.account.obtainedAt == right.account.obtainedAt && left.form == right.form
                && left.details == right.details
        }
    }
}

/// Where the fields of a good archive stand, and the account that they make.
private struct FieldSources {
    private let account: Account
    private let options: ArchiveReadOptions
    /// For each key the places of the key itself and of all that its value consists of.
    private var sources: [String: [Range<Int>]] = [:]
    /// The integers to which more than one field refers.
    private var sharedNumbers: Set<Int64> = []
    private var numbers: Set<Int64> = []

    init(_ bytes: [UInt8], options: ArchiveReadOptions) throws {
        account = try ArchivedAccount.accounts(in: bytes, options: options)[0].account
        self.options = options
        let object = try Archive(reading: bytes).rootObject()
        let list = object.archive.list
        var uses: [Int: Int] = [:]
        guard case .dictionary(let run) = list.nodes[object.archive.element(object.index)] else { return }
        for (key, node) in list.entries(of: run) where key != "$class" {
            let name = list.elements(of: run).filter { list.isText(key, at: $0) }
            sources[key] = (name + Self.nodes(below: node, in: object.archive)).map { list.sources[$0] }
            uses[node, default: 0] += 1
        }
        for (node, content) in list.nodes.enumerated() {
            guard case .integer(let integer) = content, let number = Int64(exactly: integer.value) else { continue }
            numbers.insert(number)
            if uses[node, default: 0] > 1 { sharedNumbers.insert(number) }
        }
    }

    /// The scalars that a value consists of, and the UIDs in its collections; not the one that leads to the value.
    private static func nodes(below root: Int, in archive: Archive) -> [Int] {
        var (found, met, pending): ([Int], Set<Int>, [Int]) = ([], [], [root])
        while let node = pending.popLast() {
            guard met.insert(node).inserted else { continue }
            switch archive.list.nodes[node] {
            case .uid(let uid):
                if node != root { found.append(node) }
                pending.append(archive.element(Int(uid)))
            case let content:
                guard let run = content.run else {
                    found.append(node)
                    continue
                }
                pending += archive.list.references[run.start..<(run.start + run.count * (content.isDictionary ? 2 : 1))]
            }
        }
        return found
    }

    /// The properties and extras that are other than in the good account though none of their bytes was changed.
    func changedWithoutReason(_ found: Account, _ mutated: MutatedBytes) -> [String] {
        let changed = Self.values(of: account).merging(Self.values(of: found)) { before, after in
            before.isIdentical(to: after) ? .null : .text("")
        }
        var names = Account.properties.keys.filter { changed[$0] == .text("") }
        if found.obtainedAt != account.obtainedAt { names.append("obtained_at") }
        for key in Set(account.extras.keys).union(found.extras.keys) {
            let (before, after) = (account.extras[key], found.extras[key])
            if let before, let after, before.isIdentical(to: after) { continue }
            names.append(key)
        }
        guard !names.isEmpty else { return [] }
        let touched = mutated.touchedPositions()
        let keys = sources.filter { $0.value.contains { touched[$0].contains(true) } }.keys
        // A key that was changed is another key, and its value an extra.
        let isRenamed =
            keys.contains { found.extras[$0] == nil && account.extras[$0] != nil }
            || found.extras.count != account.extras.count
        return names.filter { name in !isRenamed && !keys.contains { affects($0, name) } }
    }

    private static func values(of account: Account) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: Account.properties.properties.map { ($0.key, $0.value(in: account)) })
    }

    private func affects(_ field: String, _ name: String) -> Bool {
        let property = options.mapping.aliases[field] ?? field
        // A life and a time of issue may follow from a time of expiry.
        return property == name
            || ["expires_at", "obtained_at"].contains(property) && ["expires_in", "obtained_at"].contains(name)
            || property == "expires_in" && name == "obtained_at"
    }

    /// Whether two fields refer to one number.
    var hasSharedNumbers: Bool { !sharedNumbers.isEmpty }

    /// Whether a property is now another number of the file, and was one that it shares with another field.
    func isOtherSharedNumber(_ property: String, _ found: Account) -> Bool {
        guard let entry = Account.properties[property], case .integer(let before) = entry.value(in: account),
            case .integer(let after) = entry.value(in: found)
        else { return false }
        return sharedNumbers.contains(before) && numbers.contains(after)
    }
}
