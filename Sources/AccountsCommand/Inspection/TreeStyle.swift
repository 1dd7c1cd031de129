internal import KeyValueCoding
internal import KeyedArchive

/// How the lines of a tree look.
struct TreeStyle {
    /// Whether they have the colours of a terminal.
    let usesColour: Bool

    /// Beyond this depth lines are not moved further to the right, but say how deep they are.
    private static let deepest = 24
    /// How many characters of a text are shown, and how many bytes of data.
    private static let mostCharacters = 256
    private static let mostBytes = 16

    /// The beginning of a line.
    func start(depth: Int, label: String) -> String {
        let place =
            depth <= Self.deepest
            ? String(repeating: "  ", count: depth)
            : String(repeating: "  ", count: Self.deepest) + "(\(depth) deep) "
        return place + colour(label, .key)
    }

    /// The rest of a line for an object that was drawn before.
    func reference(to index: Int, note: String) -> String {
        colour("→ #\(index)", .reference) + colour("  (\(DisplayText.line(note)))", .faint)
    }

    /// The number of an object, and whether several refer to it.
    func number(_ index: Int, references: Int) -> String {
        colour("  #\(index)", .reference) + (references > 1 ? colour(", shared by \(references)", .faint) : "")
    }

    /// A class and its superclasses.
    func type(_ archivedClass: ArchivedClass) -> String {
        let chain = archivedClass.chain
        let parents = chain.first == archivedClass.name ? chain.dropFirst() : chain[...]
        return colour(DisplayText.line(archivedClass.name), .type)
            + colour(parents.map { " : " + DisplayText.line($0) }.joined(), .faint)
    }

    /// What a container is.
    func type(_ text: String) -> String { colour(DisplayText.line(text), .type) }

    /// nil, or an object that stands for nothing.
    func nothing(name: String?) -> String {
        name.map { colour("null", .faint) + kind(DisplayText.line($0)) } ?? colour("nil", .faint)
    }

    /// A value that has no others in it.
    ///
    /// - Parameters:
    ///   - shown: what may be shown of it; text where that is not the value.
    ///   - value: the value, for its size.
    ///   - kind: what it is.
    func scalar(_ shown: Value, of value: Value, kind: String) -> String {
        var kind = DisplayText.line(kind)
        var text: String
        switch (shown, value) {
        case (.text(let shown), .text):
            let scalars = shown.unicodeScalars
            text = DisplayText.quoted(String(String.UnicodeScalarView(scalars.prefix(Self.mostCharacters))))
            if scalars.count > Self.mostCharacters {
                text += "…"
                kind += ", \(Self.count(scalars.count, "character"))"
            }
        case (.omittedData, _): text = "…"
        case (.data(let bytes), _):
            text =
                bytes.prefix(Self.mostBytes).map(Self.hex).joined(separator: " ")
                + (bytes.count > Self.mostBytes ? " …" : "")
        case (.decimal(let literal), _): text = DisplayText.line(literal)
        case (.text(let text), _): return size(of: value, DisplayText.line(text), kind)
        case (.date(let date), _): text = Timestamp.format(date)
        case (.bool(let bool), _): text = "\(bool)"
        case (.integer(let integer), _): text = "\(integer)"
        case (.wideInteger(let integer), _): text = "\(integer)"
        case (.real(let real), _): text = "\(real)"
        default: text = shown.kind
        }
        return size(of: value, text, kind)
    }

    private func size(of value: Value, _ text: String, _ kind: String) -> String {
        guard case .data(let bytes) = value, value != .omittedData else { return text + self.kind(kind) }
        return text + self.kind("\(kind), \(Self.count(bytes.count, "byte"))")
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 0x10 ? "0" : "") + String(byte, radix: 16) }

    /// A number of things.
    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }

    // MARK: Colours

    private enum Role: String {
        case key = "36"
        case type = "33"
        case reference = "35"
        case faint = "2"
    }

    private func kind(_ kind: String) -> String { colour("  (\(kind))", .faint) }

    private func colour(_ text: String, _ role: Role) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
