extension PropertyTable {
    /// What keeps this table from naming each stored property of a model exactly once; nil if it does.
    ///
    /// Call it in a test, so that a property that is added to the struct is not forgotten in the table. It counts the
    /// children of the model's mirror, so a mirror of the model's own has to show all properties.
    ///
    /// - Parameter model: any value of the model.
    public func mismatch(with model: Root) -> String? {
        var keyPaths: [PartialKeyPath<Root>] = properties.map(\.keyPath)
        if let extras { keyPaths.append(extras.keyPath) }
        var seen: [Int: PartialKeyPath<Root>] = [:]
        for keyPath in keyPaths {
            guard let offset = MemoryLayout<Root>.offset(of: keyPath) else {
                return "\(keyPath) is no stored property of a struct"
            }
            if let other = seen.updateValue(keyPath, forKey: offset) {
                return "\(other) and \(keyPath) are one property"
            }
        }
        let labels = Mirror(reflecting: model).children.map { $0.label ?? "?" }
        guard labels.count != keyPaths.count else { return nil }
        return "the model stores \(labels.joined(separator: ", ")); the table has \(keyPaths)"
    }
}
