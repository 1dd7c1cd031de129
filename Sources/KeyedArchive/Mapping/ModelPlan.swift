internal import KeyValueCoding

/// How the models in archives of one form are read, once the first of them was read in the general way.
///
/// A file that matches the form differs from the first only in its values, and each value has its place.
final class ModelPlan<Model: KeyValueCodable>: Sendable {
    /// A value that goes into a property through the table of ``CoercionPolicy``.
    private struct ValueStep: Sendable {
        var place: Int
        var kind: LeafKind
        var property: Property<Model>
    }

    let form: ArchiveForm
    private let matcher: ArchiveFormMatcher
    private let policy: CoercionPolicy
    private let fields: [FieldStep]
    private let values: [ValueStep]
    private let extras: [ExtraStep]
    /// The model that was read first: what has no place is in all of them the same.
    private let first: Model

    /// Makes a plan from the first model of a form; nil if the form needs the general way, as one does with models in models.
    ///
    /// - Parameters:
    ///   - first: the model.
    ///   - bytes: the file that it was read from.
    ///   - object: the object that it was read from.
    ///   - options: how it was read.
    init?(_ first: Model, from bytes: [UInt8], object: ArchivedObject, options: MappingOptions) {
        let table = Model.properties
        let form = try? ArchiveForm(of: bytes, object: object) { field in
            let key = options.aliases[field] ?? field
            return table.index(ofKey: key) == nil ? nil : key
        }
        guard let form, let matcher = ArchiveFormMatcher(form) else { return nil }
        var fields: [FieldStep] = []
        var values: [ValueStep] = []
        var extras: [ExtraStep] = []
        for (place, hole) in form.holes.enumerated() {
            for target in hole.targets {
                guard let property = target.property.flatMap({ table[$0] }) else {
                    if options.unknownKeys == .keep, table.extras != nil {
                        extras.append(ExtraStep(target, place: place, of: form))
                    }
                    continue
                }
                guard target.path.isEmpty else { return nil }
                if let field = FieldStep(property, place: place, of: form) {
                    fields.append(field)
                } else {
                    values.append(ValueStep(place: place, kind: hole.kind, property: property))
                }
            }
        }
        self.form = form
        self.matcher = matcher
        self.first = first
        self.fields = fields
        self.values = values
        self.extras = extras
        policy = options.coercion
    }

    /// Whether a file is of the form.
    ///
    /// - Parameter places: filled with the places of the values.
    func matches(_ bytes: [UInt8], places: inout [ArchiveFormMatcher.Place]) -> Bool {
        matcher.match(bytes, places: &places)
    }

    /// The model in a file of the form; nil for one that needs the general way.
    func model(in bytes: [UInt8], at places: [ArchiveFormMatcher.Place]) -> Model? {
        var model = first
        guard fields.read(bytes, at: places, into: &model) else { return nil }
        for step in values {
            guard let value = places[step.place].value(as: step.kind, in: bytes),
                (try? step.property.set(value, in: &model, policy: policy)) != nil
            else { return nil }
        }
        guard !extras.isEmpty, let access = Model.properties.extras else { return model }
        var values = access.get(model)
        for step in extras {
            guard step.set(&values, from: bytes, at: places[step.place]) else { return nil }
        }
        access.set(&model, values)
        return model
    }
}
