/// Writes files of a template: the file itself, with the values of a model in its places.
///
/// Models are plain memory here: whoever calls vouches that a pointer is to a model of the type that the steps were made for.
@safe package final class FileFiller: Sendable {
    /// A step, and the place that it fills.
    private struct Filling: BitwiseCopyable {
        var step: FieldStep
        var place: ArchiveFormMatcher.Place
    }

    private let template: FileTemplate
    /// Memory of the filler's own, as that of a template is.
    nonisolated(unsafe) private let fillings: UnsafeMutableBufferPointer<Filling>

    /// Makes a filler; nil if there is not just one step for each place.
    package init?(_ template: FileTemplate, steps: [FieldStep]) {
        guard steps.map(\.place) == Array(template.places.indices) else { return nil }
        self.template = template
        unsafe fillings = .allocate(capacity: steps.count)
        for (index, step) in steps.enumerated() {
            unsafe fillings.initializeElement(at: index, to: Filling(step: step, place: template.places[index]))
        }
    }

    deinit {
        unsafe fillings.deallocate()
    }

    /// Appends the file to a buffer, with the values of a model.
    ///
    /// - Returns: whether the values take just as many bytes as those of the template; if not, the buffer is as it was.
    package func append(_ model: UnsafeRawPointer, to buffer: inout [UInt8]) -> Bool {
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
        for index in unsafe 0..<fillings.count {
            let (step, place) = unsafe (fillings[index].step, fillings[index].place)
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
