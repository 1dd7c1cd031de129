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
    /// What properties have no place for and is in all files the same.
    private let constants: [(property: Property<Model>, value: Value)]
    private let extras: [ExtraStep]
    /// The extras of the model that was read first, of which some have places.
    private let firstExtras: [String: Value]

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
        var placed: Set<String> = []
        for (place, hole) in form.holes.enumerated() {
            for target in hole.targets {
                guard let property = target.property.flatMap({ table[$0] }) else {
                    if options.unknownKeys == .keep, table.extras != nil {
                        extras.append(ExtraStep(target, place: place, of: form))
                    }
                    continue
                }
                guard target.path.isEmpty else { return nil }
                placed.insert(property.key)
                if let field = FieldStep(property, place: place, of: form) {
                    fields.append(field)
                } else {
                    values.append(ValueStep(place: place, kind: hole.kind, property: property))
                }
            }
        }
        self.form = form
        self.matcher = matcher
        firstExtras = table.extras?.get(first) ?? [:]
        constants = Self.constants(of: first, but: placed, in: form, options: options)
        self.fields = fields
        self.values = values
        self.extras = extras
        policy = options.coercion
        // A property need not give again what it was set to.
        var places: [ArchiveFormMatcher.Place] = []
        let checked = placed.union(constants.map(\.property.key))
        guard matcher.match(bytes, places: &places), let again = model(in: bytes, at: places),
            Self.areSame(again, first, properties: checked)
        else { return nil }
    }

    private static func areSame(_ one: Model, _ other: Model, properties: Set<String>) -> Bool {
        let table = Model.properties
        let extras = [one, other].map { Value.dictionary(table.extras?.get($0) ?? [:]) }
        return extras[0].isIdentical(to: extras[1])
            && table.properties.allSatisfy {
                !properties.contains($0.key) || $0.value(in: one).isIdentical(to: $0.value(in: other))
            }
    }

    /// The properties that have a field or a default, but no place.
    private static func constants(
        of model: Model,
        but placed: Set<String>,
        in form: ArchiveForm,
        options: MappingOptions
    ) -> [(property: Property<Model>, value: Value)] {
        let held = Set(form.properties.values)
        return Model.properties.properties.filter { property in
            let hasDefault = options.defaults[property.key] != nil || property.presence.isDefaulted
            return !placed.contains(property.key) && (held.contains(property.key) || hasDefault)
        }.map { ($0, $0.value(in: model)) }
    }

    /// Whether a file is of the form.
    ///
    /// - Parameter places: filled with the places of the values.
    func matches(_ bytes: [UInt8], places: inout [ArchiveFormMatcher.Place]) -> Bool {
        matcher.match(bytes, places: &places)
    }

    /// The model in a file of the form; nil for one that needs the general way.
    func model(in bytes: [UInt8], at places: [ArchiveFormMatcher.Place]) -> Model? {
        // Not a copy of the first one: what is not in the table may be another in each.
        var model = Model()
        for (property, value) in constants {
            guard (try? property.set(value, in: &model, policy: policy)) != nil else { return nil }
        }
        guard fields.read(bytes, at: places, into: &model) else { return nil }
        for step in values {
            guard let value = places[step.place].value(as: step.kind, in: bytes),
                (try? step.property.set(value, in: &model, policy: policy)) != nil
            else { return nil }
        }
        guard !firstExtras.isEmpty, let access = Model.properties.extras else { return model }
        var values = access.get(model).merging(firstExtras) { _, archived in archived }
        for step in extras {
            guard step.set(&values, from: bytes, at: places[step.place]) else { return nil }
        }
        access.set(&model, values)
        return model
    }
}

extension Presence {
    /// Whether a property gets a value when its key is missing.
    fileprivate var isDefaulted: Bool { if case .defaulted = self { true } else { false } }
}
