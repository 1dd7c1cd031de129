internal import AccountStorage
internal import ArgumentParsing
internal import KeyedArchive

/// `accounts inspect`: what is in an archive, whatever its class.
enum InspectCommand: ToolCommand {
    private static let file = Operand("FILE", .path, help: "A keyed archive; '-' is standard input.")

    static let declaration = Command(
        name: "inspect",
        summary: "Show what is in an archive, whatever its class.",
        discussion: """
            The archive is shown as the graph that NSKeyedArchiver wrote: classes, keys and values. The store is not \
            needed for it, and no class of the app.

            Secrets are cut, unless --reveal is given: texts, data and numbers under keys with one of the words token, \
            secret, password, passcode, credential, cookie, session, auth, authorization, bearer, jwt, refresh, \
            signature, pin, otp, private or API key in them, all that is below such a key, and texts with a JSON Web \
            Token or a bearer's token in them. Other secrets are shown: nothing tells them from other texts.

            An object that is met a second time is shown as a reference.

            A binary file with gaps or overlaps between its objects is shown, with a warning; 'import' refuses it.
            """,
        options: [SharedOptions.reveal],
        operands: [file],
        examples: [
            Example("accounts inspect account.data", "The archive as a tree."),
            Example("accounts inspect --json --reveal account.data | jq .top.root", "For a script, secrets included."),
        ]
    )

    static func run(_ parsed: ParsedCommand, in context: Context) async throws -> AccountsTool.Status {
        let argument = parsed[file]
        let path = argument.isStandardStream ? FilePath("standard input") : FilePath(bytes: argument.bytes)
        let document: ArchiveDocument
        do {
            let limits = ArchiveLimits()
            let bytes =
                argument.isStandardStream
                ? try context.input.readAll(limit: limits.bytes)
                : try InputFile.read(path, limit: limits.bytes).bytes
            let archive = try read(bytes, path: path, limits: limits, context)
            document = try ArchiveDocument(archive, reveals: parsed[SharedOptions.reveal])
        } catch {
            throw CommandFailure(FailureText(error).line(about: path))
        }
        var writer = OutputWriter(context.output)
        if context.isJSON {
            try writer.append { $0 += document.json }
        } else {
            try show(document, of: path, usesColour: context.usesColour, &writer)
        }
        try writer.flush()
        return .done
    }

    /// Reads strictly, and where only gaps are in the way a second time without minding them.
    private static func read(
        _ bytes: [UInt8],
        path: FilePath,
        limits: ArchiveLimits,
        _ context: Context
    ) throws(ArchiveError) -> Archive {
        do {
            return try Archive(reading: bytes, limits: limits)
        } catch {
            var lenient = limits
            lenient.allowsGaps = true
            guard error.code == .badOffsetTable, let archive = try? Archive(reading: bytes, limits: lenient) else {
                throw error
            }
            context.warn(FailureText(error).line(about: path) + "; it is shown all the same")
            return archive
        }
    }

    private static func show(
        _ document: ArchiveDocument,
        of path: FilePath,
        usesColour: Bool,
        _ writer: inout OutputWriter
    ) throws {
        let format = document.format == .xml ? "XML" : "binary"
        try writer.line(
            "\(DisplayText.path(path)): \(format) archive of \(document.archiver), version \(document.version), "
                + "\(document.objectCount) objects"
        )
        var tree = ValueTree(usesColour: usesColour)
        for (key, value) in document.top {
            for line in tree.draw(value, label: DisplayText.line(key)) { try writer.line(line) }
        }
    }
}
