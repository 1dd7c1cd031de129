import Foundation

/// Runs programs.
enum Program {
    /// The path of this one.
    static func own() throws -> String { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }

    /// Runs a program to its end, and gives what it has written.
    ///
    /// - Throws: An error if its exit status is not 0.
    static func run(_ path: String, _ arguments: [String]) throws -> (output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        // So little is written that neither pipe gets full while the other is read.
        let written = (try output.fileHandleForReading.readToEnd(), try errors.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        let texts = (
            String(decoding: written.0 ?? Data(), as: UTF8.self), String(decoding: written.1 ?? Data(), as: UTF8.self)
        )
        try check(process.terminationStatus == 0, "\(path) has failed: \(texts.1.suffix(500))")
        return texts
    }
}
