/// A property list as a flat table of its objects, whichever of the two formats it came in.
///
/// Containers refer to their elements by index, so shared objects stay shared and nothing is nested in memory.
/// In a binary file the index is the one of the offset table; in an XML file it is document order.
struct PropertyList: Sendable, Equatable {
    /// The two formats in which keyed archives exist.
    enum Format: Sendable, Equatable {
        case binary
        case xml
    }

    /// An object of a property list.
    enum Node: Sendable, Equatable {
        case bool(Bool)
        case integer(StoredInteger)
        /// A floating-point number; `single` when it is stored in 32 bits.
        case real(Double, single: Bool)
        /// Seconds since 2001-01-01 00:00 UTC.
        case date(Double)
        case data([UInt8])
        case text(String)
        /// A reference to an element of `$objects`.
        case uid(UInt64)
        case array(Run)
        case set(Run)
        /// The references to the keys, and then as many to the values.
        case dictionary(Run)
    }

    /// An integer of up to 128 bits, with the bytes that it takes in a binary file (0 in XML).
    ///
    /// In halves, so that nodes need no alignment of 16 bytes, with which memory is slow to get.
    struct StoredInteger: Sendable, Equatable {
        private let high: Int64
        private let low: UInt64
        /// The bytes that it takes in a binary file; 0 for as few as suffice.
        let width: UInt8

        @inline(__always)
        init(_ value: Int128, width: UInt8) {
            high = Int64(truncatingIfNeeded: value >> 64)
            low = UInt64(truncatingIfNeeded: value)
            self.width = width
        }

        @inline(__always)
        var value: Int128 { Int128(high) << 64 | Int128(low) }
    }

    /// A run of ``references``. For a dictionary `count` is the number of entries, and the run has twice as many.
    struct Run: Sendable, Equatable {
        var start: Int
        var count: Int
    }

    var format: Format
    /// The objects.
    var nodes: [Node] = []
    /// The elements of all containers, as indices into ``nodes``.
    var references: [Int] = []
    /// Where each object stands in the file. In a binary file from its marker to its last byte, references
    /// included; in XML the whole element, tags included (for a key too). Empty in a list that was not read.
    var sources: [Range<Int>] = []
    /// The index of the top object.
    var top: Int = 0
    /// The trailer of the binary file that the list was read from.
    var trailer: BinaryTrailer?
    /// The characters that the XML file was written in.
    var encoding = XMLEncoding.utf8(byteOrderMark: false)
}

extension PropertyList.Node {
    /// An integer, with the bytes that it takes in a binary file; 0 for as few as suffice.
    @inline(__always)
    static func integer(_ value: Int128, width: UInt8) -> Self {
        .integer(PropertyList.StoredInteger(value, width: width))
    }
}
