import AccountStorage
import CBaselines

/// Accounts where C reads them, and the buffer into which it writes each archive over the one before.
final class CEncoder: @unchecked Sendable {
    private let inputs: UnsafeMutableBufferPointer<cb_input>
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)

    init(_ accounts: [Account]) {
        inputs = .allocate(capacity: accounts.count)
        for (index, account) in accounts.enumerated() {
            let token = Array((account.accessToken ?? "").utf8).map(CChar.init(bitPattern:))
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: token.count + 1)
            _ = copy.initialize(from: token)
            inputs.initializeElement(
                at: index,
                to: cb_input(
                    token: UnsafePointer(copy.baseAddress),
                    token_size: token.count,
                    expires_in: account.expiresIn,
                    remind_in: account.remindIn,
                    uid: account.uid
                )
            )
        }
    }

    /// Encodes a part of the accounts and gives the sum of the archives' checksums.
    func encode(_ part: Range<Int>) throws -> UInt64 {
        var sum: UInt64 = 0
        let start = inputs.baseAddress.map { UnsafePointer($0) + part.lowerBound }
        try check(
            cb_encode_all(start, part.count, buffer.baseAddress, buffer.count, &sum),
            "the baseline in C refuses an account"
        )
        return sum
    }

    /// The archive of one account.
    func archive(_ index: Int) -> [UInt8] {
        var input = inputs[index]
        return Array(buffer.prefix(cb_encode(&input, buffer.baseAddress, buffer.count)))
    }
}
