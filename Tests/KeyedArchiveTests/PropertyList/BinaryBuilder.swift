/// Puts binary property lists together byte by byte, right or wrong.
enum BinaryBuilder {
    /// A file of objects, each with its marker; references have `referenceSize` bytes.
    ///
    /// - Parameters:
    ///   - order: The order in which the objects stand in the file.
    ///   - gapAfter: An object that one byte follows which belongs to none.
    ///   - offsets: Another offset table than the true one.
    ///   - tablePadding: Bytes between the offset table and the trailer.
    static func file(
        _ objects: [[UInt8]],
        order: [Int]? = nil,
        gapAfter: Int? = nil,
        offsets: [Int]? = nil,
        offsetSize: Int = 4,
        referenceSize: Int = 1,
        top: Int = 0,
        tablePadding: Int = 0
    ) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var places = [Int](repeating: 0, count: objects.count)
        for index in order ?? Array(objects.indices) {
            places[index] = bytes.count
            bytes += objects[index]
            if gapAfter == index { bytes.append(0) }
        }
        let table = bytes.count
        for offset in offsets ?? places { bytes += bigEndian(offset, width: offsetSize) }
        bytes += [UInt8](repeating: 0, count: tablePadding)
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for field in [(offsets ?? places).count, top, table] { bytes += bigEndian(field, width: 8) }
        return bytes
    }

    /// So many arrays within one another; each refers to the next in the file, or to the one before it.
    static func nestedArrays(_ levels: Int, innermostFirst: Bool = false) -> [UInt8] {
        let objects = (0..<levels).map { level -> [UInt8] in
            if innermostFirst {
                return level == 0 ? [0xA0] : [0xA1] + bigEndian(level - 1, width: 4)
            }
            return level == levels - 1 ? [0xA0] : [0xA1] + bigEndian(level + 1, width: 4)
        }
        return file(objects, referenceSize: 4, top: innermostFirst ? levels - 1 : 0)
    }

    static func bigEndian(_ value: Int, width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: $0 >= 8 ? 0 : value >> ($0 * 8)) }
    }
}
