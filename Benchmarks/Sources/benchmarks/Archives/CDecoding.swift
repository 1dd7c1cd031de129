import CBaselines
import Foundation

/// The options of the baseline in C, which outlive the run as the files do.
final class CDecoder: @unchecked Sendable {
    let options: UnsafeMutablePointer<cb_options>
    private let files: UnsafeMutableBufferPointer<cb_bytes>

    /// Copies files, and the names that accounts and their keys may have, to where C reads them.
    init(_ contents: [[UInt8]], classes: [String], aliases: [String: String], remindMayBeMissing: Bool) {
        let properties = [
            "access_token": CB_TOKEN, "expires_in": CB_EXPIRES_IN, "remind_in": CB_REMIND_IN, "uid": CB_UID,
        ]
        let names = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: classes.count)
        _ = names.initialize(from: classes.map(Self.copy))
        let keyed = properties.merging(aliases.compactMapValues { properties[$0] }) { first, _ in first }
        let keys = UnsafeMutableBufferPointer<cb_key>.allocate(capacity: keyed.count)
        _ = keys.initialize(
            from: keyed.sorted { $0.key < $1.key }.map { cb_key(key: Self.copy($0.key), property: $0.value) }
        )
        options = .allocate(capacity: 1)
        options.initialize(
            to: cb_options(
                classes: UnsafePointer(names.baseAddress),
                class_count: names.count,
                keys: UnsafePointer(keys.baseAddress),
                key_count: keys.count,
                remind_in_may_be_missing: remindMayBeMissing
            )
        )
        files = .allocate(capacity: contents.count)
        let arena = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: contents.reduce(0) { $0 + $1.count } + 1)
        var offset = 0
        for (index, content) in contents.enumerated() {
            let copy = UnsafeMutableBufferPointer(rebasing: arena[offset..<(offset + content.count)])
            _ = copy.initialize(from: content)
            files.initializeElement(
                at: index,
                to: cb_bytes(start: UnsafePointer(copy.baseAddress), size: content.count)
            )
            offset += content.count
        }
    }

    private static func copy(_ text: String) -> UnsafePointer<CChar>? {
        let characters = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
        _ = copy.initialize(from: characters)
        return UnsafePointer(copy.baseAddress)
    }

    /// Decodes a part of the files and gives the digest of all accounts in it.
    func decode(_ part: Range<Int>) throws -> UInt64 {
        var sum: UInt64 = 0
        let start = files.baseAddress.map { UnsafePointer($0) + part.lowerBound }
        try check(cb_decode_all(start, part.count, options, &sum), "the baseline in C refuses an archive")
        return sum
    }

    /// Decodes one file; the token is nil where the archive has nil.
    func account(_ index: Int) throws -> (token: String?, expiresIn: Int64, remindIn: Int64, uid: Int64) {
        var account = cb_account()
        try check(
            cb_decode(files[index].start, files[index].size, options, &account),
            "the baseline in C refuses archive \(index)"
        )
        defer { free(account.token) }
        let token = account.token.map {
            String(decoding: UnsafeRawBufferPointer(start: $0, count: account.token_size), as: UTF8.self)
        }
        return (token, account.expires_in, account.remind_in, account.uid)
    }
}
