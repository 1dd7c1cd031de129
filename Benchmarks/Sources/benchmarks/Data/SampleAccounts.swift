import AccountStorage

/// Made-up accounts as apps of the kind have them.
enum SampleAccounts {
    /// How many the benchmarks are about.
    static let count = 100_000

    private static let tokenCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// The lives that the API gives tokens: five years, 30 days, a week, a day.
    private static let lives: [Int64] = [157_679_999, 2_591_999, 604_800, 86_400]

    /// `count` accounts, all different: tokens of 32 characters, uids of ten digits, every fourth of fewer.
    static func make(_ count: Int, seed: UInt64 = 1) -> [Account] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let digits = number % 4 == 3 ? Int.random(in: 5...9, using: &random) : 10
            let least = (1..<digits).reduce(1) { power, _ in power * 10 }
            let life = lives.randomElement(using: &random) ?? 0
            return Account(
                uid: Int64.random(in: Int64(least)..<Int64(least * 10), using: &random),
                accessToken: token(using: &random),
                expiresIn: life,
                remindIn: life
            )
        }
    }

    private static func token(using random: inout SeededGenerator) -> String {
        let characters = (0..<27).map { _ in tokenCharacters.randomElement(using: &random) ?? 0x30 }
        return "2.00" + String(decoding: characters, as: UTF8.self) + "D"
    }
}
