/// Rows in memory that a statement reads as if they were a table, to write many of them at once.
///
/// The table is called `batch` and has the columns `c0`, `c1` and so on; see ``Connection/run(_:over:)``. One statement that takes
/// all rows from there runs faster than one that is bound and stepped for each row.
///
/// A row is complete when as many values were appended as there are columns. Text and bytes are copied when they are appended.
@safe
public final class RowBatch {
    /// How many columns a batch can have.
    public static let mostColumns = 16

    /// A value. Of text and bytes it has the address and the length.
    struct Cell {
        enum Kind: UInt8 { case null, integer, real, text, blob }

        var kind: Kind
        var count: Int32
        /// An integer, the bits of a real, or an address.
        var bits: Int64
    }

    /// How many columns each row has.
    public let columnCount: Int

    /// What the rows consist of. A batch is used by one thread, and none of its methods runs inside of another; in memory of its own that
    /// is not checked for each value, which would take as long as to append it.
    private let contents: UnsafeMutablePointer<Contents>

    @safe
    private struct Contents: ~Copyable {
        var cells: UnsafeMutableBufferPointer<Cell>
        var count = 0
        var arena = Arena()

        init(capacity: Int) {
            unsafe cells = .allocate(capacity: capacity)
        }

        deinit {
            unsafe cells.deallocate()
        }

        @inline(__always)
        mutating func append(_ cell: Cell) {
            if unsafe count == cells.count { grow() }
            unsafe cells.initializeElement(at: count, to: cell)
            count += 1
        }

        @inline(never)
        private mutating func grow() {
            let larger = unsafe UnsafeMutableBufferPointer<Cell>.allocate(capacity: cells.count * 2)
            _ = unsafe larger.moveInitialize(fromContentsOf: cells[..<count])
            unsafe cells.deallocate()
            unsafe cells = larger
        }
    }

    /// Makes a batch without rows.
    ///
    /// - Parameters:
    ///   - columns: how many columns each row has, at most ``mostColumns``.
    ///   - rows: how many rows to make room for at once.
    public init(columns: Int, reservingRows rows: Int = 0) {
        precondition(1...Self.mostColumns ~= columns, "a batch has 1 to \(Self.mostColumns) columns")
        columnCount = columns
        unsafe contents = .allocate(capacity: 1)
        unsafe contents.initialize(to: Contents(capacity: max(1, rows) * columns))
    }

    deinit {
        unsafe contents.deinitialize(count: 1)
        unsafe contents.deallocate()
    }

    /// How many rows are complete.
    public var count: Int { unsafe contents.pointee.count / columnCount }

    /// Removes all rows and keeps their memory for others.
    public func removeAll() {
        unsafe contents.pointee.count = 0
        unsafe contents.pointee.arena.removeAll()
    }

    /// The cell in a column of a row; nil if there is none.
    @inline(__always)
    func cell(row index: Int, column: Int) -> Cell? {
        guard column >= 0, column < columnCount, index >= 0, index < count else { return nil }
        return unsafe contents.pointee.cells[index * columnCount + column]
    }

    /// Puts a copy of a row, whose bytes stay where they are, in the place of another.
    func copyRow(_ index: Int, to target: Int) {
        let cells = unsafe contents.pointee.cells
        for column in 0..<columnCount {
            unsafe cells[target * columnCount + column] = unsafe cells[index * columnCount + column]
        }
    }

    /// Forgets the rows after the first ones.
    func keepRows(_ count: Int) { unsafe contents.pointee.count = count * columnCount }

    /// The cells of a row.
    @inline(__always)
    func row(_ index: Int) -> UnsafeMutablePointer<Cell>? {
        unsafe contents.pointee.cells.baseAddress.map { unsafe $0 + index * columnCount }
    }
}

@available(*, unavailable)
extension RowBatch: Sendable {}

extension RowBatch {
    /// Appends an integer.
    public func append(_ value: Int64) {
        append(Cell(kind: .integer, count: 0, bits: value))
    }

    /// Appends a floating-point number; not a number becomes NULL, as SQLite has it.
    public func append(_ value: Double) {
        append(Cell(kind: .real, count: 0, bits: Int64(bitPattern: value.bitPattern)))
    }

    /// Appends all of a text, a NUL inside of it too.
    public func append(_ value: String) {
        let isDone: Void? = unsafe value.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe append(UnsafeRawBufferPointer(bytes), as: .text)
        }
        if isDone != nil { return }
        var value = value
        value.withUTF8 { bytes in unsafe append(UnsafeRawBufferPointer(bytes), as: .text) }
    }

    /// Appends bytes as text. They have to be UTF-8, which is not checked.
    public func append(utf8 bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { bytes in unsafe append(bytes, as: .text) }
    }

    /// Appends bytes as a blob.
    public func append(blob bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { bytes in unsafe append(bytes, as: .blob) }
    }

    /// Appends NULL.
    public func appendNull() {
        append(Cell(kind: .null, count: 0, bits: 0))
    }

    /// Appends an integer, or NULL for nil.
    public func append(_ value: Int64?) {
        if let value { append(value) } else { appendNull() }
    }

    /// Appends a text, or NULL for nil.
    public func append(_ value: String?) {
        if let value { append(value) } else { appendNull() }
    }

    /// Appends a value of any type.
    public func append(_ value: SQLValue) {
        switch value {
        case .null: appendNull()
        case .integer(let value): append(value)
        case .real(let value): append(value)
        case .text(let value): append(value)
        case .blob(let value): unsafe append(blob: value.span.bytes)
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, as kind: Cell.Kind) {
        // SQLite refuses what is longer when the statement comes to it.
        let count = Int32(clamping: bytes.count)
        let copy = unsafe contents.pointee.arena.copy(bytes)
        append(Cell(kind: kind, count: count, bits: Int64(Int(bitPattern: copy))))
    }

    @inline(__always)
    private func append(_ cell: Cell) { unsafe contents.pointee.append(cell) }
}

/// Memory for bytes that stay where they are until all of them go.
@safe
private struct Arena: ~Copyable {
    private static let blockSize = 1 << 18

    private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []
    /// Where the next bytes go, and how many have room there.
    private var next: UnsafeMutableRawPointer?
    private var room = 0

    init() {}

    deinit {
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }

    /// Forgets the bytes. A block of the usual size is kept for others.
    mutating func removeAll() {
        while unsafe blocks.count > 1 || blocks.first.map({ $0.count > Self.blockSize }) == true {
            unsafe blocks.removeLast().deallocate()
        }
        unsafe next = blocks.first?.baseAddress
        room = unsafe blocks.first?.count ?? 0
    }

    /// Copies bytes to where they stay.
    @inline(__always)
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        if unsafe room < bytes.count || next == nil { addBlock(for: bytes.count) }
        let target = unsafe next.unsafelyUnwrapped
        if let start = bytes.baseAddress { unsafe target.copyMemory(from: start, byteCount: bytes.count) }
        unsafe next = target + bytes.count
        room -= bytes.count
        return unsafe target
    }

    @inline(never)
    private mutating func addBlock(for count: Int) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(Self.blockSize, count), alignment: 16)
        unsafe blocks.append(block)
        unsafe next = block.baseAddress
        room = block.count
    }
}
