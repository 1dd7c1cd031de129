public import KeyValueCoding

extension ArchivedValue {
    /// The value with all that is in it.
    ///
    /// An object that occurs in several places has its value in each of them; one that is part of itself is a
    /// `Value.reference` there.
    ///
    /// - Throws: ``ArchiveError`` for a damaged object, and where a limit is exceeded.
    public func value() throws(ArchiveError) -> Value {
        var reader = ArchiveValueReader(archive: archive)
        reader.repeatsShared = true
        do {
            guard let index else { return try reader.value(of: node) }
            return try reader.element(index)
        } catch {
            throw reader.located(error, below: path.steps)
        }
    }

    /// The value as a type of the app.
    ///
    /// - Parameters:
    ///   - type: a type that a property may have. A model is mapped strictly; an ``ArchivedObject`` is mapped with options.
    ///   - policy: how a value of another type is taken.
    /// - Throws: ``ArchiveMappingError`` for a value that does not fit; ``ArchiveError`` for a damaged object, and with the code
    ///   `cycle` for one that is part of itself.
    public func decode<T: PropertyValue>(
        _ type: T.Type = T.self,
        policy: CoercionPolicy = .strict
    ) throws -> T {
        let value = try value()
        do throws(CoercionError) {
            return try T(coercing: value, policy: policy)
        } catch {
            if value.hasReferences { throw cycle }
            throw ArchiveMappingError(MappingError(error, key: "", value: value), at: self)
        }
    }

    fileprivate var cycle: ArchiveError {
        archive.list.error(
            .cycle,
            at: node,
            object: index,
            keyPath: path.description,
            "the value refers back to an object that it is part of; expected a value of its own"
        )
    }
}

extension ArchivedObject {
    /// The fields in the order of the file, each under the key that the encoding class named.
    public var fields: [(key: String, value: ArchivedValue)] {
        userFields.map { ($0.key, ArchivedValue($0.node, in: archive, path: path.appending(.key($0.key)))) }
    }

    /// The field under a key; nil if the object has no such field.
    public subscript(key: String) -> ArchivedValue? {
        node(forKey: key).map { ArchivedValue($0, in: archive, path: path.appending(.key(key))) }
    }

    /// What a field holds, as a type of the app.
    ///
    /// - Throws: ``ArchiveMappingError`` with the code `missingKey` if there is no such field, and what
    ///   ``ArchivedValue/decode(_:policy:)`` throws.
    public func decode<T: PropertyValue>(
        _ type: T.Type = T.self,
        forKey key: String,
        policy: CoercionPolicy = .strict
    ) throws -> T {
        guard let value = self[key] else {
            throw ArchiveMappingError(.missingKey(key, found: keys), in: self, field: nil)
        }
        return try value.decode(type, policy: policy)
    }

    /// What a field holds, as a type of the app; nil if there is no such field, or nothing in it.
    ///
    /// - Throws: what ``ArchivedValue/decode(_:policy:)`` throws.
    public func decodeIfPresent<T: PropertyValue>(
        _ type: T.Type = T.self,
        forKey key: String,
        policy: CoercionPolicy = .strict
    ) throws -> T? {
        try self[key]?.decode(T?.self, policy: policy)
    }

    /// The object as a model of the app, through the model's table of properties. The class does not matter here.
    ///
    /// - Parameters:
    ///   - type: the model.
    ///   - options: what other keys and types mean, and what stands in for what is missing.
    /// - Throws: ``ArchiveMappingError`` for the first property, in the order of the table, that is missing or does not fit, and
    ///   for a key that was to be known; ``ArchiveError`` for a damaged object, and with the code `cycle` for one that is
    ///   part of what the model needs of it.
    public func decode<Model: KeyValueCodable>(
        _ type: Model.Type = Model.self,
        options: MappingOptions = .strict
    ) throws -> Model {
        var reader = ArchiveValueReader(archive: archive)
        _ = reader.met.insert(index)
        reader.repeatsShared = true
        var values: [String: Value] = [:]
        let fields: [(key: String, value: Value)]
        do {
            fields = try reader.fields(of: self)
        } catch {
            throw reader.located(error, below: path.steps)
        }
        for (key, value) in fields {
            // Keys that look alike are one to a dictionary in Swift, so that a value would be lost.
            guard values.updateValue(value, forKey: key) == nil else {
                throw ArchiveMappingError(.duplicateKey(key, found: keys.filter { $0 == key }), in: self, field: key)
            }
        }
        do throws(MappingError) {
            return try Model(dictionary: values, options: options)
        } catch {
            let field = ([error.key] + options.aliases.filter { $0.value == error.key }.keys).first {
                values[$0] != nil
            }
            if let field, let value = self[field], values[field]?.hasReferences == true, error.code == .typeMismatch {
                throw value.cycle
            }
            throw ArchiveMappingError(error, in: self, field: field)
        }
    }
}
