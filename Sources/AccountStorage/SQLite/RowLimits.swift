internal import KeyValueCoding
internal import KeyedArchive

/// How much a column of JSON may hold. Writing refuses what is above it, and reading accepts all that is not, so that
/// nothing is saved which cannot be read again.
///
/// An archive of 64 MiB, the most that is read by default, fits in whatever way its bytes have to be escaped, and the row's
/// columns together stay below the 10⁹ bytes that SQLite allows.
enum RowLimits {
    static let json = JSONLimits(bytes: 400 << 20, depth: 2_048)
    /// How many bytes a text may have.
    static let textBytes = 128 << 20

    /// Why a text is not kept in a column; nil if it is.
    @inline(__always)
    static func reasonToRefuse(_ text: String?) -> String? {
        guard let count = text?.utf8.count, count > textBytes else { return nil }
        return "it has \(count) bytes, and the most that a row keeps is \(textBytes)"
    }

    /// Why a value is not kept in a column of JSON; nil if it is.
    ///
    /// A value that is not deep, whatever its size, is examined without writing it: one text may occur in it a million times.
    static func reasonToRefuse(_ value: Value) -> String? {
        // Counting the characters to escape takes a pass over each text, which most values are too small to need.
        var size = JSONSize(limits: json, countsEscapes: false)
        if size.add(value, within: 0) { return nil }
        size = JSONSize(limits: json, countsEscapes: true)
        if size.add(value, within: 0) { return nil }
        return size.isTooDeep
            ? "it has more than \(json.depth) containers within one another, the most that a row keeps"
            : "it takes more than \(json.bytes) bytes as JSON, the most that a row keeps"
    }

    /// Why the details of a form are not kept; nil if they are.
    static func reasonToRefuse(_ details: ArchiveFormDetails) -> String? {
        var size = JSONSize(limits: json, countsEscapes: false)
        for bytes in details.values {
            guard size.add(.data(bytes), within: 1), size.take(32) else {
                return "it takes more than \(json.bytes) bytes as JSON, the most that a row keeps"
            }
        }
        return nil
    }
}

/// Adds up how many bytes, at most, values take as JSON with tags.
///
/// It calls itself for what is inside of a value, but never deeper than the limit, and before anything else does.
private struct JSONSize {
    private let depth: Int
    private let countsEscapes: Bool
    private var remaining: Int
    private(set) var isTooDeep = false

    init(limits: JSONLimits, countsEscapes: Bool) {
        depth = limits.depth
        remaining = limits.bytes
        self.countsEscapes = countsEscapes
    }

    /// Counts bytes, and says whether they still fit.
    mutating func take(_ bytes: Int) -> Bool {
        guard bytes <= remaining else { return false }
        remaining -= bytes
        return true
    }

    /// Counts a value that so many containers enclose, and says whether it fits.
    mutating func add(_ value: Value, within level: Int) -> Bool {
        switch value {
        case .null, .bool, .integer: return take(24)
        // The longest is one of 39 digits, and tags have one container.
        case .wideInteger: return take(48)
        case .real(let real) where real.isFinite: return take(32)
        case .real, .reference, .date: return open(1, below: level) && take(96)
        case .decimal(let literal): return open(1, below: level) && take(24) && add(literal)
        case .text(let text): return add(text)
        case .data(let bytes):
            guard bytes.count <= remaining else { return false }
            return open(1, below: level) && take((bytes.count + 2) / 3 * 4 + 24)
        case .array(let elements):
            guard open(1, below: level) else { return false }
            for element in elements {
                guard take(1), add(element, within: level + 1) else { return false }
            }
            return true
        case .dictionary(let entries):
            return open(1, below: level) && add(entries, within: level + 1)
        case .pairs(let pairs):
            guard open(3, below: level), take(24) else { return false }
            for pair in pairs {
                guard take(4), add(pair.key, within: level + 3), add(pair.value, within: level + 3) else {
                    return false
                }
            }
            return true
        case .object(let object):
            guard open(object.classes.isEmpty ? 1 : 2, below: level), take(48), add(object.className) else {
                return false
            }
            for name in object.classes {
                guard take(1), add(name) else { return false }
            }
            return add(object.fields, within: level + 1)
        }
    }

    private mutating func add(_ entries: [String: Value], within level: Int) -> Bool {
        for (key, value) in entries {
            guard take(3), add(key), add(value, within: level) else { return false }
        }
        return true
    }

    private mutating func add(_ text: String) -> Bool {
        let count = text.utf8.count
        guard count <= remaining else { return false }
        guard countsEscapes else { return take(6 * count + 2) }
        // A control character takes six bytes, and a quotation mark or backslash two.
        let escapes = text.utf8.reduce(0) { sum, byte in
            byte < 0x20 ? sum + 5 : byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? sum + 1 : sum
        }
        return take(count + escapes + 2)
    }

    /// Begins containers within others.
    private mutating func open(_ containers: Int, below level: Int) -> Bool {
        guard level + containers <= depth else {
            isTooDeep = true
            return false
        }
        return take(2 * containers)
    }
}

extension ArchivedAccount {
    /// Why a store would refuse this account, whatever it has already; nil if it would not.
    func reasonToRefuse() -> String? {
        do throws(RowError) {
            try AccountRows.mapping.checkTexts(account)
            try AccountRows.mapping.checkSize(account)
            try FormRows.checkSize(details, uid: account.uid)
            return nil
        } catch {
            return "the account cannot be kept: \(error)"
        }
    }
}
