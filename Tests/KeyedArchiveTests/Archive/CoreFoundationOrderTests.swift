import Testing

@testable import KeyedArchive

@Suite("The order of a CFDictionary's keys")
struct CoreFoundationOrderTests {
    @Test("the seed's keys come in the order of the seed's archives")
    func seed() {
        let keys = ["access_token", "expires_in", "remind_in", "uid", "$class"]
        let order = CoreFoundationOrder.positions(of: keys).map { keys[$0] }
        #expect(order == ["$class", "uid", "expires_in", "access_token", "remind_in"])
    }

    @Test("the order of each app's keys is that of its archive", arguments: encodedOrders)
    func variants(file: String, encoded: String) throws {
        let archive = try Archive(reading: try Fixtures.bytes("variants/\(file).data"))
        let found = archive.list.entries(of: try archive.rootObject().run).map(\.key)
        let keys = encoded.split(separator: " ").map(String.init) + ["$class"]
        #expect(CoreFoundationOrder.positions(of: keys).map { keys[$0] } == found)
    }

    /// In which order each app encodes its keys; it matters where two keys want one bucket.
    private static let encodedOrders: [(String, String)] = [
        ("01_Account_seed", "access_token expires_in remind_in uid"),
        ("03_WBAccount_expiresTime", "access_token remind_in expires_in uid expiresTime"),
        ("05_WeiBoOAuth_logState", "access_token expires_time remind_in expires_in uid logState"),
        ("07_HWAccount_min", "access_token expires_in uid"),
        ("09_WBAccount_name_nil", "access_token uid expires_in created_time name"),
        ("11_YLAccount_integer_uid", "access_token expires_in remind_in uid"),
        ("13_Swift_WDK", "access_token expires_date uid screen_name avatar_large"),
        ("15_HCAccount_decodebug", "access_token expires_in uid"),
        ("17_LXAccount", "access_token expires_in uid remind_in expiresDate"),
    ]

    @Test("any number of keys keeps every key", arguments: [0, 1, 3, 4, 6, 7, 100, 5_000, 100_000])
    func complete(count: Int) {
        let keys = (0..<count).map { "key \($0)" }
        #expect(CoreFoundationOrder.positions(of: keys).sorted() == Array(0..<count))
    }
}
