internal import ConcurrentTable

/// Moves values between the files of a template and models.
///
/// Models are plain memory here: whoever calls vouches that a pointer is to a model of the type that the steps were made for.
@safe package final class TemplateMapping: AppendOnlyTableEntry {
    /// A step, and the place that it is for.
    private struct Field: BitwiseCopyable {
        var step: FieldStep
        var place: ArchiveFormMatcher.Place
    }

    package let template: FileTemplate
    /// What the values that no step is for are treated by.
    package let plan: any AnyObject & Sendable
    /// Whether there are none.
    package let isComplete: Bool
    /// The ``FileTemplate/key`` of the template.
    package let key: UInt64
    /// Whether there is just one step for each place, in their order, so that files can be written.
    private let isWritable: Bool
    /// Memory of its own, as that of a template is.
    nonisolated(unsafe) private let fields: UnsafeMutableBufferPointer<Field>

    /// Makes a mapping.
    ///
    /// - Parameters:
    ///   - template: the template.
    ///   - steps: what is done with its places.
    ///   - plan: what else is done.
    ///   - isComplete: whether the steps are all that is done.
    package init(
        _ template: FileTemplate,
        steps: [FieldStep],
        plan: any AnyObject & Sendable,
        isComplete: Bool
    ) {
        self.template = template
        self.plan = plan
        self.isComplete = isComplete
        key = template.key
        isWritable = steps.map(\.place) == Array(template.places.indices)
        unsafe fields = .allocate(capacity: steps.count)
        for (index, step) in steps.enumerated() {
            unsafe fields.initializeElement(at: index, to: Field(step: step, place: template.places[step.place]))
        }
    }

    deinit {
        unsafe fields.deallocate()
    }
}

extension TemplateMapping {
    /// Sets properties of a model to the values of a file.
    ///
    /// - Returns: whether the file is one of the template and all properties could be set.
    package func read(_ file: [UInt8], into model: UnsafeMutableRawPointer) -> Bool {
        unsafe file.withUnsafeBytes { file in
            guard unsafe template.matches(file), let view = unsafe ByteView(file) else { return false }
            for index in unsafe 0..<fields.count {
                guard unsafe fields[index].step.read(fields[index].place, of: view, into: model) else { return false }
            }
            return true
        }
    }

    /// Appends the file to a buffer, with the values of a model.
    ///
    /// - Returns: whether the values take just as many bytes as those of the template; if not, the buffer is as it was.
    package func append(_ model: UnsafeRawPointer, to buffer: inout [UInt8]) -> Bool {
        guard isWritable else { return false }
        let start = buffer.count
        unsafe buffer.append(contentsOf: template.bytes)
        let isFilled = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), with: model)
        }
        if !isFilled { buffer.removeSubrange(start...) }
        return isFilled
    }

    @inline(__always)
    private func fill(_ file: UnsafeMutableRawBufferPointer, with model: UnsafeRawPointer) -> Bool {
        for index in unsafe 0..<fields.count {
            let (step, place) = unsafe (fields[index].step, fields[index].place)
            switch step.kind {
            case .integer:
                let integer = unsafe step.integer(in: model)
                guard BinaryPropertyListWriter.width(of: UInt64(bitPattern: integer)) == place.count else {
                    return false
                }
                unsafe Self.put(integer, into: file, at: place)
            case .digits:
                let integer = unsafe step.integer(in: model)
                guard Digits.count(of: integer) == place.count else { return false }
                unsafe Digits.write(integer, to: UnsafeMutableRawBufferPointer(rebasing: file[place.content]))
            case .text, .optionalText:
                let isPut = unsafe step.withText(in: model) { unsafe Self.put($0, into: file, at: place) }
                guard isPut == true else { return false }
            }
        }
        return true
    }

    @inline(__always)
    private static func put(
        _ integer: Int64,
        into file: UnsafeMutableRawBufferPointer,
        at place: ArchiveFormMatcher.Place
    ) {
        let position = place.start
        switch place.count {
        case 1:
            unsafe file.storeBytes(of: UInt8(truncatingIfNeeded: integer), toByteOffset: position, as: UInt8.self)
        case 2:
            let bytes = UInt16(truncatingIfNeeded: integer).bigEndian
            unsafe file.storeBytes(of: bytes, toByteOffset: position, as: UInt16.self)
        case 4:
            let bytes = UInt32(truncatingIfNeeded: integer).bigEndian
            unsafe file.storeBytes(of: bytes, toByteOffset: position, as: UInt32.self)
        default:
            unsafe file.storeBytes(of: integer.bigEndian, toByteOffset: position, as: Int64.self)
        }
    }

    /// Puts ASCII text into a place of ASCII text for as many bytes.
    @inline(__always)
    private static func put(
        _ text: UnsafeBufferPointer<UInt8>,
        into file: UnsafeMutableRawBufferPointer,
        at place: ArchiveFormMatcher.Place
    ) -> Bool {
        guard text.count == place.count, place.marker >> 4 == 0x5 else { return false }
        guard let view = unsafe ByteView(UnsafeRawBufferPointer(text)) else { return true }
        guard view.firstNonASCII(in: 0..<text.count) == nil else { return false }
        unsafe (file.baseAddress.unsafelyUnwrapped + place.start)
            .copyMemory(from: text.baseAddress.unsafelyUnwrapped, byteCount: text.count)
        return true
    }
}
