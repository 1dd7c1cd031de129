internal import ConcurrentTable
internal import KeyValueCoding
internal import Synchronization

/// The forms of archives that a decoder has met, and how the models in them are read.
final class DecoderMemory: Sendable {
    /// How the models of one type are read from the files of a template.
    private final class Known: AppendOnlyTableEntry {
        let key: UInt64
        let mapping: TemplateMapping
        let plan: Plan

        init(_ mapping: TemplateMapping, plan: Plan) {
            key = DecoderMemory.key(mapping.key, plan.model)
            self.mapping = mapping
            self.plan = plan
        }
    }

    /// A plan for the models of one type.
    private final class Plan: AppendOnlyTableEntry {
        let model: ObjectIdentifier
        private let plan: any Sendable & AnyObject

        init<Model>(_ plan: ModelPlan<Model>) {
            model = ObjectIdentifier(Model.self)
            self.plan = plan
        }

        /// The same for all, so that they are found one after the other.
        var key: UInt64 { 0 }

        /// The plan, which has to be one for the type.
        func of<Model>(_ type: Model.Type) -> ModelPlan<Model> {
            unsafe unsafeDowncast(plan, to: ModelPlan<Model>.self)
        }
    }

    private let templates = AppendOnlyTable<Known>()
    private let plans = AppendOnlyTable<Plan>(capacity: 64, probes: 64)
    /// How many files there were of which nothing could be learned.
    private let failures = Atomic<Int>(0)

    /// After so many files in vain no more is tried: it takes longer than to read a file.
    private static let mostFailures = 64

    /// The model in a file of a form that is known; nil for any other file.
    func model<Model: KeyValueCodable>(_ type: Model.Type, in bytes: [UInt8]) -> Model? {
        guard let key = FileTemplate.key(of: bytes) else { return nil }
        let model = ObjectIdentifier(type)
        let known = templates.first(ofKey: Self.key(key, model)) { known -> Model? in
            known.plan.model == model ? known.plan.of(type).model(in: bytes, as: known.mapping) : nil
        }
        if let known { return known }
        var places: [ArchiveFormMatcher.Place] = []
        return plans.first(ofKey: 0) { plan in
            guard plan.model == model, plan.of(type).matches(bytes, places: &places),
                let template = FileTemplate(bytes, places: places)
            else { return nil }
            let mapping = plan.of(type).mapping(template, plan: plan)
            if template.isShort { templates.add(Known(mapping, plan: plan)) }
            return plan.of(type).model(in: bytes, as: mapping)
        }
    }

    /// Remembers the form of a file that was read in the general way, if others of it can be read by comparison.
    func learn<Model: KeyValueCodable>(
        _ model: Model,
        from bytes: [UInt8],
        object: ArchivedObject,
        options: MappingOptions
    ) {
        // A class would be one object for all archives.
        guard !(Model.self is AnyObject.Type), plans.hasRoom(forKey: 0),
            failures.load(ordering: .relaxed) < Self.mostFailures
        else { return }
        guard let new = ModelPlan(model, from: bytes, object: object, options: options) else {
            failures.add(1, ordering: .relaxed)
            return
        }
        let type = ObjectIdentifier(Model.self)
        let isKnown = plans.first(ofKey: 0) { $0.model == type && $0.of(Model.self).form == new.form ? true : nil }
        if isKnown == nil { plans.add(Plan(new)) }
    }

    private static func key(_ file: UInt64, _ model: ObjectIdentifier) -> UInt64 {
        file ^ UInt64(UInt(bitPattern: model))
    }
}
