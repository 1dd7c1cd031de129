internal import KeyValueCoding
public import KeyedArchive

/// How an account is written as an archive.
public struct ArchiveWriteOptions: Sendable, Hashable {
    /// Which form the archive gets.
    public enum Layout: String, Sendable, CaseIterable {
        /// The form that the account came in; an account that never was an archive gets ``ios13``.
        case original
        /// The form of the legacy app on iOS 12 and before.
        case ios12
        /// The form of the legacy app since iOS 13.
        case ios13
    }

    /// The form.
    public var layout: Layout
    /// The format; nil for the one that the account came in, and binary for one that never was an archive.
    public var format: ArchiveFormat?
    /// The class of the archived object; nil for the one that the account came in, and `Account` in the legacy app's form.
    public var className: String?

    /// Makes options; without arguments an account gets its own archive back.
    public init(layout: Layout = .original, format: ArchiveFormat? = nil, className: String? = nil) {
        self.layout = layout
        self.format = format
        self.className = className
    }
}

extension StoredArchive {
    /// The account as an archive.
    ///
    /// An account that has not changed since it was imported gives the bytes that it came in; one that has changed gives
    /// an archive of the same form with the new values. Extras are fields of the archived object, which an app that does not
    /// know them passes over.
    ///
    /// - Throws: `ArchiveError` for a value that an archive cannot hold.
    public func archiveData(_ options: ArchiveWriteOptions = ArchiveWriteOptions()) throws(ArchiveError) -> [UInt8] {
        guard options.layout == .original, let form else { return try legacyData(options) }
        let data = try originalData(form, className: options.className)
        guard let format = options.format, format != form.format else { return data }
        return try Archive(reading: data, limits: Self.limits).data(format: format)
    }

    /// A file with gaps was accepted when it was imported, and is not refused now.
    private static let limits = ArchiveLimits(allowsGaps: true)

    private func originalData(_ form: ArchiveForm, className: String?) throws(ArchiveError) -> [UInt8] {
        let source = AccountFormSource(account)
        let added = Set(form.supplied.keys.filter { isChanged($0, since: form) })
        let others = account.extras.keys.filter { form.properties[$0] == nil }.sorted() + added.sorted()
        let isOriginal = className == nil || className == form.className
        if isOriginal, details[Self.fingerprintPlace] == Self.fingerprint(of: account), let whole = details[0] {
            return whole
        }
        if isOriginal,
            let data = form.data(source: source, details: details),
            try form.isFaithful(data, others: others, source: source, limits: Self.limits)
        {
            return data
        }
        return try form.editedData(
            others: others,
            inline: added,
            source: source,
            details: details,
            className: className,
            limits: Self.limits
        )
    }

    /// Whether a property that the archive has no field for has another value than it was given when it was imported.
    private func isChanged(_ property: String, since form: ArchiveForm) -> Bool {
        guard let current = Account.properties[property]?.value(in: account) else { return false }
        return form.supplied[property]?.isIdentical(to: current) != true
    }

    /// The place among the details of a whole file that has the fingerprint of its account.
    static let fingerprintPlace = 1

    /// What tells an account from any other: where a file's values cannot be compared with the account's, an account with the
    /// fingerprint that the file was kept with has not changed since.
    static func fingerprint(of account: Account) -> [UInt8] {
        var representation = account.dictionaryRepresentation
        representation["obtained_at"] = account.obtainedAtSeconds.map(Value.integer)
        return Array(SHA256.hexDigest(of: Array(Value.dictionary(representation).json(dialect: .tagged).utf8)).utf8)
    }

    /// The archive that the legacy app wrote: its class, and its four keys in the order in which it encoded them.
    private func legacyData(_ options: ArchiveWriteOptions) throws(ArchiveError) -> [UInt8] {
        var fields = [
            ArchiveField("access_token", account.accessToken.map { .text($0) } ?? .null),
            ArchiveField("expires_in", .integer(account.expiresIn), encoding: .inline),
            ArchiveField("remind_in", .integer(account.remindIn), encoding: .inline),
            ArchiveField("uid", .integer(account.uid), encoding: .inline),
        ]
        let archivedClass = ArchivedClass(name: options.className ?? "Account")
        let layout = options.layout == .ios12 ? ArchiveLayout.ios12 : .ios13
        let keys = account.extras.keys.sorted()
        if let form, account.extras.values.contains(where: \.hasReferences) {
            return try form.recastData(
                as: archivedClass,
                fields: fields,
                others: keys,
                source: AccountFormSource(account),
                details: details,
                format: options.format ?? .binary,
                layout: layout,
                limits: Self.limits
            )
        }
        for key in keys { fields.append(ArchiveField(key, account.extras[key] ?? .null)) }
        return try Archive.data(
            archiving: archivedClass,
            fields: fields,
            format: options.format ?? .binary,
            layout: layout
        )
    }
}
