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
            Token or a bearer's token in them. So are texts that name a secret, as "…?access_token=…" does, at that place. What is \
            cut in one place and has 8 characters or more is cut wherever else it stands: in other texts, in keys and in names of classes. Keys that \
            would be the same then are told apart by a number: "2.00… (2)". Data is left out if one of these secrets is in it, or a property list, or \
            one of those words; in JSON it is {"$data": "4oCm"} then, the bytes of "…". Other secrets are shown: \
            nothing tells them from other texts. Neither are compressed or encrypted data and base 64 looked into.

            Objects have the numbers that they have in the archive. One that is met a second time is a reference to its number, \
            and one that several refer to says so. Values in an object's own dictionary are called by their type, \
            integer, and objects by their class, NSNumber. Of a text the first 256 characters are shown, of data the \
            first 16 bytes; --json has all of them, but for what is cut.

            In the JSON an object that was met before is {"$ref": n}, n being its number. Where it stands is under that number in \
            "references", as the keys and positions that lead to it from "top"; an archive without such objects has no "references".

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
        let reveals = parsed[SharedOptions.reveal]
        var writer = OutputWriter(context.output)
        do {
            let limits = ArchiveLimits()
            let bytes =
                argument.isStandardStream
                ? try context.input.readAll(limit: limits.bytes)
                : try InputFile.read(path, limit: limits.bytes).bytes
            if context.isJSON {
                let document = try read(bytes, path: path, limits: limits, context) { (archive) throws(ArchiveError) in
                    try ArchiveDocument(archive, reveals: reveals)
                }
                try writer.append { $0 += document.json }
            } else {
                var tree = try read(bytes, path: path, limits: limits, context) { (archive) throws(ArchiveError) in
                    var tree = ArchiveTree(archive, usesColour: context.usesColour, reveals: reveals)
                    try tree.rehearse()
                    return tree
                }
                try writer.line("\(DisplayText.path(path)): \(tree.title)")
                while let line = try tree.nextLine() { try writer.line(line) }
            }
        } catch let error as OutputError {
            throw error
        } catch {
            throw CommandFailure(FailureText(error).line(about: path))
        }
        try writer.flush()
        return .done
    }

    /// Reads strictly, and where only gaps or stray objects are in the way a second time without minding them.
    private static func read<Content>(
        _ bytes: [UInt8],
        path: FilePath,
        limits: ArchiveLimits,
        _ context: Context,
        _ content: (Archive) throws(ArchiveError) -> Content
    ) throws(ArchiveError) -> Content {
        do {
            return try content(Archive(reading: bytes, limits: limits))
        } catch {
            var lenient = limits
            lenient.allowsGaps = true
            let content = try content(Archive(reading: bytes, limits: lenient))
            context.warn(FailureText(error).line(about: path) + "; it is shown all the same")
            return content
        }
    }
}
