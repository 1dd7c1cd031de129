import Testing

@testable import KeyedArchive

@Suite("Patterns of class names")
struct ClassPatternTests {
    @Test(
        "a name means the class, the Swift class of any module, and nothing else",
        arguments: [
            ("Account", true), ("OldApp.Account", true), ("_TtC6OldApp7Account", true), ("微博.Account", true),
            ("_TtC6微博7Account", true), ("WBAccount", false), ("AccountBook", false), ("App.UserAccount", false),
            ("_TtC6OldApp7Accoun", false), ("_TtC6OldApp8Account", false), ("_TtC99OldApp7Account", false),
            ("Account.", false), (".Account", false), ("", false),
        ]
    )
    func plainName(name: String, expected: Bool) {
        #expect(ClassPattern("Account").matches(name: name) == expected)
    }

    @Test(
        "a star stands for any text",
        arguments: [
            ("*", "HWAccount", true), ("*", "", true), ("HW*", "HWAccount", true), ("HW*", "XHWAccount", false),
            ("*Account", "WDKWeiBo.UserAccount", true), ("*.UserAccount", "WDKWeiBo.UserAccount", true),
            ("*.UserAccount", "UserAccount", false), ("*.UserAccount", "_TtC8WDKWeiBo11UserAccount", true),
            ("a*b*c", "abc", true), ("a*b*c", "a1b2c", true), ("a*b*c", "acb", false), ("a*a", "a", false),
            ("WDKWeiBo.UserAccount", "WDKWeiBo.UserAccount", true), ("WDKWeiBo.UserAccount", "X.UserAccount", false),
        ]
    )
    func stars(pattern: String, name: String, expected: Bool) {
        #expect(ClassPattern(pattern).matches(name: name) == expected)
    }

    @Test("a subclass is meant by its superclass's name")
    func subclass() {
        let observed = ArchivedClass(
            name: "NSKVONotifying_Account",
            chain: ["NSKVONotifying_Account", "Account", "NSObject"]
        )
        #expect(ClassPattern("Account").matches(observed))
        #expect(!ClassPattern("Accounts").matches(observed))
    }
}
