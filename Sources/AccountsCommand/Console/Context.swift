internal import ArgumentParsing

/// What a command runs with: where it reads and writes, and what the global options say.
struct Context: Sendable {
    let input: any ByteSource
    let output: any ByteSink
    let error: any ByteSink
    /// The value of an environment variable; nil if it is not set.
    let environment: @Sendable (String) -> RawArgument?
    /// What Ctrl-C does; nil where the process is not the program's own, as in a test.
    var interrupts: Interrupts?
    /// Whether standard output gets one JSON document and nothing else.
    var isJSON = false
    /// Whether standard error gets nothing but errors.
    var isQuiet = false

    /// Tells of a failure on standard error, in one line.
    func report(_ message: String) {
        writeLine(AccountsTool.programName + ": " + message)
    }

    /// Tells a person what has happened, on standard error; nothing where a script reads, or quiet is wanted.
    func note(_ message: String) {
        if !isJSON, !isQuiet { writeLine(message) }
    }

    /// Tells of something that is no failure but may be one, on standard error.
    func warn(_ message: String) {
        if !isQuiet { report("warning: " + message) }
    }

    /// Whether colours are for standard output: on a terminal, unless `NO_COLOR` (<https://no-color.org>) is set.
    var usesColour: Bool {
        output.isTerminal && environment("NO_COLOR")?.bytes.isEmpty != false && environment("TERM") != "dumb"
    }

    /// Whether a progress bar is for standard error.
    var showsProgress: Bool {
        error.isTerminal && !isJSON && !isQuiet && environment("TERM") != "dumb"
    }

    /// A failure to write here has no place where it could be told.
    private func writeLine(_ line: String) {
        try? error.write(Array((line + "\n").utf8))
    }
}

/// Collects output, and writes it in large pieces.
///
/// What was not flushed when a command fails is not written.
struct OutputWriter {
    private let sink: any ByteSink
    private var buffer: [UInt8] = []

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    mutating func write(_ text: String) throws(OutputError) {
        buffer.append(contentsOf: text.utf8)
        try flushIfFull()
    }

    mutating func line(_ text: String) throws(OutputError) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        try flushIfFull()
    }

    /// Lets something append bytes.
    mutating func append(_ body: (inout [UInt8]) -> Void) throws(OutputError) {
        body(&buffer)
        try flushIfFull()
    }

    mutating func flush() throws(OutputError) {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try sink.write(buffer)
    }

    private mutating func flushIfFull() throws(OutputError) {
        if buffer.count >= 1 << 16 { try flush() }
    }
}
