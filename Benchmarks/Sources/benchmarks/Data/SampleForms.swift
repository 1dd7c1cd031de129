import AccountStorage
import Foundation
import KeyValueCoding
import KeyedArchive

/// How twenty apps archive the account: by other names, with other fields, as other kinds of values, on older and newer systems.
struct SampleForm: Sendable {
    private enum Field: Sendable {
        case token(String)
        case expires(String, Style)
        case remind(String, Style)
        case uid(String, Style)
        /// A field that the model lacks.
        case other(String, @Sendable (inout SeededGenerator) -> Value)
    }

    private enum Style: Sendable { case inline, number, text }

    private let archivedClass: ArchivedClass
    private let layout: ArchiveLayout
    private let topKey: String
    private let fields: [Field]

    private init(
        _ name: String,
        _ layout: ArchiveLayout,
        topKey: String = "root",
        chain: [String]? = nil,
        _ fields: Field...
    ) {
        archivedClass = ArchivedClass(name: name, chain: chain)
        self.layout = layout
        self.topKey = topKey
        self.fields = fields
    }

    /// The archive of an account in this form.
    func archive(_ account: Account, using random: inout SeededGenerator) throws -> [UInt8] {
        var archived: [ArchiveField] = []
        for field in fields {
            switch field {
            case .token(let key): archived.append(ArchiveField(key, account.accessToken.map(Value.text) ?? .null))
            case .expires(let key, let style): archived.append(Self.field(key, account.expiresIn, style))
            case .remind(let key, let style): archived.append(Self.field(key, account.remindIn, style))
            case .uid(let key, let style): archived.append(Self.field(key, account.uid, style))
            case .other(let key, let value): archived.append(ArchiveField(key, value(&random)))
            }
        }
        return try Archive.data(archiving: archivedClass, fields: archived, topKey: topKey, layout: layout)
    }

    /// Whether archives of this form have a field for `remind_in`; without one it is 0.
    var hasRemind: Bool { fields.contains { if case .remind = $0 { true } else { false } } }

    private static func field(_ key: String, _ number: Int64, _ style: Style) -> ArchiveField {
        switch style {
        case .inline: ArchiveField(key, .integer(number), encoding: .inline)
        case .number: ArchiveField(key, .integer(number))
        case .text: ArchiveField(key, .text(String(number)))
        }
    }

    @Sendable private static func date(_ random: inout SeededGenerator) -> Value {
        .date(Date(timeIntervalSinceReferenceDate: Double.random(in: 400_000_000..<600_000_000, using: &random)))
    }

    @Sendable private static func name(_ random: inout SeededGenerator) -> Value {
        let digits = Int.random(in: 8...14, using: &random)
        return .text(String((0..<digits).map { _ in Character(String(Int.random(in: 0...9, using: &random))) }))
    }

    /// Four characters, which an archive holds as UTF-16.
    @Sendable private static func chineseName(_ random: inout SeededGenerator) -> Value {
        let units = (0..<4).map { _ in UInt16.random(in: 0x4E00..<0x9FA5, using: &random) }
        return .text(String(decoding: units, as: UTF16.self))
    }
}

extension SampleForm {
    /// The forms.
    static let all: [SampleForm] = [
        SampleForm(
            "Account",
            .ios13,
            .token("access_token"),
            .expires("expires_in", .inline),
            .remind("remind_in", .inline),
            .uid("uid", .inline)
        ),
        SampleForm(
            "Account",
            .ios12,
            .token("access_token"),
            .expires("expires_in", .inline),
            .remind("remind_in", .inline),
            .uid("uid", .inline)
        ),
        SampleForm("HWAccount", .ios12, .token("access_token"), .expires("expires_in", .number), .uid("uid", .text)),
        SampleForm("HCAccount", .ios13, .token("access_token"), .expires("expires_in", .number), .uid("uid", .text)),
        SampleForm(
            "WBAccount",
            .ios12,
            .token("access_token"),
            .remind("remind_in", .inline),
            .expires("expires_in", .inline),
            .uid("uid", .inline),
            .other("expiresTime", date)
        ),
        SampleForm(
            "WBAccount",
            .ios13,
            .token("access_token"),
            .uid("uid", .text),
            .expires("expires_in", .number),
            .other("created_time", date),
            .other("name", chineseName)
        ),
        SampleForm(
            "LXAccount",
            .ios12,
            .token("access_token"),
            .expires("expires_in", .inline),
            .uid("uid", .inline),
            .remind("remind_in", .inline),
            .other("expiresDate", date)
        ),
        SampleForm(
            "YLAccount",
            .ios13,
            .token("access_token"),
            .expires("expires_in", .inline),
            .remind("remind_in", .inline),
            .uid("uid", .number)
        ),
        SampleForm(
            "Weibo.UserAccount",
            .ios13,
            .token("access_token"),
            .expires("expires_in", .inline),
            .uid("uid", .text),
            .other("screen_name", chineseName),
            .other("avatar_large", name)
        ),
        SampleForm(
            "Sina.UserAccount",
            .ios12,
            .token("accessToken"),
            .expires("expiresIn", .inline),
            .uid("userID", .text),
            .other("screenName", name)
        ),
        SampleForm(
            "IWAccount",
            .ios12,
            .token("accessToken"),
            .expires("expiresIn", .number),
            .remind("remindIn", .number),
            .uid("userID", .number)
        ),
        SampleForm(
            "IWAccount",
            .ios13,
            .token("accessToken"),
            .expires("expiresIn", .text),
            .remind("remindIn", .text),
            .uid("userID", .text)
        ),
        SampleForm(
            "HMAccount",
            .ios12,
            topKey: "account",
            .token("access_token"),
            .expires("expires_in", .text),
            .remind("remind_in", .text),
            .uid("uid", .text)
        ),
        SampleForm(
            "HMAccount",
            .ios13,
            topKey: "account",
            .token("access_token"),
            .uid("uid", .number),
            .expires("expires_in", .number),
            .remind("remind_in", .number)
        ),
        SampleForm(
            "HVWAccountInfo",
            .ios13,
            chain: ["HVWAccountInfo", "HVWModel", "NSObject"],
            .token("access_token"),
            .expires("expires_in", .inline),
            .remind("remind_in", .inline),
            .uid("uid", .inline)
        ),
        SampleForm(
            "HVWAccountInfo",
            .ios12,
            chain: ["HVWAccountInfo", "HVWModel", "NSObject"],
            .token("access_token"),
            .expires("expires_in", .number),
            .uid("uid", .inline),
            .other("isRealName", { _ in .bool(true) })
        ),
        SampleForm(
            "OAuthAccount",
            .ios12,
            chain: ["OAuthAccount", "Account", "NSObject"],
            .token("token"),
            .expires("expires", .inline),
            .uid("user", .inline)
        ),
        SampleForm(
            "OAuthAccount",
            .ios13,
            chain: ["OAuthAccount", "Account", "NSObject"],
            .token("token"),
            .expires("expires", .inline),
            .uid("user", .text),
            .other("refresh", name)
        ),
        SampleForm(
            "App.Account",
            .ios13,
            .uid("uid", .inline),
            .token("access_token"),
            .expires("expires_in", .number),
            .remind("remind_in", .inline),
            .other("source", name)
        ),
        SampleForm(
            "SNAccount",
            .ios12,
            .uid("uid", .inline),
            .remind("remind_in", .number),
            .expires("expires_in", .inline),
            .token("access_token"),
            .other("saved", date),
            .other("nick", chineseName)
        ),
    ]

    /// The names of the classes that accounts of the forms have.
    static let classNames = Set(all.map(\.archivedClass.name)).sorted()

    /// The classes that accounts of the forms have besides `Account`, superclasses apart.
    static let classes = [
        "HWAccount", "HCAccount", "WBAccount", "LXAccount", "YLAccount", "UserAccount", "IWAccount", "HMAccount",
        "HVWAccountInfo", "SNAccount",
    ]

    /// The keys that stand for those of the model.
    static let aliases = [
        "accessToken": "access_token", "token": "access_token", "expiresIn": "expires_in", "expires": "expires_in",
        "remindIn": "remind_in", "userID": "uid", "user": "uid",
    ]

    /// The options under which the library reads all of them.
    static let options = ArchiveReadOptions(
        classes: classes,
        mapping: MappingOptions(aliases: aliases, defaults: ["remind_in": .integer(0)])
    )
}
