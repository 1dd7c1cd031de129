import AccountStorage
import KeyValueCoding
import KeyedArchive

/// What libFuzzer calls with each input. Besides not crashing, the library has to keep its promises: what it has read it
/// writes so that it reads the same again, and an account's archive comes back byte for byte.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    checkGraph(bytes)
    checkAccounts(bytes)
    return 0
}

private let limits = ArchiveLimits(bytes: 1 << 20, objects: 50_000, depth: 128, references: 100_000)

private func checkGraph(_ bytes: [UInt8]) {
    guard let archive = try? Archive(reading: bytes, limits: limits), let values = try? archive.topValues() else {
        return
    }
    // XML lacks a form for some values, which is an error and no fault.
    for format in ArchiveFormat.allCases {
        guard let written = try? archive.data(format: format) else {
            require(format == .xml, "an archive that was read cannot be written")
            continue
        }
        guard let again = try? Archive(reading: written, limits: limits).topValues() else {
            require(written.count > limits.bytes, "an archive that was written cannot be read")
            continue
        }
        // A date in XML has whole seconds, and -0 no sign.
        if format == archive.format, format == .binary {
            require(
                values.elementsEqual(again) { $0.key == $1.key && $0.value.isIdentical(to: $1.value) },
                "other values"
            )
        }
    }
}

private func checkAccounts(_ bytes: [UInt8]) {
    let options = ArchiveReadOptions(
        classes: ["*"],
        mapping: MappingOptions(
            coercion: .objectiveC,
            aliases: ["expires_date": "expires_at", "created_time": "obtained_at"],
            defaults: ["access_token": "", "expires_in": 0, "remind_in": 0]
        ),
        limits: limits
    )
    guard let accounts = try? ArchivedAccount.accounts(in: bytes, options: options) else {
        return
    }
    for account in accounts {
        let form = ArchiveForm(
            content: (try? Value(json: account.form.content.json(dialect: .tagged), dialect: .tagged)) ?? .null
        )
        require(form == account.form, "a form is another after it was kept")
        let stored = StoredArchive(account: account.account, form: account.form, details: account.details)
        guard let written = try? stored.archiveData() else {
            require(false, "an account's archive cannot be written")
            continue
        }
        if accounts.count == 1, !isCollection(bytes) { require(written == bytes, "an account's archive has changed") }
        var changed = account.account
        changed.accessToken = changed.accessToken == "other" ? nil : "other"
        changed.uid = 7
        guard
            let edited = try? StoredArchive(account: changed, form: account.form, details: account.details)
                .archiveData(),
            let again = try? ArchivedAccount.accounts(in: edited, options: options).first
        else { continue }
        require(again.account.uid == 7 && again.account.accessToken == changed.accessToken, "a change was lost")
    }
}

private func isCollection(_ bytes: [UInt8]) -> Bool {
    guard let root = try? Archive(reading: bytes, limits: limits).rootObject() else { return false }
    return ["Array", "Set", "Dictionary"].contains { root.archivedClass.name.hasSuffix($0) }
}

private func require(_ condition: Bool, _ what: String) {
    if !condition { fatalError(what) }
}
