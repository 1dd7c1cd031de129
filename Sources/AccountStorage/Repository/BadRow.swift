/// A row that no account can be read from, since another program has written to it or the file is damaged.
public struct BadRow: Sendable, Hashable {
    /// The row's uid.
    public var uid: Int64
    /// Which column of the row is bad, and why, on one line; nothing of the token is in it.
    public var message: String

    /// Makes a description of a row.
    public init(uid: Int64, message: String) {
        self.uid = uid
        self.message = message
    }
}

extension BadRow: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

/// What happens where a row is met that no account can be read from.
public enum BadRowPolicy: Sendable {
    /// A ``StoreError`` with the code `badRow` is thrown, and the accounts after the row are not reached.
    case stop
    /// The function is called, for a row once in each pass, and the pass goes on with the next row. The rows of a page
    /// are told of before its accounts.
    case skip(@Sendable (BadRow) -> Void)
}
