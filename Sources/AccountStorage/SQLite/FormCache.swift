internal import KeyedArchive
internal import SQLiteBinding

/// The forms that a store has met, by the ids of their rows and the other way round; bounded.
final class FormCache: Sendable {
    /// A form's row.
    struct Entry: Sendable {
        var id: Int64
        /// The bytes of its content.
        var contentSize: Int
    }

    private struct State {
        var ids: [ArchiveForm: Int64] = [:]
        var forms: [String: ArchiveForm] = [:]
    }

    /// Archives of one app have few forms between them, so more than this are a mixture that caching does not help.
    private static let limit = 256
    /// Forms with longer content are left out.
    private static let largestContent = 32_768

    private let state = Monitor(State())

    /// The id of a form's row, if that is committed.
    func id(of form: ArchiveForm) -> Int64? {
        state.withLock { $0.ids[form] }
    }

    /// Takes over what a committed transaction has found.
    func add(_ found: [ArchiveForm: Entry]) {
        if found.isEmpty { return }
        state.withLock { state in
            if state.ids.count + found.count > Self.limit { state.ids = [:] }
            for (form, entry) in found.prefix(Self.limit) where entry.contentSize <= Self.largestContent {
                state.ids[form] = entry.id
            }
        }
    }

    /// Forgets all ids, for one of them may have been wrong.
    func removeIDs() {
        state.withLock { $0.ids = [:] }
    }

    /// The form in a row's content, read anew if it has not been met; nil if it is none.
    ///
    /// Found by the content, not by the row's id, so that it is right whatever has been done to the rows.
    func form(content: String) -> ArchiveForm? {
        if let form = state.withLock({ $0.forms[content] }) { return form }
        guard let form = FormRows.form(content: content) else { return nil }
        if content.utf8.count <= Self.largestContent {
            state.withLock { state in
                if state.forms.count >= Self.limit { state.forms = [:] }
                state.forms[content] = form
            }
        }
        return form
    }
}
