internal import ConcurrentTable
internal import KeyValueCoding
public import KeyedArchive

/// Writes the archives of many accounts with the same options, and learns their forms while it does.
///
/// The first archive of a form is made in the general way. The others are copies of it with values of their own, which takes a
/// hundredth of the time and gives the same bytes. It can be used by several threads at once.
///
/// ```swift
/// let writer = AccountArchiveWriter()
/// var buffer: [UInt8] = []
/// for account in accounts {
///     buffer.removeAll(keepingCapacity: true)
///     try writer.append(account, to: &buffer)
///     // Send or save the buffer.
/// }
/// ```
public final class AccountArchiveWriter: Sendable {
    private let options: ArchiveWriteOptions
    private let forms = AppendOnlyTable<KnownForm>(capacity: 128)
    private let legacy = AppendOnlyTable<KnownFiller>()

    /// Makes a writer.
    public init(options: ArchiveWriteOptions = ArchiveWriteOptions()) {
        self.options = options
    }

    /// An account as an archive, as ``StoredArchive/archiveData(_:)`` gives it.
    ///
    /// - Throws: what ``StoredArchive/archiveData(_:)`` throws.
    public func data(for stored: StoredArchive) throws(ArchiveError) -> [UInt8] {
        var buffer: [UInt8] = []
        try append(stored, to: &buffer)
        return buffer
    }

    /// Appends an account as an archive to a buffer, which can be used again for the next.
    ///
    /// - Throws: what ``StoredArchive/archiveData(_:)`` throws; the buffer is as it was then.
    public func append(_ stored: StoredArchive, to buffer: inout [UInt8]) throws(ArchiveError) {
        guard options.layout == .original, let form = stored.form else {
            // What is among the extras may be of the file that the account came in.
            if !stored.account.extras.isEmpty { return buffer += try stored.archiveData(options) }
            return try append(stored.account, to: &buffer)
        }
        guard stored.details.isEmpty, options.format == nil || options.format == form.format,
            options.className == nil || options.className == form.className
        else { return buffer += try stored.archiveData(options) }
        let isWritten = unsafe withUnsafePointer(to: stored.account) { account in
            known(form) { unsafe $0.append(account, to: &buffer) }
        }
        if isWritten == true { return }
        let data = try stored.archiveData(options)
        buffer += data
        if isWritten == nil { forms.add(KnownForm(form, of: stored.account)) }
        _ = known(form) { $0.learn(stored.account, data: data) }
    }

    @inline(__always)
    private func known<Result>(_ form: ArchiveForm, _ body: (KnownForm) -> Result) -> Result? {
        forms.first(ofKey: KnownForm.key(of: form)) { $0.form == form ? body($0) : nil }
    }

    /// Appends an account that never was in an archive, as the legacy app wrote it, to a buffer, which can be used again for the next.
    ///
    /// - Throws: what ``StoredArchive/archiveData(_:)`` throws; the buffer is as it was then.
    public func append(_ account: borrowing Account, to buffer: inout [UInt8]) throws(ArchiveError) {
        guard let shape = LegacyShape(account) else {
            return buffer += try StoredArchive(account: copy account).archiveData(options)
        }
        let isWritten = unsafe withUnsafePointer(to: account) { account in
            legacy.first(ofKey: shape.key) { unsafe $0.filler.append(account, to: &buffer) ? true : nil }
        }
        if isWritten == true { return }
        let account = copy account
        let data = try StoredArchive(account: account).archiveData(options)
        buffer += data
        if let filler = legacyFiller(account, data: data) { legacy.add(KnownFiller(filler, key: shape.key)) }
    }

    /// What writes others like an account; nil where that is not worth while, and for a token that is not ASCII.
    private func legacyFiller(_ account: Account, data: [UInt8]) -> TemplateMapping? {
        guard options.format != .xml, account.accessToken?.utf8.allSatisfy({ $0 < 0x80 }) != false else { return nil }
        let reading = ArchiveReadOptions(classes: options.className.map { [$0] } ?? [])
        guard let read = try? ArchivedAccount.accounts(in: data, options: reading).first else { return nil }
        return AccountFilling(account, form: read.form)?.filler(for: account, data: data)
    }
}

/// What writes the archives of accounts whose values take up as many bytes.
private final class KnownFiller: AppendOnlyTableEntry {
    let key: UInt64
    let filler: TemplateMapping

    init(_ filler: TemplateMapping, key: UInt64) {
        self.filler = filler
        self.key = key
    }
}

/// A form that was written before.
private final class KnownForm: AppendOnlyTableEntry {
    let form: ArchiveForm
    /// Nil for a form that is always written in the general way.
    private let filling: AccountFilling?
    private let fillers = AppendOnlyTable<KnownFiller>(capacity: 64)

    init(_ form: ArchiveForm, of account: Account) {
        self.form = form
        filling = AccountFilling(account, form: form)
    }

    var key: UInt64 { Self.key(of: form) }

    @inline(__always)
    static func key(of form: ArchiveForm) -> UInt64 { UInt64(bitPattern: Int64(form.hash)) }

    /// Appends the archive of an account.
    ///
    /// - Returns: whether it could.
    func append(_ account: UnsafePointer<Account>, to buffer: inout [UInt8]) -> Bool {
        guard let filling, let sizes = unsafe filling.sizes(of: account) else { return false }
        return fillers.first(ofKey: sizes) { unsafe $0.filler.append(account, to: &buffer) ? true : nil } ?? false
    }

    /// Keeps the archive of an account that was written in the general way.
    func learn(_ account: Account, data: [UInt8]) {
        guard let filling, let sizes = unsafe withUnsafePointer(to: account, { unsafe filling.sizes(of: $0) }),
            let filler = filling.filler(for: account, data: data)
        else { return }
        fillers.add(KnownFiller(filler, key: sizes))
    }
}
