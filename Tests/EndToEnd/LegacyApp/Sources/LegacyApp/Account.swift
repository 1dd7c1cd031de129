import Foundation

/// The class of the legacy app, with the same keys and the same calls.
final class Account: NSObject, NSCoding {
    let accessToken: String?
    let expiresIn: Int64
    let remindIn: Int64
    let uid: Int64
    /// What the API sent beside the four, and the legacy app did not keep.
    let isRealName: String?

    init(accessToken: String?, expiresIn: Int64, remindIn: Int64, uid: Int64) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.remindIn = remindIn
        self.uid = uid
        isRealName = nil
    }

    init?(coder: NSCoder) {
        accessToken = coder.decodeObject(forKey: "access_token") as? String
        expiresIn = coder.decodeInt64(forKey: "expires_in")
        remindIn = coder.decodeInt64(forKey: "remind_in")
        uid = coder.decodeInt64(forKey: "uid")
        // To ask Foundation on Linux for a key that is not there ends the process.
        let hasRealName = coder.containsValue(forKey: "isRealName")
        isRealName = hasRealName ? coder.decodeObject(forKey: "isRealName") as? String : nil
    }

    func encode(with coder: NSCoder) {
        coder.encode(accessToken as NSString?, forKey: "access_token")
        coder.encode(expiresIn, forKey: "expires_in")
        coder.encode(remindIn, forKey: "remind_in")
        coder.encode(uid, forKey: "uid")
    }

    /// The values by their keys, for JSON.
    var values: [String: Any] {
        [
            "access_token": accessToken ?? NSNull(), "expires_in": expiresIn, "remind_in": remindIn, "uid": uid,
            "isRealName": isRealName ?? NSNull(),
        ]
    }
}
