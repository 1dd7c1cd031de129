import Foundation
import TestSupport
import Testing

/// The program itself, as a process of its own.
struct Program {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try #require(FileManager.default.isExecutableFile(atPath: Self.path), "\(Self.path) is not built")
    }

    /// The program is built into the folder that the tests are in.
    static let path: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "accounts").path(percentEncoded: false)
    }()

    /// Runs the program in the folder, without an environment.
    func callAsFunction(_ arguments: String..., input: [UInt8] = []) async throws -> Run {
        try await run(Self.path, arguments, input: input)
    }

    /// Runs a line of shell in the folder, in which `accounts` is the program.
    func shell(_ line: String) async throws -> Run {
        try await run("/bin/bash", ["-c", "accounts() { '\(Self.path)' \"$@\"; }; \(line)"])
    }

    private func run(_ program: String, _ arguments: [String], input: [UInt8] = []) async throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.environment = ["PATH": "/usr/bin:/bin"]
        let id = UUID().uuidString
        for (name, bytes) in [("in", input), ("out", []), ("err", [])] {
            try Data(bytes).write(to: URL(filePath: folder.path(of: ".\(id).\(name)")))
        }
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.path(of: ".\(id).in")))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.path(of: ".\(id).out")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.path(of: ".\(id).err")))
        try await process.runToEnd()
        let output = try Data(contentsOf: URL(filePath: folder.path(of: ".\(id).out")))
        let errors = try Data(contentsOf: URL(filePath: folder.path(of: ".\(id).err")))
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Run(status: status, output: [UInt8](output), errors: String(decoding: errors, as: UTF8.self))
    }
}

extension Process {
    /// Runs the process and waits for its end, without blocking one of the few threads that tests run on.
    func runToEnd() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in continuation.resume() }
            do {
                try run()
            } catch {
                terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
