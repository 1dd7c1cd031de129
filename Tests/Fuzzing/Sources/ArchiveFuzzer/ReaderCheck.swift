import AccountStorage
import KeyValueCoding
import KeyedArchive

/// A reader that has learned the form of an input, and then reads what is nearly the same file.
enum ReaderCheck {
    static func run(_ bytes: [UInt8]) {
        let options = AccountCheck.options()
        let reader = AccountArchiveReader(options: options)
        guard let first = try? reader.accounts(in: bytes, obtainedAt: nil) else { return }
        compare(reader, bytes, options)
        var random = Random(bytes)
        for _ in 0..<6 { compare(reader, edited(bytes, &random), options) }
        guard first.count == 1 else { return }
        var account = first[0].account
        account.uid = Int64(bitPattern: random.next()) >> Int64(random.below(56))
        account.accessToken = String(repeating: "t", count: random.below(40))
        account.expiresIn = account.uid &- 1
        let stored = StoredArchive(account: account, form: first[0].form, details: first[0].details)
        guard let other = try? stored.archiveData() else { return }
        compare(reader, other, options)
        compare(reader, edited(other, &random), options)
    }

    private static func compare(_ reader: AccountArchiveReader, _ bytes: [UInt8], _ options: ArchiveReadOptions) {
        let learned = outcome { try reader.accounts(in: bytes, obtainedAt: nil) }
        let general = outcome { try ArchivedAccount.accounts(in: bytes, options: options) }
        require(
            AccountCheck.areSame(learned.accounts, general.accounts) && learned.error == general.error,
            "a reader that knows the form reads something else"
        )
    }

    private static func outcome(_ read: () throws -> [ArchivedAccount]) -> (accounts: [ArchivedAccount], error: String)
    {
        do {
            return (try read(), "")
        } catch {
            return ([], "\(error)")
        }
    }

    private static func edited(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(5) {
            case 0: bytes[place] ^= 1 << UInt8(random.below(8))
            case 1: bytes[place] = UInt8(random.below(256))
            case 2: bytes[place] &+= random.below(2) == 0 ? 1 : 255
            case 3: bytes.swapAt(place, random.below(bytes.count))
            default: bytes.remove(at: place)
            }
        }
        return bytes
    }
}

/// Numbers that follow from an input, so that a finding can be repeated (SplitMix64).
private struct Random {
    private var state: UInt64

    init(_ bytes: [UInt8]) {
        state = bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
