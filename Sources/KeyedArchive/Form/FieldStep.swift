package import KeyValueCoding

/// A value of a file that goes into a stored property of a model, and from there into a file, without a detour.
///
/// It names the property by where it is in the model's memory, so that a million models are filled without a call for each property.
package struct FieldStep: BitwiseCopyable, Sendable {
    /// The type of the property, and how the file has its value.
    enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// An `Int64`, as an integer.
        case integer
        /// An `Int64`, as text with its digits.
        case digits
        case text
        case optionalText
    }

    /// The index of the form's place.
    package let place: Int
    let kind: Kind
    /// Where the property is, in bytes.
    let offset: Int

    /// Makes a step; nil for a property that is not stored in the model, and one of another type than the place has.
    package init?<Model>(_ property: Property<Model>, place: Int, of form: ArchiveForm) {
        guard let offset = property.offset else { return nil }
        switch (property.accessor, form.holes[place].kind) {
        case (.integer, .integer): kind = .integer
        case (.integer, .text): kind = .digits
        case (.text, .text): kind = .text
        case (.optionalText, .text): kind = .optionalText
        default: return nil
        }
        self.place = place
        self.offset = offset
    }
}

/// Models as plain memory: whoever calls vouches that the pointer is to a model of the type that the steps were made for.
extension FieldStep {
    @inline(__always)
    func integer(in model: UnsafeRawPointer) -> Int64 {
        unsafe (model + offset).assumingMemoryBound(to: Int64.self).pointee
    }

    /// Gives a closure the UTF-8 bytes of the property's text; nil if it is nil.
    @inline(__always)
    func withText<Result>(in model: UnsafeRawPointer, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        if kind == .text {
            let text = unsafe (model + offset).assumingMemoryBound(to: String.self)
            return unsafe text.pointee.utf8.withContiguousStorageIfAvailable(body)
        }
        let text = unsafe (model + offset).assumingMemoryBound(to: String?.self)
        return unsafe text.pointee?.utf8.withContiguousStorageIfAvailable(body) ?? nil
    }

    /// How many bytes the property's value takes in a place; nil for text that is nil.
    @inline(__always)
    func size(in model: UnsafeRawPointer) -> Int? {
        switch kind {
        case .integer: unsafe BinaryPropertyListWriter.width(of: UInt64(bitPattern: integer(in: model)))
        case .digits: unsafe Digits.count(of: integer(in: model))
        case .text: unsafe (model + offset).assumingMemoryBound(to: String.self).pointee.utf8.count
        case .optionalText: unsafe (model + offset).assumingMemoryBound(to: String?.self).pointee?.utf8.count
        }
    }

    /// Whether two steps are for properties of equal values; false for text.
    package func isEqual(_ other: FieldStep, in model: UnsafeRawPointer) -> Bool {
        guard kind == .integer || kind == .digits, other.kind == .integer || other.kind == .digits else { return false }
        return unsafe integer(in: model) == other.integer(in: model)
    }

    /// Sets the property to the value at a place.
    ///
    /// - Returns: whether the value is one; digits may spell a number that needs the general way.
    @inline(__always)
    func read(_ place: ArchiveFormMatcher.Place, of bytes: ByteView, into model: UnsafeMutableRawPointer) -> Bool {
        switch kind {
        case .integer:
            let value = Int64(truncatingIfNeeded: bytes.unsigned(at: place.start, width: place.count))
            unsafe (model + offset).assumingMemoryBound(to: Int64.self).pointee = value
        case .digits:
            guard place.marker >> 4 == 0x5, let value = Digits.integer(in: bytes, place.content) else { return false }
            unsafe (model + offset).assumingMemoryBound(to: Int64.self).pointee = value
        case .text:
            unsafe (model + offset).assumingMemoryBound(to: String.self).pointee = place.text(in: bytes)
        case .optionalText:
            unsafe (model + offset).assumingMemoryBound(to: String?.self).pointee = place.text(in: bytes)
        }
        return true
    }
}

extension [FieldStep] {
    /// A number that says how many bytes each value of a model takes; nil for a model with text that is nil.
    package func sizes(of model: UnsafeRawPointer) -> UInt64? {
        var sizes: UInt64 = 0
        for index in indices {
            guard let size = unsafe self[index].size(in: model) else { return nil }
            sizes = sizes &* 31 &+ UInt64(truncatingIfNeeded: size)
        }
        return sizes
    }
}
