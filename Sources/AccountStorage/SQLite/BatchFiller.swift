internal import FoundationEssentials
internal import KeyValueCoding
internal import SQLiteBinding

/// Fills batches with the columns of a mapping.
///
/// Where each property is in a model's memory was found once, so that a million models are taken from there without a call for
/// each property.
struct BatchFiller<Model: KeyValueCodable>: Sendable {
    /// How a column is filled.
    private enum Step: BitwiseCopyable {
        /// From a property of the type `Int64`, so many bytes into the model.
        case integer(Int)
        case text(Int)
        case optionalText(Int)
        case optionalDate(Int)
        /// From the property at an index, whatever its type.
        case property(Int)
    }

    private let mapping: RowMapping<Model>
    private let steps: [Step]
    /// Where the extras are in the model's memory, in bytes.
    private let extrasOffset: Int?

    init(_ mapping: RowMapping<Model>) {
        self.mapping = mapping
        steps = Model.properties.properties.enumerated().map { index, property in
            guard let offset = property.offset, !mapping.textColumns.contains(property.key) else {
                return .property(index)
            }
            return switch property.accessor {
            case .integer: .integer(offset)
            case .text: .text(offset)
            case .optionalText: .optionalText(offset)
            case .optionalDate: .optionalDate(offset)
            case .value: .property(index)
            }
        }
        extrasOffset = Model.properties.extras.flatMap { MemoryLayout<Model>.offset(of: $0.keyPath) }
    }

    /// Appends a model to a batch with as many columns as the mapping has, or more.
    ///
    /// - Throws: `RowError` for a value that no column can hold. The batch has a part of the row then.
    func append(_ model: UnsafePointer<Model>, to batch: RowBatch) throws(RowError) {
        let memory = unsafe UnsafeRawPointer(model)
        for index in steps.indices {
            switch steps[index] {
            case .integer(let offset):
                unsafe batch.append((memory + offset).assumingMemoryBound(to: Int64.self).pointee)
            case .text(let offset):
                let text = unsafe (memory + offset).assumingMemoryBound(to: String.self).pointee
                try unsafe mapping.checkText(text, of: Model.properties[index], in: model.pointee)
                batch.append(text)
            case .optionalText(let offset):
                let text = unsafe (memory + offset).assumingMemoryBound(to: String?.self).pointee
                try unsafe mapping.checkText(text, of: Model.properties[index], in: model.pointee)
                batch.append(text)
            case .optionalDate(let offset):
                let date = unsafe (memory + offset).assumingMemoryBound(to: Date?.self).pointee
                batch.append(date.flatMap(Timestamp.unixSeconds))
            case .property(let index):
                let property = Model.properties[index]
                let value = unsafe property.value(in: model.pointee)
                batch.append(try unsafe mapping.columnValue(value, of: property, in: model.pointee))
            }
        }
        for column in mapping.derivedColumns { batch.append(unsafe column.value(model.pointee)) }
        if let extras = Model.properties.extras { try unsafe append(extras, of: model, to: batch) }
    }

    private func append(
        _ extras: PropertyTable<Model>.Extras,
        of model: UnsafePointer<Model>,
        to batch: RowBatch
    ) throws(RowError) {
        if let offset = extrasOffset {
            let values = unsafe (UnsafeRawPointer(model) + offset).assumingMemoryBound(to: [String: Value].self)
            if unsafe values.pointee.isEmpty { return batch.append("{}") }
        }
        try unsafe mapping.checkSize(model.pointee)
        batch.append(unsafe Value.dictionary(extras.get(model.pointee)).json(dialect: .tagged))
    }
}
