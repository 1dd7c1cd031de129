public import KeyValueCoding

/// How models are written as archives.
///
/// Where a key is asked for it is that of a property or of an extra, and for one of a model in another the way to it, joined by
/// dots: `user.id`. The models in an array or a dictionary have the way of the array or the dictionary.
public struct ArchiveEncodingOptions: Sendable {
    /// The class of the model, with its superclasses; nil for a class of the name that the model's type has.
    public var archivedClass: ArchivedClass?
    /// The classes of models in the model, by the key that they are under; the name of their type where there is none.
    public var classes: [String: ArchivedClass]
    /// The classes of arrays and dictionaries, by the key that they are under, such as `NSMutableArray`, `NSSet` or
    /// `NSMutableDictionary`; `NSArray` and `NSDictionary` where there is none.
    public var collections: [String: ArchivedClass]
    /// The keys in the archive, by the key of the property or the extra; its own where there is none.
    public var keys: [String: String]
    /// How fields are encoded, by the key of the property or the extra. Where nothing is said, an integer, a real or a bool that
    /// the property always has stands inside the object, as a property of a C type does, and so does one in the extras; all
    /// else is an object.
    public var encodings: [String: ArchiveField.Encoding]
    /// The name in `$top`.
    public var topKey: String
    /// The format of the file.
    public var format: ArchiveFormat
    /// The order of the top dictionary's keys.
    public var layout: ArchiveLayout
    /// How large an archive may become.
    public var limits: ArchiveLimits

    /// Makes options; without arguments a model is written as `archiveRootObject:toFile:` writes it since iOS 13.
    public init(
        archivedClass: ArchivedClass? = nil,
        classes: [String: ArchivedClass] = [:],
        collections: [String: ArchivedClass] = [:],
        keys: [String: String] = [:],
        encodings: [String: ArchiveField.Encoding] = [:],
        topKey: String = "root",
        format: ArchiveFormat = .binary,
        layout: ArchiveLayout = .ios13,
        limits: ArchiveLimits = ArchiveLimits()
    ) {
        self.archivedClass = archivedClass
        self.classes = classes
        self.collections = collections
        self.keys = keys
        self.encodings = encodings
        self.topKey = topKey
        self.format = format
        self.layout = layout
        self.limits = limits
    }
}

/// Writes models of the app as `NSKeyedArchiver` would write objects with their properties, byte for byte.
///
/// The fields come in the order of the model's table, and what is in its extras behind them, in the order of the keys.
///
/// A model does not tell how an archive that it was read from was written: in which order the keys came, and whether a number was
/// a field of a C type or an `NSNumber`. To write back what was read, change its ``ArchiveGraph``, which keeps all.
public struct ArchiveEncoder: Sendable {
    /// How archives are written.
    public let options: ArchiveEncodingOptions

    /// Makes an encoder.
    public init(_ options: ArchiveEncodingOptions = ArchiveEncodingOptions()) {
        self.options = options
    }

    /// A model as an archive.
    ///
    /// - Throws: ``ArchiveError`` for a value that no archive can hold, such as a reference to an object of another archive, and
    ///   where a limit is exceeded.
    public func encode(_ model: some KeyValueCodable) throws(ArchiveError) -> [UInt8] {
        try encode { (graph) throws(ArchiveError) in .reference(try graph.add(model, options: options)) }
    }

    /// An array of models as an archive, whose root is an `NSArray`.
    ///
    /// - Throws: what ``encode(_:)-(KeyValueCodable)`` throws.
    public func encode(_ models: [some KeyValueCodable]) throws(ArchiveError) -> [UInt8] {
        try encode { (graph) throws(ArchiveError) in
            var references: [Value] = []
            for model in models { references.append(.reference(try graph.add(model, options: options))) }
            return .array(references)
        }
    }

    private func encode(
        _ root: (inout ArchiveGraph) throws(ArchiveError) -> Value
    ) throws(ArchiveError) -> [UInt8] {
        var graph = ArchiveGraph(layout: options.layout, limits: options.limits)
        graph.format = options.format
        try graph.setTop(try root(&graph), forKey: options.topKey)
        return try graph.data()
    }
}

extension ArchiveGraph {
    /// Adds a model, with the models in it, and gives its number.
    ///
    /// - Throws: ``ArchiveError`` for a value that refers to an object of another archive.
    public mutating func add(
        _ model: some KeyValueCodable,
        options: ArchiveEncodingOptions = ArchiveEncodingOptions()
    ) throws(ArchiveError) -> Int {
        try add(model, as: options.archivedClass, at: "", options: options)
    }

    private mutating func add<Model: KeyValueCodable>(
        _ model: Model,
        as archivedClass: ArchivedClass?,
        at place: String,
        options: ArchiveEncodingOptions
    ) throws(ArchiveError) -> Int {
        var fields: [ArchiveField] = []
        var keys: Set<String> = []
        /// Adds what the model has under a key.
        func append(_ key: String, _ plain: Value, usual: ArchiveField.Encoding) throws(ArchiveError) {
            let path = place.isEmpty ? key : "\(place).\(key)"
            let archived = options.keys[path] ?? key
            guard keys.insert(archived).inserted else { throw duplicate(archived, at: path) }
            let value = collection(plain, of: options.collections[path])
            fields.append(ArchiveField(archived, value, encoding: options.encodings[path] ?? usual))
        }
        for property in Model.properties.properties {
            let path = place.isEmpty ? property.key : "\(place).\(property.key)"
            let value = try value(of: property, in: model, at: path, options: options)
            try append(property.key, value, usual: property.usualEncoding(of: value))
        }
        let extras = Model.properties.extras?.get(model) ?? [:]
        for (key, value) in extras.sorted(by: { $0.key < $1.key }) where Model.properties.index(ofKey: key) == nil {
            let value = try standing(value, at: key)
            try append(key, value, usual: value.isScalar ? .inline : .object)
        }
        return add(archivedClass ?? ArchivedClass(name: String(describing: Model.self)), fields: fields)
    }

    /// The value of a property, of which models have become objects.
    private mutating func value<Model: KeyValueCodable>(
        of property: Property<Model>,
        in model: Model,
        at path: String,
        options: ArchiveEncodingOptions
    ) throws(ArchiveError) -> Value {
        if case .value = property.accessor, let value = model[keyPath: property.keyPath] as? any PropertyValue,
            type(of: value).holdsModels
        {
            return try encode(value, at: path, options: options)
        }
        return try standing(property.value(in: model), at: path)
    }

    /// A value in which models stand, of which they have become objects.
    private mutating func encode(
        _ value: any PropertyValue,
        at path: String,
        options: ArchiveEncodingOptions
    ) throws(ArchiveError) -> Value {
        if let model = value as? any KeyValueCodable {
            return .reference(try add(model, as: options.classes[path], at: path, options: options))
        }
        guard let container = value as? any ModelContainer else { return try standing(value.propertyValue, at: path) }
        return try container.value { (value) throws(ArchiveError) in try encode(value, at: path, options: options) }
    }

    /// A collection of the class that is wanted for it; any other value as it is.
    private mutating func collection(_ value: Value, of archivedClass: ArchivedClass?) -> Value {
        switch (value, archivedClass) {
        case (.array(let elements), let archivedClass?):
            return .reference(add(archivedClass, elements: elements))
        case (.dictionary(let dictionary), let archivedClass?):
            let entries = dictionary.sorted { $0.key < $1.key }
            let order = CoreFoundationOrder.positions(of: entries.map(\.key))
            let pairs = order.map { Value.Pair(key: .text(entries[$0].key), value: entries[$0].value) }
            return .reference(add(archivedClass, entries: pairs))
        default: return value
        }
    }

    private func duplicate(_ key: String, at path: String) -> ArchiveError {
        ArchiveError(
            .duplicateKey,
            keyPath: ArchivePath([.key(path)]).description,
            "the object would have the key \(excerpt(key)) twice; expected another one in the options' keys"
        )
    }

    /// A value that refers to no object; what does refers to one of another archive.
    private func standing(_ value: Value, at key: String) throws(ArchiveError) -> Value {
        guard value.hasReferences else { return value }
        throw ArchiveError(
            .badObjects,
            keyPath: ArchivePath([.key(key)]).description,
            "the value refers to an object of the archive that it came from and cannot be written into another"
        )
    }
}

extension Property {
    /// How a class with such a property encodes it: what cannot be nil, and is no object in Objective-C, inside its own dictionary.
    fileprivate func usualEncoding(of value: Value) -> ArchiveField.Encoding {
        let type = type(of: keyPath).valueType
        guard value.isScalar, !(type is any ExpressibleByNilLiteral.Type) else { return .object }
        return type == Float.self ? .float : .inline
    }
}

extension Value {
    /// Whether the value is one of a C type in Objective-C, and no object.
    fileprivate var isScalar: Bool {
        switch self {
        case .integer, .wideInteger, .real, .bool: true
        default: false
        }
    }
}
