/// Which keys hold secrets, in archives and extras whose meaning nobody has declared.
enum SecretKeys {
    /// Words that make a key secret: `auth` does in `authCode` and `x-auth`, not in `author`.
    private static let words: Set<[UInt8]> = bytes(of: [
        "auth", "oauth", "jwt", "jws", "session", "sessions", "bearer", "cred", "creds", "refresh", "signature",
        "signatures",
        "sig", "pin", "pins", "private", "otp", "pwd", "csrf", "xsrf",
    ])

    /// What makes a key secret wherever it stands among its letters, so that `accesstoken` and `api_key` are, too.
    static let parts = Array(
        bytes(of: [
            "token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "cookie", "authorization",
            "authorisation", "apikey", "accesskey", "authkey", "authcode", "privatekey", "encryptionkey", "signingkey",
            "sessionid", "sessionkey", "pincode", "密码", "密碼", "令牌", "密钥", "密鑰",
        ])
    )

    /// Words that make a number no secret: it says how long, how many or whose.
    private static let measures: Set<[UInt8]> = bytes(of: [
        "expire", "expires", "expiry", "expiration", "in", "at", "on", "time", "date", "timestamp", "ttl", "lifetime",
        "age",
        "interval", "duration", "count", "size", "length", "version", "type", "status", "state", "uid",
    ])

    /// Whether what is under a key is not for everyone's eyes.
    ///
    /// A listing asks it for every key of every account, so that it works on bytes.
    static func isSecret(_ key: String) -> Bool {
        let (letters, ends) = split(key)
        return hasWord(letters, ends, in: words)
            || parts.contains { part in
                letters.count >= part.count
                    && (0...(letters.count - part.count)).contains { letters[$0...].starts(with: part) }
            }
    }

    /// Whether a number under a key is none that could be a secret, although the key may be one of a secret:
    /// `refresh_token_expires_in`.
    static func isMeasure(_ key: String) -> Bool {
        let (letters, ends) = split(key)
        return hasWord(letters, ends, in: measures)
    }

    private static func hasWord(_ letters: [UInt8], _ ends: [Int], in words: Set<[UInt8]>) -> Bool {
        var start = 0
        for end in ends {
            if words.contains(Array(letters[start..<end])) { return true }
            start = end
        }
        return false
    }

    /// The letters of a key in lower case, and where in them its words end. Words are told by capitals and by what is no
    /// letter: `X-apiURLKey2` has x, api, url and key.
    private static func split(_ key: String) -> (letters: [UInt8], ends: [Int]) {
        var letters: [UInt8] = []
        var ends: [Int] = []
        var last: UInt8 = 0
        func endWord(at end: Int) {
            if end > ends.last ?? 0 { ends.append(end) }
        }
        for byte in key.utf8 {
            defer { last = byte }
            guard isLetter(byte) else {
                endWord(at: letters.count)
                continue
            }
            if isCapital(byte), !isCapital(last) {
                endWord(at: letters.count)
            } else if !isCapital(byte), isCapital(last) {
                // The capital before a small letter begins a word, as the K of URLKey does.
                endWord(at: letters.count - 1)
            }
            letters.append(isCapital(byte) ? byte | 0x20 : byte)
        }
        endWord(at: letters.count)
        return (letters, ends)
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    /// Bytes above ASCII belong to letters of other scripts.
    private static func isLetter(_ byte: UInt8) -> Bool {
        isCapital(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte >= 0x80
    }

    private static func bytes(of texts: [String]) -> Set<[UInt8]> { Set(texts.map { Array($0.utf8) }) }
}
