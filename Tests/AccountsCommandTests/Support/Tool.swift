import ArgumentParsing
import Foundation
import KeyValueCoding
import TestSupport

@testable import AccountsCommand

/// Output that is kept in memory.
final class MemorySink: ByteSink, @unchecked Sendable {
    private let lock = NSLock()
    private var content: [UInt8] = []
    let isTerminal: Bool
    let failure: OutputError?

    init(isTerminal: Bool = false, failure: OutputError? = nil) {
        self.isTerminal = isTerminal
        self.failure = failure
    }

    var columns: Int? { isTerminal ? 80 : nil }
    var bytes: [UInt8] { lock.withLock { content } }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        if let failure { throw failure }
        lock.withLock { content += bytes }
    }
}

/// Input that is kept in memory.
struct MemorySource: ByteSource {
    var bytes: [UInt8] = []
    var isTerminal = false

    func readAll(limit: Int) throws(InputError) -> [UInt8] {
        guard bytes.count <= limit else { throw InputError(code: "tooLarge", reason: "more than \(limit) bytes") }
        return bytes
    }
}

/// What a command line has done.
struct Run {
    var status: Int32
    var output: [UInt8]
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    /// The lines on standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// The one JSON document on standard output.
    func json() throws -> Value { try Value(json: output, dialect: .tagged) }

    /// The object that it is.
    func object() throws -> [String: Value] {
        guard case .dictionary(let fields) = try json() else { throw Unexpected(what: text) }
        return fields
    }

    /// The array that it is.
    func array() throws -> [Value] {
        guard case .array(let elements) = try json() else { throw Unexpected(what: text) }
        return elements
    }
}

struct Unexpected: Error {
    var what: String
}

/// The program, run inside of this process, with a folder of its own and a store in it.
struct Tool {
    let folder: TemporaryDirectory
    var environment: [String: String]

    init() throws {
        folder = try TemporaryDirectory()
        environment = ["ACCOUNTS_DATABASE": folder.path(of: "accounts.sqlite")]
    }

    /// The path of the store.
    var database: String { folder.path(of: "accounts.sqlite") }

    func callAsFunction(
        _ arguments: String...,
        input: [UInt8] = [],
        isTerminal: Bool = false,
        outputFailure: OutputError? = nil
    ) async -> Run {
        await run(arguments, input: input, isTerminal: isTerminal, outputFailure: outputFailure)
    }

    func run(
        _ words: [String],
        input: [UInt8] = [],
        isTerminal: Bool = false,
        outputFailure: OutputError? = nil
    ) async -> Run {
        await run(
            arguments: words.map { RawArgument($0) },
            input: input,
            isTerminal: isTerminal,
            outputFailure: outputFailure
        )
    }

    func run(
        arguments: [RawArgument],
        input: [UInt8] = [],
        isTerminal: Bool = false,
        outputFailure: OutputError? = nil
    ) async -> Run {
        let output = MemorySink(isTerminal: isTerminal, failure: outputFailure)
        let errors = MemorySink(isTerminal: isTerminal)
        let environment = environment
        let status = await AccountsTool.run(
            arguments: arguments,
            environment: { environment[$0].map { RawArgument($0) } },
            standardInput: MemorySource(bytes: input, isTerminal: isTerminal),
            standardOutput: output,
            standardError: errors
        )
        return Run(status: status, output: output.bytes, errors: String(decoding: errors.bytes, as: UTF8.self))
    }

    /// Adds an account to the store.
    @discardableResult
    func add(_ json: String, _ options: String...) async -> Run {
        await run(["add"] + options, input: Array(json.utf8))
    }

    /// The accounts in the store, tokens included.
    func accounts() async throws -> [Value] { try await self("list", "--json", "--reveal").array() }

    /// The archive that the store gives for an account.
    func archive(of uid: Int64, _ options: String...) async -> [UInt8] {
        await run(["export", "--uid", String(uid), "--output", "-"] + options).output
    }
}

extension Value {
    /// The value under a key.
    subscript(key: String) -> Value? {
        if case .dictionary(let fields) = self { fields[key] } else { nil }
    }
}
