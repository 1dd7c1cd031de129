/// An account of an import that met another of the same user.
public struct ImportConflict: Sendable, Hashable {
    /// The user.
    public var uid: Int64
    /// The file whose account lost; nil if that was saved by an app, or came from a file that is no longer known.
    public var loser: FilePath?
    /// The file whose account stayed; nil if that was saved by an app, or came from a file that is no longer known.
    public var winner: FilePath?

    /// Names both.
    public init(uid: Int64, loser: FilePath?, winner: FilePath?) {
        self.uid = uid
        self.loser = loser
        self.winner = winner
    }
}
