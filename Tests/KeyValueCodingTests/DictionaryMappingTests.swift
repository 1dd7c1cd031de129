import FoundationEssentials
import KeyValueCoding
import Testing

@Suite("A dictionary mapped to a model")
struct DictionaryMappingTests {
    static let reply: [String: Value] = [
        "access_token": "2.00abcdefghijk", "remind_in": "157679999", "expires_in": 157_679_999,
        "uid": "1404376560", "isRealName": "true",
    ]

    @Test("the API's reply fills the account, and its unknown key is kept")
    func reply() throws {
        let account = try Account(dictionary: Self.reply)
        #expect(account.accessToken == "2.00abcdefghijk")
        #expect(account.remindIn == 157_679_999)
        #expect(account.expiresIn == 157_679_999)
        #expect(account.uid == 1_404_376_560)
        #expect(account.extras == ["isRealName": "true"])
    }

    @Test("an unknown key is dropped or refused if that is asked for")
    func unknownKeys() throws {
        #expect(try Account(dictionary: Self.reply, options: .init(unknownKeys: .drop)).extras.isEmpty)
        let error = failure { () throws(MappingError) in
            try Account(dictionary: Self.reply, options: .init(unknownKeys: .reject))
        }
        #expect(error?.code == .unknownKey)
        #expect(error?.key == "isRealName")
        #expect(error?.expected.contains("\"access_token\", \"expires_in\"") == true)
    }

    @Test("a model without extras cannot keep an unknown key")
    func noExtras() throws {
        let error = failure { () throws(MappingError) in try Device(dictionary: ["id": 1, "name": "n", "x": 1]) }
        #expect(error?.code == .unknownKey)
        #expect(error?.key == "x")
        #expect(try Device(dictionary: ["id": 1, "name": "n", "x": 1], options: .init(unknownKeys: .drop)).id == 1)
    }

    @Test("a missing key is an error that names the keys that were found")
    func missing() {
        let error = failure { () throws(MappingError) in
            try Account(dictionary: ["expires_in": 1, "access_token": nil])
        }
        #expect(error == .missingKey("uid", found: ["access_token", "expires_in"]))
        #expect(
            error.map(String.init(describing:))
                == "uid: missing key: expected a value, found \"access_token\", \"expires_in\""
        )
        #expect(failure { () throws(MappingError) in try Account(dictionary: [:]) }?.found == "no keys")
    }

    @Test("a default stands in for a missing key, the options' before the table's")
    func defaults() throws {
        let found: [String: Value] = ["expires_in": 1, "access_token": nil]
        let account = try Account(dictionary: found, options: .init(defaults: ["uid": "7", "remind_in": 5]))
        #expect(account.uid == 7)
        #expect(account.remindIn == 5)
        #expect(try Account(dictionary: found, options: .init(defaults: ["uid": 7])).remindIn == 0)
        let error = failure { () throws(MappingError) in
            try Account(dictionary: found, options: .init(defaults: ["uid": "x"]))
        }
        #expect(error?.code == .typeMismatch)
    }

    @Test("a key can be read as another, unless both are there")
    func aliases() throws {
        var found = Self.reply
        found["user_id"] = found.removeValue(forKey: "uid")
        let options = MappingOptions(aliases: ["user_id": "uid"])
        #expect(try Account(dictionary: found, options: options).uid == 1_404_376_560)
        found["uid"] = 5
        let error = failure { () throws(MappingError) in try Account(dictionary: found, options: options) }
        #expect(error == .duplicateKey("uid", found: ["uid", "user_id"]))
    }

    @Test("two keys can be read as each other")
    func swappedAliases() throws {
        let options = MappingOptions(aliases: ["expires_in": "remind_in", "remind_in": "expires_in"])
        var found = Self.reply
        found["remind_in"] = 1
        let account = try Account(dictionary: found, options: options)
        #expect(account.expiresIn == 1)
        #expect(account.remindIn == 157_679_999)
    }

    @Test("an alias for a property that does not exist is an error that names it")
    func badAlias() {
        let options = MappingOptions(aliases: ["isRealName": "real_name"])
        let error = failure { () throws(MappingError) in try Account(dictionary: Self.reply, options: options) }
        #expect(error?.code == .unknownKey)
        #expect(error?.key == "real_name")
    }

    @Test("null is nil for an optional and an error for a number")
    func null() throws {
        #expect(try Account(dictionary: ["uid": 1, "expires_in": 2, "access_token": nil]).accessToken == nil)
        for policy in [CoercionPolicy.strict, .objectiveC] {
            let error = failure { () throws(MappingError) in
                try Account(
                    dictionary: ["uid": nil, "expires_in": 1, "access_token": nil],
                    options: .init(coercion: policy)
                )
            }
            #expect(error?.code == .nullValue)
            #expect(error?.key == "uid")
        }
    }

    @Test(
        "a value of the wrong type is refused under its key",
        arguments: [
            ("access_token", 42, .typeMismatch), ("access_token", true, .typeMismatch), ("uid", true, .typeMismatch),
            ("uid", 1.5, .notIntegral), ("expires_in", "3600s", .typeMismatch), ("uid", 1e19, .outOfRange),
            ("expires_in", .date(Date(timeIntervalSinceReferenceDate: 0)), .typeMismatch),
        ] as [(String, Value, MappingError.Code)]
    )
    func wrongType(key: String, value: Value, code: MappingError.Code) throws {
        var found = Self.reply
        found[key] = value
        let error = failure { () throws(MappingError) in try Account(dictionary: found) }
        #expect(error?.code == code)
        #expect(error?.key == key)
        #expect(error?.hint.isEmpty == true)
    }

    @Test("a real that is integral is an integer")
    func integralReal() throws {
        var found = Self.reply
        found["uid"] = 1.0
        #expect(try Account(dictionary: found).uid == 1)
    }

    @Test("of several errors the first in the order of the table is reported, then unknown keys in theirs")
    func order() {
        let found: [String: Value] = [
            "zz": 1, "yy": 2, "uid": "x", "remind_in": 1.5, "expires_in": 1, "access_token": "",
        ]
        let options = MappingOptions(unknownKeys: .reject)
        for _ in 0..<20 {
            #expect(
                failure { () throws(MappingError) in try Account(dictionary: found, options: options) }?.key
                    == "remind_in"
            )
            let other = found.merging(["uid": 1, "remind_in": 1]) { $1 }
            #expect(
                failure { () throws(MappingError) in try Account(dictionary: other, options: options) }?.key == "yy"
            )
        }
    }

    @Test("setting values for keys changes those alone, and nothing when it throws")
    func setValues() throws {
        var account = try Account(dictionary: Self.reply)
        try account.setValuesForKeys(["uid": "7", "new": [1]])
        #expect(account.uid == 7)
        #expect(account.expiresIn == 157_679_999)
        #expect(account.extras == ["isRealName": "true", "new": [1]])
        let before = account
        #expect(
            failure { () throws(MappingError) in
                try account.setValuesForKeys(["access_token": "x", "expires_in": 1, "uid": nil])
            }?.key == "uid"
        )
        #expect(account == before)
    }

    @Test("one value can be set and got by key")
    func single() throws {
        var account = Account()
        try account.setValue("42", forKey: "uid")
        #expect(try account.value(forKey: "uid") == 42)
        try account.setValue("12abc", forKey: "uid", policy: .objectiveC)
        #expect(account.uid == 12)
        try account.setValue(nil, forKey: "access_token")
        #expect(try account.value(forKey: "access_token") == nil)
        try account.setValue(["name": ["first": "A"], "none": nil], forKey: "user")
        #expect(try account.value(forKey: "user") == ["name": ["first": "A"], "none": nil])
        #expect(try account.value(forKeyPath: "user.name.first") == "A")
        #expect(try account.value(forKeyPath: "user.none.first") == nil)
        #expect(try account.value(forKeyPath: "uid") == 12)
        #expect(failure { () throws(MappingError) in try account.value(forKey: "nope") }?.code == .unknownKey)
        #expect(failure { () throws(MappingError) in try account.value(forKeyPath: "user.nope.x") }?.key == "user.nope")
        #expect(failure { () throws(MappingError) in try account.value(forKeyPath: "uid.x") }?.code == .typeMismatch)
        #expect(failure { () throws(MappingError) in try account.value(forKeyPath: "") }?.code == .unknownKey)
        #expect(
            failure { () throws(MappingError) in
                try account.setValue(1, forKey: "uidd", unknownKeys: .reject)
            }?.code == .unknownKey
        )
    }

    @Test("values are got for several keys, or the missing one is named")
    func dictionary() throws {
        let account = try Account(dictionary: Self.reply)
        #expect(
            try account.dictionaryWithValues(forKeys: ["uid", "isRealName", "obtained_at"])
                == ["uid": 1_404_376_560, "isRealName": "true", "obtained_at": nil]
        )
        #expect(
            failure { () throws(MappingError) in try account.dictionaryWithValues(forKeys: ["uid", "x"]) }?.key == "x"
        )
        #expect(try Account(dictionary: account.dictionaryRepresentation) == account)
    }
}
