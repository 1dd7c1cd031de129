extension Value {
    /// Whether the value has a reference to an object of an archive in it.
    public var hasReferences: Bool {
        switch self {
        case .reference: true
        case .array(let values): values.contains(where: \.hasReferences)
        case .dictionary(let values): values.values.contains(where: \.hasReferences)
        case .pairs(let pairs): pairs.contains { $0.key.hasReferences || $0.value.hasReferences }
        case .object(let object): object.fields.values.contains(where: \.hasReferences)
        default: false
        }
    }

    /// The value with other indices in its references.
    public func mappingReferences(_ index: (Int) -> Int) -> Value {
        switch self {
        case .reference(let old): return .reference(index(old))
        case .array(let values): return .array(values.map { $0.mappingReferences(index) })
        case .dictionary(let values): return .dictionary(values.mapValues { $0.mappingReferences(index) })
        case .pairs(let pairs):
            return .pairs(
                pairs.map { Pair(key: $0.key.mappingReferences(index), value: $0.value.mappingReferences(index)) }
            )
        case .object(var object):
            object.fields = object.fields.mapValues { $0.mappingReferences(index) }
            return .object(object)
        default: return self
        }
    }
}
