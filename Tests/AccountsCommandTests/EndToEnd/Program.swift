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
        let id = UUID().uuidString
        var process = ChildProcess(program: program, arguments: arguments, folder: folder.path)
        process.input = try folder.write(input, to: ".\(id).in")
        process.output = folder.path(of: ".\(id).out")
        process.errors = folder.path(of: ".\(id).err")
        let status = try await process.run()
        let output = try Data(contentsOf: URL(filePath: process.output))
        let errors = try Data(contentsOf: URL(filePath: process.errors))
        return Run(status: status, output: [UInt8](output), errors: String(decoding: errors, as: UTF8.self))
    }
}
