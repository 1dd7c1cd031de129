import FoundationEssentials
import KeyValueCoding
import Testing

@testable import AccountsCommand

@Suite("Secrets")
struct SecretTests {
    @Test(
        "keys that sound like secrets are taken for such",
        arguments: [
            "access_token", "refreshToken", "client_SECRET", "Password", "accesstoken", "TOKENS", "auth", "Auth",
            "x-auth",
            "authCode", "auth2", "HTTPAuth", "AUTHHeader", "oauth", "OAuth", "jwt", "id.jwt", "myJWT", "cookie",
            "Set-Cookie",
            "cookies", "session", "sessionID", "sessionid", "PHP_SESSION", "authorization", "Authorization", "bearer",
            "credential", "userCredentials", "creds", "apikey", "api_key", "API-Key", "apiKey", "X-API-KEY", "refresh",
            "signature", "pin", "PIN", "userPin", "pin_code", "pincode", "private", "privateKey", "private_key", "otp",
            "pwd",
            "passwd", "passphrase", "登录密码",
        ]
    )
    func secret(key: String) {
        #expect(SecretKeys.isSecret(key))
    }

    @Test(
        "other keys are not",
        arguments: [
            "uid", "expires_in", "name", "isRealName", "", "author", "authors", "authenticity", "pinned", "pinyin",
            "spin",
            "opinion", "shopping", "privately", "refreshed", "obsession", "signed", "design", "key", "monkey", "apiURL",
            "bearing", "_", "...", "名字", "A", "remind_in",
        ]
    )
    func open(key: String) {
        #expect(!SecretKeys.isSecret(key))
    }

    @Test("what is under a secret key is cut as a whole, and everything else stays")
    func redaction() {
        let object = Value.ObjectValue(className: "T", classes: [], fields: ["token": "abcdefghij", "n": 1000])
        let value: Value = [
            "tokens": ["abcdefghij", 5, .data([1, 2]), .data([]), .null, true], "name": "abcdefghij",
            "object": .object(object), "pin": 1234, "auth": .object(object), "refresh_token_expires_in": 7200,
            "session": [
                "uid": 7, "inner": ["code": 9876, "flag": 9, "name": "abcdefghij"],
                "when": .date(.init(timeIntervalSince1970: 0)),
            ],
            "pairs": .pairs([
                .init(key: "password", value: "abcdefghij"), .init(key: 1, value: "abcdefghij"),
            ]),
            "cookies": .pairs([.init(key: 1, value: 2), .init(key: "k", value: "abcdefghij")]),
        ]
        let hidden = Value.ObjectValue(className: "T", classes: [], fields: ["token": "abcd…", "n": 1000])
        let whole = Value.ObjectValue(className: "T", classes: [], fields: ["token": "abcd…", "n": "…"])
        #expect(
            value.redactingSecrets() == [
                "tokens": ["abcd…", "…", .omittedData, .data([]), .null, true], "name": "abcdefghij",
                "object": .object(hidden), "pin": "…", "auth": .object(whole), "refresh_token_expires_in": 7200,
                "session": [
                    "uid": 7, "inner": ["code": "…", "flag": 9, "name": "abcd…"],
                    "when": .date(.init(timeIntervalSince1970: 0)),
                ],
                "pairs": .pairs([.init(key: "password", value: "abcd…"), .init(key: 1, value: "abcdefghij")]),
                "cookies": .pairs([.init(key: "…", value: "…"), .init(key: "k", value: "abcd…")]),
            ]
        )
    }

    @Test(
        "a text with a token in it is cut, whatever its key",
        arguments: [
            "eyJhbGciOiJIUzI1NiJ9.eyJ1aWQiOjF9.c2lnbmF0dXJl", "eyJhbGciOiJub25lIn0.eyJ1aWQiOjF9.", "Bearer abcdefgh12",
            "Authorization: bearer 2.00ABCDEFG", "https://x/?t=eyJhbGciOiJIUzI1NiJ9.eyJ1aWQiOjF9.c2ln&n=1",
            "\"eyJh.eyJ1.c2ln\"",
        ]
    )
    func tokens(text: String) {
        #expect(["name": .text(text)].redacted != ["name": .text(text)])
    }

    @Test(
        "a secret that a text names is cut where it stands",
        arguments: [
            ("https://api/x?access_token=SECRET-1234567890&uid=5#top", "https://api/x?access_token=SECR…&uid=5#top"),
            ("r=https%3A%2F%2Fa%3Ftoken%3DSECRET12345%26uid%3D5", "r=https%3A%2F%2Fa%3Ftoken%3DSECR…%26uid%3D5"),
            (#"{"uid":7,"refresh_token" : "SECRET\"12345","a":1}"#, #"{"uid":7,"refresh_token" : "SECR…","a":1}"#),
            (#""{\"password\":\"SECRET12345\",\"a\":1}""#, #""{\"password\":\"SECR…\",\"a\":1}""#),
            (#"{"session":{"id":"SECRET12345"},"a":1}"#, #"{"session":{"id…"#),
            ("password=hunter2; path=/", "password=…; path=/"), ("Cookie: SECRET12345; a=b", "Cookie: SECR…; a=b"),
            ("{'pin_code': 123456, 'n': 1}", "{'pin_code': …, 'n': 1}"),
            (
                "<key>access_token</key>\n<string>SECRET12345</string>",
                "<key>access_token</key>\n<string>SECR…</string>"
            ),
            ("密码：x 密码=SECRET12345 end", "密码：x 密码=SECR… end"),
        ]
    )
    func named(text: String, shown: String) {
        #expect(["name": .text(text)].redacted == ["name": .text(shown)])
    }

    @Test("data with a property list, a token or a secret's key in it is left out, in UTF-8 and UTF-16 alike")
    func data() {
        let texts = [
            "x bplist00 y", "<?xml?><plist/>", "a=1&sig=SECRET", "Bearer abcdefgh12", "n\u{4}access_token\u{5}abc",
        ]
        for text in texts {
            let wide = text.utf8.reduce(into: [UInt8]()) { $0 += [0, $1] }
            for bytes in [Array(text.utf8), wide] {
                #expect(["icon": .data(bytes)].redacted == ["icon": .omittedData])
            }
        }
        for bytes in [[], Array("a=1&n=OTHERWORD".utf8), [UInt8](0...255)] {
            #expect(["icon": .data(bytes)].redacted == ["icon": .data(bytes)])
        }
    }

    @Test("patterns are found in steps that grow with the length alone, and long ones by their beginnings")
    func patterns() {
        var patterns = BytePatterns()
        #expect(!patterns.match(in: [1, 2, 3]))
        for pattern in ["abcd", "abcdefgh", "cdx"] { patterns.insert(pattern.utf8) }
        #expect(patterns.ranges(in: Array("abcabcdefgabcdefghcdx".utf8)) == [3..<7, 10..<18, 18..<21])
        let long = [UInt8](repeating: 7, count: 100_000)
        patterns.insert(long + [8])
        #expect(patterns.ranges(in: [1] + long.prefix(127)) == [])
        #expect(patterns.ranges(in: [1] + long.prefix(200) + [1]) == [1..<201])
        #expect(patterns.ranges(in: [1] + long + [9, 9]) == [1..<100_003])
    }

    @Test(
        "other texts stay",
        arguments: [
            "", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "eyJhbGci.more words", "the bearer of the ring", "bearer",
            "forbearer abcdefgh12",
            "https://x/?uid=5&token_expires_in=3600&auth=1", "oauth://callback?code", "is_session=true", "the token is",
            "keyJab.cd.ef", "www.example.com.cn", "2015-08-23T05:20:00.25Z",
        ]
    )
    func texts(text: String) {
        #expect(["name": .text(text)].redacted == ["name": .text(text)])
    }
}

extension [String: Value] {
    fileprivate var redacted: Value { Value.dictionary(self).redactingSecrets() }
}
