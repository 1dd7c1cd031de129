public import KeyValueCoding

/// How archives are read as models.
public struct ArchiveDecodingOptions: Sendable {
    /// The classes that are the model, by name or pattern. If there are none, it is the class of the model's own name, also as
    /// a Swift class of any module.
    public var classes: [ClassPattern]
    /// How the fields of an object become the properties of the model: keys of other names, values for keys that are missing,
    /// what becomes of keys that the model lacks, and how values of other types are taken.
    public var mapping: MappingOptions
    /// How large an archive may be.
    public var limits: ArchiveLimits

    /// Makes options; without arguments everything is strict.
    public init(
        classes: [ClassPattern] = [],
        mapping: MappingOptions = .strict,
        limits: ArchiveLimits = ArchiveLimits()
    ) {
        self.classes = classes
        self.mapping = mapping
        self.limits = limits
    }

    /// The classes that are meant for a model.
    func patterns(for model: Any.Type) -> [ClassPattern] {
        classes.isEmpty ? [ClassPattern(String(describing: model))] : classes
    }
}

/// Reads archives as models of the app, without the classes that they were made of.
///
/// ```swift
/// struct Session: KeyValueCodable {
///     var id: Int64 = 0
///     var user: String?
///     static let properties = PropertyTable<Session>(Property("id", \.id), Property("user", \.user))
/// }
/// let decoder = ArchiveDecoder(ArchiveDecodingOptions(classes: ["*Session"]))
/// let session = try decoder.decode(Session.self, from: bytes)
/// ```
///
/// One decoder serves any number of archives, from any number of threads, and should: it learns the forms of the archives. The first
/// of a form is read in the general way, the others by comparison with it, which is many times as fast and gives the same.
public struct ArchiveDecoder: Sendable {
    /// How archives are read.
    public let options: ArchiveDecodingOptions
    let memory = DecoderMemory()

    /// Makes a decoder.
    public init(_ options: ArchiveDecodingOptions = ArchiveDecodingOptions()) {
        self.options = options
    }

    /// The model in an archive.
    ///
    /// - Throws: what ``Archive/decode(_:options:)->Model`` throws, and ``ArchiveError`` for a file that is no archive.
    public func decode<Model: KeyValueCodable>(_ type: Model.Type, from bytes: [UInt8]) throws -> Model {
        if bytes.count <= options.limits.bytes, let known = memory.model(type, in: bytes) { return known }
        let object = try Archive(reading: bytes, limits: options.limits).object(type, options: options)
        let model = try object.decode(type, options: options.mapping)
        memory.learn(model, from: bytes, object: object, options: options.mapping)
        return model
    }

    /// The models in an archive.
    ///
    /// - Throws: what ``Archive/decode(_:options:)->[Model]`` throws, and ``ArchiveError`` for a file that is no archive.
    public func decode<Model: KeyValueCodable>(_ type: [Model].Type, from bytes: [UInt8]) throws -> [Model] {
        try Archive(reading: bytes, limits: options.limits).decode(type, options: options)
    }
}

extension Archive {
    /// The model that the archive was made for: its root, or the only element of a root that is a collection.
    ///
    /// - Throws: ``ArchiveError`` with the code `wrongClass` for a root of another class, naming it, `noRoot` for one that is
    ///   nil, `badRoot` for a collection of several; ``ArchiveMappingError`` for an object that is not the model.
    public func decode<Model: KeyValueCodable>(
        _ type: Model.Type,
        options: ArchiveDecodingOptions = ArchiveDecodingOptions()
    ) throws -> Model {
        try object(type, options: options).decode(type, options: options.mapping)
    }

    fileprivate func object<Model: KeyValueCodable>(
        _ type: Model.Type,
        options: ArchiveDecodingOptions
    ) throws(ArchiveError) -> ArchivedObject {
        let objects = try rootObjects(of: options.patterns(for: type))
        guard objects.count == 1 else {
            throw ArchiveError(
                .badRoot,
                "the root is a collection of \(objects.count) objects; expected one, or decode [\(type)].self"
            )
        }
        return objects[0]
    }

    /// The models that the archive was made for: its root, or the elements of a root that is an `NSArray`, an `NSSet`, or an
    /// `NSDictionary`, of which these are the values. An object that occurs twice gives one model.
    ///
    /// - Throws: ``ArchiveError`` with the code `wrongClass` for an object of another class, naming it, `noRoot` for a root that
    ///   is nil; ``ArchiveMappingError`` for an object that is not the model.
    public func decode<Model: KeyValueCodable>(
        _ type: [Model].Type,
        options: ArchiveDecodingOptions = ArchiveDecodingOptions()
    ) throws -> [Model] {
        if let elements = try collectionElements(of: rootObject()), elements.isEmpty { return [] }
        return try rootObjects(of: options.patterns(for: Model.self)).map { (object) throws in
            try object.decode(Model.self, options: options.mapping)
        }
    }
}
