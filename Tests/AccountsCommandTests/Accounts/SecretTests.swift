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
                "tokens": ["abcd…", "…", "…", .data([]), .null, true], "name": "abcdefghij",
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
        "other texts stay",
        arguments: [
            "", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "eyJhbGci.more words", "the bearer of the ring", "bearer",
            "forbearer abcdefgh12",
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
