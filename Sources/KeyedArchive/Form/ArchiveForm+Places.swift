extension ArchiveForm {
    /// A place for a single value, as far as somebody wants to know who compares forms.
    package struct Place: Sendable, Hashable {
        /// The field of the object that the value is in or below.
        package var field: String
        /// The property that the field was read as; nil if the model has none for it.
        package var property: String?
        /// Whether the value stands there as text, whatever it is in the model.
        package var isText: Bool
    }

    /// The places for values, in the order of the file; none for a form that keeps whole files.
    package var places: [Place] {
        holes.flatMap { hole in
            hole.targets.map { target in
                Place(
                    field: target.field,
                    property: target.property,
                    isText: hole.kind == .text || hole.kind == .utf8Data
                )
            }
        }
    }
}
