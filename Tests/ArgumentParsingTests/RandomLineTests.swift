import ArgumentParsing
import TestSupport
import Testing

@Suite("Random command lines")
struct RandomLineTests {
    private static let pieces: [[UInt8]] =
        [
            "import", "export", "show", "help", "list", "add", "--", "-", "--json", "--uid", "--uid=1,2", "--output",
            "-o",
            "-qv", "-j8", "--missing", "a=b", "=", "--=", "-=", "--help", "-h", "--all", "-1", "9223372036854775808",
            "",
            "--on-conflict=newest", "--v", "--database=", "\n", "--\u{1B}", "-\u{1F44B}",
        ].map { Array($0.utf8) } + [[0xFF], [0x2D, 0xFF], [0x2D, 0x2D, 0xC0, 0x3D]]

    @Test("any line gives an outcome, or one line that says what is wrong", arguments: 0..<8)
    func anyLine(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...6, using: &generator)
            let line = (0..<count).map { _ -> RawArgument in
                let random = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    UInt8.random(in: 1...255, using: &generator)
                }
                let piece = Self.pieces.randomElement(using: &generator) ?? []
                return RawArgument(bytes: Bool.random(using: &generator) ? piece : piece + random)
            }
            guard let error = fault(line) else { continue }
            #expect(!error.message.isEmpty && error.message.allSatisfy { !$0.isNewline }, "\(line)")
            #expect(error.message.count < 600, "\(line)")
        }
    }
}
