extension PropertyList {
    /// The list as a binary property list, its objects in the order of ``nodes``.
    ///
    /// - Parameters:
    ///   - widths: How many bytes numbers take.
    ///   - limits: What the result has to stay within, so that it can be read again.
    /// - Throws: `refOutOfRange`, `badKey`, `duplicateKey`, `cycle`, `tooDeep` or `tooLarge` if it is no property list.
    func binary(
        widths: BinaryPropertyListWriter.Widths = .minimal,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8] {
        try checkWritable(limits)
        return BinaryPropertyListWriter.write(self, widths: widths)
    }

    /// The list as an XML property list, letter by letter as Apple's CoreFoundation writes it.
    ///
    /// Objects that are shared are written as often as they are referred to.
    /// - Parameters:
    ///   - encoding: The characters of the file; Apple writes UTF-8 without a mark.
    ///   - limits: What the result has to stay within, so that it can be read again.
    /// - Throws: What ``binary(widths:limits:)`` throws, `badXML` for a value that XML has no form for (a set, a date
    ///   that is not finite), `badString` for a control character, `uidOutOfRange` for a UID beyond 32 bits.
    func xml(
        encoding: XMLEncoding = .utf8(byteOrderMark: false),
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8] {
        try checkWritable(limits)
        return encoding.encode(try XMLPropertyListWriter.write(self, encoding: encoding, limits: limits))
    }

    /// The list in its own format and, for XML, its own encoding, with every number in as few bytes as Apple uses.
    func encoded(
        widths: BinaryPropertyListWriter.Widths = .minimal,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8] {
        switch format {
        case .binary: try binary(widths: widths, limits: limits)
        case .xml: try xml(encoding: encoding, limits: limits)
        }
    }

    /// Checks that every run and reference is in range, and what ``StructureCheck`` checks.
    private func checkWritable(_ limits: ArchiveLimits) throws(ArchiveError) {
        guard nodes.indices.contains(top) else {
            throw ArchiveError(.refOutOfRange, "the top object, \(top), is none of the \(nodes.count) objects to write")
        }
        guard nodes.count <= min(limits.objects, StructureCheck.mostObjects) else {
            throw ArchiveError(.tooLarge, "\(nodes.count) objects to write; the limit is \(limits.objects)")
        }
        for (index, node) in nodes.enumerated() {
            guard let run = node.run else { continue }
            let (count, isTooMany) = run.count.multipliedReportingOverflow(by: node.isDictionary ? 2 : 1)
            guard !isTooMany, run.start >= 0, count >= 0, run.start <= references.count,
                count <= references.count - run.start
            else {
                throw ArchiveError(
                    .refOutOfRange,
                    "object \(index), to write, has \(run.count) elements from \(run.start) on; there are"
                        + " \(references.count) references"
                )
            }
        }
        if let position = references.firstIndex(where: { $0 < 0 || $0 >= nodes.count }) {
            throw ArchiveError(
                .refOutOfRange,
                "reference \(position) is to object \(references[position]); there are \(nodes.count) objects to write"
            )
        }
        try StructureCheck.run(self, depth: limits.depth)
    }
}

extension PropertyList.Node {
    /// The references of a container.
    var run: PropertyList.Run? {
        switch self {
        case .array(let run), .set(let run), .dictionary(let run): run
        default: nil
        }
    }

    /// Whether this is a dictionary.
    var isDictionary: Bool {
        if case .dictionary = self { true } else { false }
    }
}
