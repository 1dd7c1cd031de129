/// What an import tells of while it runs, in the order of the files.
public enum ImportEvent: Sendable {
    /// The accounts of a file are saved, each with an outcome.
    case imported(FilePath, [SaveOutcome])
    /// A file was imported before and has not changed since.
    case skipped(FilePath)
    /// A file in a folder is no property list, or something is no regular file.
    case passedOver(ImportFailure)
    /// A file, or a path, was refused.
    case refused(ImportFailure)
    /// An account met another of the same user.
    case conflict(ImportConflict)
    /// Some more files were read. They may not have been saved yet.
    case progress(ImportProgress)
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// The files that were read.
    public var files: Int
    /// The files that were refused.
    public var rejected: Int
    /// The file that was read last.
    public var path: FilePath
}
