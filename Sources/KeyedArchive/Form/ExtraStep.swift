package import KeyValueCoding

/// A value of a file that goes into a dictionary of extras, for a field that the model has no property for.
package struct ExtraStep: Sendable {
    /// The index of the form's place.
    package let place: Int
    private let kind: LeafKind
    private let target: ArchiveForm.Target

    /// Makes a step for one of the targets of a place.
    package init(_ target: ArchiveForm.Target, place: Int, of form: ArchiveForm) {
        self.place = place
        self.target = target
        kind = form.holes[place].kind
    }

    /// Sets the extra, or the part of it that is meant, to the value at a place.
    ///
    /// - Parameters:
    ///   - extras: the extras, in which the whole extra is if only a part of it is set.
    ///   - bytes: the file.
    ///   - place: where the value is.
    /// - Returns: whether it could be set.
    package func set(
        _ extras: inout [String: Value],
        from bytes: [UInt8],
        at place: ArchiveFormMatcher.Place
    ) -> Bool {
        guard let value = place.value(as: kind, in: bytes) else { return false }
        if target.path.isEmpty {
            extras[target.field] = value
            return true
        }
        guard let whole = extras[target.field].flatMap({ target.replacing(in: $0, with: value) }) else { return false }
        extras[target.field] = whole
        return true
    }
}
