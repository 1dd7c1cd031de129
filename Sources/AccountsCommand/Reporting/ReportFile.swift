internal import AccountStorage
internal import ArgumentParsing

/// The file of `--report`: there as a whole or not at all, and readable by its owner alone.
struct ReportFile {
    private let target: RawArgument
    private let output: any ByteSink

    /// Looks whether the page can be written, before an hour is spent on what it tells of.
    ///
    /// - Throws: `CommandFailure` if there is something at its place that is no earlier page, and could not be had again.
    init(_ target: RawArgument, _ context: Context) throws(CommandFailure) {
        self.target = target
        output = context.output
        if !target.isStandardStream { try Self.check(FilePath(bytes: target.bytes)) }
    }

    /// Writes the page.
    func write(_ page: ImportPage) throws {
        let bytes = Array(page.html.markup.utf8)
        if target.isStandardStream { return try output.write(bytes) }
        try FileWriter.write(bytes, to: FilePath(bytes: target.bytes))
    }

    private static func check(_ path: FilePath) throws(CommandFailure) {
        let name = DisplayText.path(path)
        switch path.place {
        case .folder: throw CommandFailure("\(name): is a folder; --report names the file of the page")
        case .unknown: throw CommandFailure("\(name): cannot be looked at; name another file for --report")
        case .file where !isPage(path):
            throw CommandFailure("\(name): is there already and is no HTML page; name another file for --report")
        case .nothing where path.parent.place != .folder:
            throw CommandFailure("\(name): there is no folder for it; make it, or name another file for --report")
        default: break
        }
    }

    /// Whether a file is an HTML page, or nothing yet.
    private static func isPage(_ path: FilePath) -> Bool {
        guard let start = path.firstBytes(64) else { return false }
        return start.isEmpty || String(decoding: start, as: UTF8.self).lowercased().hasPrefix("<!doctype html")
    }
}
