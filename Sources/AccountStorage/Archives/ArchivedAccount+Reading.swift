internal import FoundationEssentials
internal import KeyValueCoding
internal import KeyedArchive

extension ArchivedAccount {
    /// Reads the accounts in an archive: its root, or the elements of a root that is a collection.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - options: which classes and keys are accounts, and what stands in for what is missing.
    /// - Returns: at least one account, each with the form of the archive, so that it can be written back.
    /// - Throws: `ArchiveError` for a file that is no archive of accounts, ``ArchivedAccountError`` for an object that is no
    ///   account. Nothing that a file can contain does anything else.
    public static func accounts(
        in bytes: [UInt8],
        options: ArchiveReadOptions = ArchiveReadOptions()
    ) throws -> [ArchivedAccount] {
        // Of a damaged archive, what is wrong with the account says more than what is wrong with the references.
        let archive = try Archive(unchecked: bytes, limits: options.limits)
        let objects = try archive.rootObjects(of: options.patterns)
        let accounts = try accounts(of: objects, in: bytes, options: options)
        try archive.checkAgreement()
        return accounts
    }

    private static func accounts(
        of objects: [ArchivedObject],
        in bytes: [UInt8],
        options: ArchiveReadOptions
    ) throws -> [ArchivedAccount] {
        if objects.count == 1 { return [try ArchivedAccount(objects[0], of: bytes, options: options)] }
        // Each account of a collection gets an archive of its own, since the others are nothing to it.
        return try objects[0].archive.extracting(objects).map { alone in
            let root = try Archive(unchecked: alone, limits: options.limits).rootObject()
            return try ArchivedAccount(root, of: alone, options: options)
        }
    }

    private init(_ object: ArchivedObject, of bytes: [UInt8], options: ArchiveReadOptions) throws {
        var fields = try AccountFields(of: object, options: options)
        let account: Account
        do throws(MappingError) {
            account = try fields.account()
        } catch {
            throw ArchivedAccountError(
                objectIndex: object.index,
                className: object.archivedClass.name,
                mapping: error,
                fields: fields.summary
            )
        }
        let dropped = options.mapping.unknownKeys == .drop ? fields.unknownKeys : []
        if dropped.isEmpty {
            let form = try ArchiveForm(
                of: bytes,
                object: object,
                property: fields.property,
                supplied: fields.supplied(by: account)
            )
            self.init(account, of: object, in: bytes, form: form)
        } else {
            let rest = try object.archive.removing(dropped, from: object)
            let objects = try Archive(unchecked: rest, limits: options.limits).rootObjects(of: options.patterns)
            let form = try ArchiveForm(
                of: rest,
                object: objects[0],
                property: fields.property,
                supplied: fields.supplied(by: account)
            )
            self.init(account, of: objects[0], in: rest, form: form)
        }
    }

    /// Keeps what the form and the account do not give again, and the whole file where that is not enough.
    private init(_ account: Account, of object: ArchivedObject, in bytes: [UInt8], form: ArchiveForm) {
        let details = form.details(of: bytes, object: object, source: AccountFormSource(account))
        self.init(account: account, form: form, details: details)
        let stored = StoredArchive(account: account, form: form, details: details)
        if (try? stored.archiveData()) != bytes {
            self.form = form.wholeFile
            self.details = [0: bytes, StoredArchive.fingerprintPlace: StoredArchive.fingerprint(of: account)]
        }
    }
}

/// The values of an account for the form of an archive.
struct AccountFormSource: ArchiveFormSource {
    let account: Account

    init(_ account: Account) {
        self.account = account
    }

    func value(for target: ArchiveForm.Target) -> Value? {
        guard let property = property(of: target) else { return account.extras[target.field].flatMap(target.part) }
        switch property {
        case ArchiveReadOptions.emptyTimeKey:
            return .null
        case ArchiveReadOptions.expiresAtKey:
            return account.expiresAt.map(Value.date)
        case ArchiveReadOptions.obtainedAtKey:
            return account.obtainedAtSeconds.map { .date(Timestamp.date(unixSeconds: $0)) }
        default:
            return Account.properties[property]?.value(in: account)
        }
    }

    /// The property that a place holds; a property that the archive had no field for gets one under its own key.
    private func property(of target: ArchiveForm.Target) -> String? {
        if let property = target.property { return property }
        let isNew = account.extras[target.field] == nil && Account.properties.index(ofKey: target.field) != nil
        return isNew ? target.field : nil
    }

    func accepts(_ archived: Value, for target: ArchiveForm.Target) -> Bool {
        let current = value(for: target) ?? .null
        if archived.isIdentical(to: current) { return true }
        guard let property = property(of: target) else { return false }
        if case .date(let date) = archived, case .date(let kept) = current {
            return Timestamp.unixSeconds(date) == Timestamp.unixSeconds(kept)
        }
        guard let entry = Account.properties[property] else { return false }
        return [CoercionPolicy.strict, .objectiveC].contains { policy in
            var copy = Account()
            guard (try? entry.set(archived, in: &copy, policy: policy)) != nil else { return false }
            return entry.value(in: copy).isIdentical(to: current)
        }
    }
}
