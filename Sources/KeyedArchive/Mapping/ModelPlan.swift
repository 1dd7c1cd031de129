internal import KeyValueCoding

/// How the models in archives of one form are read, once the first of them was read in the general way.
///
/// A file that matches the form differs from the first only in its values, and each value has its place.
final class ModelPlan<Model: KeyValueCodable>: Sendable {
    /// A value inside of what a property is set to.
    private struct Part: Sendable {
        var place: Int
        var kind: LeafKind
        var target: ArchiveForm.Target
    }

    /// A property that is set through the coercion table, to what the first archive has but for its parts.
    private struct Slot: Sendable {
        var property: Property<Model>
        var value: Value
        var parts: [Part] = []
    }

    let form: ArchiveForm
    private let matcher: ArchiveFormMatcher
    private let options: MappingOptions
    /// The values that go straight into properties.
    private let fields: [FieldStep]
    private let slots: [Slot]
    /// What the first archive has under keys that the model lacks, and what is put into it.
    private let extras: [String: Value]
    private let extraSteps: [ExtraStep]

    /// Makes a plan from the first model of a form; nil if the form needs the general way, as one does with an object that is in
    /// several places.
    ///
    /// - Parameters:
    ///   - first: the model.
    ///   - bytes: the file that it was read from.
    ///   - object: the object that it was read from.
    ///   - options: how it was read.
    init?(_ first: Model, from bytes: [UInt8], object: ArchivedObject, options: MappingOptions) {
        let table = Model.properties
        let key = { (field: String) in options.aliases[field] ?? field }
        let form = try? ArchiveForm(of: bytes, object: object) { table.index(ofKey: key($0)) == nil ? nil : key($0) }
        guard let form, let matcher = ArchiveFormMatcher(form), !object.archive.sharesContainers,
            let archived = try? object.wholeValues(), !archived.values.contains(where: \.hasReferences)
        else { return nil }
        let places = form.holes.indices.flatMap { place in form.holes[place].targets.map { (place, $0) } }
        var fields: [FieldStep] = []
        var slots: [Slot] = []
        // Setting one property may change another, unless all of them have memory of their own. Then they are set in order.
        let isPlain = table.isPlain
        for property in table.properties {
            let own = places.filter { $0.1.property == property.key }
            if isPlain, own.count == 1, own[0].1.path.isEmpty,
                let step = FieldStep(property, place: own[0].0, of: form)
            {
                fields.append(step)
                continue
            }
            let field = archived.first { key($0.key) == property.key }
            guard let value = field?.value ?? options.defaults[property.key] ?? property.presence.value else {
                continue
            }
            let parts = own.map { Part(place: $0.0, kind: form.holes[$0.0].kind, target: $0.1) }
            slots.append(Slot(property: property, value: value, parts: parts))
        }
        self.form = form
        self.matcher = matcher
        self.options = options
        self.fields = fields
        self.slots = slots
        let keepsExtras = table.extras != nil && options.unknownKeys == .keep
        extras = keepsExtras ? archived.filter { table.index(ofKey: key($0.key)) == nil } : [:]
        extraSteps =
            keepsExtras
            ? places.filter { $0.1.property == nil }.map { ExtraStep($0.1, place: $0.0, of: form) } : []
        guard gives(first, for: bytes) else { return nil }
    }

    /// Whether a file is of the form.
    ///
    /// - Parameter places: filled with the places of the values.
    func matches(_ bytes: [UInt8], places: inout [ArchiveFormMatcher.Place]) -> Bool {
        matcher.match(bytes, places: &places)
    }

    /// How the files of a template are read.
    func mapping(_ template: FileTemplate, plan: any AnyObject & Sendable) -> TemplateMapping {
        TemplateMapping(template, steps: fields, plan: plan, isComplete: slots.isEmpty && extras.isEmpty)
    }

    /// The model in a file, if it is of a template; nil for another, and for one that needs the general way.
    func model(in bytes: [UInt8], as mapping: TemplateMapping) -> Model? {
        // Not a copy of the first one: what is not in the table may be another in each.
        var model = Model()
        let isRead = unsafe withUnsafeMutablePointer(to: &model) { unsafe mapping.read(bytes, into: $0) }
        guard isRead else { return nil }
        if mapping.isComplete { return model }
        let places = mapping.template.places
        for slot in slots {
            var value = slot.value
            for part in slot.parts {
                guard let new = places[part.place].value(as: part.kind, in: bytes),
                    let changed = part.target.replacing(in: value, with: new)
                else { return nil }
                value = changed
            }
            guard (try? slot.property.set(value, in: &model, options: options)) != nil else { return nil }
        }
        return setExtras(in: &model, from: bytes, at: places) ? model : nil
    }

    private func setExtras(
        in model: inout Model,
        from bytes: [UInt8],
        at places: [ArchiveFormMatcher.Place]
    ) -> Bool {
        guard !extras.isEmpty, let access = Model.properties.extras else { return true }
        var values = access.get(model).merging(extras) { _, archived in archived }
        for step in extraSteps {
            guard step.set(&values, from: bytes, at: places[step.place]) else { return false }
        }
        access.set(&model, values)
        return true
    }

    /// Whether the plan gives for the first file what the general way has given.
    private func gives(_ first: Model, for bytes: [UInt8]) -> Bool {
        var places: [ArchiveFormMatcher.Place] = []
        guard matcher.match(bytes, places: &places), let template = FileTemplate(bytes, places: places),
            let again = model(in: bytes, as: mapping(template, plan: self))
        else { return false }
        let table = Model.properties
        let set = Set(slots.map(\.property.key)).union(form.properties.values)
        let extras = [again, first].map { Value.dictionary(table.extras?.get($0) ?? [:]) }
        return extras[0].isIdentical(to: extras[1])
            && table.properties.allSatisfy {
                !set.contains($0.key) || $0.value(in: again).isIdentical(to: $0.value(in: first))
            }
    }
}

extension Presence {
    /// The value that a property gets when its key is missing; nil if it gets none.
    fileprivate var value: Value? { if case .defaulted(let value) = self { value } else { nil } }
}

extension PropertyTable {
    /// Whether each property is stored in bytes of the model that no other one has.
    fileprivate var isPlain: Bool {
        let places = properties.compactMap(\.memory).sorted { $0.lowerBound < $1.lowerBound }
        return places.count == properties.count
            && zip(places, places.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
    }
}

extension ArchivedObject {
    /// All values of the object, those of shared objects in each place.
    fileprivate func wholeValues() throws(ArchiveError) -> [String: Value] {
        var reader = ArchiveValueReader(archive: archive)
        _ = reader.met.insert(index)
        reader.repeatsShared = true
        return Dictionary(try reader.fields(of: self).map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension Archive {
    /// Whether an array, a dictionary or an object, other than a class, is referred to from more than one place. A value in
    /// it is in several places then.
    fileprivate var sharesContainers: Bool {
        zip(1..., referenceCounts.dropFirst()).contains { index, count in
            let node = element(index)
            guard count > 1, let run = list.nodes[node].run else { return false }
            let isClass = list.nodes[node].isDictionary && list.entries(of: run).contains { $0.key == "$classname" }
            return !isClass
        }
    }
}
