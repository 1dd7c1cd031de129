internal import KeyValueCoding

/// A type that holds what may be secret and is described without it: by classes, numbers, ways and counts alone.
protocol ContentFree: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension ContentFree {
    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror without children, since these would show what is secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Archive: ContentFree {
    /// The format and how many objects there are.
    public var description: String { "\(format) archive of \(counted(objectCount, "object"))" }
}

extension ArchivedObject: ContentFree {
    /// The number and the class of the object, how many fields it has, and where it is.
    public var description: String {
        "object \(index), \(excerpt(archivedClass.name)), \(counted(userFields.count, "field"))\(path.isHere ? "" : ", at \(path)")"
    }
}

extension ArchivedValue: ContentFree {
    /// Of which kind the value is, the number of the object that it is, and where it is.
    public var description: String {
        let kind = (try? content())?.description ?? "a damaged object"
        let number = index.map { ", object \($0)" } ?? ""
        return "\(kind)\(number)\(path.isHere ? "" : ", at \(path)")"
    }
}

extension ArchivedValue.Content: ContentFree {
    /// The kind, and of a collection how much is in it.
    public var description: String {
        switch self {
        case .array(let elements): "an array of \(elements.count)"
        case .set(let elements): "a set of \(elements.count)"
        case .dictionary(let entries): "a dictionary of \(entries.count)"
        default: kind
        }
    }
}

extension ArchivedClass: ContentFree {
    /// The name, and the chain where it says more.
    public var description: String { summary }
}

extension ArchiveGraph: ContentFree {
    /// The format, and how many objects there are and how many wait for a place.
    public var description: String {
        let drafts = builder.graph?.drafts.count ?? 0
        return "\(format) graph of \(counted(builder.elements.count, "object"))"
            + (drafts == 0 ? "" : ", \(drafts) without a place")
    }
}

extension ArchiveField: ContentFree {
    /// The key, the kind of the value and how it is encoded.
    public var description: String { "\(excerpt(key)), \(value.kind), \(encoding)" }
}

extension ArchiveForm: ContentFree {
    /// The format, the class and how many values the form has places for.
    public var description: String {
        isWholeFile
            ? "\(format) file of \(excerpt(className)), kept whole"
            : "\(format) form of \(excerpt(className)), \(counted(holes.count, "value"))"
    }
}

extension ArchiveForm.Target: ContentFree {
    /// The way to the value, and the property that it is.
    public var description: String {
        "\(ArchivePath([.key(field)] + path))\(property.map { " → \(ArchivePath([.key($0)]))" } ?? "")"
    }
}

extension PathStep: ContentFree {
    /// The step as it stands in a path.
    public var description: String { ArchivePath([self]).description }
}

extension ArchivePath {
    fileprivate var isHere: Bool { steps.isEmpty }
}

private func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
