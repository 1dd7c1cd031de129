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

            An archive whose objects leave gaps, overlap, or do not agree with the references is shown, with a warning;
            'import' refuses it without --allow-gaps.
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
            let reveals = parsed[SharedOptions.reveal]
            document = try Self.document(of: bytes, path: path, limits: limits, reveals: reveals, context)
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

    /// Reads strictly, and where only gaps or stray objects are in the way a second time without minding them.
    private static func document(
        of bytes: [UInt8],
        path: FilePath,
        limits: ArchiveLimits,
        reveals: Bool,
        _ context: Context
    ) throws(ArchiveError) -> ArchiveDocument {
        do {
            return try ArchiveDocument(Archive(reading: bytes, limits: limits), reveals: reveals)
        } catch {
            var lenient = limits
            lenient.allowsGaps = true
            let document = try ArchiveDocument(Archive(reading: bytes, limits: lenient), reveals: reveals)
            context.warn(FailureText(error).line(about: path) + "; it is shown all the same")
            return document
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
