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
        /// An integer, with the bytes that it takes in a binary file (0 in XML).
        case integer(Int128, width: UInt8)
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
