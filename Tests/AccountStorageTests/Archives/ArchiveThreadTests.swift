import Foundation
import KeyValueCoding
import KeyedArchive
import SQLiteBinding
import TestSupport
import Testing

@testable import AccountStorage

/// Archives that are read on eight threads at once; what it is worth it shows under the thread sanitizer.
@Suite("Reading archives on several threads")
struct ArchiveThreadTests {
    private static let threads = 8
    private static let options = ArchiveRoundTripTests.lenient

    /// Good files of all forms, accounts with other values in these forms, and damaged ones.
    private static func files() throws -> [[UInt8]] {
        let good = try
            (ArchiveFixtures.archives(in: "variants") + ArchiveFixtures.archives(in: "expected")
            + ArchiveFixtures.archives(in: "shapes").filter { !$0.contains("everything") }).map(ArchiveFixtures.bytes)
        var files = good
        for (index, bytes) in good.enumerated() {
            let read = try ArchivedAccount.accounts(in: bytes, options: options)[0]
            for number in 0..<3 {
                var account = read.account
                account.uid = Int64(index * 1_000 + number)
                account.accessToken = "2.00thread\(index)_\(number)"
                files.append(try StoredArchive(account, read).archiveData())
            }
            files += (0..<4).map { MutatedBytes.random(bytes, seed: UInt64(index * 10 + $0)).bytes }
        }
        return files
    }

    /// The accounts in a file, or the error, as text.
    private static func outcome(_ read: () throws -> [Account]) -> String {
        do {
            return try read().map {
                "\($0.uid) \($0.accessToken ?? "nil") \($0.expiresIn) \($0.remindIn) \($0.extras.count)"
            }
            .joined(separator: "; ")
        } catch {
            return String(describing: error)
        }
    }

    /// Calls a closure on eight threads that start together, each with its number.
    private func onThreads(_ body: @escaping @Sendable (Int) -> Void) async {
        let start = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        for number in 0..<Self.threads {
            done.enter()
            Thread.detachNewThread {
                start.wait()
                body(number)
                done.leave()
            }
        }
        for _ in 0..<Self.threads { start.signal() }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
    }

    @Test("eight threads share one reader, and learn forms from each other while they read")
    func sharedReader() async throws {
        let files = try Self.files()
        let (options, time) = (Self.options, Self.options.obtainedAt)
        let expected = files.map { bytes in
            Self.outcome { try ArchivedAccount.accounts(in: bytes, options: options).map(\.account) }
        }
        for _ in 0..<Effort.tries(4) {
            let reader = AccountArchiveReader(options: options)
            let faults = Faults()
            await onThreads { number in
                // Each thread begins elsewhere, so that all forms are learned at once.
                for step in 0..<(files.count * 2) {
                    let index = (step * 7 + number * files.count / Self.threads) % files.count
                    let found = Self.outcome {
                        if step % 2 == 0 { return [try reader.account(in: files[index], obtainedAt: time)] }
                        return try reader.accounts(in: files[index], obtainedAt: time).map(\.account)
                    }
                    if found != expected[index] {
                        faults.add("file \(index): \(found.count) for \(expected[index].count)")
                    }
                }
            }
            #expect(faults.all.isEmpty)
        }
    }

    @Test("eight threads read one archive, and archives of their own")
    func archives() async throws {
        let bytes = try ArchiveFixtures.bytes("shapes/everything.data")
        let shared = try Archive(reading: bytes)
        let expected = Value.dictionary(
            Dictionary(try shared.topValues().map { ($0.key, $0.value) }) { first, _ in first }
        )
        let faults = Faults()
        await onThreads { number in
            for round in 0..<40 {
                do {
                    let archive = round % 2 == 0 ? shared : try Archive(reading: bytes)
                    let values = Dictionary(try archive.topValues().map { ($0.key, $0.value) }) { first, _ in first }
                    if !Value.dictionary(values).isIdentical(to: expected) {
                        faults.add("thread \(number), round \(round)")
                    }
                    if try archive.data(format: .binary) != bytes {
                        faults.add("thread \(number), round \(round): bytes")
                    }
                } catch {
                    faults.add("thread \(number), round \(round): \(error)")
                }
            }
        }
        #expect(faults.all.isEmpty)
    }
}

/// What several threads have found.
private final class Faults: Sendable {
    private let texts = Monitor<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    var all: [String] { texts.withLock { $0 } }
}
