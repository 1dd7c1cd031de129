internal import KeyValueCoding

/// The description of a class in an archive.
public struct ArchivedClass: Sendable, Hashable {
    /// The name of the class (`$classname`).
    public var name: String
    /// The class and its superclasses, from the class up to `NSObject`; empty if the archive has no `$classes`,
    /// which Apple's archiver leaves out when the name was mapped.
    public var chain: [String]
    /// Classes that an older reader may use instead (`$classhints`).
    public var hints: [String]

    /// Makes a description. Without a chain it is that of Foundation's class of the name, and for any other class the class
    /// followed by `NSObject`.
    public init(name: String, chain: [String]? = nil, hints: [String] = []) {
        self.name = name
        self.chain = chain ?? [name] + (Self.foundationSuperclasses[name] ?? []) + ["NSObject"]
        self.hints = hints
    }

    /// The name, and the chain where it says more, for a message.
    var summary: String {
        let ancestors = chain.filter { $0 != name }
        return ancestors.isEmpty
            ? excerpt(name)
            : "\(excerpt(name)) (\(chain.prefix(8).map { Redaction.name($0) }.joined(separator: " : ")))"
    }
}

extension Archive {
    /// The name of the class of an element of `$objects`; nil for an element that has none.
    public func className(at index: Int) -> String? {
        guard index > 0, index < objectCount, case .object(let object) = try? resolve(index) else { return nil }
        return object.archivedClass.name
    }

    /// The index of the class of an object, which is an element of `$objects`.
    func classElement(of fields: PropertyList.Run, node: Int, object: Int?) throws(ArchiveError) -> Int {
        guard let reference = list.value(forASCII: "$class", in: fields) else {
            throw missingClass(node: node, object: object)
        }
        guard case .uid(let uid) = list.nodes[reference] else {
            throw list.error(
                .badClass,
                at: reference,
                object: object,
                "$class is \(list.kind(of: reference)); expected a reference to the description of a class"
            )
        }
        return Int(uid)
    }

    func missingClass(node: Int, object: Int?) -> ArchiveError {
        list.error(.missingClass, at: node, object: object, "the object has no $class")
    }

    /// Reads the description of a class.
    func archivedClass(at index: Int, of object: Int?) throws(ArchiveError) -> ArchivedClass {
        let node = element(index)
        guard case .dictionary(let run) = list.nodes[node], let name = list.value(forASCII: "$classname", in: run)
        else {
            throw list.error(
                .badClass,
                at: node,
                object: object,
                "$class leads to object \(index), which is no description of a class (it has no $classname)"
            )
        }
        guard case .text(let className) = list.nodes[name] else {
            throw list.error(.badClass, at: name, object: object, "$classname is \(list.kind(of: name)) and not text")
        }
        return ArchivedClass(
            name: className,
            chain: try names(under: "$classes", in: run, object: object),
            hints: try names(under: "$classhints", in: run, object: object)
        )
    }

    private func names(
        under key: String,
        in run: PropertyList.Run,
        object: Int?
    ) throws(ArchiveError) -> [String] {
        guard let node = list.value(forASCII: key, in: run) else { return [] }
        guard case .array(let elements) = list.nodes[node] else {
            throw list.error(.badClass, at: node, object: object, "\(key) is \(list.kind(of: node)); expected an array")
        }
        var names: [String] = []
        names.reserveCapacity(elements.count)
        for position in elements.start..<(elements.start + elements.count) {
            let element = list.references[position]
            guard case .text(let name) = list.nodes[element] else {
                throw list.error(.badClass, at: element, object: object, "\(key) has \(list.kind(of: element)) in it")
            }
            names.append(name)
        }
        return names
    }
}
