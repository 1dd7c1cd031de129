/// What an import has done.
public struct ImportReport: Sendable, Hashable {
    /// The files that were looked at: each of them held accounts, was skipped, was passed over, or was refused.
    public var files = 0
    /// The accounts in the files that were imported.
    public var accounts = 0
    /// What has become of these accounts.
    public var outcomes = SaveCounts()
    /// The files that were imported before and have not changed since.
    public var skipped = 0
    /// The files in folders that are no property lists.
    public var passedOver = 0
    /// The first hundred of them, each with what it is.
    public var passedOverFiles: [ImportFailure] = []
    /// Why files, or paths, were refused.
    public var failures: [ImportFailure] = []

    /// Makes a report, of nothing.
    public init() {}

    private static let mostNamed = 100

    /// Counts a file that was passed over.
    mutating func passOver(_ file: ImportFailure) {
        passedOver += 1
        if passedOverFiles.count < Self.mostNamed { passedOverFiles.append(file) }
    }

    /// Counts what another import has done.
    public mutating func add(_ other: ImportReport) {
        files += other.files
        accounts += other.accounts
        outcomes.add(other.outcomes)
        skipped += other.skipped
        passedOver += other.passedOver
        passedOverFiles = Array((passedOverFiles + other.passedOverFiles).prefix(Self.mostNamed))
        failures += other.failures
    }

    /// The files and paths that were refused.
    public var rejected: Int { failures.count }
    /// The files whose accounts were imported.
    public var imported: Int { files - skipped - passedOver - rejected }
}

/// Why a file was not imported.
public struct ImportFailure: Error, Sendable, Hashable {
    /// The file.
    public var path: FilePath
    /// The kind of failure, under the word by which scripts know it.
    public var code: String
    /// Where in the file, what was found and what was expected, on one line without the path.
    public var message: String
    /// What would have the file imported; empty if nothing is known that would.
    public var remedies: [ImportRemedy]

    /// Makes a failure.
    public init(path: FilePath, code: String, message: String, remedies: [ImportRemedy] = []) {
        self.path = path
        self.code = code
        self.message = message
        self.remedies = remedies
    }
}

extension ImportFailure: CustomStringConvertible {
    /// The path, the code and the message.
    public var description: String { "\(path): \(code): \(message)" }
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// The files that are done.
    public var files: Int
    /// The files that were refused.
    public var rejected: Int
    /// The file that was done last.
    public var path: FilePath
}
