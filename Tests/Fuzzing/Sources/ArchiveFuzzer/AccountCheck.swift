import AccountStorage
import KeyValueCoding
import KeyedArchive

/// The accounts in an archive, and the archives that are made of them again.
enum AccountCheck {
    static func options(allowingGaps allowsGaps: Bool = false) -> ArchiveReadOptions {
        ArchiveReadOptions(
            classes: ["*"],
            mapping: MappingOptions(
                coercion: .objectiveC,
                aliases: ["expires_date": "expires_at", "created_time": "obtained_at"],
                defaults: ["access_token": "", "expires_in": 0, "remind_in": 0]
            ),
            limits: limits(allowingGaps: allowsGaps)
        )
    }

    static func run(_ bytes: [UInt8]) {
        let lenient = options(allowingGaps: true)
        let strict = try? ArchivedAccount.accounts(in: bytes, options: options())
        guard let accounts = try? ArchivedAccount.accounts(in: bytes, options: lenient) else {
            require(strict == nil, "accounts are refused by the option that accepts more")
            return
        }
        if let strict { require(areSame(strict, accounts), "an option has changed the accounts") }
        for account in accounts { check(account, of: bytes, isAlone: accounts.count == 1, options: lenient) }
    }

    /// Whether accounts are the same to the bit; a number that is none does not equal itself.
    static func areSame(_ left: [ArchivedAccount], _ right: [ArchivedAccount]) -> Bool {
        left.elementsEqual(right) { left, right in
            var (first, second) = (left, right)
            first.account.extras = [:]
            second.account.extras = [:]
            return first == second
                && Value.dictionary(left.account.extras).isIdentical(to: .dictionary(right.account.extras))
        }
    }

    private static func check(
        _ account: ArchivedAccount,
        of bytes: [UInt8],
        isAlone: Bool,
        options: ArchiveReadOptions
    ) {
        let form = ArchiveForm(
            content: (try? Value(json: account.form.content.json(dialect: .tagged), dialect: .tagged)) ?? .null
        )
        require(form == account.form, "a form is another after it was kept")
        let stored = StoredArchive(account: account.account, form: account.form, details: account.details)
        guard let written = try? stored.archiveData() else {
            return require(false, "an account's archive cannot be written")
        }
        if isAlone, !isCollection(bytes) { require(written == bytes, "an account's archive has changed") }
        var changed = account.account
        changed.accessToken = changed.accessToken == "other" ? nil : "other"
        changed.uid = 7
        guard
            let edited = try? StoredArchive(account: changed, form: account.form, details: account.details)
                .archiveData(),
            let again = try? ArchivedAccount.accounts(in: edited, options: options).first
        else { return }
        require(again.account.uid == 7 && again.account.accessToken == changed.accessToken, "a change was lost")
    }

    private static func isCollection(_ bytes: [UInt8]) -> Bool {
        guard let root = try? Archive(reading: bytes, limits: limits(allowingGaps: true)).rootObject() else {
            return false
        }
        return ["Array", "Set", "Dictionary"].contains { root.archivedClass.name.hasSuffix($0) }
    }
}
