internal import AccountStorage
internal import KeyValueCoding
internal import KeyedArchive

/// Why a command could not do what it was asked for, in words for standard error.
struct CommandFailure: Error, Sendable {
    /// One line, without the program's name.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// An error as a line and a word: what people read and what scripts compare.
struct FailureText {
    /// The word, if the kind of failure has one.
    var code: String?
    /// What happened, on one line, without the path.
    var message: String

    init(_ error: any Error) {
        switch error {
        case let error as ArchiveError: self.init(error.code.rawValue, error.description)
        case let error as MappingError: self.init(error.code.rawValue, error.description)
        case let error as JSONError: self.init(error.code.rawValue, error.description)
        case let error as StoreError: self.init(error.code.rawValue, error.description)
        case let error as InputError: self.init(error.code, error.reason)
        case let error as FileError: self.init(nil, "\(error.path): unreadable: \(error.reason)")
        case let error as CommandFailure: self.init(nil, error.message)
        case is CancellationError: self.init(nil, "the command was cancelled")
        default: self.init(nil, String(describing: error))
        }
    }

    private init(_ code: String?, _ message: String) {
        self.code = code
        self.message = DisplayText.line(message)
    }

    /// The code, if there is one, and the message.
    var line: String { code.map { "\($0): \(message)" } ?? message }

    /// The same about a file.
    func line(about path: FilePath) -> String { "\(DisplayText.path(path)): \(line)" }
}
